"""Compare a category's standings with those of a week ago, without reading the whole ledger.

A player's points a week ago are today's points, minus what was played since, plus what left since. Both are
short spans of days, which the covering index `ledger_by_day` has. The points are those that the ledger has
today: a correction of an older tournament is no change of this week. Categories and licences are today's.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Sum

from scoring.ledger.conditional import StandingsVersion
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models import LedgerEntry, Standing
from scoring.ledger.windows import first_day
from ui.memo import collector_off, per_version

WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Places:
    """The points of a category's licensed players, in ascending order, in hundredths. Zero is left out.

    now, before: today's points, and those of a week ago
    """

    now: Sequence[int]
    before: Sequence[int]

    @property
    def players(self) -> int:
        """The number of players in today's standings."""
        return len(self.now)

    def place(self, points: int) -> int:
        """Return the place of a player with these points in today's standings."""
        return 1 + len(self.now) - bisect_right(self.now, points)

    def place_before(self, points: int) -> int:
        """Return the place of a player with these points in the standings of a week ago."""
        return 1 + len(self.before) - bisect_right(self.before, points)


def places_of(state: StandingsVersion, category_id: int) -> Places:
    """Return the points behind the standings of a category. Cached by the version of the standings."""
    return _places(state.version, state.as_of, category_id)


@per_version(64)
def _places(version: int, day: date, category_id: int) -> Places:
    gained = _changes(version, day)
    rows = Standing.objects.filter(family=FAMILY, category=category_id, licensed=True).order_by()
    with collector_off():
        points = list(rows.values_list("player_id", "points"))
        before = (total - gained.get(player, 0) for player, total in points)
        return Places(
            sorted(total for _player, total in points if total > 0),
            sorted(total for total in before if total > 0),
        )


@per_version(2)
def _changes(version: int, day: date) -> dict[int, int]:
    """Return {player id: change of the 12-month total in the week up to `day`}, in hundredths."""
    week_ago = day - WEEK
    changes: Counter[int] = Counter()
    for sign, first, last in (
        (1, week_ago + timedelta(days=1), day),
        (-1, first_day(week_ago), first_day(day) - timedelta(days=1)),
    ):
        rows = LedgerEntry.objects.between(first, last).order_by().values_list("player_id")
        for player, points in rows.annotate(total=Sum("points")):
            changes[player] += sign * points
    return dict(changes)
