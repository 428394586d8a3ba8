"""Compare a category's standings with those of a week ago, without reading the whole ledger.

A player's points a week ago are today's points, minus what was played since, plus what left since. Both are
short spans of days, which the index `ledger_of_player` has. They are stored with the standings
(`Standing.points_week_ago`). The points are those that the ledger has today: a correction of an older
tournament is no change of this week. Categories and licences are today's.

Today's places are counts on the index of the standings. The points of a week ago of a whole category are
kept in the process: what is played in the week does not change them, so they outlast nearly all postings
(`StandingsState.people_version`).
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import date, timedelta

from django.db.models import Count, Q, QuerySet, Sum

from scoring.ledger.conditional import StandingsVersion
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models import LedgerEntry, Standing
from scoring.ledger.windows import first_day
from ui.chunks import chunks
from ui.memo import collector_off, per_version

WEEK = timedelta(days=7)


def place_of(state: StandingsVersion, category_id: int, points: int) -> tuple[int, int]:
    """Return the place of a player with these points in today's standings, and the number of players in them.

    Of licensed players. One query, whose result is cached by the version of the standings.
    """
    return _place(state.version, category_id, points)


def place_before(state: StandingsVersion, category_id: int, points: int) -> int:
    """Return the place of a player with these points in the standings of a week ago.

    No query, except the first one for a category after a change of more than the week's points.
    """
    before = points_before(state, category_id)
    return 1 + len(before) - bisect_right(before, points)


def points_before(state: StandingsVersion, category_id: int) -> Sequence[int]:
    """Return the points of a category's licensed players a week ago, in ascending order. Zero is left out."""
    return _before(state.people_version, state.as_of, category_id)


def places_gained(state: StandingsVersion, category_id: int, now: Mapping[int, int]) -> dict[int, int | None]:
    """Return {player id: places gained in the standings of a category in the last week}.

    Lost places are negative; None stands for a player who was not in the list a week ago. One query, and
    that of `place_before`.

    now: {player id: today's place} of licensed players of the category
    """
    before = _points_before(Standing.objects.filter(family=FAMILY, player__in=now), state.as_of)
    return {
        player: place_before(state, category_id, before[player]) - place
        if before.get(player, 0) > 0
        else None
        for player, place in now.items()
    }


def _spans(day: date) -> tuple[tuple[date, date], tuple[date, date]]:
    """Return the first and last day of what was played in the week, and of what left in it."""
    week_ago = day - WEEK
    left = first_day(week_ago), first_day(day) - timedelta(days=1)
    return (week_ago + timedelta(days=1), day), left


def points_gained(day: date, player_ids: Collection[int] | None) -> Counter[int]:
    """Return {player id: points gained in the week up to `day`}, negative if lost; 0 for others. One query.

    player_ids: None for all players
    """
    spans = [LedgerEntry.objects.between(*span) for span in _spans(day)]
    if player_ids is not None:
        spans = [span.filter(player__in=player_ids) for span in spans]
    played, left = (span.order_by().values_list("player") for span in spans)
    # A union, so that the index finds both spans; with OR, all entries of these players would be read.
    changes = played.annotate(change=Sum("points")).union(left.annotate(change=-Sum("points")), all=True)
    gained: Counter[int] = Counter()
    for player, change in changes:
        gained[player] += change
    return gained


def _points_before(standings: QuerySet[Standing], day: date) -> dict[int, int]:
    """Return {player id: points a week ago} of standings of `day`. One query if they are all stored."""
    before, unknown = {}, {}
    for player, points, week_ago in standings.order_by().values_list("player", "points", "points_week_ago"):
        if week_ago is None:
            unknown[player] = points
        else:
            before[player] = week_ago
    for players in chunks(unknown):
        gained = points_gained(day, players)
        before |= {player: unknown[player] - gained[player] for player in players}
    return before


@per_version(1024)
def _place(version: int, category_id: int, points: int) -> tuple[int, int]:
    listed = Standing.objects.ranked(category_id).order_by()
    numbers = listed.aggregate(above=Count("pk", filter=Q(points__gt=points)), listed=Count("pk"))
    return 1 + numbers["above"], numbers["listed"]


@per_version(64)
def _before(people_version: int, day: date, category_id: int) -> list[int]:
    listed = Standing.objects.filter(family=FAMILY, category=category_id, licensed=True)
    with collector_off():
        return sorted(points for points in _points_before(listed, day).values() if points > 0)
