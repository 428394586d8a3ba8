"""The standings of a category, or of a family of points without categories.

`LiveList` reads the stored standings, `PastList` those of any day. Both count rows, return rows with ranks,
and compute the rank of a player. A player's rank is one more than the number of players of the
category with more points in the chosen venue, regardless of other filters. Equal points share a rank.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cached_property
from operator import add
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from players.categories import ids_read_as
from players.models import Category, CategoryAssignment, Licence, Player, has_name_or_number
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models import LedgerEntry, Standing
from scoring.ledger.models.standings import SUMS, VENUE_COLUMNS
from scoring.ledger.queries import kept
from scoring.ledger.queries.people import FIELDS, display_name, url_builder
from scoring.ledger.windows import first_day
from ui.memo import per_version
from ui.paging import every_record, rows_between

# A row of the table on the page and in the exported file.
Record = dict[str, Any]
FIGURES = ("points", *SUMS)
CHUNK = 500  # rows per query of an export; SQLite limits query parameters


@dataclass(frozen=True, slots=True)
class Scope:
    """The filters that select a list of standings: category, day, venue, licences, region, club and name.

    category: None for a family of points without categories
    column: points column of the venue; one of `VENUE_COLUMNS`
    text: words to find in the names of players
    """

    category: Category | None
    day: date
    column: str = "points"
    licensed_only: bool = True
    region_id: int | None = None
    club_id: int | None = None
    text: str = ""
    family: str = FAMILY
    as_published: bool = False  # use only data recorded by the end of the day

    @property
    def recorded_before(self) -> datetime | None:
        """The end of the list's day in local time; None unless `as_published` is set."""
        if not self.as_published:
            return None
        return timezone.make_aware(datetime.combine(self.day + timedelta(days=1), time.min))

    @property
    def category_id(self) -> int | None:
        return self.category.pk if self.category else None

    def record_builder(
        self, points: Sequence[int] | None = None
    ) -> Callable[[int, str, Sequence[Any], Record], Record]:
        """Return a function that builds a player's record for the page and for exported files.

        The function has four parameters: the player's id, the club's name, a sequence and a dict. The
        sequence holds the player's values of `people.FIELDS`, the dict those of `FIGURES`.

        points: points of all players of the list in ascending order, from which the function computes the
            rank; None to leave out the rank
        """
        url_of, code = url_builder(), self.category.code if self.category else ""

        def build(player_id: int, club: str, person: Sequence[Any], figures: Record) -> Record:
            record = {
                "player_id": player_id,
                "number": person[0],
                "name": display_name(*person),
                "url": url_of(*person),
                "club": club,
                "category": code,
                **figures,
            }
            if points is not None:
                rank_in(points, record, self.column)
            return record

        return build

    @property
    def narrowed(self) -> bool:
        """Whether the list is filtered by region, club or name."""
        return bool(self.region_id or self.club_id or self.text)

    def players(self, prefix: str = "") -> Q:
        """Return the filter by region, club and name.

        prefix: lookup path from the filtered model to the player; "" if that is `Player`
        """
        condition = Q()
        if self.region_id:
            condition &= Q(**{f"{prefix}club__region_id": self.region_id})
        if self.club_id:
            condition &= Q(**{f"{prefix}club_id": self.club_id})
        if self.text:
            condition &= has_name_or_number(self.text, prefix) & Q(**{f"{prefix}merged_into": None})
        return condition


@per_version(512)
def _players(version: int, category_id: int | None, column: str, licensed_only: bool, family: str) -> int:
    return Standing.objects.ranked(category_id, column, licensed_only, family).count()


def order_of(scope: Scope, sort: str) -> tuple[str, bool]:
    """Parse a sort order such as "-points_online" to (column, whether descending).

    For any other text, return the column of the points at the scope's venue, descending.
    """
    name = sort.lstrip("-")
    return (name, sort.startswith("-")) if name in VENUE_COLUMNS else (scope.column, True)


