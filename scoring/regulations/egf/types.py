"""Go tournaments, and the rating changes that result from them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

# The weight of each tournament class. The class depends on the speed of play and on whether play is online.
CLASSES = {"A": 1.0, "B": 0.75, "C": 0.5, "D": 0.25}
MOST_STONES = 9


@dataclass(frozen=True, slots=True)
class Player:
    """A player of a tournament.

    A new player has no rating and starts at the nominal rating of the declared grade.

    rating: the rating before the tournament
    declared: the grade that the player declared for this tournament
    highest_declared: the highest grade that the player declared for earlier tournaments
    """

    id: str
    rating: Decimal | None = None
    declared: str | None = None
    highest_declared: str | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """A game between two players. ``score`` is the first player's score: 1, 0.5 or 0.

    In a handicap game, the second player receives ``handicap`` stones.
    """

    round: int
    first: str
    second: str
    score: float
    handicap: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """The players and games of a tournament. All games are rated with the ratings before the tournament."""

    players: tuple[Player, ...]
    games: tuple[Game, ...]
    tournament_class: str = "A"
    epsilon: Decimal | None = None
    date: date | None = None


@dataclass(frozen=True, slots=True)
class GameChange:
    """The effect of one game on one player's rating.

    change: the points added to the rating, including the class weight and the system's bonus
    if_won: what ``change`` would have been after a win
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

    before: the rating before the tournament; a new player's is the nominal rating of the declared grade
    reset_to: the rating to which a reset raised it before the games, or None
    after: the rating after the tournament
    con: the factor that multiplies score minus expected score in every game
    bonus: the points that every game adds before the class weight is applied; 0 if the system has none
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
    """The rating changes of a tournament, in the order of its players."""

    regulation: str
    changes: tuple[Change, ...]
