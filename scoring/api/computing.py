"""Score events sent as JSON, as `manage.py score` does. Nothing is stored, and no database is read."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from ninja import Router

from scoring.api.body import read_body
from scoring.api.limits import SCORE_BYTES, SCORE_EVENTS, SCORE_ITERATIONS
from scoring.api.problems import Problem
from scoring.api.schemas import ProblemOut
from scoring.engine.errors import EngineError
from scoring.engine.strictjson import NotJSON, as_integer, read_bytes
from scoring.regulations.answers import answer, lines_of

JSON, JSON_LINES = "application/json", "application/x-ndjson"

router = Router(tags=["score"])


@router.post(
    "/score",
    response=dict.fromkeys([400, 408, 411, 413, 415, 422, 429, 500, 503], ProblemOut),
    url_name="score",
    operation_id="score_events",
    summary=gettext_noop("Score events"),
    description=gettext_noop(
        "Score one event, or each event of JSON Lines, in the same order.\n\n"
        "Input and output are those of `manage.py score`. An event that cannot be scored has an "
        "`error` in its place, and the others are scored all the same. Send several events as "
        "`application/x-ndjson`: the answer has the content type of the request."
    ),
)
def score(request: HttpRequest):
    """Score one event, or each event of JSON Lines, in the same order."""
    if request.content_type not in (JSON, JSON_LINES):
        raise Problem("not_json_type")
    body = read_body(request, SCORE_BYTES, Problem("body_too_large", limit=SCORE_BYTES // 1024))
    text = lines_of([answer(value) for value in _events(body, request.content_type)])
    return HttpResponse(text, content_type=request.content_type)


def _events(body: bytes, content_type: str) -> list[Any]:
    """Return the events of a request, not checked yet but for their number and cost. Raises Problem."""
    try:
        events = read_bytes(body)
    except NotJSON as error:
        raise Problem("not_json", reason=_(error.reason) % error.params) from error
    limit = SCORE_EVENTS if content_type == JSON_LINES else 1
    if len(events) > limit:
        raise Problem("too_many_events", events=len(events), limit=limit)
    if any(_iterations(event) > SCORE_ITERATIONS for event in events):
        raise Problem("too_many_iterations", limit=SCORE_ITERATIONS)
    return events


def _iterations(event: Any) -> int:
    """Return how many iterations an event asks for; 0 for what the engine will refuse."""
    try:
        return as_integer(event.get("iterations", 0), "iterations") if isinstance(event, dict) else 0
    except EngineError:
        return 0
