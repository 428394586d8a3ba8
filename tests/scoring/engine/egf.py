"""Helpers to make Go tournaments of two and more players."""

from decimal import Decimal

from scoring.regulations import get
from scoring.regulations.egf.types import Game, Player, Tournament

CLASSIC, REVISED = get("egf-classic"), get("egf-2021")


def duel(own, other, score=1.0, handicap=0, tournament_class="A", epsilon=None):
    """Make a tournament of one game. `own` is listed first.

    handicap: favours `own` if positive, `other` if negative
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
    """Return the rating change of `own` in a `duel` with these arguments."""
    return system.rate(duel(*args, **changes)).changes[0]


def tournament(ratings, games, **changes):
    """Make a tournament of players 0, 1, … with ratings. Each game (first, second, score) is a round."""
    return Tournament(
        players=tuple(Player(str(k), Decimal(str(r))) for k, r in enumerate(ratings)),
        games=tuple(Game(k, str(a), str(b), s) for k, (a, b, s) in enumerate(games, start=1)),
        **changes,
    )
