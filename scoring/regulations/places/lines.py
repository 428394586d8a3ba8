"""Output of ``manage.py score`` under a scheme that awards by place."""

from __future__ import annotations

from typing import Any

from scoring.engine.points import plain
from scoring.engine.strictjson import Fields
from scoring.engine.types import Award, Result


def points_text(points: int, decimals: int) -> str:
    """Return points, given in hundredths, as a decimal string (4310 with 1 decimal -> "43.1")."""
    units = points // 10 ** (2 - decimals)
    return str(units) if decimals == 0 else f"{units // 10**decimals}.{units % 10**decimals:0{decimals}d}"


def line(fields: Fields, result: Result, decimals: int) -> dict[str, Any]:
    """Return the result of scoring as an object of JSON values.

    Contestant ids keep the type, string or integer, that they have in the input.
    """
    entries = fields.objects("contestants")
    return {
        "regulation": result.regulation,
        "eligible": result.eligible,
        "reasons": [],
        "n": plain(result.n),
        "p_max": plain(result.p_max),
        "p_min": plain(result.p_min),
        "coefficients": {name: plain(value) for name, value in result.coefficients.items()},
        "awards": [
            _award(entry, award, decimals) for entry, award in zip(entries, result.awards, strict=True)
        ],
    }


def _award(entry: Fields, award: Award, decimals: int) -> dict[str, Any]:
    return {
        "contestant": entry.raw("id"),
        "place": award.place,
        "i": plain(award.i),
        "points": points_text(award.points, decimals),
        "players": [player.raw("id") for player in entry.objects("players", default=[])],
    }
