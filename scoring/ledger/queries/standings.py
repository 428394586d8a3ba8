"""The standings of a category, or of a family of points without categories.

Today's come from the materialised table, those of any past day from the ledger.

Both kinds of list answer the same three questions: how many, these rows with their ranks, and the place of
one player. A rank is one more than the players of the category with more points in the venue asked for,
whatever else the list is filtered by; equal points share it.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cached_property
from operator import add

from django.db.models import Q, QuerySet
from django.utils import timezone

from players.categories import ids_read_as
from players.models import Category, CategoryAssignment, Licence, Player
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models import LedgerEntry, Standing
from scoring.ledger.queries.people import FIELDS, addresses, shown
from scoring.ledger.windows import first_day
from ui.memo import per_version

COLUMNS = ("points", "points_in_person", "points_online")
CHUNK = 500  # rows of an export at a time; SQLite limits the parameters of a query


@dataclass(frozen=True, slots=True)
class Scope:
    """Which list: category, day, venue column, licences, and what it is narrowed to.

    No category: the one list of a family of points that has none.
    """

    category: Category | None
    day: date
    column: str = "points"
    licensed_only: bool = True
    region_id: int | None = None
    club_id: int | None = None
    text: str = ""
    family: str = FAMILY
    as_published: bool = False  # as known at the end of the day, not as known today

    @property
    def recorded_before(self) -> datetime | None:
        """The end of the day by the federation's clock, where only what was recorded by then counts."""
        if not self.as_published:
            return None
        return timezone.make_aware(datetime.combine(self.day + timedelta(days=1), time.min))

    @property
    def category_id(self) -> int | None:
        return self.category and self.category.pk

    @property
    def narrowed(self) -> bool:
        """Whether only some of the category's players are listed."""
        return bool(self.region_id or self.club_id or self.text)

    def players(self, prefix: str = "") -> Q:
        """The condition on players that narrows the list."""
        condition = Q()
        if self.region_id:
            condition &= Q(**{f"{prefix}club__region_id": self.region_id})
        if self.club_id:
            condition &= Q(**{f"{prefix}club_id": self.club_id})
        if self.text:
            found = Player.objects.search(self.text).values("pk")
            condition &= Q(**{f"{prefix}pk__in" if prefix == "" else "player_id__in": found})
        return condition


@per_version(512)
def _counted(version: int, category_id: int | None, column: str, licensed_only: bool, family: str) -> int:
    return Standing.objects.ranked(category_id, column, licensed_only, family).count()


def order_of(scope: Scope, sort: str) -> tuple[str, bool]:
    """Column and direction of a sort such as "-points_online"; the venue's own column otherwise."""
    name = sort.lstrip("-")
    return (name, sort.startswith("-")) if name in COLUMNS else (scope.column, True)


