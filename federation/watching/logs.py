"""The format of log lines: text for people, or JSON, one object a line (`BAZA_LOGS=json`).

A line never breaks, whatever a message contains. In production, and always as JSON, lines hold no personal
data: an exception is its type, its codes and where it was raised, because the messages of exceptions quote
values; a request is its view, because addresses contain names; e-mail addresses and query strings are
removed from what other libraries write.
"""

import logging
import re
import traceback
from collections.abc import Mapping
from types import TracebackType
from typing import Any

import psycopg
import structlog

Event = dict[str, Any]
Raised = tuple[type[BaseException], BaseException, TracebackType | None]
FRAMES = 30  # of a traceback
_REMOVED = "…"
_PERSONAL = re.compile(
    r"[^\s@<>\"'()\[\],;:]+@[^\s@<>\"'()\[\],;:]+"  # e-mail addresses
    r"|(?<=\?)[^\s\"']+"  # query strings
    r"|(?<=DETAIL:)[^\n]*"  # PostgreSQL quotes the values of the row
)
_CONTROL = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if code not in (9, 10, 13)} | {
    9: "\\t",
    10: "\\n",
    13: "\\r",
    0x2028: "\\u2028",
    0x2029: "\\u2029",
}


def config(style: str, level: str, *, private: bool) -> dict[str, Any]:
    """Return the configuration for `logging.config.dictConfig`: all lines go to standard error.

    style: "plain" or "json"
    private: whether to leave out what may be personal; always so with JSON
    """
    make = {"()": "federation.watching.logs.formatter", "style": style, "private": private}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": make},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "lines"}},
        "root": {"handlers": ["console"], "level": level},
        # In production gunicorn has set up its own before Django starts.
        "loggers": {"gunicorn.error": {"handlers": ["console"], "propagate": False}} if private else {},
    }


def formatter(style: str, private: bool) -> logging.Formatter:
    """Return the formatter of a handler; see `config`."""
    private = private or style == "json"
    steps = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
        _without_values if private else _with_traceback,
    ]
    last = structlog.processors.JSONRenderer(sort_keys=False) if style == "json" else _line
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=steps,
        pass_foreign_args=True,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, last],
    )


def _with_traceback(_logger: Any, _name: str, event: Event) -> Event:
    """Add the traceback as Python prints it."""
    event.pop("positional_args", None)
    if raised := event.pop("exc_info", None):
        event["exception"] = "".join(traceback.format_exception(*raised)).rstrip()
    return event


def _without_values(_logger: Any, _name: str, event: Event) -> Event:
    """Leave out what may be personal: addresses of pages, values in exceptions, e-mail addresses."""
    record: logging.LogRecord = event["_record"]
    if raised := event.pop("exc_info", None):
        event["exception"] = described(raised)
    if hasattr(record, "request"):
        event["event"] = f"answered {getattr(record, 'status_code', '')}".strip()
        event.pop("positional_args")
    else:
        event["event"] = _message(record, event.pop("positional_args"))
    for key, value in event.items():
        if isinstance(value, str):
            event[key] = _PERSONAL.sub(_REMOVED, value)
    return event


def _message(record: logging.LogRecord, arguments: Any) -> str:
    """Return the message of a record, with types in the place of exceptions."""
    if record.name == "celery.app.trace" and isinstance(arguments, Mapping):
        # Celery's other arguments are the texts of exceptions, and of tracebacks.
        return f"{record.funcName}: task {arguments.get('name')} ({arguments.get('id')})"
    if isinstance(arguments, Mapping):
        arguments = {name: _harmless(value) for name, value in arguments.items()}
    elif record.name.startswith("gunicorn"):
        # Its texts are addresses and lines of requests.
        arguments = tuple(_REMOVED if isinstance(value, str) else _harmless(value) for value in arguments)
    elif arguments:
        arguments = tuple(map(_harmless, arguments))
    return str(record.msg) % arguments if arguments else str(record.msg)


def _harmless(value: Any) -> Any:
    return summary(value) if isinstance(value, BaseException) else value


def summary(error: BaseException) -> str:
    """Return the type of an exception and its codes, without the values that its message may quote.

    The message is included if it names no person: if no database was reached (it has the server and the
    role), or if the exception says that it is `quotable`.
    """
    words = [type(error).__name__]
    for inner in (error, error.__cause__):
        if isinstance(inner, psycopg.Error):
            words.append(type(inner).__name__)
        diagnosis = getattr(inner, "diag", None)
        codes = [
            getattr(inner, "sqlstate", None),
            getattr(inner, "sqlite_errorname", None),
            getattr(diagnosis, "table_name", None),
            getattr(diagnosis, "constraint_name", None),
            getattr(inner, "strerror", None) if isinstance(inner, OSError) else None,
        ]
        words += [str(code) for code in codes if code]
        if isinstance(inner, psycopg.OperationalError) and not inner.sqlstate or hasattr(inner, "quotable"):
            words.append(" ".join(str(inner).split()))
    return " ".join(dict.fromkeys(words))


def described(raised: Raised) -> list[str]:
    """Return an exception, those that caused it, and where each was raised, the outermost last."""
    lines, error, seen = [], raised[1], set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        lines.append(summary(error))
        frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
        lines += [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return lines


def _line(_logger: Any, _name: str, event: Event) -> str:
    """Return an event as a line of text; a traceback follows on lines of its own that begin with a bar."""
    time, level, name, message = (event.pop(key, "") for key in ("time", "level", "logger", "event"))
    exception = event.pop("exception", "")
    further = "".join(f" {key}={value}" for key, value in event.items() if value not in ("", None))
    line = f"{time} {level.upper()} {name}: {message}{further}".translate(_CONTROL)
    below = exception.splitlines() if isinstance(exception, str) else exception
    return "\n".join([line, *(f"| {part}".translate(_CONTROL) for part in below)])
