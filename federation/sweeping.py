"""The worker's thread that sweeps every few seconds, so that work whose message was lost is soon done."""

import logging
import threading
import time

from celery import bootsteps
from django.db import Error as DatabaseError
from django.db import close_old_connections, connections

from federation import alarms, heartbeat, waits

logger = logging.getLogger(__name__)

EVERY = 2.0  # seconds between sweeps
LONGEST_WAIT = 30.0  # seconds between attempts while the database is unavailable
CHECK_EVERY = 30.0  # seconds between checks for problems


class Sweeping(bootsteps.StartStopStep):
    """The part of the Celery worker that runs the sweeping thread.

    The thread starts after the worker's pool, and ends when the worker stops.
    """

    requires = {"celery.worker.components:Pool"}

    def __init__(self, worker, **options) -> None:
        super().__init__(worker, **options)
        self.stopping = threading.Event()
        self.thread: threading.Thread | None = None

    def start(self, worker) -> None:
        self.thread = threading.Thread(target=run, args=(self.stopping,), name="sweeper", daemon=True)
        self.thread.start()

    def stop(self, worker) -> None:
        self.stopping.set()
        if self.thread:
            self.thread.join(timeout=10)

    terminate = stop


def run(stopping: threading.Event) -> None:
    """Sweep every EVERY seconds, and check for problems every CHECK_EVERY seconds, until `stopping` is set.

    While sweeps fail, the wait between them doubles, up to LONGEST_WAIT.
    """
    wait, watch, checked = EVERY, alarms.Watch(), time.monotonic()
    waits.mark_task_thread()
    try:
        while True:
            close_old_connections()
            wait = EVERY if sweep_once() else min(2 * wait, LONGEST_WAIT)
            if time.monotonic() - checked >= CHECK_EVERY:
                check_problems(watch)
                checked = time.monotonic()
            if stopping.wait(wait):
                return
    finally:
        connections.close_all()


def sweep_once() -> bool:
    """Sweep and record the heartbeat. Return False, and log the error, if the sweep failed."""
    from federation import purging  # models cannot be imported before Django is set up
    from scoring.ledger.services import sweeper

    try:
        sweeper.sweep()
        purging.send()
    except DatabaseError:
        logger.warning("the database is unavailable: nothing was swept", exc_info=True)
        return False
    except Exception:
        # A bug must not end the thread: the next sweep may succeed.
        logger.exception("the sweep failed")
        return False
    heartbeat.record()
    return True


def check_problems(watch: alarms.Watch) -> None:
    """Check the database and the background work, and pass the problems to `watch`, which reports them."""
    from federation import health  # models cannot be imported before Django is set up

    try:
        problems = health.problems()
    except DatabaseError as error:
        problems = [health.database_away(error)]
    except Exception:
        # A bug here must not end the thread.
        logger.exception("the check for problems failed")
        return
    watch.check(problems)
