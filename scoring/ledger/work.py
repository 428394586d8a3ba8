"""Registry of kinds of background work and of chores. Apps register their own at start-up.

Rows of work are subclasses of `scoring.ledger.models.work.Work`; `scoring.ledger.services.queue` claims them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from django.conf import settings
from django.db.models import Q, QuerySet

from scoring.ledger.models.work import Work


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of background work.

    perform: function that does the work of the row with this id; must be safe to repeat
    due_column: name of the date field that holds the first day on which a row may start; "" if every row may
        start at any time
    retried: whether the office can retry all parked rows together
    batch: the most rows that one sweep enqueues
    patient: whether rows may wait long without being reported as late, as long as no attempt fails
    long: whether a row may take `LONG_TASK_SECONDS`, because it reads, or writes, much in one transaction
    """

    model: type[Work]
    perform: Callable[[int], None]
    due_column: str = ""
    retried: bool = True
    batch: int = 100
    patient: bool = False
    long: bool = False

    @property
    def limits(self) -> dict[str, int]:
        """The time limits of the kind's tasks, as options of `apply_async`; empty for those of all tasks."""
        seconds = settings.LONG_TASK_SECONDS
        return {"time_limit": seconds, "soft_time_limit": max(1, seconds * 2 // 3)} if self.long else {}

    def due(self, day: date) -> QuerySet[Work]:
        """Return the rows, in any state, that may start on or before `day`."""
        rows = self.model._default_manager.all()
        if not self.due_column:
            return rows
        return rows.filter(Q(**{self.due_column: None}) | Q(**{f"{self.due_column}__lte": day}))


KINDS: dict[str, Kind] = {}
DAILY: list[Callable[[date], object]] = []
SWEEPING: list[Callable[[], object]] = []


def register(kind: Kind) -> None:
    """Register a kind of work. Safe to repeat."""
    KINDS[kind.model._meta.label_lower] = kind


def register_daily(chore: Callable[[date], object]) -> None:
    """Register a function to be called once a day, by the day's first sweep. Its argument is the day."""
    if chore not in DAILY:
        DAILY.append(chore)


def register_sweep(chore: Callable[[], object]) -> None:
    """Register a function that every sweep of every worker calls. It has to be quick if nothing is due."""
    if chore not in SWEEPING:
        SWEEPING.append(chore)
