"""Complete the library's description of the interface (OpenAPI 3.1): bodies, problems, what is offered."""

from functools import cache
from http import HTTPStatus
from typing import Any

from scoring.api.computing import JSON, JSON_LINES
from scoring.api.fields import properties
from scoring.api.problems import CONTENT_TYPE
from scoring.ledger import systems
from scoring.regulations.published import flat_input_schema, output_schema

Json = dict[str, Any]
FILE = "The result file, with a file name. One in each request."
COMPONENTS = "#/components/schemas/"
REFUSALS = (403, 405, 429)  # that any address may answer: 403 to requests over HTTP
FULL = (507,)  # also of addresses with a token: they store when it was used, and the disk may be full
HEADERS = {
    "ETag": "The version of the document. Send it as If-None-Match to get 304 if nothing changed.",
    "Link": "The address of the next document, with rel=next. Left out with the last one.",
    "Allow": "The methods that the address takes.",
    "Retry-After": "Seconds after which to try again.",
    "X-RateLimit-Limit": "How much may be requested at once.",
    "X-RateLimit-Remaining": "How much of it is left.",
}
EVENT = {
    "regulation": "aeb-2026",
    "event_type": "pool",
    "format": "pairs",
    "boards": 24,
    "venue": "in_person",
    "c4": "1.23",
    "contestant_count": 30,
    "contestants": [{"id": "7", "place": 1}],
}


def complete(schema: Json) -> Json:
    """Complete the library's description, in place, and return it. The choices of forms take queries."""
    if not systems.offers_go():
        del schema["paths"]["/api/v1/ratings"]
    operations = {
        operation["operationId"]: operation
        for path in schema["paths"].values()
        for operation in path.values()
    }
    for operation in operations.values():
        _add_refusals(operation)
        for status, response in operation["responses"].items():
            if headers := _headers_of(int(status), operation):
                response["headers"] = headers
    operations["send_upload"]["requestBody"] = _form()
    operations["score_events"] |= _score_bodies(operations["score_events"]["responses"])
    for name, part in (("Event", flat_input_schema), ("EventResult", output_schema)):
        schema["components"]["schemas"] |= _components(name, part)
    return schema


def _add_refusals(operation: Json) -> None:
    """Describe every refusal as a problem, and add those that the code does not name."""
    responses = operation["responses"]
    for status in REFUSALS + (FULL if "security" in operation else ()):
        responses.setdefault(status, {"description": HTTPStatus(status).phrase})
    for status, response in responses.items():
        if int(status) >= 400:
            response["content"] = {CONTENT_TYPE: {"schema": {"$ref": f"{COMPONENTS}ProblemOut"}}}


def _headers_of(status: int, operation: Json) -> Json:
    """Return the descriptions of the headers that an answer with a status may have."""
    parameters = {item["name"] for item in operation["parameters"]}
    private = "security" in operation or operation["operationId"] == "score_events"
    applies = {
        "ETag": status in (200, 304) and not private,
        "Link": status == 200 and "cursor" in parameters,
        "Allow": status == 405,
        "Retry-After": status in (429, 503, 507),
        "X-RateLimit-Limit": status == 429 or (private and status < 300),
        "X-RateLimit-Remaining": status == 429 or (private and status < 300),
    }
    return {
        name: {"description": text, "schema": {"type": "string"}}
        for name, text in HEADERS.items()
        if applies[name]
    }


def _form() -> Json:
    """Return the description of the form that sends a file."""
    file = {"type": "string", "contentMediaType": "application/octet-stream", "description": FILE}
    schema = {
        "type": "object",
        "properties": {"file": file, **properties()},
        "required": ["file"],
        "additionalProperties": False,
    }
    return {"required": True, "content": {"multipart/form-data": {"schema": schema}}}


def _score_bodies(responses: Json) -> Json:
    """Return the descriptions of what is sent to be scored, and of the answers.

    responses: the descriptions of refusals
    """
    lines = {"schema": {"type": "string", "description": "one JSON object a line"}}
    answers = {JSON: {"schema": {"$ref": f"{COMPONENTS}EventResult"}}, JSON_LINES: lines}
    events = {JSON: {"schema": {"$ref": f"{COMPONENTS}Event"}, "example": EVENT}, JSON_LINES: lines}
    return {
        "requestBody": {"required": True, "content": events},
        "responses": {"200": {"description": "OK", "content": answers}, **responses},
    }


@cache
def _components(name: str, part: Any) -> Json:
    """Return {name: schema} of a published JSON schema and of its definitions, which become components.

    name: of the schema; those of its definitions begin with it
    part: function that returns the schema
    """
    schema = part()
    definitions = schema.pop("$defs")
    schema.pop("$schema", None)
    schemas = {name: schema, **{f"{name}-{key}": value for key, value in definitions.items()}}
    return _with_references(schemas, name)


def _with_references(value: Any, name: str) -> Any:
    """Return a schema whose references lead to components instead of definitions."""
    if isinstance(value, list):
        return [_with_references(item, name) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: f"{COMPONENTS}{name}-{item.removeprefix('#/$defs/')}"
        if key == "$ref"
        else _with_references(item, name)
        for key, item in value.items()
    }
