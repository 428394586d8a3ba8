"""Registry of things that have to happen again and again, such as backups, and when each last did.

Rooms register theirs in `AppConfig.ready`. The readiness page, the metrics, the alarms and the office's page
show all of them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.functional import Promise


@dataclass(frozen=True, slots=True)
class Freshness:
    """Something that has to happen again within some time.

    code: identifies it in metrics and JSON
    label: its name for people, as a noun: "last backup"
    last: function that returns when it last happened, None if never. It may query the database once
    late_after: function that returns the longest time between two, None if it is not expected here
    late: English text of the alarm, with the placeholder %(hours)s; `gettext_noop` marks it
    """

    code: str
    label: Promise
    last: Callable[[], datetime | None]
    late_after: Callable[[], timedelta | None]
    late: str


@dataclass(frozen=True, slots=True)
class Age:
    """How long ago something happened.

    last: None if it never did
    is_late: whether it should have happened again by now
    """

    of: Freshness
    last: datetime | None
    is_late: bool

    @property
    def seconds(self) -> float | None:
        """The seconds since then; None if it never happened."""
        return None if self.last is None else max(0.0, (timezone.now() - self.last).total_seconds())

    @property
    def hours(self) -> int | None:
        """The whole hours since then; None if it never happened."""
        return None if self.seconds is None else int(self.seconds // 3600)


_REGISTERED: dict[str, Freshness] = {}


def register(freshness: Freshness) -> None:
    """Register something that has to happen again. Safe to repeat."""
    _REGISTERED[freshness.code] = freshness


def ages() -> list[Age]:
    """Return the age of everything registered, in the order of registration. Raises DatabaseError."""
    return [_age(freshness) for freshness in _REGISTERED.values()]


def _age(freshness: Freshness) -> Age:
    last, limit = freshness.last(), freshness.late_after()
    is_late = limit is not None and (last is None or timezone.now() - last > limit)
    return Age(freshness, last, is_late)
