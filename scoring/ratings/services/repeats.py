"""Whether games about to be registered are in another tournament already, so that none counts twice."""

from collections import Counter

from django.db.models import Q

from scoring.ratings.models import RatedPlayer, RatingGame, RatingTournament
from tournaments.formats.go_types import GoResult

Twice = tuple[RatingTournament, int]


def played_already(
    result: GoResult, span: tuple, players: list[RatedPlayer | None], besides: list[int]
) -> Twice | None:
    """The tournament on some of the same days in which most of these pairs met, and how many of the games.

    span: first and last day; players: the rated player of each row; besides: ids of tournaments to leave out.
    Two queries.
    """
    ids = [each.pk if each else None for each in players]
    pairs = [
        frozenset((ids[game.first - 1], ids[game.second - 1])) for game in result.games if not game.reason
    ]
    known = [pk for pk in ids if pk]
    first_day, last_day = span
    games = RatingGame.objects.filter(
        rated=True, tournament__start_date__lte=last_day, tournament__end_date__gte=first_day,
        first__player__in=known, second__player__in=known, tournament__annulled_at=None,
    ).exclude(tournament__in=besides)  # fmt: skip
    met: dict[int, set[frozenset]] = {}
    for tournament, *pair in games.order_by().values_list("tournament_id", "first__player", "second__player"):
        met.setdefault(tournament, set()).add(frozenset(pair))
    numbers = Counter({pk: sum(pair in found for pair in pairs) for pk, found in met.items()})
    for pk, number in numbers.most_common(1):
        if number:
            return RatingTournament.objects.get(pk=pk), number
    return None


def same_results(
    result: GoResult, players: list[RatedPlayer | None], besides: list[int]
) -> RatingTournament | None:
    """A tournament of any day with all these games, round by round and with the same results.

    A file with a wrong day in it, or a wrong day typed in the form, is found by what was played. A match of
    two may well repeat its results, so this is a question and no refusal. Two queries.
    """
    ids = [each.pk if each else None for each in players]
    games = {
        _outcome(game.round, ids[game.first - 1], ids[game.second - 1], int(float(game.score) * 2))
        for game in result.games
        if not game.reason
    }
    if not games or None in {pk for _round, sides in games for pk, _half_points in sides}:
        return None  # who is new has played nowhere
    number, ((one, _), (other, _)) = next((number, tuple(sides)) for number, sides in games)
    met = Q(first__player=one, second__player=other) | Q(first__player=other, second__player=one)
    candidates = RatingGame.objects.filter(met, rated=True, round=number, tournament__annulled_at=None)
    candidates = candidates.exclude(tournament__in=besides)
    found: dict[int, set] = {}
    rows = RatingGame.objects.filter(rated=True, tournament__in=candidates.values("tournament"))
    columns = ("tournament_id", "round", "first__player", "second__player", "half_points")
    for tournament, *game in rows.order_by().values_list(*columns):
        found.setdefault(tournament, set()).add(_outcome(*game))
    same = [pk for pk, played in found.items() if games <= played]
    return RatingTournament.objects.get(pk=max(same)) if same else None


def _outcome(number: int, first: int | None, second: int | None, half_points: int) -> tuple:
    """A game whoever is named first: its round and what each of the two got."""
    return number, frozenset({(first, half_points), (second, 2 - half_points)})
