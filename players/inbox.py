"""What waits for an account: one list, to which each room of the application adds what it knows of.

A kind of matter is a subclass of `Source`, of which an instance is registered in `AppConfig.ready`. The
inbox, the home page and the desks of clubs show matters with the template `ui/inbox.html`. The number of
queries does not depend on the number of matters.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.functional import Promise

from players.access import Roles, roles_of
from ui.clock import today

Rows = QuerySet[Any] | Sequence[Any]


@dataclass(frozen=True, slots=True)
class Matter:
    """Something that waits for an account.

    kind: what kind of matter it is, in two or three words
    title: what it is about; links to `url`
    act: the text of its button, which names the act
    since: when it began to wait; None if that is not known
    note: why it waits; may be empty
    stops_points: whether points of a played tournament do not count until somebody acts
    upkeep: whether the data would be better for it, but no person waits for an answer
    action: the address to which the button posts; "" if the button is a link to `url`
    """

    kind: str | Promise
    title: str
    url: str
    act: str
    since: date | datetime | None = None
    note: str = ""
    stops_points: bool = False
    upkeep: bool = False
    action: str = ""

    @property
    def days(self) -> int | None:
        """The number of days that the matter has waited; None if it is not known."""
        if self.since is None:
            return None
        return max((today() - timezone.localtime(_instant(self.since)).date()).days, 0)


class Source:
    """Base class of the kinds of matters.

    kind: identifies the kind in the filter of the inbox
    label: its name in the filter, and on its matters
    stops_points: whether its matters stop points
    upkeep: whether no person waits for an answer
    """

    kind: str
    label: Promise
    stops_points = False
    upkeep = False

    def rows(self, user: Any, roles: Roles) -> Rows:
        """Return what waits for the account, the longest wait first; () without a query if nothing can.

        The inbox reads only the first rows of a queryset, and counts the others.

        user: a signed-in account
        roles: the roles by which to choose. These are the account's own, except where an auditor reads the
            inbox of the office
        """
        raise NotImplementedError

    def remark(self, user: Any, roles: Roles) -> str:
        """Return a sentence that says as of when the rows are; "" if they are read as they are now.

        It is shown beside the matters of all kinds, and also if nothing waits.
        """
        return ""

    def matters(self, rows: Sequence[Any], user: Any, roles: Roles) -> list[Matter]:
        """Return the matter of each row. The number of queries must not grow with the number of rows.

        rows: the first of the rows that `rows` returned, as a list
        """
        raise NotImplementedError

    def matter(self, **fields: Any) -> Matter:
        """Return a matter of this kind with these further fields."""
        return Matter(
            **{"kind": self.label, "stops_points": self.stops_points, "upkeep": self.upkeep} | fields
        )


@dataclass(frozen=True, slots=True)
class KindCount:
    """The number of matters of a kind that wait for an account."""

    kind: str
    label: str | Promise
    count: int


@dataclass(frozen=True, slots=True)
class Inbox:
    """What waits for an account.

    matters: those asked for; the ones that stop points first, upkeep last, then by how long they have waited
    count: the number of all matters of the kinds asked for
    stopping: how many of these stop points
    oldest: the matter that has waited longest of these; None if nothing waits
    kinds: the number of matters of each kind that waits, whatever kind was asked for
    remarks: as of when the matters are that are not read as they are now
    """

    matters: list[Matter]
    count: int
    stopping: int
    oldest: Matter | None
    kinds: list[KindCount]
    remarks: list[str]


_SOURCES: dict[str, Source] = {}


def register(source: Source) -> None:
    """Register a kind of matter. Raises ValueError if its `kind` is registered already."""
    if source.kind in _SOURCES:
        raise ValueError(f"there already is a kind of matter {source.kind!r}")
    _SOURCES[source.kind] = source


def sources() -> list[Source]:
    """Return the registered kinds of matters, in the order in which they were registered."""
    return list(_SOURCES.values())


def waiting_for(
    user: Any, *, roles: Roles | None = None, kind: str = "", start: int = 0, number: int | None = None
) -> Inbox:
    """Return what waits for the account.

    Makes at most two queries for each kind of matter, besides those that its titles and notes need.

    roles: choose by these roles instead of the account's
    kind: return only matters of this kind; "" for all
    start, number: return the matters from this position on, and at most so many; None for all
    """
    if not user.is_authenticated:
        return Inbox([], 0, 0, None, [], [])
    roles = roles or roles_of(user)
    end = None if number is None else start + number
    matters: list[Matter] = []
    kinds: list[KindCount] = []
    remarks: list[str] = []
    stopping = 0
    for source in _SOURCES.values():
        if kind in ("", source.kind) and (remark := source.remark(user, roles)):
            remarks.append(remark)
        first, count = _first(source.rows(user, roles), end)
        if not count:
            continue
        kinds.append(KindCount(source.kind, source.label, count))
        if kind in ("", source.kind):
            matters += source.matters(first, user, roles)
            stopping += count if source.stops_points else 0
    total = sum(item.count for item in kinds if kind in ("", item.kind))
    oldest = min(matters, key=_waited, default=None)
    matters.sort(key=lambda matter: (not matter.stops_points, matter.upkeep, _waited(matter)))
    return Inbox(matters[start:end], total, stopping, oldest, kinds, remarks)


def _first(rows: Rows, end: int | None) -> tuple[list[Any], int]:
    """Return the rows before position `end`, and the number of all. At most two queries."""
    if end is None:
        first = list(rows)
        return first, len(first)
    first = list(rows[: end + 1])
    if len(first) <= end:
        return first, len(first)
    return first[:end], rows.count() if isinstance(rows, QuerySet) else len(rows)


def _waited(matter: Matter) -> tuple[bool, datetime]:
    """Return the sort key of the longest wait first. Matters that began at an unknown time come last."""
    return (True, timezone.now()) if matter.since is None else (False, _instant(matter.since))


def _instant(since: date | datetime) -> datetime:
    """Return the time, or midnight of the day, in the federation's time zone."""
    if isinstance(since, datetime):
        return since
    return timezone.make_aware(datetime.combine(since, time.min))
