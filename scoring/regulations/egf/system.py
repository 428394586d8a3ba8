"""The frame of a rating system: one tournament in, every player's change out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from datetime import date
from decimal import Decimal
from math import fsum
from typing import TYPE_CHECKING, Any, ClassVar

from scoring.engine.strictjson import Fields
from scoring.engine.types import Step

from . import lines, receipt
from .checks import check, in_bounds
from .grades import nominal, steps_above_first_kyu
from .types import CLASSES, Change, Game, GameChange, Player, Rated, Tournament

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy import ndarray

# Stones are worth a grade each, the first half of one: it only takes the komi away.
A_STONE = 100


def advantage(handicap: int) -> float:
    """Rating points that the receiver of so many stones gains for the expected score."""
    return A_STONE * (handicap - 0.5) if handicap else 0.0


class RatingSystem(ABC):
    """One regulation of the federation; a subclass gives its functions of a rating."""

    code: ClassVar[str]
    title: ClassVar[str]
    valid_from: ClassVar[date]
    valid_to: ClassVar[date | None] = None
    family: ClassVar[str] = "egf"
    own_fields: ClassVar[tuple[str, ...]] = ()
    # Ratings end at the floor; they may be given up to ``highest`` and end at the ceiling.
    floor: ClassVar[int]
    lowest: ClassVar[int] = -10_000
    highest: ClassVar[Decimal]
    ceiling: ClassVar[float]

    def __str__(self) -> str:
        return self.code

    @abstractmethod
    def con(self, rating: float) -> float:
        """How much is at stake in a game."""

    @abstractmethod
    def bonus(self, rating: float) -> float:
        """What every game adds, before the class weight."""

    @abstractmethod
    def expected(self, own: float, other: float, epsilon: float) -> float:
        """The expected score against a rating, both after handicap."""

    @abstractmethod
    def epsilon_of(self, tournament: Tournament) -> float:
        """What both expected scores of a game together fall short of 1."""

    @abstractmethod
    def expected_steps(self, own: float, other: float, epsilon: float) -> tuple[tuple[str, str, float], ...]:
        """Formula, working and value of each step to the expected score."""

    @abstractmethod
    def con_text(self, rating: float) -> tuple[str, str]:
        """Formula and working of con."""

    @abstractmethod
    def bonus_text(self, rating: float) -> tuple[str, str] | None:
        """Formula and working of the bonus, None where the system has none."""

    @abstractmethod
    def batch(self, ratings: ndarray, helped: ndarray | None, epsilon: ndarray) -> tuple:
        """Many games at once: expected scores, con and bonus (None: there is none), each with two rows.

        ``ratings`` has the first players in its first row and the second in its second; ``helped`` are the
        points of handicap of the second, None where no game has any.
        """

    def check(self, tournament: Tournament) -> None:
        """Raises an EngineError for the first thing that cannot be rated."""
        check(self, tournament)

    def rate(self, tournament: Tournament) -> Rated:
        """Every listed player's change, in the order listed. Raises EngineError naming the field."""
        self.check(tournament)
        starts = {}
        for player in tournament.players:
            before, reset_to = self.before(player)
            starts[player.id] = before if reset_to is None else float(reset_to)
        weight = CLASSES[tournament.tournament_class]
        seen: dict[str, list[GameChange]] = defaultdict(list)
        for game in tournament.games:
            for own, change in self._both(game, starts, weight, self.epsilon_of(tournament)):
                seen[own].append(change)
        changes = tuple(self._change(player, tuple(seen[player.id])) for player in tournament.players)
        return Rated(self.code, changes)

    def afters(
        self, starts: Sequence[float], games: Iterable[tuple[int, int, float, int]], tournament_class: str
    ) -> list[float]:
        """The ratings after a tournament to the last digit as ``rate`` has them, without what explains them.

        ``starts`` are the ratings the games are played with; a game is (first, second, score of first,
        handicap), its players by their places in ``starts``. Games are taken as checked. Raises
        ``out_of_range`` for a rating that the system does not take.
        """
        for k, start in enumerate(starts):
            in_bounds(self, start, f"players[{k}]")
        weight = CLASSES[tournament_class]
        epsilon = self.epsilon_of(Tournament(players=(), games=()))
        stakes = [(self.con(start), self.bonus(start)) for start in starts]
        sums = [[start] for start in starts]
        for first, second, score, handicap in games:
            one, other = starts[first], starts[second] + advantage(handicap)
            con, bonus = stakes[first]
            sums[first].append(weight * (con * (score - self.expected(one, other, epsilon)) + bonus))
            con, bonus = stakes[second]
            sums[second].append(weight * (con * (1 - score - self.expected(other, one, epsilon)) + bonus))
        return [self.bounded(fsum(each)) if len(each) > 1 else each[0] for each in sums]

    def before(self, player: Player) -> tuple[float, int | None]:
        """The rating before the tournament, and what it is reset to before the games, or None.

        A reset needs a grade more than one above the highest declared before, and never lowers a rating.
        """
        if player.rating is None:
            return float(nominal(player.declared, self.floor, "declared")), None
        rating = float(player.rating)
        if player.declared is None or player.highest_declared is None:
            return rating, None
        declared = steps_above_first_kyu(player.declared, "declared")
        highest = steps_above_first_kyu(player.highest_declared, "highest_declared")
        to = nominal(player.declared, self.floor, "declared")
        return rating, to if declared - highest > 1 and to > rating else None

    def _both(self, game: Game, starts: dict[str, float], weight: float, epsilon: float):
        """The game as each of its two players sees it."""
        first, second = starts[game.first], starts[game.second]
        helped = second + advantage(game.handicap)
        sides = (
            (game.first, game.second, first, self.expected(first, helped, epsilon), game.score),
            (game.second, game.first, second, self.expected(helped, first, epsilon), 1 - game.score),
        )
        for own, opponent, rating, expected, score in sides:
            con, bonus = self.con(rating), self.bonus(rating)
            change, if_won = (weight * (con * (points - expected) + bonus) for points in (score, 1))
            yield own, GameChange(game.round, opponent, expected, score, change, if_won)

    def _change(self, player: Player, games: tuple[GameChange, ...]) -> Change:
        before, reset_to = self.before(player)
        start = before if reset_to is None else float(reset_to)
        # fsum: the same games in another order give the same rating to the last digit.
        after = self.bounded(fsum((start, *(game.change for game in games)))) if games else start
        return Change(player.id, before, reset_to, after, self.con(start), self.bonus(start), games)

    def bounded(self, rating: float) -> float:
        """The rating within the bounds of the system."""
        return min(max(rating, float(self.floor)), self.ceiling)

    def explain(self, tournament: Tournament, rated: Rated, player_id: str) -> tuple[Step, ...]:
        """The receipt of one player: start, con and bonus, every game, the sum and the new rating.

        Raises ``unknown_player``.
        """
        return receipt.steps(self, tournament, rated, player_id)

    def read(self, fields: Fields) -> Tournament:
        """The tournament of an object of ``manage.py score``. Raises EngineError naming the field."""
        return lines.read(self, fields)

    def answer(self, fields: Fields) -> dict[str, Any]:
        """The line of output of ``manage.py score`` for one object of input. Raises EngineError."""
        return lines.line(fields, self.rate(self.read(fields)))
