"""Compare an answer of the interface with its description."""

import json
import re

from jsonschema import Draft202012Validator

from scoring.api.interface import interface


def document_of(answer) -> dict:
    """Return the document of an answer, which has to be as described for its address and status."""
    document = json.loads(answer.content)
    path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", f"/{answer.resolver_match.route}")
    method = answer.request["REQUEST_METHOD"].lower()
    schema = json.loads(json.dumps(interface.get_openapi_schema()))
    response = schema["paths"][path][method]["responses"][str(answer.status_code)]
    content_type = answer["Content-Type"].partition(";")[0]
    validator = {**response["content"][content_type]["schema"], "components": schema["components"]}
    Draft202012Validator(validator).validate(document)
    return document
