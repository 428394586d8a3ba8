"""How long a thread waits for a lock in PostgreSQL.

A page waits only briefly, because readers prefer an early "try again". A worker's task may wait longer, but
less than its lease. Commands run by hand keep the server's limit. On SQLite the busy timeout applies.
"""

import threading

from celery.signals import task_prerun
from django.core.signals import request_started
from django.db.backends.signals import connection_created

PAGE_SECONDS, TASK_SECONDS = 3, 5
_thread = threading.local()


def mark_page_thread(sender, **kwargs) -> None:
    """Let the current thread wait at most PAGE_SECONDS for a lock, because it answers requests."""
    _thread.seconds = PAGE_SECONDS


def mark_task_thread(sender=None, **kwargs) -> None:
    """Let the current thread wait at most TASK_SECONDS for a lock, because it runs tasks."""
    _thread.seconds = TASK_SECONDS


def set_lock_timeout(sender, connection, **kwargs) -> None:
    """Set PostgreSQL's `lock_timeout` for a new connection to the current thread's limit, if it has one.

    Behind a pooler, other threads would get that session too: the pooler sets the limit (docs/scaling.md).
    """
    seconds = getattr(_thread, "seconds", None)
    has_own_session = getattr(connection, "has_own_session", True)
    if seconds and connection.vendor == "postgresql" and has_own_session:
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, false)", [f"{seconds}s"])


def connect() -> None:
    """Connect the receivers of this module to their signals.

    At the start of a request or task, a receiver sets the thread's limit for waiting. The thread opens its
    database connection after that. Another receiver then gives the connection the thread's limit.
    """
    request_started.connect(mark_page_thread)
    task_prerun.connect(mark_task_thread)
    connection_created.connect(set_lock_timeout)
