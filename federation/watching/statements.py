"""Time the statements that the database executes, and write those that take long to the log.

A line has the SQL with placeholders and never its values, the view and the request's id. A few of the latest
are kept in the cache for the office's page.
"""

import logging
import re
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.utils import timezone
from prometheus_client import Counter, Histogram
from structlog.contextvars import get_contextvars

logger = logging.getLogger(__name__)

KEPT, LATEST = 20, "slow-statements"
LONGEST = 2_000  # characters of a statement that are kept
ROWS = re.compile(r"(\([^()]*%s[^()]*\))(?:, \1)+")  # of an INSERT, all alike
SECONDS = Histogram(
    "baza_statement_seconds",
    "Time that the database took for a statement.",
    buckets=(0.001, 0.005, 0.02, 0.1, 0.5, 2.0, 10.0),
)
FAILED = Counter("baza_statements_failed_total", "Statements that the database refused or could not execute.")


def connect() -> None:
    """Time the statements of every connection that is opened from now on."""
    connection_created.connect(_watch, dispatch_uid="statements")


def _watch(connection: BaseDatabaseWrapper, **_kwargs: object) -> None:
    if timed not in connection.execute_wrappers:
        connection.execute_wrappers.append(timed)


def timed(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
    """Execute a statement, record its time, and log it if it took longer than BAZA_SLOW_QUERY_MS."""
    begun = time.perf_counter()
    try:
        return execute(sql, params, many, context)
    except Exception:
        FAILED.inc()
        raise
    finally:
        seconds = time.perf_counter() - begun
        SECONDS.observe(seconds)
        if settings.SLOW_QUERY_MS and seconds * 1000 >= settings.SLOW_QUERY_MS:
            _report(ROWS.sub(r"\1, …", str(sql))[:LONGEST], seconds)


def _report(sql: str, seconds: float) -> None:
    milliseconds = round(seconds * 1000)
    logger.warning("a statement took %s ms: %s", milliseconds, sql)
    context = get_contextvars()
    place = context.get("view") or context.get("work") or ""
    row = {"at": timezone.now(), "milliseconds": milliseconds, "sql": sql, "place": place}
    try:
        cache.set(LATEST, [row, *(cache.get(LATEST) or [])][:KEPT], 7 * 24 * 3600)
    except Exception:  # each cache backend raises errors of its own library
        logger.warning("the cache is unavailable: a slow statement was not kept", exc_info=True)


def latest() -> list[dict[str, Any]]:
    """Return the latest slow statements, the last first: at, milliseconds, sql, place. May lack some."""
    try:
        return cache.get(LATEST) or []
    except Exception:  # as above
        return []
