"""The sweeper's clock: every worker sweeps, so that a lost message waits seconds and not for ever."""

import logging
import threading
import time

from celery import bootsteps
from django.core.cache import cache
from django.db import Error as DatabaseError
from django.db import close_old_connections, connections

from federation import alarms, waits

logger = logging.getLogger(__name__)

EVERY = 2.0  # seconds between sweeps
LONGEST_WAIT = 30.0  # seconds between tries while the database is away
WATCHED_EVERY = 30.0  # seconds between looks at what is wrong
HEARTBEAT = "worker-heartbeat"  # cache key: when a worker last swept, in seconds since 1970
HEARTBEAT_KEPT = 24 * 3600


class Sweeping(bootsteps.StartStopStep):
    """A thread of the worker that sweeps, from when its pool is there until it stops."""

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
    """Sweep until `stopping` is set. A database that is away is waited for, longer each time."""
    wait, watch, watched = EVERY, alarms.Watch(), time.monotonic()
    waits.do_tasks()
    try:
        while True:
            close_old_connections()
            wait = EVERY if once() else min(2 * wait, LONGEST_WAIT)
            if time.monotonic() - watched >= WATCHED_EVERY:
                look(watch)
                watched = time.monotonic()
            if stopping.wait(wait):
                return
    finally:
        connections.close_all()


def once() -> bool:
    """Sweep and leave the heartbeat; False, and a line in the log, when that failed."""
    from scoring.ledger.services import sweeper  # models cannot be imported before Django is set up

    try:
        sweeper.sweep()
    except DatabaseError:
        logger.warning("the database is away: nothing was swept", exc_info=True)
        return False
    except Exception:
        # A bug in the sweep must not end it: what it failed on, the next one may get past.
        logger.exception("the sweep failed")
        return False
    beat()
    return True


def look(watch: alarms.Watch) -> None:
    """Look at what is wrong, and raise the alarm."""
    from federation import health  # models cannot be imported before Django is set up

    try:
        problems = health.problems()
    except DatabaseError as error:
        problems = [health.database_away(error)]
    except Exception:
        # A bug here must not end the sweep.
        logger.exception("nobody watches: looking failed")
        return
    watch.look(problems)


def beat() -> None:
    """Say that a worker lives, for the health page. The cache may be away: then nobody knows."""
    try:
        cache.set(HEARTBEAT, time.time(), HEARTBEAT_KEPT)
    except Exception:  # each cache backend raises errors of its own library
        logger.warning("the cache is away: no heartbeat was left", exc_info=True)


def age() -> float | None:
    """Seconds since a worker last swept; None when none did, or the cache is away."""
    try:
        last = cache.get(HEARTBEAT)
    except Exception:  # as above
        logger.warning("the cache is away: no heartbeat was found", exc_info=True)
        return None
    return None if last is None else max(0.0, time.time() - last)
