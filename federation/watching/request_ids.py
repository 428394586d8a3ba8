"""Give each request an id, and tell the log which request or task a line belongs to.

The id is in the response (`X-Request-ID`), on error pages and in every line of the log. A task has the id of
the request that enqueued it, if its message still knew it. The context is that of structlog, which keeps it
apart for each thread.
"""

import re
import uuid
from collections.abc import Callable
from typing import Any

from celery.signals import before_task_publish, task_postrun, task_prerun
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from structlog.contextvars import bind_contextvars, clear_contextvars, get_contextvars

HEADER = "X-Request-ID"
KEY = "baza_request_id"  # in the headers of a Celery message
_WELL_FORMED = re.compile(r"[0-9A-Za-z-]{16,64}", re.ASCII)


class RequestIdMiddleware:
    """Middleware that gives the request its id: the proxy's if it is well-formed, else a new one.

    Without a proxy in front, a client would choose the id, so none is accepted.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id = _accepted(request.headers.get(HEADER, "")) or uuid.uuid4().hex
        clear_contextvars()
        bind_contextvars(request_id=request_id)
        response = self.get_response(request)
        response.headers[HEADER] = request_id
        return response

    def process_view(self, request: HttpRequest, *_view: object) -> None:
        """Add the name of the view to the context: the path would have names and numbers of people."""
        bind_contextvars(view=request.resolver_match.view_name or "unnamed")


def _accepted(stated: str) -> str:
    """Return the id that a trusted proxy stated; "" if there is no such proxy or the id is malformed."""
    trusted = settings.ALLAUTH_TRUSTED_PROXY_COUNT > 0
    return stated if trusted and _WELL_FORMED.fullmatch(stated) else ""


def current() -> str:
    """Return the id of the request that this thread answers; "" if there is none."""
    return get_contextvars().get("request_id", "")


def connect() -> None:
    """Connect the receivers that carry ids to the workers and bind them there."""
    before_task_publish.connect(_send, dispatch_uid="request_ids")
    task_prerun.connect(_begin, dispatch_uid="request_ids")
    task_postrun.connect(_end, dispatch_uid="request_ids")


def _send(headers: dict[str, Any] | None = None, **_kwargs: object) -> None:
    if headers is not None and (request_id := current()):
        headers[KEY] = request_id


def _begin(task: Any, args: Any = (), **_kwargs: object) -> None:
    label, pk = (*args, "", "")[:2]
    context = {"work": label, "row": pk}
    if request_id := _stated(task):
        context["request_id"] = request_id
    clear_contextvars()
    bind_contextvars(**context)


def _stated(task: Any) -> str:
    stated = getattr(task.request, KEY, None) or (getattr(task.request, "headers", None) or {}).get(KEY, "")
    return stated if _WELL_FORMED.fullmatch(str(stated)) else ""


def _end(**_kwargs: object) -> None:
    clear_contextvars()
