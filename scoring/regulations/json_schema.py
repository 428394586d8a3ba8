"""The parts of JSON schemas that several regulations share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.engine.types import TIES

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Definition:
    """A named definition of a JSON schema. Regulations whose definitions have the same name share it.

    build: takes the regulations that share it; returns it and the definitions that it refers to, by name
    """

    name: str
    build: Callable[[Sequence[Any]], Json]


@dataclass(frozen=True, slots=True)
class Schema:
    """The definitions of a regulation's input and output."""

    input: Definition
    output: Definition


def ref(name: str, description: str = "") -> Json:
    """Return the schema of a value that matches a definition, as a reference to the definition."""
    described = {"description": description} if description else {}
    return {**described, "$ref": f"#/$defs/{name}"}


def closed(required: Iterable[str], properties: Json) -> Json:
    """Return the schema of an object that has only these properties, and all the required ones."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(required),
        "properties": properties,
    }


def whole(properties: Json) -> Json:
    """Return the schema of an object that has all these properties and no others."""
    return closed(properties, properties)


def listed(name: str, description: str = "") -> Json:
    """Return the schema of a list whose members match a definition."""
    described = {"description": description} if description else {}
    return {**described, "type": "array", "items": ref(name)}


def some(name: str) -> Json:
    """Return the schema of a list with at least one member, whose members match a definition."""
    return {"type": "array", "minItems": 1, "items": ref(name)}


def one_of(values: Iterable[Any], description: str = "", **options: Any) -> Json:
    """Return the schema of a value that is one of these."""
    described = {"description": description} if description else {}
    return {**described, "enum": list(values), **options}


def numerals(numbers: range) -> list[int | str]:
    """Return each number in both ways in which an input may write it: 1 and "1"."""
    return [*numbers, *(str(number) for number in numbers)]


def either(*kinds: Json) -> Json:
    """Return the schema of a value that matches at least one of the schemas."""
    return {"anyOf": list(kinds)}


INTEGER: Json = {"type": "integer"}
NULL: Json = {"type": "null"}


def text(pattern: str) -> Json:
    """Return the schema of a string that matches the pattern."""
    return {"type": "string", "pattern": pattern}


# What every input may refer to.
INPUT_PARTS: Json = {
    "id": either(INTEGER, text(r"\S")),
    "natural": either({**INTEGER, "minimum": 1}, text("^0*[1-9][0-9]{0,11}$")),
    "integer": either(INTEGER, text("^-?[0-9]{1,12}$")),
    "amount": either(INTEGER, text(r"^[0-9]{1,12}(\.[0-9]{1,40})?$")),
    "number": either(INTEGER, text(r"^-?[0-9]{1,12}(\.[0-9]{1,40})?$")),
    "ties": one_of(TIES, default="mean"),
}
# What every output may refer to.
OUTPUT_PARTS: Json = {
    "id": {"type": ["string", "integer"]},
    "number": text(r"^[0-9]+(\.[0-9]+)?$"),
    "signed": text(r"^-?[0-9]+(\.[0-9]+)?$"),
}
