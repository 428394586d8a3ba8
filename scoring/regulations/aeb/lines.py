"""Input and output of ``manage.py score`` under an AEB regulation."""

from __future__ import annotations

from typing import Any

from scoring.engine.eventjson import EVENT_FIELDS, read_event
from scoring.engine.points import fixed, plain
from scoring.engine.strictjson import Fields
from scoring.engine.types import Award, Event, Result


def read(fields: Fields) -> Event:
    """Return the event that a ``manage.py score`` object describes.

    Raise EngineError, which names the faulty field, if the object is invalid.
    """
    fields.only(("regulation", "family", *EVENT_FIELDS))
    return read_event(fields)


def line(fields: Fields, result: Result) -> dict[str, Any]:
    """Return the result of scoring as an object of JSON values, the output line of ``manage.py score``."""
    return {
        "regulation": result.regulation,
        "eligible": result.eligible,
        "reasons": [reason.code for reason in result.reasons],
        "n": plain(result.n),
        "p_max": plain(result.p_max),
        "p_min": plain(result.p_min),
        "coefficients": {name: plain(value) for name, value in result.coefficients.items()},
        "awards": _awards(fields, result),
    }


def _awards(fields: Fields, result: Result) -> list[dict[str, Any]]:
    if not result.eligible:
        return []
    entries = fields.objects("contestants")
    return [_award(entry, award) for entry, award in zip(entries, result.awards, strict=True)]


def _award(entry: Fields, award: Award) -> dict[str, Any]:
    return {
        # Contestant ids keep the type (string or integer) of the input, so that callers can match them.
        "contestant": entry.raw("id"),
        "place": award.place,
        "i": plain(award.i),
        "points": fixed(award.points),
        "players": [player.raw("id") for player in entry.objects("players", default=[])],
    }
