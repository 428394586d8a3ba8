"""Score events given as JSON: the input and output of `manage.py score` and of `POST /api/v1/score`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from scoring import regulations
from scoring.engine.errors import EngineError
from scoring.engine.strictjson import Fields


def answer(value: Any) -> dict[str, Any]:
    """Score one event, given as a JSON value. Return the result or, if it cannot be scored, an error."""
    try:
        fields = Fields.of(value)
        return regulations.from_fields(fields).answer(fields)
    except EngineError as error:
        return {"error": {"code": error.code, "field": error.field, "message": error.message}}


def lines_of(answers: Iterable[dict[str, Any]]) -> str:
    """Return answers as JSON Lines in ASCII, each with a line break at its end."""
    return "".join(f"{json.dumps(item, ensure_ascii=True)}\n" for item in answers)
