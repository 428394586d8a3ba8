"""How far the players of a category are from moving up this year, and how their points are distributed."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.ledger.conditional import StandingsVersion
from scoring.ledger.models import Standing, YearTotal
from scoring.ledger.queries.standings import LiveList, Record
from scoring.ledger.windows import reference_day
from ui.histogram import bins_of
from ui.memo import per_version


@dataclass(frozen=True)
class WithMargins:
    """A list of today's standings whose records have `margin`: the player's distance to the cut.

    The cut is about the points since 1 January, not about those of the 12 months that order the list.
    """

    listing: LiveList
    state: StandingsVersion
    cut: int

    def count(self) -> int:
        """Return the number of rows."""
        return self.listing.count()

    def rows(self, start: int, stop: int) -> list[Record]:
        """Return the rows from index `start` up to, but not including, `stop`."""
        records = self.listing.rows(start, stop)
        year = reference_day(self.state.as_of.year, self.state.as_of).year
        totals = YearTotal.objects.filter(year=year, player__in=[record["player_id"] for record in records])
        points = dict(totals.filter(category=self.listing.scope.category_id).values_list("player", "points"))
        for record in records:
            record["margin"] = points.get(record["player_id"], 0) - self.cut
        return records


@per_version(64)
def distribution(version: int, category_id: int) -> tuple[int, Sequence[int]]:
    """Return the width of a span in points, and the number of a category's licensed players in each span."""
    rows = Standing.objects.ranked(category_id).order_by("points").values_list("points", flat=True)
    points = [hundredths // 100 for hundredths in rows]
    return bins_of(points) if points else (1, ())