class LiveList:
    """The list of the day that the materialised standings are of."""

    def __init__(self, scope: Scope, version: int, sort: str = "") -> None:
        self.scope, self.version = scope, version
        self.by, self.descending = order_of(scope, sort)
        self.whole = Standing.objects.ranked(
            scope.category_id, scope.column, scope.licensed_only, scope.family
        )

    @property
    def in_rank_order(self) -> bool:
        """Whether the rows follow each other rank by rank, without gaps."""
        return not self.scope.narrowed and self.by == self.scope.column and self.descending

    @cached_property
    def queryset(self) -> QuerySet:
        rows = self.whole.order_by(f"{'-' if self.descending else ''}{self.by}", "player_id")
        return rows.filter(self.scope.players("player__")) if self.scope.narrowed else rows

    def count(self) -> int:
        """How many rows the list has."""
        if self.scope.narrowed:
            return self.queryset.count()
        return self.players()

    def players(self) -> int:
        """How many players the category has, however the list is narrowed."""
        scope = self.scope
        return _counted(self.version, scope.category_id, scope.column, scope.licensed_only, scope.family)

    def rows(self, start: int, stop: int) -> list[dict]:
        """The rows from `start` to before `stop`."""
        if not self.in_rank_order:
            return self._records(self.queryset[start:stop], self._sorted_points)
        # One row more on either side tells whether the first and the last share their place.
        before = min(start, 1)
        raw = self._records(self.queryset[start - before : stop + 1])
        self._number(raw, start - before)
        return raw[before : before + stop - start]

    def every_row(self) -> Iterator[dict]:
        """All rows, in one query that is read as it is written out, and one of everybody's points."""
        return self._read(self._columns(self.queryset).iterator(CHUNK), self._sorted_points)

    def points_of(self, player_id: int) -> int | None:
        """A player's points in the venue, or None where they are not in the category."""
        return self.whole.filter(player_id=player_id).values_list(self.scope.column, flat=True).first()

    def place_of(self, points: int) -> int:
        """The rank of a player with these points."""
        return 1 + self.whole.filter(**{f"{self.scope.column}__gt": points}).count()

    def _number(self, records: list[dict], offset: int) -> None:
        """Ranks of consecutive rows, the first of which is `offset` rows down the list."""
        column = self.scope.column
        for at, record in enumerate(records):
            above = records[at - 1] if at else None
            below = records[at + 1] if at + 1 < len(records) else None
            tied_above = above is not None and above[column] == record[column]
            if tied_above:
                record["rank"] = above["rank"]
            elif at or not offset:
                record["rank"] = offset + at + 1
            else:
                record["rank"] = self.place_of(record[column])
            record["shared"] = tied_above or (below is not None and below[column] == record[column])

    @cached_property
    def _sorted_points(self) -> list[int]:
        """Every player's points, lowest first: what ranks are read off where rows have gaps."""
        column = self.scope.column
        return list(self.whole.order_by(column).values_list(column, flat=True))

    def _records(self, rows: QuerySet, points: Sequence[int] | None = None) -> list[dict]:
        return list(self._read(self._columns(rows), points))

    def _columns(self, rows: QuerySet) -> QuerySet:
        names = [f"player__{name}" for name in FIELDS]
        return rows.values_list("player_id", *COLUMNS, "tournaments", *names, "player__club__name")

    def _read(self, rows: Iterable[tuple], points: Sequence[int] | None) -> Iterator[dict]:
        """The records of rows as they come; with everybody's points, lowest first, their ranks too."""
        at = addresses()
        for (
            player,
            total,
            in_person,
            online,
            played,
            number,
            given,
            surname,
            hidden,
            club,
        ) in rows:
            record = {
                "player_id": player, "number": number, "club": club, "tournaments": played,
                "name": shown(number, given, surname, hidden), "url": at(number, given, surname, hidden),
                "points": total, "points_in_person": in_person, "points_online": online,
            }  # fmt: skip
            if points is not None:
                rank_in(points, record, self.scope.column)
            yield record


def rank_in(points: Sequence[int], record: dict, column: str) -> None:
    """Write a record's rank and whether it is shared, from everybody's points, lowest first."""
    low, high = bisect_left(points, record[column]), bisect_right(points, record[column])
    record["rank"], record["shared"] = len(points) - high + 1, high - low > 1


