"""The base class of rating systems."""

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
from .checks import check, check_rating
from .grades import nominal, steps_above_first_kyu
from .handicap import advantage
from .types import CLASSES, Change, Game, GameChange, Player, RatedTournament, Tournament

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy import ndarray


class RatingSystem(ABC):
    """Base class of rating systems. A subclass defines the expected score, con and bonus.

    A game changes a rating by (con · (score − expected score) + bonus) · weight of the tournament's class.
    The factor con and the bonus depend on the player's rating.
    """

    code: ClassVar[str]
    title: ClassVar[str]
    valid_from: ClassVar[date]
    family: ClassVar[str] = "egf"
    own_fields: ClassVar[tuple[str, ...]] = ()
    # Ratings after a tournament lie between floor and ceiling.
    floor: ClassVar[int]
    ceiling: ClassVar[float]
    # Ratings before a tournament may be from ``lowest`` to below ``highest``.
    lowest: ClassVar[int] = -10_000
    highest: ClassVar[Decimal]

    def __str__(self) -> str:
        return self.code

    @abstractmethod
    def con(self, rating: float) -> float:
        """Return con, the factor by which the score minus the expected score of a game is multiplied."""

    @abstractmethod
    def bonus(self, rating: float) -> float:
        """Return the bonus that every game adds to the rating, before the class weight is applied."""

    @abstractmethod
    def expected(self, own: float, opponent: float, epsilon: float) -> float:
        """Return the expected score of the player rated ``own``.

        Both ratings already include the points for any handicap stones.
        """

    @abstractmethod
    def epsilon_of(self, tournament: Tournament) -> float:
        """Return ε of a tournament: 1 minus the sum of both players' expected scores in a game."""

    @abstractmethod
    def expected_steps(
        self, own: float, opponent: float, epsilon: float
    ) -> tuple[tuple[str, str, float], ...]:
        """Return the steps of computing the expected score, as tuples for a receipt.

        A tuple has the formula in symbols, the formula with numbers, and the value.
        """

    @abstractmethod
    def con_text(self, rating: float) -> tuple[str, str]:
        """Return con's formula in symbols and with numbers, for a receipt."""

    @abstractmethod
    def bonus_text(self, rating: float) -> tuple[str, str] | None:
        """Return the bonus's formula in symbols and with numbers, or None if the system has no bonus."""

    @abstractmethod
    def batch(
        self, ratings: ndarray, helped: ndarray | None, epsilon: ndarray
    ) -> tuple[ndarray, ndarray, ndarray | None]:
        """Return the expected scores, con and the bonus of both players of many games, as three arrays.

        ratings: array of shape (2, games), with the ratings of the games' first players in row 0
        helped: for each game, the rating points of the second player's handicap stones; None if all are 0
        epsilon: for each game, ε of its tournament

        The returned arrays have the shape of ``ratings``. The third is None if the system has no bonus.
        """

    def check(self, tournament: Tournament) -> None:
        """Raise EngineError for the first invalid value of the tournament."""
        check(self, tournament)

    def rate(self, tournament: Tournament) -> RatedTournament:
        """Return every player's rating change, in the order of ``tournament.players``.

        Raise EngineError, which names the faulty field, if the tournament is invalid.
        """
        self.check(tournament)
        starts = {}
        for player in tournament.players:
            before, reset_to = self.before(player)
            starts[player.id] = before if reset_to is None else float(reset_to)
        weight = CLASSES[tournament.tournament_class]
        games: dict[str, list[GameChange]] = defaultdict(list)
        for game in tournament.games:
            for name, change in self._game_changes(game, starts, weight, self.epsilon_of(tournament)):
                games[name].append(change)
        changes = tuple(self._change(player, tuple(games[player.id])) for player in tournament.players)
        return RatedTournament(self.code, changes)

    def ratings_after(
        self, starts: Sequence[float], games: Iterable[tuple[int, int, float, int]], tournament_class: str
    ) -> list[float]:
        """Return the players' ratings after a tournament, equal to those of `rate` to the last digit.

        starts: the players' ratings before the tournament, including resets
        games: tuples (first player, second player, score of the first, handicap), with indexes of ``starts``
        as players

        Games are not validated. Raise EngineError ``out_of_range`` for a rating that the system does not
        accept.
        """
        for k, start in enumerate(starts):
            check_rating(self, start, f"players[{k}]")
        weight = CLASSES[tournament_class]
        epsilon = self.epsilon_of(Tournament(players=(), games=()))
        stakes = [(self.con(start), self.bonus(start)) for start in starts]
        sums = [[start] for start in starts]
        for first, second, score, handicap in games:
            own, helped = starts[first], starts[second] + advantage(handicap)
            con, bonus = stakes[first]
            sums[first].append(weight * (con * (score - self.expected(own, helped, epsilon)) + bonus))
            con, bonus = stakes[second]
            sums[second].append(weight * (con * (1 - score - self.expected(helped, own, epsilon)) + bonus))
        return [self.bounded(fsum(terms)) if len(terms) > 1 else terms[0] for terms in sums]

    def before(self, player: Player) -> tuple[float, int | None]:
        """Return a player's rating before the tournament, and the rating to which it is reset (or None).

        A rating is reset if the declared grade is at least two grades above the highest that the player
        declared before. A reset never lowers a rating.
        """
        if player.rating is None:
            assert player.declared is not None  # `check` refuses a player with neither rating nor grade
            return float(nominal(player.declared, self.floor, "declared")), None
        rating = float(player.rating)
        if player.declared is None or player.highest_declared is None:
            return rating, None
        declared = steps_above_first_kyu(player.declared, "declared")
        highest = steps_above_first_kyu(player.highest_declared, "highest_declared")
        to = nominal(player.declared, self.floor, "declared")
        return rating, to if declared - highest > 1 and to > rating else None

    def _game_changes(
        self, game: Game, starts: dict[str, float], weight: float, epsilon: float
    ) -> Iterator[tuple[str, GameChange]]:
        """Yield (player id, effect of the game on that player) for both players of a game.

        starts: {player id: rating} with which the tournament's games are played
        """
        first, second = starts[game.first], starts[game.second]
        helped = second + advantage(game.handicap)
        sides = (
            (game.first, game.second, first, self.expected(first, helped, epsilon), game.score),
            (game.second, game.first, second, self.expected(helped, first, epsilon), 1 - game.score),
        )
        for player, opponent, rating, expected, score in sides:
            con, bonus = self.con(rating), self.bonus(rating)
            change, if_won = (weight * (con * (points - expected) + bonus) for points in (score, 1))
            yield player, GameChange(game.round, opponent, expected, score, change, if_won)

    def _change(self, player: Player, games: tuple[GameChange, ...]) -> Change:
        before, reset_to = self.before(player)
        start = before if reset_to is None else float(reset_to)
        # With fsum the rating does not depend on the order of the games, not even in its last digit.
        after = self.bounded(fsum((start, *(game.change for game in games)))) if games else start
        return Change(player.id, before, reset_to, after, self.con(start), self.bonus(start), games)

    def bounded(self, rating: float) -> float:
        """Return the rating, limited to the range from ``floor`` to ``ceiling``."""
        return min(max(rating, float(self.floor)), self.ceiling)

    def explain(self, tournament: Tournament, rated: RatedTournament, player_id: str) -> tuple[Step, ...]:
        """Return one player's receipt: start, con and bonus, every game, the sum and the new rating.

        Raise EngineError ``unknown_player`` if the tournament has no such player.
        """
        return receipt.steps(self, tournament, rated, player_id)

    def read(self, fields: Fields) -> Tournament:
        """Return the tournament that a ``manage.py score`` object describes.

        Raise EngineError, which names the faulty field, if the object is invalid.
        """
        return lines.read(fields, self.own_fields)

    def answer(self, fields: Fields) -> dict[str, Any]:
        """Return the output of ``manage.py score`` for an input object. Raise EngineError if it is wrong."""
        return lines.line(fields, self.rate(self.read(fields)))
