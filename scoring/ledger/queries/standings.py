"""The standings of a category, or of a family of points without categories.

`LiveList` reads the stored standings, `PastList` those of any day. Both count rows, return rows with ranks,
and compute the rank of a player. A player's rank is one more than the number of players of the
category with more points in the chosen venue, regardless of other filters. Equal points share a rank.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from django.db.models import Q, QuerySet

from players.models import Player
from scoring.ledger.conditional import StandingsVersion
from scoring.ledger.models import Standing
from scoring.ledger.models.standings import VENUE_COLUMNS
from scoring.ledger.queries import kept
from scoring.ledger.queries.people import FIELDS
from scoring.ledger.queries.published import Published, published_from
from scoring.ledger.queries.scope import FIGURES, Record, Scope
from scoring.ledger.queries.summed import Summed
from ui.memo import per_version
from ui.paging import every_record, rows_between

CHUNK = 500  # rows per query of an export; SQLite limits query parameters


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

    def index_after(self, points: int, player_id: int) -> int:
        """Return the index of the first row behind a player with these points. The list is in their order."""
        column = self.scope.column
        before = Q((f"{column}__gt", points)) | Q((column, points), ("player_id__lte", player_id))
        return self.queryset.filter(before).count()

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


class PastList:
    """The standings that a `Scope` selects, for any day. Categories and licences are those valid on that day.

    The points follow from the nearest day whose standings are stored (`scoring.ledger.queries.kept`). If
    there is none, the points of the whole year are summed from the ledger, which takes long.

    With `Scope.as_published`, entries posted and categories recorded after that day are ignored.
    """

    def __init__(self, scope: Scope, sort: str = "") -> None:
        self.scope = scope
        self.by, self.descending = order_of(scope, sort)
        self._points_by_column: dict[str, dict[int, int]] = {}

    @cached_property
    def _sums(self) -> kept.Past | Published | Summed:
        scope = self.scope
        known = kept.nearest(scope.day, scope.family, scope.category, scope.licensed_only)
        if known is None:
            return Summed(scope)
        return published_from(known, scope) if scope.as_published else known

    def _points_of_all(self, column: str) -> dict[int, int]:
        """Return {player id: points} of all players of the category, those without points included."""
        if column not in self._points_by_column:
            self._points_by_column[column] = self._sums.points(column)
        return self._points_by_column[column]

    @cached_property
    def _players(self) -> dict[int, int]:
        """{player id: points in the venue} of the category's players who have any."""
        points = self._points_of_all(self.scope.column)
        return {player: value for player, value in points.items() if value > 0}

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

    def index_after(self, points: int, player_id: int) -> int:
        """Return the index of the first row behind a player with these points. The list is in their order."""
        position = (-points, player_id)
        return bisect_right(self._listed, position, key=lambda player: (-self._players[player], player))

    def rows(self, start: int, stop: int) -> list[Record]:
        """Return the rows from index `start` up to, but not including, index `stop`."""
        ids = self._listed[start:stop]
        figures, build = self._sums.figures(ids), self.scope.record_builder(self._points)
        rows = Player.objects.filter(pk__in=ids).values_list("pk", "club__name", *FIELDS)
        people = {pk: (club, person) for pk, club, *person in rows}
        return [build(player, *people[player], figures[player]) for player in ids]

    def every_row(self) -> Iterator[Record]:
        """Yield all rows, reading names and tournaments in chunks."""
        return every_record(self)


StandingList = LiveList | PastList


def list_of(scope: Scope, state: StandingsVersion, sort: str = "") -> StandingList:
    """Return the list that a scope selects: the stored standings if they are of its day.

    sort: as for `order_of`
    """
    return LiveList(scope, state.version, sort) if scope.day == state.as_of else PastList(scope, sort)
