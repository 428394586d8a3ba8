"""The JSON schema of the AEB's events and results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scoring.engine.types import FORMATS, PLACE_RULES
from scoring.regulations.json_schema import (
    Definition,
    Json,
    Schema,
    closed,
    listed,
    one_of,
    ref,
    some,
    text,
    whole,
)

from .scheme import REASONS, Scheme

REQUIRED = ("event_type", "format", "boards", "venue", "contestants")
COEFFICIENTS = ("C1", "C2", "C3", "C4", "C5")


def _categories(schemes: Iterable[Scheme]) -> list[str | None]:
    """Return the category codes of all these regulations, and None for players without a category."""
    tables = [scheme.categories for scheme in schemes]
    codes = [code for table in tables for code in (*(row.code for row in table.rows), *table.aliases)]
    return [*dict.fromkeys(codes), None]


def _event_types(schemes: Iterable[Scheme]) -> list[str]:
    return list(dict.fromkeys(row.code for scheme in schemes for row in scheme.event_types.rows))


def _venues(schemes: Iterable[Scheme]) -> list[str]:
    return list(dict.fromkeys(row.code for scheme in schemes for row in scheme.venues.rows))


def _of(scheme: Scheme) -> Json:
    """Return an "if, then" schema for the events that name this regulation.

    It requires that their event types and categories are codes of the regulation's tables.
    """
    category = {"properties": {"category": one_of(_categories([scheme]))}}
    players = {"items": {"properties": {"players": {"items": category}}}}
    return {
        "if": {"properties": {"regulation": {"const": scheme.code}}, "required": ["regulation"]},
        "then": {"properties": {"event_type": one_of(_event_types([scheme])), "contestants": players}},
    }


def _event(schemes: Sequence[Scheme]) -> Json:
    return {
        "title": "The AEB's points",
        "required": list(REQUIRED),
        "properties": {
            "event_type": one_of(_event_types(schemes), "Row of the table of C1"),
            "format": one_of(FORMATS),
            "boards": ref("natural", "Boards the winner played (C2)"),
            "boards_scheduled": ref("natural", "What the minimum of boards looks at; default: boards"),
            "venue": one_of(_venues(schemes), "Row of the list of C5"),
            "c4": ref("amount", "Replaces the mean of the categories"),
            "contestant_count": ref(
                "natural", "Pairs, teams or individuals that took part, where only some are listed"
            ),
            "ties": ref("ties"),
            "place_rule": one_of(
                PLACE_RULES,
                "Where a place sits among n pairs: by the text's formula, or spread evenly over 1 to n",
                default="text",
            ),
            "contestants": some("contestant"),
            "session_players": listed(
                "member", "Everybody in the session, if it has a ranking for each line of play"
            ),
        },
        "allOf": [
            *(_of(scheme) for scheme in schemes),
            {
                "if": {"not": {"required": ["c4"]}},
                "then": {"properties": {"contestants": {"items": {"required": ["players"]}}}},
            },
        ],
    }


def _input(schemes: Sequence[Scheme]) -> Json:
    contestant = closed(
        ("id",),
        {
            "id": ref("id"),
            "place": ref("integer", "Place in the ranking 1, 2, 2, 4"),
            "i": ref("amount", "Position in pairs, instead of a place"),
            "players": listed("member"),
        },
    )
    member = closed(
        ("id",),
        {
            "id": ref("id"),
            "category": one_of(_categories(schemes), "Row of the table of C4; null or absent: unclassified"),
            "licensed": {"type": "boolean", "default": True},
        },
    )
    exactly_one = {"oneOf": [{"required": ["place"]}, {"required": ["i"]}]}
    return {"aeb": _event(schemes), "contestant": contestant | exactly_one, "member": member}


def _output(schemes: Sequence[Scheme]) -> Json:
    result = whole(
        {
            "regulation": one_of(scheme.code for scheme in schemes),
            "eligible": {"type": "boolean"},
            "reasons": {"type": "array", "uniqueItems": True, "items": one_of(REASONS)},
            "n": ref("number"),
            "p_max": ref("number"),
            "p_min": ref("number"),
            "coefficients": whole({name: ref("number") for name in COEFFICIENTS}),
            "awards": listed("award", "In the order of input; empty where the event is not eligible"),
        }
    )
    award = whole(
        {
            "contestant": ref("id"),
            "place": {"type": ["integer", "null"]},
            "i": ref("number"),
            "points": text(r"^[0-9]+\.[0-9]{2}$"),
            "players": listed("id"),
        }
    )
    return {"result": result, "award": award}


SCHEMA = Schema(Definition("aeb", _input), Definition("result", _output))
