"""Tournaments and their rating changes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

# Tournament classes, by speed and place of play.
CLASSES = {"A": 1.0, "B": 0.75, "C": 0.5, "D": 0.25}
MOST_STONES = 9


@dataclass(frozen=True, slots=True)
class Player:
    """A player: rating before the tournament, grade declared for it, highest grade declared before it.

    A new player has no rating and starts at the nominal rating of the grade declared.
    """

    id: str
    rating: Decimal | None = None
    declared: str | None = None
    highest_declared: str | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """A game. ``score`` is the first player's: 1, 0.5 or 0.

    In a handicap game, the second player receives ``handicap`` stones.
    """

    round: int
    first: str
    second: str
    score: float
    handicap: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """Games that are rated together: all use the ratings before the tournament."""

    players: tuple[Player, ...]
    games: tuple[Game, ...]
    tournament_class: str = "A"
    epsilon: Decimal | None = None
    date: date | None = None


@dataclass(frozen=True, slots=True)
class GameChange:
    """The effect of one game on one player. ``change`` includes the class weight and, since 2021, the bonus.

    ``if_won`` is the change that a win would have brought.
    """

    round: int
    opponent: str
    expected: float
    score: float
    change: float
    if_won: float


@dataclass(frozen=True, slots=True)
class Change:
    """The effect of a tournament on one player. Ratings are unrounded.

    ``before`` of a new player is the nominal rating. ``con`` follows from ``start``. ``bonus`` is added for
    each game before the class weight; it is 0 if the system has none.
    """

    player: str
    before: float
    reset_to: int | None
    after: float
    con: float
    bonus: float
    games: tuple[GameChange, ...]

    @property
    def start(self) -> float:
        """The rating with which the games were played."""
        return self.before if self.reset_to is None else float(self.reset_to)


@dataclass(frozen=True, slots=True)
class RatedTournament:
    """The changes of a tournament, in the order of its players."""

    regulation: str
    changes: tuple[Change, ...]
