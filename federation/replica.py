"""Read public pages from a streaming replica of the database, the one in DATABASE_REPLICA_URL.

A shared page (`ui.shared`) comes from the replica only if the replica has replayed everything that the
primary had committed when the request came. So a hidden name, a correction or a posting is seen at once, and
a reader never sees an older page after a newer one, whichever host answers. The rule needs no knowledge of
what a page shows: it compares positions of the write-ahead log, which costs one small query on each of the
two.

If the replica is behind, does not answer or fails in the middle of a page, the page comes from the primary.
Everything else always does: signed-in readers, writes, programs, workers.
"""

import logging
import select
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import psycopg
from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.db import DatabaseError, InterfaceError, connections
from django.http import HttpRequest, HttpResponse
from prometheus_client import Counter
from psycopg.pq import ExecStatus

from players.database_errors import is_transient

PRIMARY, REPLICA = "default", "replica"
PAUSE = 5.0  # seconds for which a replica is left alone that failed or is far behind
FAR_BEHIND = 4 << 20  # bytes of the log, which take longer to replay than a page may wait
ANSWER_SECONDS = 1.0  # longest wait for the replica's position, in case its host is frozen
# Commits are flushed before others can see them, unless `synchronous_commit` is off.
# The name of a file of the log begins with its timeline, which a standby changes when it becomes the primary.
COMMITTED = """
    SELECT pg_current_wal_flush_lsn()::text,
           ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int::text
"""
# A replica of a former timeline has a log that the primary never had, so that positions say nothing.
BEHIND = b"""
    SELECT CASE WHEN pg_is_in_recovery() AND (SELECT timeline_id FROM pg_control_checkpoint()) = $2::int
                THEN pg_wal_lsn_diff($1, pg_last_wal_replay_lsn()) END
"""
ERRORS = (DatabaseError, InterfaceError, psycopg.Error, OSError)
PAGES = Counter(
    "baza_shared_pages_total", "Public pages by the database that they were read from.", ["database"]
)
logger = logging.getLogger(__name__)
_thread = threading.local()


class Replica:
    """What this process knows of the replica. `paused_until` is a time of the monotonic clock."""

    paused_until = 0.0

    def is_current(self) -> bool:
        """Return whether the replica has replayed everything that the primary has committed."""
        if time.monotonic() < self.paused_until:
            return False
        committed = _committed()
        try:
            behind = _bytes_behind(committed)
        except ERRORS as error:
            self.pause(str(error))
            return False
        if behind is None:
            self.pause("it is no replica, or one of a former primary")
        elif behind > FAR_BEHIND:
            self.pause(f"it is {behind} bytes behind")
        return behind is not None and behind <= 0

    def pause(self, reason: str) -> None:
        """Leave the replica alone for a while, and close the connection of this thread to it."""
        logger.warning(
            "public pages are read from the primary for %s s, not from the replica: %s", PAUSE, reason
        )
        self.paused_until = time.monotonic() + PAUSE
        connections[REPLICA].close()


replica = Replica()


class Lag(NamedTuple):
    """How far the replica is behind, in `bytes` of the log; None if it does not answer or is another's."""

    bytes: int | None

    @property
    def is_far(self) -> bool:
        """Whether pages do not come from the replica for longer than a moment."""
        return self.bytes is None or self.bytes > FAR_BEHIND


def lag() -> Lag | None:
    """Return how far the replica is behind the primary; None if there is no replica. For monitoring."""
    if REPLICA not in settings.DATABASES:
        return None
    committed = _committed()
    try:
        behind = _bytes_behind(committed)
    except ERRORS:
        connections[REPLICA].close()
        return Lag(None)
    return Lag(behind and max(0, behind))


def _committed() -> tuple[str, str]:
    """Return the position in the primary's log up to which all is committed, and the log's timeline."""
    with connections[PRIMARY].cursor() as cursor:
        cursor.execute(COMMITTED)
        return cursor.fetchone()


def _bytes_behind(committed: tuple[str, str]) -> int | None:
    """Ask the replica how many bytes it has still to replay; None if it is no replica of this primary.

    Waits ANSWER_SECONDS. psycopg itself would wait for a frozen host for ever.
    """
    connection = connections[REPLICA]
    connection.ensure_connection()
    link = connection.connection.pgconn
    link.send_query_params(BEHIND, [value.encode() for value in committed])
    link.flush()
    deadline, socket = time.monotonic() + ANSWER_SECONDS, select.poll()
    socket.register(link.socket, select.POLLIN)
    while link.is_busy():
        if not socket.poll(1000 * max(0.0, deadline - time.monotonic())):
            raise TimeoutError(f"it does not answer within {ANSWER_SECONDS} s")
        link.consume_input()
    result = link.get_result()
    while link.get_result():
        pass  # until the connection is free for the next statement
    if result is None or result.status != ExecStatus.TUPLES_OK:
        raise OSError((result.error_message if result else b"no answer").decode(errors="replace").strip())
    value = result.get_value(0, 0)
    return None if value is None else int(value)


class ReplicaRouter:
    """Django's database router: reads of a page that may come from the replica go there, nothing else."""

    def db_for_read(self, model: Any, **hints: Any) -> str:
        """Read inside a transaction from the primary, because it may have written."""
        uses_replica = getattr(_thread, "uses_replica", False) and not connections[PRIMARY].in_atomic_block
        return REPLICA if uses_replica else PRIMARY

    def db_for_write(self, model: Any, **hints: Any) -> str:
        """Write to the primary."""
        return PRIMARY

    def allow_relation(self, *objects: Any, **hints: Any) -> bool:
        """Allow relations between rows of the two, which are the same database."""
        return True

    def allow_migrate(self, db: str, *arguments: Any, **hints: Any) -> bool:
        """Migrate the primary alone."""
        return db == PRIMARY


class ReplicaMiddleware:
    """Middleware that lets shared pages be read from the replica if it is current."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if REPLICA not in settings.DATABASES:
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.shared:
            return self.get_response(request)
        _thread.uses_replica = replica.is_current()
        try:
            return self.get_response(request)
        finally:
            PAGES.labels(REPLICA if _thread.uses_replica else "primary").inc()
            _thread.uses_replica = False

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """If the replica failed in the middle of a page, read the whole page from the primary."""
        if not getattr(_thread, "uses_replica", False) or not is_transient(error):
            return None
        replica.pause(str(error))
        _thread.uses_replica = False
        match = request.resolver_match
        response = match.func(request, *match.args, **match.kwargs)
        if hasattr(response, "render") and callable(response.render):
            response = response.render()
        return response
