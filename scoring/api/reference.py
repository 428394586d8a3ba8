"""The reference for people who write programs, from the description of the interface (OpenAPI)."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.api.computing import JSON
from scoring.api.description import COMPONENTS

Json = dict[str, Any]
FORM = "multipart/form-data"
FILE_NAME = "tuesday.xml"  # of the example that sends a file
KINDS = {
    "string": gettext_lazy("text"),
    "integer": gettext_lazy("whole number"),
    "boolean": gettext_lazy("true or false"),
    "object": gettext_lazy("object"),
    "date": gettext_lazy("day"),
    "date-time": gettext_lazy("time"),
}


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter of an address, or a member of a document.

    name: of a member of a nested document with those around it: "items[].points"
    kind: its type in words, such as "date or null"
    """

    name: str
    kind: str
    text: str
    required: bool


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address with what it takes and gives, and examples. Texts are in the reader's language."""

    name: str
    method: str
    path: str
    summary: str
    paragraphs: list[str]
    parameters: list[Field]
    members: list[Field]
    curl: str
    python: str


def endpoints(description: Json, server: str) -> list[Endpoint]:
    """Return all addresses in the order of the description.

    server: the address of the site without a path, for the examples
    """
    schemas = description["components"]["schemas"]
    return [
        _endpoint(method.upper(), path, operation, schemas, server)
        for path, operations in description["paths"].items()
        for method, operation in operations.items()
    ]


def _endpoint(method: str, path: str, operation: Json, schemas: Json, server: str) -> Endpoint:
    document = next(
        content[JSON]["schema"]
        for status, response in operation["responses"].items()
        if int(status) < 300 and (content := response.get("content"))
    )
    address = f"{server}{example_path(path, operation['parameters'])}"
    body = operation.get("requestBody", {}).get("content", {})
    return Endpoint(
        name=operation["operationId"],
        method=method,
        path=path,
        summary=_(operation["summary"]),
        paragraphs=_(operation["description"]).split("\n\n"),
        parameters=[
            Field(item["name"], _kind(item["schema"]), _text(item), item["required"])
            for item in operation["parameters"]
        ],
        members=list(_members(document, schemas)),
        curl=_curl(method, address, body, secret="security" in operation),
        python=_python(method, address, body, secret="security" in operation),
    )


def example_path(path: str, parameters: list[Json]) -> str:
    """Return a path with example values: of its own parameters, and of others that have any."""
    query = {}
    for item in parameters:
        name, value = item["name"], item.get("example")
        if item["in"] == "path":
            path = path.replace(f"{{{name}}}", str(value or name.upper()))
        elif item["in"] == "query" and value:
            query[name] = value
    return f"{path}?{urlencode(query)}" if query else path


def _members(schema: Json, schemas: Json, before: str = "") -> Iterator[Field]:
    """Yield the members of a document and of those in it. Documents without a list of members have none.

    before: the names of the members around the document
    """
    schema = _resolved(schema, schemas)
    required = schema.get("required", ())
    for name, member in schema.get("properties", {}).items():
        full = f"{before}{name}"
        yield Field(full, _kind(member), _text(member), name in required)
        inner = next((part for part in _variants(member) if part.get("type") != "null"), member)
        many = inner.get("type") == "array"
        yield from _members(inner["items"] if many else inner, schemas, f"{full}[]." if many else f"{full}.")


def _text(described: Json) -> str:
    """Return the description in the reader's language; the gettext of "" would be the catalogue's head."""
    return _(described["description"]) if described.get("description") else ""


def _resolved(schema: Json, schemas: Json) -> Json:
    return schemas[schema["$ref"].removeprefix(COMPONENTS)] if "$ref" in schema else schema


def _variants(schema: Json) -> list[Json]:
    return schema.get("anyOf", [schema])


def _kind(schema: Json) -> str:
    """Return the type of a value in words."""
    kinds = dict.fromkeys(_plain_kind(variant) for variant in _variants(schema))
    return _(" or ").join(kinds)


def _plain_kind(schema: Json) -> str:
    if "$ref" in schema:
        return str(KINDS["object"])
    if "enum" in schema:
        return ", ".join(map(str, schema["enum"]))
    if schema.get("type") == "array":
        return _("list: %(kind)s") % {"kind": _kind(schema["items"])}
    name = schema.get("format") or schema.get("type", "any")
    return str(KINDS.get(name, name))


def _curl(method: str, address: str, body: Json, *, secret: bool) -> str:
    parts = ["curl"]
    if secret:
        parts.append('-H "Authorization: Bearer $BAZA_TOKEN"')
    if FORM in body:
        parts.append(f"-F file=@{FILE_NAME}")
    elif JSON in body:
        parts += [f'-H "Content-Type: {JSON}"', f"--data '{json.dumps(_example(body))}'"]
    elif method != "GET":
        parts.append(f"-X {method}")
    between = " \\\n  " if len(parts) > 1 else " "
    return between.join([*parts, f'"{address}"'])


def _python(method: str, address: str, body: Json, *, secret: bool) -> str:
    """Return a program with the library requests, which most who write Python know."""
    lines, options = ["import requests", ""], []
    if secret:
        lines = ["import os", "", *lines]
        options.append('headers={"Authorization": f"Bearer {os.environ[\'BAZA_TOKEN\']}"}')
    if FORM in body:
        options.append(f'files={{"file": open("{FILE_NAME}", "rb")}}')
    elif JSON in body:
        lines.append(f"event = {_example(body)!r}")
        options.append("json=event")
    arguments = "".join(f"    {part},\n" for part in (f'"{address}"', *options))
    lines += [
        f"answer = requests.{method.lower()}(\n{arguments})",
        "answer.raise_for_status()",
        "print(answer.json())",
    ]
    return "\n".join(lines)


def _example(body: Json) -> Json:
    return body[JSON]["example"]
