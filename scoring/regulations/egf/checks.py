"""Validation of a tournament before it is rated."""

from __future__ import annotations

from decimal import Decimal
from typing import Protocol

from scoring.engine.errors import EngineError
from scoring.engine.validation import in_range

from .grades import steps_above_first_kyu
from .types import CLASSES, MOST_STONES, Player, Tournament

SCORES = (0.0, 0.5, 1.0)


class System(Protocol):
    """The attributes of a rating system that the checks use.

    A rating before a tournament must be at least ``lowest`` and less than ``highest``.
    """

    @property
    def lowest(self) -> int: ...

    @property
    def highest(self) -> Decimal: ...


def check(system: System, tournament: Tournament) -> None:
    """Raise EngineError, naming the field, for the tournament's first invalid value."""
    if tournament.tournament_class not in CLASSES:
        message = f"{tournament.tournament_class!r} is not one of {', '.join(CLASSES)}"
        raise EngineError("unknown_class", "class", message)
    if tournament.epsilon is not None:
        in_range("epsilon", tournament.epsilon, 0, 1)
    if not tournament.players:
        raise EngineError("no_players", "players", "at least one player must be listed")
    ids = set()
    for k, player in enumerate(tournament.players):
        if player.id in ids:
            message = f"the id {player.id!r} is used twice"
            raise EngineError("duplicate_id", f"players[{k}].id", message)
        ids.add(player.id)
        _check_player(system, player, f"players[{k}]")
    _check_games(tournament, ids)


def _check_player(system: System, player: Player, path: str) -> None:
    for name in ("declared", "highest_declared"):
        grade = getattr(player, name)
        if grade is not None:
            steps_above_first_kyu(grade, f"{path}.{name}")
    if player.rating is None:
        if player.declared is None:
            message = "a player without a rating needs a declared grade"
            raise EngineError("missing_field", f"{path}.rating", message)
        return
    check_rating(system, player.rating, path)


def check_rating(system: System, rating: Decimal | float, path: str) -> None:
    """Raise EngineError ``out_of_range`` if the system does not accept the rating.

    path: the player's path in the input, such as ``players[0]``, which the error names
    """
    if not system.lowest <= rating < system.highest:
        message = f"{rating} is not from {system.lowest} to below {system.highest}"
        raise EngineError("out_of_range", f"{path}.rating", message)


def _check_games(tournament: Tournament, ids: set[str]) -> None:
    meetings = set()
    for k, game in enumerate(tournament.games):
        in_range(f"games[{k}].round", game.round, 1, 10_000)
        for side, player in enumerate((game.first, game.second)):
            if player not in ids:
                message = f"no listed player has the id {player!r}"
                raise EngineError("unknown_player", f"games[{k}].players[{side}]", message)
        if game.first == game.second:
            raise EngineError("same_player", f"games[{k}].players[1]", "nobody plays against themselves")
        if game.score not in SCORES:
            raise EngineError("bad_scores", f"games[{k}].scores", "a game ends 1-0, 0.5-0.5 or 0-1")
        in_range(f"games[{k}].handicap", game.handicap, 0, MOST_STONES)
        meeting = (game.round, frozenset((game.first, game.second)))
        if meeting in meetings:
            message = f"these two already have a game in round {game.round}"
            raise EngineError("duplicate_game", f"games[{k}]", message)
        meetings.add(meeting)
