"""Error reports to Sentry, or a service of its protocol, if SENTRY_DSN names one.

A report has the type of the error, the lines of code, the view and the request's id. It has no values of
variables, no message of the exception, no form, cookie, query string, address or account: `scrubbed` keeps
what is listed in it and drops the rest.
"""

from collections.abc import Mapping
from typing import Any

import sentry_sdk
from sentry_sdk.integrations.celery import CeleryIntegration
from sentry_sdk.integrations.django import DjangoIntegration
from sentry_sdk.integrations.logging import LoggingIntegration
from structlog.contextvars import get_contextvars

Event = dict[str, Any]
KEPT = (
    "event_id",
    "timestamp",
    "level",
    "platform",
    "release",
    "environment",
    "sdk",
    "server_name",
    "logger",
)
FRAME = ("filename", "abs_path", "function", "module", "lineno", "in_app", "context_line", "pre_context")
TAGS = ("request_id", "view", "work", "row")


def start(dsn: str) -> None:
    """Send unhandled exceptions and errors of the log to the service at `dsn`."""
    sentry_sdk.init(
        dsn=dsn,
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        traces_sample_rate=None,
        default_integrations=False,
        integrations=[
            DjangoIntegration(middleware_spans=False, signals_spans=False),
            CeleryIntegration(),
            LoggingIntegration(level=None),
        ],
        before_send=scrubbed,
    )


def scrubbed(event: Event, _hint: Mapping[str, Any] | None = None) -> Event:
    """Return what a report may have: no message, variable, request or account."""
    kept = {name: event[name] for name in KEPT if name in event}
    kept["tags"] = {name: str(value) for name, value in get_contextvars().items() if name in TAGS}
    if values := (event.get("exception") or {}).get("values"):
        kept["exception"] = {"values": [_exception(value) for value in values]}
    elif template := (event.get("logentry") or {}).get("message"):
        kept["logentry"] = {"message": template}  # the text in the code, without its values
    return kept


def _exception(value: Mapping[str, Any]) -> Event:
    frames = (value.get("stacktrace") or {}).get("frames") or []
    kept = [{name: frame[name] for name in FRAME if name in frame} for frame in frames]
    described = {name: value.get(name) for name in ("type", "module", "mechanism")}
    return described | {"value": "", "stacktrace": {"frames": kept}}
