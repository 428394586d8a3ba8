"""The rating change that hypothetical games of Go would bring."""

from dataclasses import dataclass, replace
from decimal import Decimal

from scoring.engine.types import Step
from scoring.regulations.egf.system import RatingSystem
from scoring.regulations.egf.types import Change, Game, Player, Tournament

MOST_GAMES = 10
OWN = "0"  # the reader's id in the tournament; opponents are 1, 2, …
CURVE_REACH, CURVE_STEP = 500, 50  # in rating points: extent on each side of the own rating, and step

# A rating as a number, or a grade such as "3k", from which the rating is computed.
Strength = Decimal | str


@dataclass(frozen=True, slots=True)
class Opponent:
    """One game of the reader.

    strength: the opponent's rating or grade
    score: the reader's score: 1, 0.5 or 0
    stones, gives: the number of handicap stones, and whether the reader gives them instead of taking them
    """

    strength: Strength
    score: float
    stones: int = 0
    gives: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """The reader's games in one tournament. If `epsilon` is None, the system's own value is used."""

    own: Strength
    games: tuple[Opponent, ...]
    tournament_class: str = "A"
    epsilon: Decimal | None = None

    @property
    def tournament(self) -> Tournament:
        """The engine's tournament, with a round and an opponent for every game."""
        games = list(enumerate(self.games, start=1))
        return Tournament(
            players=(_player(OWN, self.own), *(_player(str(k), game.strength) for k, game in games)),
            games=tuple(_game(k, game) for k, game in games),
            tournament_class=self.tournament_class,
            epsilon=self.epsilon,
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """One system's answer.

    change: the change of the reader's rating
    opponents: the opponents' ratings, in the order of the games
    steps: the lines of the receipt
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
    """Return the engine's game, in which the first player gives the stones."""
    if game.gives:
        return Game(number, OWN, str(number), game.score, game.stones)
    return Game(number, str(number), OWN, 1 - game.score, game.stones)


def calculate(system: RatingSystem, question: Question) -> Answer:
    """Answer a question. Raise EngineError if the system cannot rate it."""
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
    """Return (opponent's rating, change) of an even game with this score, for ratings near the reader's."""
    system, own = answer.system, round(answer.change.start)
    reach = range(own - own % CURVE_STEP - CURVE_REACH, own + CURVE_REACH + 1, CURVE_STEP)
    ratings = [rating for rating in reach if system.floor <= rating < system.highest]
    # One tournament is enough: all its games are rated with the ratings before it.
    games = tuple(Opponent(Decimal(rating), score) for rating in ratings)
    rated = system.rate(replace(question, games=games).tournament)
    return [(rating, game.change) for rating, game in zip(ratings, rated.changes[0].games, strict=True)]
