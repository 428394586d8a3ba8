"""Background work as rows in the database, claimed by workers with a lease.

A message on the broker may be lost; the sweeper finds rows that no worker is working on. Rows are instances
of subclasses of `scoring.ledger.models.work.Work`.

A row can only be claimed while it waits or after its lease has expired. So every lease ends later than the
previous one, and the time of its end identifies it. `held` selects a row by this time: once another worker
has claimed the row, `held` selects nothing, and the first worker writes nothing.

    queue.work_on(Model, pk, LEASE, function)              # claims the row, and deals with failures

    row = queue.claim(Model, pk, LEASE)                    # None: done, parked or held by another worker
    queue.renew(row, LEASE)                                # from time to time in long work; raises LeaseLost
    with transaction.atomic():
        queue.lock_held(row)                               # locks the row, or raises LeaseLost
        queue.held(row).update(state=..., ...)             # together with the results of the work

Failures are of two kinds. A failure of the work itself (a bug, or a worker killed by the work) counts as an
attempt; after several attempts the row is parked for the office. A failure of the database or of the machine
that it runs on (disk full, lock timeout, shutdown) does not count: the row waits, longer each time.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from threading import Event, Thread
from typing import Any, TypeVar

from billiard.exceptions import SoftTimeLimitExceeded
from django.db import Error as DatabaseError
from django.db import connection, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from players.database_errors import is_timeout, is_transient
from scoring.ledger import work
from scoring.ledger.models.work import DONE, FAILED, PENDING, RUNNING, Work
from scoring.ledger.tasks import perform
from ui.shared import changes_only

logger = logging.getLogger(__name__)

Row = TypeVar("Row", bound=Work)

MAX_ATTEMPTS = 3
LONGEST_LEASE = timedelta(seconds=60)
LEASE_LIMIT = 3 * LONGEST_LEASE  # a lease that ends later was set by a wrong clock and is ignored
FIRST_MESSAGE = timedelta(seconds=2)  # time for the first message of a new row to arrive
RESEND_AFTER = timedelta(seconds=10)  # enqueue a row again if it still waits after this time
FIRST_WAIT = timedelta(seconds=5)  # doubled after each failure
LONGEST_WAIT = timedelta(seconds=10)  # short, because a database that works again should find its work soon
WARNINGS = 3  # how many failures of a row are logged as warnings; an alarm follows if they go on
HAND_BACK_SECONDS = 60  # how long a worker keeps trying to hand back a row

# The fields of a row that no worker has begun.
_NEW: dict[str, Any] = {
    "state": PENDING,
    "attempts": 0,
    "failures": 0,
    "timeouts": 0,
    "error": "",
    "not_before": None,
    "lease_until": None,
    "finished_at": None,
    "enqueued_at": None,
}

pause = time.sleep


def now() -> datetime:
    """Return the time of the database's clock, because the clocks of the workers' hosts may differ."""
    if connection.vendor != "postgresql":
        return timezone.now()  # SQLite runs on this host
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")  # now() is the start of the transaction
        return cursor.fetchone()[0]


def enqueue(model: type[Work], pk: int) -> None:
    """Send the workers a message about a row. If the broker is unavailable, the sweeper sends it later."""
    # Record the time first, because a quick worker locks the row as soon as the message arrives.
    if not _set_enqueued(model, pk, now()):
        return
    try:
        label = model._meta.label_lower
        perform.apply_async((label, pk), **work.KINDS[label].limits)
    except perform.OperationalError as error:
        _set_enqueued(model, pk, None)
        logger.warning(
            "%s %s waits for the sweeper: the broker did not take it (%s)",
            model._meta.model_name,
            pk,
            error,
        )


def enqueue_on_commit(row: Work) -> None:
    """Enqueue a row when the surrounding transaction commits."""
    model, pk = type(row), row.pk
    # robust: a failed message must not turn a committed change into an error page.
    transaction.on_commit(lambda: enqueue(model, pk), robust=True)


def _set_enqueued(model: type[Work], pk: int, enqueued_at: datetime | None) -> bool:
    """Record when a row was enqueued. Return False if the row is locked: a worker is already working on it.

    The function does not wait for the lock, because a worker may hold it until its work is done.
    """
    rows = model._default_manager.filter(pk=pk)
    with transaction.atomic(), changes_only():
        free = rows.select_for_update(skip_locked=True, no_key=True).exists()
        return free and bool(rows.update(enqueued_at=enqueued_at))


def find_lost(model: type[Work], limit: int) -> list[int]:
    """Return up to `limit` ids, oldest first, of rows whose message was lost or whose lease has expired.

    Locked rows are skipped. SQLite cannot lock single rows, so there the function reads without locking.
    """
    instant = now()
    # Times in the future were set by a wrong clock and are ignored.
    new = Q(enqueued_at=None, created_at__range=(instant - FIRST_MESSAGE, instant))
    enqueued = Q(enqueued_at__range=(instant - RESEND_AFTER, instant))
    waiting = _ready(instant) & ~new & ~enqueued
    abandoned = _abandoned(instant)
    ids = model._default_manager.filter(waiting | abandoned).order_by("pk").values_list("pk", flat=True)
    if not connection.features.has_select_for_update_skip_locked:
        return list(ids[:limit])
    with transaction.atomic():
        return list(ids.select_for_update(skip_locked=True, no_key=True)[:limit])


class LeaseLost(Exception):
    """Another worker has taken over the row, so this worker must write nothing."""


def free(model: type[Row]) -> QuerySet[Row]:
    """Return the rows that a worker can claim now, also those that another one locks at this moment."""
    instant = now()
    return model._default_manager.filter(_ready(instant) | _abandoned(instant))


def claim(model: type[Row], pk: int, lease_for: timedelta) -> Row | None:
    """Claim the row for this worker. Return None if the row is done, parked or held by another worker."""
    instant = now()
    rows = model._default_manager.filter(_ready(instant) | _abandoned(instant), pk=pk)
    # Count the attempt before the work, so that a row that kills its worker is parked in the end.
    until = instant + min(lease_for, LONGEST_LEASE)
    with changes_only():  # pages show a claimed row as they show a waiting one
        claimed = rows.filter(attempts__lt=MAX_ATTEMPTS).update(
            state=RUNNING, lease_until=until, not_before=None, attempts=F("attempts") + 1
        )
    if claimed:
        row = model._default_manager.filter(pk=pk, lease_until=until).first()
        if row:
            row.claimed_at = instant
        return row
    rows.filter(attempts__gte=MAX_ATTEMPTS).update(state=FAILED, finished_at=instant, lease_until=None)
    return None


def _ready(instant: datetime) -> Q:
    """Return the condition for rows that wait and may be tried at the time `instant`."""
    return Q(state=PENDING) & (Q(not_before=None) | Q(not_before__lte=instant))


def _abandoned(instant: datetime) -> Q:
    """Return the condition for running rows whose lease has expired at the time `instant`.

    A lease that is implausibly long was set by a wrong clock, and counts as expired.
    """
    over = Q(lease_until__lt=instant) | Q(lease_until__gt=instant + LEASE_LIMIT)
    return Q(state=RUNNING) & over


def work_on(model: type[Row], pk: int, lease_for: timedelta, do: Callable[[Row], object]) -> None:
    """Claim a row, and let `do` do its work and mark it as done (`finish`).

    Do nothing if the row cannot be claimed. If another worker has taken it over, that is only logged. If the
    work fails, the row goes back to the queue or is parked. Unless it has to wait, the error is raised again,
    so that the worker logs it.
    """
    row = claim(model, pk, lease_for)
    if row is None:
        return
    try:
        do(row)
    except LeaseLost:
        logger.warning("%s %s was taken over by another worker", model._meta.model_name, pk)
    except Exception as error:
        if not hand_back(row, error):
            raise


def finish(row: Work, **also: Any) -> None:
    """Mark a row as done, and set its fields in `also`. Does nothing if this worker has lost the lease."""
    held(row).update(state=DONE, error="", lease_until=None, finished_at=now(), **also)


def held(row: Row) -> QuerySet[Row]:
    """Return a queryset of the row, which is empty if this worker has lost the lease.

    Workers write to their row only through this queryset.
    """
    model = type(row)
    return model._default_manager.filter(pk=row.pk, state=RUNNING, lease_until=row.lease_until)


def lock_held(row: Work) -> None:
    """Lock the row until the surrounding transaction ends. Raise LeaseLost if it is no longer held."""
    if not held(row).select_for_update().exists():
        raise LeaseLost(f"{row._meta.model_name} {row.pk}")


def renew(row: Work, lease_for: timedelta, **also: Any) -> None:
    """Extend the lease and set the row's fields in `also`. Raise LeaseLost if the row is no longer held."""
    until = now() + min(lease_for, LONGEST_LEASE)
    if not held(row).update(lease_until=until, **also):
        raise LeaseLost(f"{row._meta.model_name} {row.pk}")
    row.lease_until = until