class LiveList:
    """The stored standings that a `Scope` selects, sorted, as of `StandingsState.as_of`."""

    def __init__(self, scope: Scope, version: int, sort: str = "") -> None:
        self.scope, self.version = scope, version
        self.by, self.descending = order_of(scope, sort)
        self.unfiltered = Standing.objects.ranked(
            scope.category_id, scope.column, scope.licensed_only, scope.family
        )

    @property
    def in_rank_order(self) -> bool:
        """Whether the list shows all players of the category, in the order of their ranks."""
        return not self.scope.narrowed and self.by == self.scope.column and self.descending

    @cached_property
    def queryset(self) -> QuerySet[Standing]:
        rows = self.unfiltered.order_by(f"{'-' if self.descending else ''}{self.by}", "player_id")
        return rows.filter(self.scope.players("player__")) if self.scope.narrowed else rows

    def count(self) -> int:
        """Return the number of rows."""
        return self.queryset.count() if self.scope.narrowed else self.players()

    def players(self) -> int:
        """Return the number of rows without the filters by region, club and name."""
        scope = self.scope
        return _players(self.version, scope.category_id, scope.column, scope.licensed_only, scope.family)

    def rows(self, start: int, stop: int) -> list[Record]:
        """Return the rows from index `start` up to, but not including, index `stop`."""
        if not self.in_rank_order:
            return self._between(start, stop, self._sorted_points)
        # Read one more row on either side to tell whether the first and last row share their rank.
        extra = min(start, 1)
        records = self._between(start - extra, stop + 1)
        self._add_ranks(records, start - extra)
        return records[extra : extra + stop - start]

    def every_row(self) -> Iterator[Record]:
        """Yield all rows. Two queries: all points for the ranks, and the rows, which are streamed."""
        return self._read(self._columns(self.queryset).iterator(CHUNK), self._sorted_points)

    def points_of(self, player_id: int) -> int | None:
        """Return a player's points in hundredths, won at the venue that the scope selects.

        Return None if the player is not in the list. The filters by region, club and name are ignored.
        """
        return self.unfiltered.filter(player_id=player_id).values_list(self.scope.column, flat=True).first()

    def place_of(self, points: int) -> int:
        """Return the rank of a player with these points."""
        return 1 + self.unfiltered.filter(**{f"{self.scope.column}__gt": points}).count()

    def _add_ranks(self, records: list[Record], offset: int) -> None:
        """Add ranks to consecutive rows. `offset` is the index of the first of these rows in the list."""
        column = self.scope.column
        for index, record in enumerate(records):
            above = records[index - 1] if index else None
            below = records[index + 1] if index + 1 < len(records) else None
            tied_above = False
            if above is not None and above[column] == record[column]:
                tied_above = True
                record["rank"] = above["rank"]
            elif index or not offset:
                record["rank"] = offset + index + 1
            else:
                record["rank"] = self.place_of(record[column])
            record["shared"] = tied_above or (below is not None and below[column] == record[column])

    @cached_property
    def _sorted_points(self) -> list[int]:
        """Points of all players of the category, in ascending order.

        Ranks are computed from them if the rows are filtered or not in the order of their ranks.
        """
        column = self.scope.column
        return list(self.unfiltered.order_by(column).values_list(column, flat=True))

    def _between(self, start: int, stop: int, points: Sequence[int] | None = None) -> list[Record]:
        rows = rows_between(self._columns(self.queryset), start, stop, self.count, unique="player_id")
        return list(self._read(rows, points))

    def _columns(self, rows: QuerySet[Standing]) -> QuerySet[Standing, tuple[Any, ...]]:
        names = [f"player__{name}" for name in FIELDS]
        return rows.values_list("player_id", "player__club__name", *names, *FIGURES)

    def _read(self, rows: Iterable[tuple[Any, ...]], points: Sequence[int] | None) -> Iterator[Record]:
        """Yield a record for each row of column values.

        points: points of all players of the category in ascending order, to add ranks; None to add none
        """
        build = self.scope.record_builder(points)
        for player, club, *values in rows:
            person, figures = values[: len(FIELDS)], values[len(FIELDS) :]
            yield build(player, club, person, dict(zip(FIGURES, figures, strict=True)))


def rank_in(points: Sequence[int], record: Record, column: str) -> None:
    """Set a record's rank, and whether other players share it.

    points: the points of all players of the category, in ascending order
    column: name of the record's field with the points that decide the rank
    """
    low, high = bisect_left(points, record[column]), bisect_right(points, record[column])
    record["rank"], record["shared"] = len(points) - high + 1, high - low > 1


