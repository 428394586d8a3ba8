"""Input and output of ``manage.py score`` under a rating system."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from scoring.engine.errors import EngineError
from scoring.engine.points import plain
from scoring.engine.strictjson import Fields, as_date, as_decimal, as_id, as_integer, as_text

from .types import Change, Game, GameChange, Player, RatedTournament, Tournament

# The scores of both players for a win, a tie and a loss. Decimals make 0.5 and 0.50 equal.
OUTCOMES = ((Decimal(1), Decimal(0)), (Decimal("0.5"), Decimal("0.5")), (Decimal(0), Decimal(1)))
COMMON = ("regulation", "family", "date", "players", "games", "class")


def number(value: float) -> str:
    """Return a float as the shortest decimal string that parses to the same float, without exponent."""
    # Adding zero turns -0.0 into 0.0.
    return plain(Decimal(repr(value + 0.0)))


def read(fields: Fields, own_fields: tuple[str, ...]) -> Tournament:
    """Return the tournament that an input object of ``manage.py score`` describes.

    ``own_fields`` are the fields that only some rating systems have. Raise EngineError, with the name of the
    faulty field, if the object is invalid.
    """
    fields.only((*COMMON, *own_fields))
    return Tournament(
        tournament_class=fields.read("class", as_text, default="A"),
        epsilon=fields.read("epsilon", as_decimal, default=None),
        date=fields.read("date", as_date, default=None),
        players=tuple(_player(entry) for entry in fields.objects("players")),
        games=tuple(_game(entry) for entry in fields.objects("games")),
    )


def _player(fields: Fields) -> Player:
    fields.only(("id", "rating", "declared", "highest_declared"))
    return Player(
        id=fields.read("id", as_id),
        rating=fields.read("rating", as_decimal, default=None),
        declared=fields.read("declared", as_text, default=None),
        highest_declared=fields.read("highest_declared", as_text, default=None),
    )


def _game(fields: Fields) -> Game:
    fields.only(("round", "players", "scores", "handicap"))
    round_ = fields.read("round", as_integer)
    first, second = fields.pair("players", as_id)
    scores = fields.pair("scores", as_decimal)
    if scores not in OUTCOMES:
        message = "a game ends 1-0, 0.5-0.5 or 0-1"
        raise EngineError("bad_scores", f"{fields.path}.scores", message)
    return Game(
        round=round_,
        first=first,
        second=second,
        score=float(scores[0]),
        handicap=fields.read("handicap", as_integer, default=0),
    )


def line(fields: Fields, rated: RatedTournament) -> dict[str, Any]:
    """Return the rating changes as an object of JSON values.

    Player ids keep the type, string or integer, that they have in the input's list of players.
    """
    raw = {entry.read("id", as_id): entry.raw("id") for entry in fields.objects("players")}
    return {
        "regulation": rated.regulation,
        "changes": [_change(change, raw) for change in rated.changes],
    }


def _change(change: Change, raw: dict[str, Any]) -> dict[str, Any]:
    return {
        "player": raw[change.player],
        "before": number(change.before),
        "reset_to": None if change.reset_to is None else str(change.reset_to),
        "after": number(change.after),
        "con": number(change.con),
        "games": [_game_line(game, raw) for game in change.games],
    }


def _game_line(game: GameChange, raw: dict[str, Any]) -> dict[str, Any]:
    return {
        "round": game.round,
        "opponent": raw[game.opponent],
        "expected": number(game.expected),
        "score": number(game.score),
        "change": number(game.change),
    }