@contextmanager
def keeping(row: Work, lease_for: timedelta) -> Iterator[None]:
    """Renew the lease from time to time while the `with` block only reads.

    For long statements and transactions that cannot write (`isolation.consistent_read`): a thread renews the
    lease on a connection of its own. If the lease is lost, it stops; what the block then writes through
    `held` has no effect.
    """
    over = Event()
    thread = Thread(target=_renew_until, args=(row, lease_for, over), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _renew_until(row: Work, lease_for: timedelta, over: Event) -> None:
    pause_seconds = min(lease_for, LONGEST_LEASE).total_seconds() / 4
    try:
        while not over.wait(pause_seconds):
            try:
                renew(row, lease_for)
            except LeaseLost:
                return
            except DatabaseError as error:
                logger.warning("the lease of %s %s was not renewed: %s", row._meta.model_name, row.pk, error)
                connection.close()
    finally:
        connection.close()


def pass_on(row: Work) -> None:
    """Put a row whose work got further, but is not done, at the end of the queue."""
    if held(row).update(state=PENDING, lease_until=None, attempts=0, failures=0, timeouts=0, error=""):
        enqueue(type(row), row.pk)


def park(row: Work, error: Exception, state: str, **also: Any) -> None:
    """Give up a row, so that no worker tries it again. Store `state`, the error and the fields in `also`."""
    held(row).update(state=state, error=_words(error), finished_at=now(), lease_until=None, **also)


def hand_back(row: Work, error: Exception) -> bool:
    """Put a failed row back into the queue, or park it. Return whether it must wait before the next attempt.

    After a timeout or a temporary database failure, the row waits and the attempt is not counted. After any
    other error it can be tried again at once.

    If the database is down, the function tries for up to HAND_BACK_SECONDS to update the row. If the row were
    not updated, the next worker would believe that the work killed its worker, and would count the attempt.
    """
    deadline = time.monotonic() + HAND_BACK_SECONDS
    while True:
        try:
            if not connection.in_atomic_block:
                connection.close_if_unusable_or_obsolete()  # a broken connection does not recover
            return _hand_back(row, error)
        except DatabaseError as failure:
            if not is_transient(failure) or time.monotonic() > deadline:
                raise
            pause(1)


def _hand_back(row: Work, error: Exception) -> bool:
    late = is_timeout(error) or isinstance(error, SoftTimeLimitExceeded)
    if not late and not is_transient(error):
        if row.attempts >= MAX_ATTEMPTS:
            park(row, error, FAILED)
        else:
            held(row).update(state=PENDING, error=_words(error), lease_until=None)
        return False
    timeouts = row.timeouts + int(late and _others_succeed(row))
    if timeouts >= MAX_ATTEMPTS:
        park(row, error, FAILED, timeouts=timeouts)
        return False
    postpone(row, error, timeouts=timeouts)
    return True


def postpone(row: Work, error: Exception, longest: timedelta = LONGEST_WAIT, **also: Any) -> None:
    """Let a row wait before the next attempt, longer each time, and do not count this attempt.

    longest: the longest wait between two attempts
    also: further fields of the row to set
    """
    # Limit the exponent: 2 ** 10 times the first wait is far longer than the longest.
    wait = min(FIRST_WAIT * 2 ** min(row.failures, 10), longest)
    held(row).update(
        state=PENDING,
        error=_words(error),
        lease_until=None,
        enqueued_at=None,
        not_before=now() + wait,
        attempts=F("attempts") - 1,
        failures=F("failures") + 1,
        **also,
    )
    level = logging.WARNING if row.failures < WARNINGS else logging.INFO
    logger.log(level, "%s %s waits %s: %s", row._meta.model_name, row.pk, wait, error)


def _others_succeed(row: Work) -> bool:
    """Return whether other work of this kind was completed since this row was claimed.

    If so, a timeout of this row is not the fault of a slow database, and counts towards parking the row.
    """
    return type(row)._default_manager.filter(state=DONE, finished_at__gte=row.claimed_at).exists()


def retry_parked() -> int:
    """Let workers retry all parked work. Return the number of rows.

    The sweeper enqueues the rows, because sending so many messages could exceed the request's time limit.
    """
    models = [kind.model for kind in work.KINDS.values() if kind.retried]
    return sum(release(model._default_manager.filter(state=FAILED)) for model in models)


def release(rows: QuerySet[Row]) -> int:
    """Reset parked rows so that workers try them again. Return the number of rows."""
    return restart_all(rows.filter(state=FAILED))


def restart_all(rows: QuerySet[Row], **also: Any) -> int:
    """Reset rows that no worker is at, so that workers do them again. Return the number of rows.

    also: values of other fields, or other values of those that are reset
    """
    return rows.update(**{**_NEW, **also})


def restart(row: Work) -> None:
    """Reset the fields of a row that was done, without saving it, because there is new work on it."""
    for name, value in _NEW.items():
        setattr(row, name, value)


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:2000]
