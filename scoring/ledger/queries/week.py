"""Compare a category's standings with those of a week ago, without reading the whole ledger.

A player's points a week ago are today's points, minus what was played since, plus what left since. Both are
short spans of days, which the covering index `ledger_by_day` has. The points are those that the ledger has
today: a correction of an older tournament is no change of this week. Categories and licences are today's.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db import connection

from scoring.ledger.conditional import StandingsVersion
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.windows import first_day
from ui.memo import collector_off, per_version

WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Places:
    """The points of a category's licensed players, in ascending order, in hundredths. Zero is left out.

    now, before: today's points, and those of a week ago
    gained: {player id: points gained in that week}, negative if lost; 0 for others
    """

    now: Sequence[int]
    before: Sequence[int]
    gained: Mapping[int, int]

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


def places_gained(
    state: StandingsVersion, category_id: int, points: Mapping[int, int]
) -> dict[int, int | None]:
    """Return {player id: places gained in the standings of a category in the last week}.

    Lost places are negative; None stands for a player who was not in the list a week ago. No query, except
    the first ones of a version of the standings for a category.

    points: {player id: today's points} of licensed players of the category
    """
    places = places_of(state, category_id)
    before = {player: now - places.gained.get(player, 0) for player, now in points.items()}
    return {
        player: places.place_before(before[player]) - places.place(now) if before[player] > 0 else None
        for player, now in points.items()
    }


# Today's points of a category's licensed players, and how they changed in a week: what was played since,
# minus what left since. In plain SQL, because only a join with both spans of days needs no second query.
PLACES = """
    SELECT standing.player_id, standing.points, COALESCE(week.gained, 0)
    FROM ledger_standing standing
    LEFT JOIN (
        SELECT player_id, SUM(points) AS gained
        FROM (
            SELECT player_id, points FROM ledger_ledgerentry
            WHERE family = %(family)s AND played_on BETWEEN %(since)s AND %(day)s
            UNION ALL
            SELECT player_id, -points FROM ledger_ledgerentry
            WHERE family = %(family)s AND played_on BETWEEN %(left_first)s AND %(left_last)s
        ) changed
        GROUP BY player_id
    ) week ON week.player_id = standing.player_id
    WHERE standing.family = %(family)s AND standing.category_id = %(category)s AND standing.licensed
    AND standing.day = (SELECT as_of FROM ledger_standingsstate WHERE family = %(family)s)
"""


@per_version(64)
def _places(version: int, day: date, category_id: int) -> Places:
    week_ago = day - WEEK
    values: dict[str, str | int | date] = {
        "family": FAMILY,
        "category": category_id,
        "since": week_ago + timedelta(days=1),
        "day": day,
        "left_first": first_day(week_ago),
        "left_last": first_day(day) - timedelta(days=1),
    }
    with collector_off(), connection.cursor() as cursor:
        cursor.execute(PLACES, values)
        rows = cursor.fetchall()
        return Places(
            sorted(points for _player, points, _gained in rows if points > 0),
            sorted(points - gained for _player, points, gained in rows if points > gained),
            {player: int(gained) for player, _points, gained in rows if gained},
        )
