"""The parts of JSON schemas that several regulations share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.engine.types import TIES

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Definition:
    """A named definition (``$defs``) in a JSON schema.

    Regulations whose definitions have the same name share one definition.

    build: takes the regulations that share the definition; returns {name: schema} with the definition itself
    and those that it refers to
    """

    name: str
    build: Callable[[Sequence[Any]], Json]


@dataclass(frozen=True, slots=True)
class Schema:
    """The definitions of a regulation's input and output in the JSON schemas."""

    input: Definition
    output: Definition


def ref(name: str, description: str = "") -> Json:
    """Return a schema that refers to the definition with this name."""
    described = {"description": description} if description else {}
    return {**described, "$ref": f"#/$defs/{name}"}


def closed(required: Iterable[str], properties: Json) -> Json:
    """Return the schema of an object that has the required properties and no unknown ones.

    properties: {name: schema} of all properties that the object may have
    """
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
    """Return the schema of a list, all of whose items match the definition with this name."""
    described = {"description": description} if description else {}
    return {**described, "type": "array", "items": ref(name)}


def some(name: str) -> Json:
    """Return the schema of a list with at least one item, all of whose items match the definition."""
    return {"type": "array", "minItems": 1, "items": ref(name)}


def one_of(values: Iterable[Any], description: str = "", **options: Any) -> Json:
    """Return the schema of a value that is one of ``values``.

    options: further keywords of the schema, such as ``default``
    """
    described = {"description": description} if description else {}
    return {**described, "enum": list(values), **options}


def numerals(numbers: range) -> list[int | str]:
    """Return each number as an integer and as a string, because an input may write 1 or "1"."""
    return [*numbers, *(str(number) for number in numbers)]


def either(*kinds: Json) -> Json:
    """Return the schema of a value that matches at least one of the schemas ``kinds``."""
    return {"anyOf": list(kinds)}


INTEGER: Json = {"type": "integer"}
NULL: Json = {"type": "null"}


def text(pattern: str) -> Json:
    """Return the schema of a string that matches the pattern."""
    return {"type": "string", "pattern": pattern}


# Definitions to which every input schema may refer.
INPUT_PARTS: Json = {
    "id": either(INTEGER, text(r"\S")),
    "natural": either({**INTEGER, "minimum": 1}, text("^0*[1-9][0-9]{0,11}$")),
    "integer": either(INTEGER, text("^-?[0-9]{1,12}$")),
    "amount": either(INTEGER, text(r"^[0-9]{1,12}(\.[0-9]{1,40})?$")),
    "number": either(INTEGER, text(r"^-?[0-9]{1,12}(\.[0-9]{1,40})?$")),
    "ties": one_of(TIES, default="mean"),
}
# Definitions to which every output schema may refer.
OUTPUT_PARTS: Json = {
    "id": {"type": ["string", "integer"]},
    "number": text(r"^[0-9]+(\.[0-9]+)?$"),
    "signed": text(r"^-?[0-9]+(\.[0-9]+)?$"),
}
