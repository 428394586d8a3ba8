"""Figures beside the standings of a category: places gained, distances to the cut, the spread of points."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, F

from scoring.ledger.conditional import StandingsVersion
from scoring.ledger.models import Standing, YearTotal
from scoring.ledger.queries.scope import Record
from scoring.ledger.queries.standings import LiveList
from scoring.ledger.queries.week import places_gained
from ui.histogram import bins_of
from ui.memo import per_version


@dataclass(frozen=True)
class WithFigures:
    """A list of today's standings of a category whose records have further figures.

    Records have `margin`, the player's distance to the cut, if there is a cut. It is about the points since
    1 January, not about those of the 12 months that order the list. Records have `week`, the places that the
    player gained in the last week, if the list ranks licensed players by all their points.

    cut: the points that suffice to move up this year, or None
    """

    listing: LiveList
    state: StandingsVersion
    cut: int | None

    @property
    def ranks_by_all_points(self) -> bool:
        """Whether the places of the list are those of a week ago too: of licensed players, by all points."""
        scope = self.listing.scope
        return scope.licensed_only and scope.column == "points"

    @property
    def without(self) -> tuple[str, ...]:
        """The names of the figures that the records lack."""
        lacks = {"margin": self.cut is None, "week": not self.ranks_by_all_points}
        return tuple(name for name, lacking in lacks.items() if lacking)

    def count(self) -> int:
        """Return the number of rows."""
        return self.listing.count()

    def rows(self, start: int, stop: int) -> list[Record]:
        """Return the rows from index `start` up to, but not including, `stop`."""
        records = self.listing.rows(start, stop)
        if self.ranks_by_all_points:
            self._add_weeks(records)
        if self.cut is not None:
            self._add_margins(records, self.cut)
        return records

    def _add_weeks(self, records: list[Record]) -> None:
        now = {record["player_id"]: record["rank"] for record in records}
        gained = places_gained(self.state, self._category_id, now)
        for record in records:
            record["week"] = gained[record["player_id"]]

    def _add_margins(self, records: list[Record], cut: int) -> None:
        totals = YearTotal.stored.of(self.state.as_of)
        totals = totals.filter(player__in=[record["player_id"] for record in records])
        points = dict(totals.filter(category=self._category_id).values_list("player", "points"))
        for record in records:
            record["margin"] = points.get(record["player_id"], 0) - cut

    @property
    def _category_id(self) -> int:
        assert self.listing.scope.category is not None
        return self.listing.scope.category.pk


def distribution(state: StandingsVersion, category_id: int) -> tuple[int, Sequence[int]]:
    """Return the width of a span in points, and the number of a category's licensed players in each span."""
    return _distribution(state.version, category_id)


@per_version(64)
def _distribution(version: int, category_id: int) -> tuple[int, Sequence[int]]:
    listed = Standing.objects.ranked(category_id).order_by()
    numbers = dict(listed.annotate(whole=F("points") / 100).values_list("whole").annotate(number=Count("pk")))
    return bins_of(numbers) if numbers else (1, ())