class PastList:
    """The standings that a `Scope` selects, for any day. Categories and licences are those valid on that day.

    The points follow from the nearest day whose standings are stored (`scoring.ledger.queries.kept`). If
    there is none, the points of the whole year are summed from the ledger, which takes long.

    With `Scope.as_published`, they always are, because entries posted and categories recorded after that day
    are ignored. Licences, merges and names are nevertheless read as recorded today. So the points of players
    merged later are added to those of the surviving player.
    """

    def __init__(self, scope: Scope, sort: str = "") -> None:
        self.scope = scope
        self.by, self.descending = order_of(scope, sort)
        self._points_by_column: dict[str, dict[int, int]] = {}

    @cached_property
    def _past(self) -> kept.Past | None:
        scope = self.scope
        if scope.as_published:
            return None
        return kept.nearest(scope.day, scope.family, scope.category, scope.licensed_only)

    def _points_of_all(self, column: str) -> dict[int, int]:
        """Return {player id: points} of all players of the category, those without points included."""
        if column not in self._points_by_column:
            if self._past:
                points = self._past.points(column)
            else:
                index = 1 + VENUE_COLUMNS.index(column)
                points = {row[0]: row[index] for row in self._summed}
            self._points_by_column[column] = points
        return self._points_by_column[column]

    @cached_property
    def _players(self) -> dict[int, int]:
        """{player id: points in the venue} of the category's players who have any."""
        points = self._points_of_all(self.scope.column)
        return {player: value for player, value in points.items() if value > 0}

    @cached_property
    def _summed(self) -> list[tuple[int, int, int, int]]:
        """Rows (player, total, in person, online) of the category's players, summed from the ledger."""
        scope = self.scope
        totals = LedgerEntry.objects.recorded(scope.recorded_before).totals(
            first_day(scope.day), scope.day, scope.family
        )
        conditions: list[QuerySet[Any]] = []
        if scope.category:
            in_force = CategoryAssignment.objects.in_force(scope.day, scope.recorded_before).values("pk")
            codes = ids_read_as(scope.category, scope.day)
            # Filter in two steps: a condition in the same query would apply before the latest is chosen.
            conditions.append(CategoryAssignment.objects.filter(pk__in=in_force, category_id__in=codes))
        if scope.licensed_only:
            conditions.append(Licence.objects.valid_on(scope.day))
        for holders in conditions:
            listed = Q(player_id__in=holders.values("player_id"))
            if self._survivors:
                survivors = holders.filter(player_id__in=set(self._survivors.values()))
                included = set(survivors.values_list("player_id", flat=True))
                merged = self._survivors.items()
                listed |= Q(player_id__in=[pk for pk, into in merged if into in included])
                listed &= ~Q(player_id__in=[pk for pk, into in merged if into not in included])
            totals = totals.filter(listed)
        return self._with_merged(totals)

    @cached_property
    def _survivors(self) -> dict[int, int]:
        """{merged player's id: surviving player's id}, to add the points of the one to those of the other.

        Empty unless `Scope.as_published` is set. Without it, nothing has to be added: the merge has moved the
        entries to the surviving player, and the list counts the moved entries.
        """
        if not self.scope.as_published:
            return {}  # the merge has moved these entries to the surviving players
        return dict(Player.objects.filter(merged_into__isnull=False).values_list("pk", "merged_into_id"))

    def _with_merged(self, totals: Iterable[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
        """Add the points of merged players to the rows of the surviving players. Return all rows.

        Rows are (player id, total, points in person, points online).
        """
        if not self._survivors:
            return list(totals)
        sums: dict[int, tuple[int, int, int]] = {}
        for player, *points in totals:
            into = self._survivors.get(player, player)
            sums[into] = tuple(map(add, sums.get(into, (0, 0, 0)), points))
        return [(player, *points) for player, points in sums.items()]

    def _figures(self, ids: list[int]) -> dict[int, Record]:
        """Return {player id: {column: value}} for the players with these ids.

        The columns are `FIGURES`: points by venue, in hundredths, and the number of tournaments.
        """
        if self._past:
            return self._past.figures(ids)
        day, family = self.scope.day, self.scope.family
        survivors = set(ids)
        merged = [pk for pk, into in self._survivors.items() if into in survivors]
        return dict(
            LedgerEntry.objects.recorded(self.scope.recorded_before).sums(
                first_day(day), day, family, ids + merged, merged=bool(merged)
            )
        )

    @cached_property
    def _points(self) -> list[int]:
        return sorted(self._players.values())

    @cached_property
    def _listed(self) -> list[int]:
        ids: Iterable[int] = self._players
        if self.scope.narrowed:
            matches = set(Player.objects.filter(self.scope.players()).values_list("pk", flat=True))
            ids = matches.intersection(ids)
        points = self._points_of_all(self.by)
        return sorted(sorted(ids), key=points.__getitem__, reverse=self.descending)

    def count(self) -> int:
        """Return the number of rows."""
        return len(self._listed)

    def players(self) -> int:
        """Return the number of rows without the filters by region, club and name."""
        return len(self._players)

    def points_of(self, player_id: int) -> int | None:
        """Return a player's points in hundredths, won at the venue that the scope selects.

        Return None if the player is not in the list. The filters by region, club and name are ignored.
        """
        return self._players.get(player_id)

    def place_of(self, points: int) -> int:
        """Return the rank of a player with these points."""
        return len(self._points) - bisect_right(self._points, points) + 1

    def rows(self, start: int, stop: int) -> list[Record]:
        """Return the rows from index `start` up to, but not including, index `stop`."""
        ids = self._listed[start:stop]
        figures, build = self._figures(ids), self.scope.record_builder(self._points)
        rows = Player.objects.filter(pk__in=ids).values_list("pk", "club__name", *FIELDS)
        people = {pk: (club, person) for pk, club, *person in rows}
        return [build(player, *people[player], figures[player]) for player in ids]

    def every_row(self) -> Iterator[Record]:
        """Yield all rows, reading names and tournaments in chunks."""
        return every_record(self)


StandingList = LiveList | PastList
