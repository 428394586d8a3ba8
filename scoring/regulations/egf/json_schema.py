"""The JSON schemas of Go tournaments and of the rating changes computed from them."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.regulations.json_schema import (
    NULL,
    Definition,
    Json,
    Schema,
    closed,
    either,
    listed,
    numerals,
    one_of,
    ref,
    some,
    text,
    whole,
)

from .system import RatingSystem
from .types import CLASSES, MOST_STONES


def schema(name: str, title: str, own: Json | None = None) -> Schema:
    """Return the schemas of a rating system's input and output.

    own: the input fields that only this system has
    """
    tournament = {
        "title": title,
        "required": ["players", "games"],
        "properties": {
            "class": one_of(CLASSES, "Of the tournament; weighs every change", default="A"),
            "players": some("player"),
            "games": listed("game"),
            **(own or {}),
        },
    }
    return Schema(Definition(name, lambda _systems: {name: tournament, **PARTS}), RATED)


_PLAYER = closed(
    ("id",),
    {
        "id": ref("id"),
        "rating": ref("number", "Before the tournament"),
        "declared": ref("grade", "Grade declared for this tournament"),
        "highest_declared": ref("grade", "Highest grade declared before"),
    },
) | either({"required": ["rating"]}, {"required": ["declared"]})
_PAIR = {"type": "array", "minItems": 2, "maxItems": 2}
_GAME = closed(
    ("round", "players", "scores"),
    {
        "round": ref("natural"),
        "players": {"description": "First and second", **_PAIR, "items": ref("id")},
        "scores": {
            "description": "1 and 0, 0.5 and 0.5, or 0 and 1",
            **_PAIR,
            **either(
                *(
                    {"prefixItems": [ref(first), ref(second)]}
                    for first, second in (("won", "lost"), ("shared", "shared"), ("lost", "won"))
                )
            ),
        },
        "handicap": one_of(
            numerals(range(MOST_STONES + 1)),
            "Stones that the first player gives the second",
            default=0,
        ),
    },
)
PARTS: Json = {
    "grade": text("^(([1-9]|[12][0-9]|30)k|[1-9]d)$"),
    "player": _PLAYER,
    "game": _GAME,
    "won": one_of((1, "1")),
    "lost": one_of((0, "0")),
    "shared": one_of(("0.5",)),
}


def _rated(systems: Sequence[RatingSystem]) -> Json:
    rated = whole(
        {
            "regulation": one_of(system.code for system in systems),
            "changes": listed("change", "In the order of the players"),
        }
    )
    change = whole(
        {
            "player": ref("id"),
            "before": ref("signed"),
            "reset_to": either(text("^-?[0-9]+$"), NULL),
            "after": ref("signed"),
            "con": ref("number"),
            "games": listed("game_change"),
        }
    )
    game_change = whole(
        {
            "round": {"type": "integer"},
            "opponent": ref("id"),
            "expected": ref("signed"),
            "score": one_of(("0", "0.5", "1")),
            "change": ref("signed"),
        }
    )
    return {"rated": rated, "change": change, "game_change": game_change}


RATED = Definition("rated", _rated)
