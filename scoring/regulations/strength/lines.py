"""Input and output of ``manage.py score`` for regulations that adjust results for strength."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from scoring.engine.points import plain
from scoring.engine.strictjson import Fields, as_date, as_decimal, as_flag, as_id, as_integer

from .types import AdjustedContestant, BoardResult, BoardSession, RankedValue, StrengthResult

FIELDS = ("regulation", "family", "date", "results", "iterations")


def read(fields: Fields) -> BoardSession:
    """Return the session that a ``manage.py score`` object describes.

    Raise EngineError, which names the faulty field, if the object is invalid.
    """
    fields.only(FIELDS)
    return BoardSession(
        iterations=fields.read("iterations", as_integer, default=0),
        date=fields.read("date", as_date, default=None),
        results=tuple(_result(entry) for entry in fields.objects("results")),
    )


def _result(fields: Fields) -> BoardResult:
    fields.only(("board", "ns", "ew", "ns_score", "ew_score", "adjusted"))
    return BoardResult(
        board=fields.read("board", as_id),
        ns=fields.read("ns", as_id),
        ew=fields.read("ew", as_id),
        ns_score=fields.read("ns_score", as_decimal),
        ew_score=fields.read("ew_score", as_decimal, default=None),
        adjusted=fields.read("adjusted", as_flag, default=False),
    )


def line(fields: Fields, result: StrengthResult) -> dict[str, Any]:
    """Return the result of an adjustment as an object of JSON values.

    Contestant ids keep the type, string or integer, in which they first appear in the input.
    """
    raw: dict[str, Any] = {}
    for entry in fields.objects("results"):
        for side in ("ns", "ew"):
            raw.setdefault(entry.read(side, as_id), entry.raw(side))
    return {
        "regulation": result.regulation,
        "components": result.components,
        "warnings": [{"code": warning.code, "message": warning.message} for warning in result.warnings],
        "contestants": [_contestant(contestant, raw) for contestant in result.contestants],
    }


def _number(value: float | None) -> str | None:
    return None if value is None else plain(Decimal(repr(value + 0.0)))


def _step(ranked: RankedValue) -> dict[str, Any]:
    return {"adjusted": _number(ranked.value), "place": ranked.place}


def _contestant(contestant: AdjustedContestant, raw: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": raw[contestant.id],
        "boards": contestant.boards,
        "component": contestant.component,
        "official": plain(contestant.official),
        "place": contestant.place,
        "steps": [_step(step) for step in contestant.steps],
        "adjusted": _number(contestant.adjusted.value),
        "adjusted_place": contestant.adjusted.place,
    }
