"""What a rated tournament is and what it changes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

# Tournament classes, by speed and place of play.
CLASSES = {"A": 1.0, "B": 0.75, "C": 0.5, "D": 0.25}
MOST_STONES = 9


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody in the tournament: the rating before it, the grade declared, the highest declared before it.

    Without a rating the player is new and starts at the nominal rating of the grade declared.
    """

    id: str
    rating: Decimal | None = None
    declared: str | None = None
    highest_declared: str | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """``score`` is the first player's: 1, 0.5 or 0. ``handicap`` stones were given by first to second."""

    round: int
    first: str
    second: str
    score: float
    handicap: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """Games that are rated together, all with the ratings before the first of them."""

    players: tuple[Player, ...]
    games: tuple[Game, ...]
    tournament_class: str = "A"
    epsilon: Decimal | None = None
    date: date | None = None


@dataclass(frozen=True, slots=True)
class GameChange:
    """One game seen by one player; ``change`` includes the class and, since 2021, the bonus.

    ``if_won`` is what the change would have been, had this player won.
    """

    round: int
    opponent: str
    expected: float
    score: float
    change: float
    if_won: float


@dataclass(frozen=True, slots=True)
class Change:
    """One player's tournament. Ratings are unrounded; ``before`` is the nominal rating of a new player.

    ``con`` belongs to the rating the games were played with, ``reset_to`` where there was a reset. ``bonus``
    is added for each game before the class weight, 0 where the system has none.
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
        """The rating the games were played with."""
        return self.before if self.reset_to is None else float(self.reset_to)


@dataclass(frozen=True, slots=True)
class Rated:
    """The changes of a tournament, in the order of its players."""

    regulation: str
    changes: tuple[Change, ...]
