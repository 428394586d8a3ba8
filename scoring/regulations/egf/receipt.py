"""The derivation of one player's new rating, game by game."""

from __future__ import annotations

from decimal import Decimal
from math import fsum
from typing import Any, Protocol

from scoring.engine.errors import EngineError
from scoring.engine.points import short
from scoring.engine.types import Step

from .handicap import advantage
from .types import CLASSES, Change, Game, GameChange, RatedTournament, Tournament

RATING, EXPECTED, CON, BONUS, RESET = "rating", "expected", "con", "bonus", "reset"


class System(Protocol):
    """The attributes and methods of a rating system that a receipt uses."""

    @property
    def floor(self) -> int: ...

    @property
    def ceiling(self) -> float: ...

    def epsilon_of(self, tournament: Tournament) -> float: ...

    def expected_steps(
        self, own: float, opponent: float, epsilon: float
    ) -> tuple[tuple[str, str, float], ...]: ...

    def con_text(self, rating: float) -> tuple[str, str]: ...

    def bonus_text(self, rating: float) -> tuple[str, str] | None: ...


def exact(value: float) -> Decimal:
    """Return the shortest decimal that converts back to the same float."""
    return Decimal(repr(value))


def shown(value: float) -> str:
    """Return a float as text for a formula, with six decimals at most."""
    return short(exact(value)).replace("-", "−")


def steps(system: System, tournament: Tournament, rated: RatedTournament, player_id: str) -> tuple[Step, ...]:
    """Return the steps of one player's receipt. Raise EngineError ``unknown_player``.

    The keys of the steps are, in this order: ``start``, ``con`` and, in the system of 2021, ``bonus``; for
    every game ``advantage`` (only with handicap stones), ``expected`` and ``change``; finally ``sum`` and
    ``after``.
    """
    change = next((c for c in rated.changes if c.player == player_id), None)
    if change is None:
        message = f"the tournament has no player {player_id!r}"
        raise EngineError("unknown_player", "players", message)
    starts = {c.player: c.start for c in rated.changes}
    derivation = [_start_step(tournament, change), _con_step(system, change)]
    bonus = _bonus_step(system, change)
    if bonus:
        derivation.append(bonus)
    games = [game for game in tournament.games if player_id in (game.first, game.second)]
    for game, game_change in zip(games, change.games, strict=True):
        derivation += _game_steps(system, tournament, game, game_change, change, starts)
    return (*derivation, _sum_step(change), _after_step(system, change))


def _start_step(tournament: Tournament, change: Change) -> Step:
    player = next(p for p in tournament.players if p.id == change.player)
    before = shown(change.before)
    params = {"declared": player.declared, "highest_declared": player.highest_declared}
    if change.reset_to is not None:
        working = f"R = {before} → {change.reset_to}"
        return Step("start", "reset", exact(change.start), "R", working, RESET, params=params)
    code = "new" if player.rating is None else "rating"
    return Step("start", code, exact(change.start), "R", f"R = {before}", RATING, params=params)


def _con_step(system: System, change: Change) -> Step:
    formula, working = system.con_text(change.start)
    return Step("con", "con", exact(change.con), formula, working, CON)


def _bonus_step(system: System, change: Change) -> Step | None:
    text = system.bonus_text(change.start)
    return None if text is None else Step("bonus", "bonus", exact(change.bonus), *text, BONUS)


def _game_steps(
    system: System,
    tournament: Tournament,
    game: Game,
    game_change: GameChange,
    change: Change,
    starts: dict[str, float],
) -> list[Step]:
    own, opponent = change.start, starts[game_change.opponent]
    stones = advantage(game.handicap)
    params = {"round": game.round, "opponent": game_change.opponent, "handicap": game.handicap}
    derivation = []
    if game.handicap:
        receives = game.second == change.player
        code, rating = ("own", own) if receives else ("opponent", opponent)
        working = f"{shown(rating)} + 100·({game.handicap} − 0.5) = {shown(rating + stones)}"
        derivation.append(
            Step("advantage", code, exact(stones), "R + 100·(H − 0.5)", working, EXPECTED, params=params)
        )
        own, opponent = (own + stones, opponent) if receives else (own, opponent + stones)
    epsilon = system.epsilon_of(tournament)
    for formula, working, value in system.expected_steps(own, opponent, epsilon):
        key = formula.split(" = ")[0]
        code = "expected" if key == "SE" else key
        derivation.append(Step("expected", code, exact(value), formula, working, EXPECTED, params=params))
    derivation.append(_change_step(tournament, game_change, change, params))
    return derivation


def _change_step(tournament: Tournament, game: GameChange, change: Change, params: dict[str, Any]) -> Step:
    weight = CLASSES[tournament.tournament_class]
    formula = "w·(con·(S − SE) + bonus)" if change.bonus else "w·con·(S − SE)"
    # Subtracting ε can make a small expected score negative.
    expected = f"({shown(game.expected)})" if game.expected < 0 else shown(game.expected)
    inner = f"{shown(change.con)}·({shown(game.score)} − {expected})"
    if change.bonus:
        inner = f"({inner} + {shown(change.bonus)})"
    working = f"{shown(weight)}·{inner} = {shown(game.change)}"
    params = params | {"class": tournament.tournament_class, "score": exact(game.score)}
    return Step("change", "game", exact(game.change), formula, working, RATING, params=params)


def _sum_step(change: Change) -> Step:
    total = fsum(game.change for game in change.games)
    terms = " + ".join(f"({shown(g.change)})" if g.change < 0 else shown(g.change) for g in change.games)
    working = f"{terms} = {shown(total)}" if change.games else "0"
    params = {"games": len(change.games)}
    return Step("sum", "sum", exact(total), "Σ", working, RATING, params=params)


def _after_step(system: System, change: Change) -> Step:
    total = fsum((change.start, *(game.change for game in change.games)))
    code = "sum"
    if change.games and total < system.floor:
        code = "floor"
    elif change.games and total > system.ceiling:
        code = "ceiling"
    working = f"R' = {shown(total)}"
    if code != "sum":
        working += f" → {shown(change.after)}"
    params = {"floor": system.floor}
    return Step("after", code, exact(change.after), "R' = R + Σ", working, RATING, params=params)
