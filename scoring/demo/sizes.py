"""Sizes of the demo federation: a small one, and those of real federations."""

from dataclasses import dataclass, replace
from datetime import date


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a demo federation.

    pools_a_week: mean number of weekly pools per club
    pool_pairs: mean number of pairs per pool
    since: the first day of play
    """

    regions: int
    clubs: int
    players: int
    pools_a_week: float
    pool_pairs: int
    since: date = date(2025, 1, 1)

    def with_changes(self, **changes) -> "Size":
        """Return the size with these changes; None keeps a value."""
        return replace(self, **{name: value for name, value in changes.items() if value is not None})


SIZES = {
    "demo": Size(regions=6, clubs=25, players=800, pools_a_week=1, pool_pairs=9),
    "aeb": Size(regions=17, clubs=130, players=6_000, pools_a_week=2.1, pool_pairs=15),
    "ffb": Size(regions=28, clubs=1_050, players=80_000, pools_a_week=2.1, pool_pairs=15),
    "acbl": Size(regions=25, clubs=3_000, players=165_000, pools_a_week=2.1, pool_pairs=15),
}