class PastList:
    """The list of any day, summed from the ledger with the categories and licences of that day.

    As published, it takes the entries posted and the categories recorded by the end of the day. Licences,
    mergings of numbers and names are those of today: what a number had by then that is merged now counts for
    the one kept.
    """

    def __init__(self, scope: Scope, sort: str = "") -> None:
        self.scope = scope
        self.by, self.descending = order_of(scope, sort)

    @cached_property
    def _everybody(self) -> list[tuple[int, int, int, int]]:
        """(player, total, in person, online) of the category's players with points in the venue."""
        scope = self.scope
        totals = LedgerEntry.objects.recorded(scope.recorded_before).totals(
            first_day(scope.day), scope.day, scope.family
        )
        conditions = []
        if scope.category:
            in_force = CategoryAssignment.objects.in_force(scope.day, scope.recorded_before).values("pk")
            codes = ids_read_as(scope.category, scope.day)
            # Two steps: a condition beside `in_force` would choose before the latest assignment is known.
            holders = CategoryAssignment.objects.filter(pk__in=in_force, category_id__in=codes)
            conditions.append(holders)
        if scope.licensed_only:
            conditions.append(Licence.objects.valid_on(scope.day))
        for holders in conditions:
            listed = Q(player_id__in=holders.values("player_id"))
            if self._kept:
                kept = holders.filter(player_id__in=set(self._kept.values()))
                among = set(kept.values_list("player_id", flat=True))
                listed |= Q(player_id__in=[pk for pk, into in self._kept.items() if into in among])
                listed &= ~Q(player_id__in=[pk for pk, into in self._kept.items() if into not in among])
            totals = totals.filter(listed)
        at = 1 + COLUMNS.index(scope.column)
        return [row for row in self._with_merged(totals) if row[at] > 0]

    @cached_property
    def _kept(self) -> dict[int, int]:
        """Merged number -> the one kept, where entries may still stand with the former."""
        if not self.scope.as_published:
            return {}  # a merging moved them
        merged = Player.objects.filter(merged_into__isnull=False)
        return dict(merged.values_list("pk", "merged_into_id"))

    def _with_merged(self, totals: Iterable[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
        """The same rows, those of merged numbers added to those of the numbers kept."""
        if not self._kept:
            return list(totals)
        found: dict[int, tuple[int, int, int]] = {}
        for player, *points in totals:
            into = self._kept.get(player, player)
            found[into] = tuple(map(add, found.get(into, (0, 0, 0)), points))
        return [(player, *points) for player, points in found.items()]

    def _played(self, ids: list[int]) -> Counter[int]:
        """Tournaments of these players that gave points."""
        day, family = self.scope.day, self.scope.family
        wanted = set(ids)
        merged = [pk for pk, into in self._kept.items() if into in wanted]
        entries = LedgerEntry.objects.recorded(self.scope.recorded_before)
        found: Counter[int] = Counter()
        for player, played in entries.tournaments_played(first_day(day), day, ids + merged, family).items():
            found[self._kept.get(player, player)] += played
        return found

    @cached_property
    def _points(self) -> list[int]:
        at = 1 + COLUMNS.index(self.scope.column)
        return sorted(row[at] for row in self._everybody)

    @cached_property
    def _listed(self) -> list[tuple[int, int, int, int]]:
        rows = self._everybody
        if self.scope.narrowed:
            wanted = set(Player.objects.filter(self.scope.players()).values_list("pk", flat=True))
            rows = [row for row in rows if row[0] in wanted]
        at, sign = 1 + COLUMNS.index(self.by), -1 if self.descending else 1
        return sorted(rows, key=lambda row: (sign * row[at], row[0]))

    def count(self) -> int:
        """How many rows the list has."""
        return len(self._listed)

    def players(self) -> int:
        """How many players the category has, however the list is narrowed."""
        return len(self._everybody)

    def points_of(self, player_id: int) -> int | None:
        """A player's points in the venue, or None where they are not in the category."""
        at = 1 + COLUMNS.index(self.scope.column)
        return next((row[at] for row in self._everybody if row[0] == player_id), None)

    def place_of(self, points: int) -> int:
        """The rank of a player with these points."""
        return len(self._points) - bisect_right(self._points, points) + 1

    def rows(self, start: int, stop: int) -> list[dict]:
        """The rows from `start` to before `stop`."""
        listed = self._listed[start:stop]
        ids = [row[0] for row in listed]
        played = self._played(ids)
        at = addresses()
        known = {
            pk: (shown(*name), at(*name), name[0], club)
            for pk, *name, club in Player.objects.filter(pk__in=ids).values_list("pk", *FIELDS, "club__name")
        }
        records = []
        for player, total, in_person, online in listed:
            name, url, number, club = known[player]
            record = {
                "player_id": player, "number": number, "club": club, "tournaments": played[player],
                "name": name, "url": url, "points": total, "points_in_person": in_person,
                "points_online": online,
            }  # fmt: skip
            rank_in(self._points, record, self.scope.column)
            records.append(record)
        return records

    def every_row(self) -> Iterator[dict]:
        """All rows, names and tournaments a chunk at a time."""
        for start in range(0, self.count(), CHUNK):
            yield from self.rows(start, start + CHUNK)


StandingList = LiveList | PastList
