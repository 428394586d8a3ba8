"""What a few games of Go would do to a rating, by one system or by both."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from scoring.engine.types import Step
from scoring.regulations.egf.system import RatingSystem
from scoring.regulations.egf.types import Change, Game, Player, Tournament

MOST_GAMES = 10
OWN = "0"  # the reader's id in the tournament; the opponents are 1, 2, …
CURVE_REACH, CURVE_STEP = 500, 50  # how far from the own rating the curve goes, in points

# A rating, or a grade that stands for its nominal rating.
Strength = Decimal | str


@dataclass(frozen=True, slots=True)
class Opponent:
    """One game: against whom, the own score (1, 0.5 or 0), and stones, received unless `gives`."""

    strength: Strength
    score: float
    stones: int = 0
    gives: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """A tournament of one's own. `epsilon` None: as the regulation has it."""

    own: Strength
    games: tuple[Opponent, ...]
    tournament_class: str = "A"
    epsilon: Decimal | None = None

    @property
    def tournament(self) -> Tournament:
        """The engine's: every game in a round of its own, and every opponent a player of their own."""
        opponents = list(enumerate(self.games, start=1))
        return Tournament(
            players=(_player(OWN, self.own), *(_player(str(k), each.strength) for k, each in opponents)),
            games=tuple(_game(k, each) for k, each in opponents),
            tournament_class=self.tournament_class,
            epsilon=self.epsilon,
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """What one system says: the own change, the opponents' ratings in the order of the games, every step."""

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
    """The engine's first player gives the stones."""
    if game.gives:
        return Game(number, OWN, str(number), game.score, game.stones)
    return Game(number, str(number), OWN, 1 - game.score, game.stones)


def answered(system: RatingSystem, question: Question) -> Answer:
    """Raises EngineError where the system does not take the question."""
    tournament = question.tournament
    rated = system.rate(tournament)
    own, *others = rated.changes
    return Answer(
        system=system,
        change=own,
        opponents=tuple(each.start for each in others),
        epsilon=system.epsilon_of(tournament),
        steps=system.explain(tournament, rated, OWN),
    )


def curve(answer: Answer, question: Question, score: float) -> list[tuple[int, float]]:
    """(opponent's rating, change) of one even game with this score, around the own rating."""
    system, own = answer.system, round(answer.change.start)
    reach = range(own - own % CURVE_STEP - CURVE_REACH, own + CURVE_REACH + 1, CURVE_STEP)
    ratings = [rating for rating in reach if system.floor <= rating < system.highest]
    games = tuple(Opponent(Decimal(rating), score) for rating in ratings)
    return list(zip(ratings, _changes(system, question, games), strict=True))


def _changes(system: RatingSystem, question: Question, games: tuple[Opponent, ...]) -> Iterable[float]:
    # One tournament is enough: all its games are rated with the ratings before it.
    asked = Question(question.own, games, question.tournament_class, question.epsilon)
    return (game.change for game in system.rate(asked.tournament).changes[0].games)
