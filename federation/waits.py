"""How long a process waits for a lock in PostgreSQL.

Whoever waits for a page would rather be told to come back soon; a worker's task may wait longer, but less
than its lease. What is run by hand waits as long as the server lets it. On SQLite the busy timeout decides.
"""

import threading

from celery.signals import task_prerun
from django.core.signals import request_started
from django.db.backends.signals import connection_created

PAGE_SECONDS, TASK_SECONDS = 3, 10
_thread = threading.local()


def answer_pages(sender, **kwargs) -> None:
    """This thread answers requests."""
    _thread.seconds = PAGE_SECONDS


def do_tasks(sender=None, **kwargs) -> None:
    """This thread works for the queue."""
    _thread.seconds = TASK_SECONDS


def limit(sender, connection, **kwargs) -> None:
    """Set the limit of this thread on its new connection."""
    seconds = getattr(_thread, "seconds", None)
    if seconds and connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, false)", [f"{seconds}s"])


def connect() -> None:
    """Listen; a thread's first connection is made after the first of these signals."""
    request_started.connect(answer_pages)
    task_prerun.connect(do_tasks)
    connection_created.connect(limit)
