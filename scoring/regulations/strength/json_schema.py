"""The JSON schemas of sessions with board results (the input) and of adjusted results (the output)."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.regulations.json_schema import (
    INTEGER,
    NULL,
    Definition,
    Json,
    Schema,
    closed,
    either,
    listed,
    one_of,
    ref,
    some,
    whole,
)

from .checks import MOST_ITERATIONS
from .scheme import WARNINGS, Adjustment

_RESULT = closed(
    ("board", "ns", "ew", "ns_score"),
    {
        "board": ref("id"),
        "ns": ref("id"),
        "ew": ref("id"),
        "ns_score": ref("number", "Percent (strength-mp) or IMPs (strength-imp)"),
        "ew_score": ref("number", "The complement unless given"),
        "adjusted": {
            "description": "An artificial score: official, but no evidence of strength",
            "type": "boolean",
            "default": False,
        },
    },
)
_SESSION = {
    "title": "Adjustment for strength of opponents",
    "required": ["results"],
    "properties": {
        "results": some("result"),
        "iterations": ref("integer", f"Plain iterations to show, 0 to {MOST_ITERATIONS}"),
    },
}
_PLACE = {"type": ["integer", "null"]}
_VALUE = either(ref("signed"), NULL)


def _output(schemes: Sequence[Adjustment]) -> Json:
    strength = whole(
        {
            "regulation": one_of(scheme.code for scheme in schemes),
            "components": {**INTEGER, "minimum": 0},
            "warnings": {
                "type": "array",
                "items": whole({"code": one_of(WARNINGS), "message": {"type": "string"}}),
            },
            "contestants": listed("adjusted"),
        }
    )
    adjusted = whole(
        {
            "id": ref("id"),
            "boards": {**INTEGER, "minimum": 1},
            "component": _PLACE,
            "official": ref("signed"),
            "place": INTEGER,
            "steps": {
                "type": "array",
                "minItems": 1,
                "items": whole({"adjusted": _VALUE, "place": _PLACE}),
            },
            "adjusted": _VALUE,
            "adjusted_place": _PLACE,
        }
    )
    return {"strength": strength, "adjusted": adjusted}


SCHEMA = Schema(
    Definition("strength", lambda _schemes: {"strength": _SESSION, "result": _RESULT}),
    Definition("strength", _output),
)
