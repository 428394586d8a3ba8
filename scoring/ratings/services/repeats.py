"""Find games of a Go result in tournaments that are already registered, so that no game counts twice."""

from collections import Counter
from datetime import date

from django.db.models import Q

from scoring.ratings.models import RatedPlayer, RatingGame, RatingTournament
from tournaments.formats.go_types import GoResult

Overlap = tuple[RatingTournament, int]


def find_overlap(
    result: GoResult, span: tuple[date, date], players: list[RatedPlayer | None], exclude: list[int]
) -> Overlap | None:
    """Find a registered tournament on overlapping days that has some of the same games. Two queries.

    Two games count as the same if the same two players met. If several tournaments have such games, the one
    with most of them is returned.

    span: first and last day of the result
    players: the stored player of each row of the result, None for a new player
    exclude: ids of tournaments to ignore

    Return the tournament and the number of the result's games that it has too, or None without a tournament.
    """
    ids = [player.pk if player else None for player in players]
    pairs = [
        frozenset((ids[game.first - 1], ids[game.second - 1])) for game in result.games if not game.reason
    ]
    rated = [pk for pk in ids if pk]
    first_day, last_day = span
    games = RatingGame.objects.filter(
        rated=True,
        tournament__start_date__lte=last_day,
        tournament__end_date__gte=first_day,
        first__player__in=rated,
        second__player__in=rated,
        tournament__annulled_at=None,
    ).exclude(tournament__in=exclude)
    met: dict[int, set[frozenset]] = {}
    for tournament, *pair in games.order_by().values_list("tournament_id", "first__player", "second__player"):
        met.setdefault(tournament, set()).add(frozenset(pair))
    counts = Counter({pk: sum(pair in pairs_met for pair in pairs) for pk, pairs_met in met.items()})
    for pk, count in counts.most_common(1):
        if count:
            return RatingTournament.objects.get(pk=pk), count
    return None


def find_same_results(
    result: GoResult, players: list[RatedPlayer | None], exclude: list[int]
) -> RatingTournament | None:
    """Find a registered tournament with all games of a result: same players, rounds and results. Two queries.

    The tournament may be of any day, and may have more games. This detects a file that was uploaded before
    with another day. The caller should only warn, because two players can repeat the results of a match by
    chance.

    players: the stored player of each row of the result, None for a new player
    exclude: ids of tournaments to ignore
    """
    ids = [player.pk if player else None for player in players]
    games = {
        _outcome(game.round, ids[game.first - 1], ids[game.second - 1], int(float(game.score) * 2))
        for game in result.games
        if not game.reason
    }
    if not games or None in {pk for _round, sides in games for pk, _half_points in sides}:
        return None  # new players have no earlier games
    # Narrow the search to tournaments in which the pair of one of the games met in the same round.
    number, ((a, _), (b, _)) = next((number, tuple(sides)) for number, sides in games)
    met = Q(first__player=a, second__player=b) | Q(first__player=b, second__player=a)
    candidates = RatingGame.objects.filter(met, rated=True, round=number, tournament__annulled_at=None)
    candidates = candidates.exclude(tournament__in=exclude)
    played: dict[int, set] = {}
    rows = RatingGame.objects.filter(rated=True, tournament__in=candidates.values("tournament"))
    columns = ("tournament_id", "round", "first__player", "second__player", "half_points")
    for tournament, *game in rows.order_by().values_list(*columns):
        played.setdefault(tournament, set()).add(_outcome(*game))
    same = [pk for pk, outcomes in played.items() if games <= outcomes]
    return RatingTournament.objects.get(pk=max(same)) if same else None


def _outcome(number: int, first: int | None, second: int | None, half_points: int) -> tuple:
    """Return a value that is equal for two games with the same round, players and result.

    The order of the two players does not matter.

    number: the round
    first, second: ids of the players
    half_points: the half points of the first player
    """
    return number, frozenset({(first, half_points), (second, 2 - half_points)})
