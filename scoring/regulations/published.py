"""The published JSON schemas of ``manage.py score``, composed from the schemas of the regulations."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from scoring import regulations
from scoring.engine.errors import CODES
from scoring.regulations.declaration import Regulation
from scoring.regulations.json_schema import (
    INPUT_PARTS,
    OUTPUT_PARTS,
    Definition,
    Json,
    Schema,
    closed,
    either,
    one_of,
    ref,
    text,
    whole,
)

DIALECT = "https://json-schema.org/draft/2020-12/schema"
# An error code that `manage.py score` never outputs, because only receipts raise it.
OF_RECEIPTS = "unknown_contestant"
DATE: Json = {"description": "The event's end date", **text("^[0-9]{4}-[0-9]{2}-[0-9]{2}$")}


def input_schema() -> Json:
    """Return the schema of one input object of ``manage.py score``, such as an event."""
    groups = _grouped(lambda schema: schema.input)
    return {
        "$schema": DIALECT,
        "title": "One event for `manage.py score`",
        "description": "What a schema can say; the engine also checks ids, places and ranges across fields. "
        "Numbers are JSON integers or strings, never floats.",
        "type": "object",
        "unevaluatedProperties": False,
        "oneOf": [
            {"required": ["regulation"], "not": {"required": ["family"]}},
            {"required": ["family", "date"], "not": {"required": ["regulation"]}},
        ],
        "allOf": [*_by_regulation(groups), *_by_family(groups)],
        "properties": {
            "regulation": one_of(_codes(regulations.ALL), "The regulation to apply, whatever the date"),
            "family": one_of(
                regulations.DATED, "Instead of a regulation: the one of this family in force on the date"
            ),
            "date": DATE,
        },
        "$defs": {**INPUT_PARTS, **_built(groups)},
    }


def flat_input_schema() -> Json:
    """Return the input schema without conditions, for tools that read no "if": a variant for each choice.

    It accepts the same objects as `input_schema`.
    """
    groups = _grouped(lambda schema: schema.input)
    built = _built(groups)
    parts = {definition.name: built.pop(definition.name) for definition, _sharing in groups}
    variants = [
        variant for definition, sharing in groups for variant in _variants(parts[definition.name], sharing)
    ]
    return {"title": "One event to score", "anyOf": variants, "$defs": {**INPUT_PARTS, **built}}


def _variants(part: Json, sharing: list[Regulation]) -> Iterable[Json]:
    """Yield the schema of events that name one of the regulations, and of those that name their family.

    part: the definition that the regulations share
    """
    yield _variant(part, ["regulation"], {"regulation": one_of(_codes(sharing)), "date": DATE})
    if (family := sharing[0].family) in regulations.DATED:
        yield _variant(part, ["family", "date"], {"family": {"const": family}, "date": DATE})


def _variant(part: Json, required: list[str], properties: Json) -> Json:
    return {**part, **closed([*required, *part["required"]], {**properties, **part["properties"]})}


def output_schema() -> Json:
    """Return the schema of one line that ``manage.py score`` prints.

    A line is a JSON object with the result of one input object, or with an error.
    """
    groups = _grouped(lambda schema: schema.output)
    error = whole(
        {
            "code": one_of(code for code in CODES if code != OF_RECEIPTS),
            "field": {"type": "string"},
            "message": {"type": "string"},
        }
    )
    return {
        "$schema": DIALECT,
        "title": "One line of output of `manage.py score`",
        "oneOf": [ref(name) for name in (*(definition.name for definition, _ in groups), "failure")],
        "$defs": {**OUTPUT_PARTS, **_built(groups), "failure": whole({"error": error})},
    }


Groups = list[tuple[Definition, list[Regulation]]]


def _grouped(part: Callable[[Schema], Definition]) -> Groups:
    """Return the definitions of the input, or of the output, each with the regulations that share it.

    part: function that takes a regulation's schema and returns its input or its output definition
    """
    groups: dict[str, tuple[Definition, list[Regulation]]] = {}
    for declared in regulations.DECLARATIONS.values():
        definition = part(declared.schema)
        groups.setdefault(definition.name, (definition, []))[1].append(declared.regulation)
    return list(groups.values())


def _codes(listed: Iterable[Regulation]) -> list[str]:
    return [regulation.code for regulation in listed]


def _has(name: str, value: Json) -> Json:
    """Return a schema that requires the property ``name`` to be present and to match the schema ``value``."""
    return {"properties": {name: value}, "required": [name]}


def _by_regulation(groups: Groups) -> Iterable[Json]:
    """Yield an "if, then" schema for every definition.

    It requires that an event of the definition's regulations matches the definition.
    The "if" holds for an event that names one of the regulations by code. If all regulations of the family
    share the definition, it also holds for an event that names the family.
    """
    for definition, sharing in groups:
        condition = _has("regulation", one_of(_codes(sharing)))
        family = sharing[0].family
        if family in regulations.DATED and len(_of_family(groups, family)) == 1:
            condition = either(condition, _has("family", {"const": family}))
        yield {"if": condition, "then": ref(definition.name)}


def _by_family(groups: Groups) -> Iterable[Json]:
    """Yield an "if, then" schema for each family whose regulations have several definitions.

    An event may name a family instead of a regulation. It must then match one of the family's definitions.
    `_by_regulation` covers the families whose regulations share a single definition.
    """
    for family in regulations.DATED:
        names = _of_family(groups, family)
        if len(names) > 1:
            then = either(*(ref(name) for name in names))
            yield {"if": _has("family", {"const": family}), "then": then}


def _of_family(groups: Groups, family: str) -> list[str]:
    return [definition.name for definition, sharing in groups if sharing[0].family == family]


def _built(groups: Groups) -> Json:
    return {
        name: built for definition, sharing in groups for name, built in definition.build(sharing).items()
    }
