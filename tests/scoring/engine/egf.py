"""Helpers that create Go tournaments."""

from decimal import Decimal

from scoring.regulations import get
from scoring.regulations.egf.types import Game, Player, Tournament

CLASSIC, REVISED = get("egf-classic"), get("egf-2021")


def duel(own, other, score=1.0, handicap=0, tournament_class="A", epsilon=None):
    """Create a tournament of one game between players rated `own` and `other`. `own` is listed first.

    score: the score of `own`
    handicap: the number of stones; positive if `own` receives them, negative if `other` does
    """
    first, second = ("other", "own") if handicap > 0 else ("own", "other")
    value = score if first == "own" else 1 - score
    return Tournament(
        players=(Player("own", Decimal(str(own))), Player("other", Decimal(str(other)))),
        games=(Game(1, first, second, value, abs(handicap)),),
        tournament_class=tournament_class,
        epsilon=None if epsilon is None else Decimal(str(epsilon)),
    )


def own_change(system, *args, **changes):
    """Rate the game that `duel` creates from these arguments. Return the effect on the player `own`."""
    return system.rate(duel(*args, **changes)).changes[0]


def tournament(ratings, games, **changes):
    """Create a tournament of players 0, 1, … with these ratings.

    games: (first player, second player, score of the first); each game is a round
    """
    return Tournament(
        players=tuple(Player(str(k), Decimal(str(r))) for k, r in enumerate(ratings)),
        games=tuple(Game(k, str(a), str(b), s) for k, (a, b, s) in enumerate(games, start=1)),
        **changes,
    )
