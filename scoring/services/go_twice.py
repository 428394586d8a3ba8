"""Whether games about to be registered are in another tournament already, so that none counts twice."""

from collections import Counter

from scoring.models import RatedPlayer, RatingGame, RatingTournament
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
        first__player__in=known, second__player__in=known,
    ).exclude(tournament__in=besides)  # fmt: skip
    met: dict[int, set[frozenset]] = {}
    for tournament, *pair in games.order_by().values_list("tournament_id", "first__player", "second__player"):
        met.setdefault(tournament, set()).add(frozenset(pair))
    numbers = Counter({pk: sum(pair in found for pair in pairs) for pk, found in met.items()})
    for pk, number in numbers.most_common(1):
        if number:
            return RatingTournament.objects.get(pk=pk), number
    return None
