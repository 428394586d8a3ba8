"""The kinds of background work, and what is done once a day. Features register theirs at start-up.

The rows are models made from `scoring.ledger.models.work.Work`; `scoring.ledger.services.queue` claims them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from django.db.models import Q, QuerySet

from scoring.ledger.models.work import Work


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of background work.

    perform: does the row with this id; safe to repeat
    due_column: the date column of rows that wait for a day, empty where none does
    retried: whether the office can let parked rows try again, all at once
    """

    model: type[Work]
    perform: Callable[[int], None]
    due_column: str = ""
    retried: bool = True

    def due(self, day: date) -> QuerySet:
        """The rows that may be begun by a day, whatever became of them."""
        rows = self.model.objects.all()
        if not self.due_column:
            return rows
        return rows.filter(Q(**{self.due_column: None}) | Q(**{f"{self.due_column}__lte": day}))


KINDS: dict[str, Kind] = {}
DAILY: list[Callable[[date], object]] = []


def register(kind: Kind) -> None:
    """Add a kind of work, once."""
    KINDS[kind.model._meta.label_lower] = kind


def register_daily(chore: Callable[[date], object]) -> None:
    """Add what the first sweep of a day does; it gets the day."""
    if chore not in DAILY:
        DAILY.append(chore)
