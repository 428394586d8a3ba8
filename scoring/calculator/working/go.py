"""Computation of the rating change from hypothetical games of Go."""

from dataclasses import dataclass, replace
from decimal import Decimal

from scoring.engine.types import Step
from scoring.regulations.egf.system import RatingSystem
from scoring.regulations.egf.types import Change, Game, Player, Tournament

MOST_GAMES = 10
OWN = "0"  # the user's id as a player of the tournament; the opponents' ids are 1, 2, …
CURVE_REACH, CURVE_STEP = 500, 50  # rating points on each side of the user's rating, and between points

# A player's rating as a number, or a grade such as "3k" from which the rating is computed.
Strength = Decimal | str


@dataclass(frozen=True, slots=True)
class Opponent:
    """One game of the user against an opponent.

    strength: the opponent's rating or grade
    score: the user's score: 1, 0.5 or 0
    stones: the number of handicap stones
    gives: whether the user gives the stones; otherwise the opponent does
    """

    strength: Strength
    score: float
    stones: int = 0
    gives: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """The user's rating or grade, and the user's games in one tournament.

    If `epsilon` is None, the rating system's own value is used.
    """

    own: Strength
    games: tuple[Opponent, ...]
    tournament_class: str = "A"
    epsilon: Decimal | None = None

    @property
    def tournament(self) -> Tournament:
        """The tournament for the engine, in which every game is a round against a new opponent."""
        games = list(enumerate(self.games, start=1))
        return Tournament(
            players=(_player(OWN, self.own), *(_player(str(k), game.strength) for k, game in games)),
            games=tuple(_game(k, game) for k, game in games),
            tournament_class=self.tournament_class,
            epsilon=self.epsilon,
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """The rating change under one rating system.

    change: the effect of the tournament on the user's rating
    opponents: the opponents' ratings, in the order of the games
    steps: the steps of the receipt
    """

    system: RatingSystem
    change: Change
    opponents: tuple[float, ...]
    epsilon: float
    steps: tuple[Step, ...]

    @property
    def gain(self) -> float:
        return self.change.after - self.change.start


def _player(name: str, strength: Strength) -> Player:
    if isinstance(strength, str):
        return Player(name, declared=strength)
    return Player(name, strength)


def _game(number: int, game: Opponent) -> Game:
    """Return a game for the engine, in which the first player is the one who gives the stones."""
    if game.gives:
        return Game(number, OWN, str(number), game.score, game.stones)
    return Game(number, str(number), OWN, 1 - game.score, game.stones)


def calculate(system: RatingSystem, question: Question) -> Answer:
    """Return the rating change for a question under a system. Raise EngineError if it cannot be rated."""
    tournament = question.tournament
    rated = system.rate(tournament)
    own, *opponents = rated.changes
    return Answer(
        system=system,
        change=own,
        opponents=tuple(opponent.start for opponent in opponents),
        epsilon=system.epsilon_of(tournament),
        steps=system.explain(tournament, rated, OWN),
    )


def curve(answer: Answer, question: Question, score: float) -> list[tuple[int, float]]:
    """Return (opponent's rating, rating change) of games without handicap, for ratings near the user's.

    score: the user's score in each game
    """
    system, own = answer.system, round(answer.change.start)
    reach = range(own - own % CURVE_STEP - CURVE_REACH, own + CURVE_REACH + 1, CURVE_STEP)
    ratings = [rating for rating in reach if system.floor <= rating < system.highest]
    # One tournament with all these games suffices, because each game is rated with the ratings before it.
    games = tuple(Opponent(Decimal(rating), score) for rating in ratings)
    rated = system.rate(replace(question, games=games).tournament)
    return [(rating, game.change) for rating, game in zip(ratings, rated.changes[0].games, strict=True)]
