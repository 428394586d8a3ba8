"""The parts of JSON schemas that all regulations which award points by place share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scoring.regulations.json_schema import (
    Definition,
    Json,
    closed,
    listed,
    one_of,
    ref,
    some,
    text,
    whole,
)

from .scheme import PlaceScheme


def event(name: str, title: str, required: tuple[str, ...], own: Json) -> Definition:
    """Return the schema definition of the events of one scheme.

    required: those fields of ``own`` that an event must have
    own: the schemas of the fields that only this scheme has
    """
    definition = {
        "title": title,
        "required": [*required, "contestants"],
        "properties": {
            "contestants": some("placed"),
            "contestant_count": ref("natural", "Contestants that took part, where only some are listed"),
            "ties": ref("ties"),
            **own,
        },
    }
    return Definition(name, lambda _schemes: {name: definition, "placed": PLACED, "seat": SEAT})


PLACED = closed(
    ("id", "place"),
    {
        "id": ref("id"),
        "place": ref("integer", "Place in the ranking 1, 2, 2, 4"),
        "players": listed("seat"),
    },
)
_UNUSED = "Allowed and not looked at"
SEAT = closed(
    ("id",),
    {
        "id": ref("id"),
        "category": {"description": _UNUSED, "type": ["string", "null"]},
        "licensed": {"description": _UNUSED, "type": "boolean"},
    },
)


def _output(schemes: Sequence[PlaceScheme[Any]]) -> Json:
    coefficients = dict.fromkeys(scheme.coefficients for scheme in schemes)
    places = whole(
        {
            "regulation": one_of(scheme.code for scheme in schemes),
            "eligible": {"const": True},
            "reasons": {"type": "array", "maxItems": 0},
            "n": ref("number"),
            "p_max": ref("number"),
            "p_min": ref("number"),
            "coefficients": {
                "oneOf": [whole({name: ref("number") for name in names}) for names in coefficients]
            },
            "awards": listed("place_award", "In the order of input; unpaid contestants have 0"),
        }
    )
    award = whole(
        {
            "contestant": ref("id"),
            "place": {"type": "integer"},
            "i": ref("number"),
            "points": {
                "description": "At the decimals of the scheme",
                **text(r"^[0-9]+(\.[0-9]{1,2})?$"),
            },
            "players": listed("id"),
        }
    )
    return {"places": places, "place_award": award}


RESULT = Definition("places", _output)
