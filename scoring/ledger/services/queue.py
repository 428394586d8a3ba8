"""What all work for the workers has in common: it is a row that says who works on it, and until when.

The queue only carries hints; the sweeper finds the rows that nobody works on. Rows are those of
`scoring.ledger.models.work`.

A lease is known by its end: a row is only taken when it waits or its lease is over, so each lease ends later
than those before it. Who held an earlier one finds nothing under `held`, and so writes nothing:

    row = queue.claim(Model, pk, LEASE)                    # None: done, parked or in other hands
    queue.renew(row, LEASE)                                # long work, now and then; raises LeaseLost
    with transaction.atomic():
        queue.still_held(row)                              # locks the row, or raises LeaseLost
        queue.held(row).update(state=..., ...)             # with whatever else the work writes

Two kinds of failure are told apart. What only the work itself explains (a bug, a worker that died of it)
counts as an attempt, and after some the row is parked for the office. What the database or its machine could
not do (no room, no lock, shut down) says nothing about the work: it waits, longer each time.
"""

import logging
import time
from datetime import datetime, timedelta
from typing import Any

from billiard.exceptions import SoftTimeLimitExceeded
from django.db import Error as DatabaseError
from django.db import connection, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from players.database_errors import is_timeout, is_transient
from scoring.ledger import work
from scoring.ledger.models.work import Work
from scoring.ledger.tasks import perform

logger = logging.getLogger(__name__)

MAX_ATTEMPTS = 3
LONGEST_LEASE = timedelta(seconds=60)
BEYOND = 3 * LONGEST_LEASE  # a lease that ends this late is a clock's mistake, and holds nothing
UNDERWAY = timedelta(seconds=2)  # a row this young may have its first message still on the way
PATIENCE = timedelta(seconds=10)  # a row told to the workers this long ago and still waiting is told again
FIRST_WAIT, LONGEST_WAIT = timedelta(seconds=5), timedelta(minutes=5)  # doubled from the one to the other
INSISTENCE = 60  # seconds that a worker keeps trying to hand a row back

pause = time.sleep


def now() -> datetime:
    """The time by the database's clock: the workers' hosts need not agree on theirs."""
    if connection.vendor != "postgresql":
        return timezone.now()  # SQLite is a file of this machine
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")  # now() would be when the transaction began
        return cursor.fetchone()[0]


def tell(model: type[Work], pk: int) -> None:
    """Tell the workers of a row. A broker that is away is no error: the sweeper tells them later."""
    # Noted before the workers hear of it: a quick one holds the row from then on.
    if not _note(model, pk, now()):
        return
    try:
        perform.delay(model._meta.label_lower, pk)
    except perform.OperationalError as error:
        _note(model, pk, None)
        logger.warning(
            "%s %s waits for the sweeper: the broker did not take it (%s)",
            model._meta.model_name, pk, error,
        )  # fmt: skip


def tell_on_commit(row: Work) -> None:
    """Tell the workers of a row once the surrounding transaction is really there."""
    model, pk = type(row), row.pk
    # robust: a failing hint must not turn a committed act into an error page.
    transaction.on_commit(lambda: tell(model, pk), robust=True)


def _note(model: type[Work], pk: int, told_at: datetime | None) -> bool:
    """Note when the workers were told of a row, unless somebody holds it: then work is done on it already.

    Whoever waited for that would wait until the work is done, which may outlast its lease.
    """
    rows = model.objects.filter(pk=pk)
    with transaction.atomic():
        free = rows.select_for_update(skip_locked=True, no_key=True).exists()
        return free and bool(rows.update(enqueued_at=told_at))


def lost(model: type[Work], most: int) -> list[int]:
    """Ids of rows that nobody works on, oldest first; where rows can be locked, without those that are.

    SQLite has one writer at a time: a row there is never locked alone, and only reading does not wait.
    """
    instant = now()
    # A moment still to come was noted by a wrong clock, and is not waited for.
    fresh = Q(enqueued_at=None, created_at__range=(instant - UNDERWAY, instant))
    told = Q(enqueued_at__range=(instant - PATIENCE, instant))
    waiting = _ready(model, instant) & ~fresh & ~told
    abandoned = _abandoned(model, instant)
    found = model.objects.filter(waiting | abandoned).order_by("pk").values_list("pk", flat=True)
    if not connection.features.has_select_for_update_skip_locked:
        return list(found[:most])
    with transaction.atomic():
        return list(found.select_for_update(skip_locked=True, no_key=True)[:most])


class LeaseLost(Exception):
    """The row is no longer this worker's: another one took it over, so this one writes nothing."""


def claim(model: type[Work], pk: int, lease_for: timedelta, **also: Any) -> Work | None:
    """Take the row for this worker and set `also`; None when it is done, parked or in other hands."""
    instant = now()
    rows = model.objects.filter(_ready(model, instant) | _abandoned(model, instant), pk=pk)
    # The attempt is counted before the work: a row that kills its worker must not do so for ever.
    until = instant + min(lease_for, LONGEST_LEASE)
    if rows.filter(attempts__lt=MAX_ATTEMPTS).update(
        state=model.State.RUNNING, lease_until=until, not_before=None, attempts=F("attempts") + 1, **also
    ):
        row = model.objects.filter(pk=pk, lease_until=until).first()
        if row:
            row.claimed_at = instant
        return row
    rows.filter(attempts__gte=MAX_ATTEMPTS).update(
        state=model.State.FAILED, finished_at=instant, lease_until=None
    )
    return None


def _ready(model: type[Work], instant: datetime) -> Q:
    """Rows that wait, and whose time has come."""
    return Q(state=model.State.PENDING) & (Q(not_before=None) | Q(not_before__lte=instant))


def _abandoned(model: type[Work], instant: datetime) -> Q:
    """Rows whose holder's lease is over, or longer than any lease is."""
    over = Q(lease_until__lt=instant) | Q(lease_until__gt=instant + BEYOND)
    return Q(state=model.State.RUNNING) & over


def held(row: Work) -> QuerySet:
    """The row while it is this worker's: what is not written through it may be written by two."""
    model = type(row)
    return model.objects.filter(pk=row.pk, state=model.State.RUNNING, lease_until=row.lease_until)


def still_held(row: Work) -> None:
    """Lock the row until the surrounding transaction ends. Raises LeaseLost."""
    if not held(row).select_for_update().exists():
        raise LeaseLost(f"{row._meta.model_name} {row.pk}")


def renew(row: Work, lease_for: timedelta, **also: Any) -> None:
    """Keep the row for longer, and set `also`. Raises LeaseLost."""
    until = now() + min(lease_for, LONGEST_LEASE)
    if not held(row).update(lease_until=until, **also):
        raise LeaseLost(f"{row._meta.model_name} {row.pk}")
    row.lease_until = until


def park(row: Work, error: Exception, state: str, **also: Any) -> None:
    """Give the row up for good, in this state, and set `also`: trying again would be of no use."""
    held(row).update(state=state, error=_words(error), finished_at=now(), lease_until=None, **also)


def hand_back(row: Work, error: Exception) -> bool:
    """Let another worker try, at once or later, or park the row; whether it waits for no fault of its own.

    The database that failed the work may be away, or refuse this too. It is asked again until it hears it: an
    attempt that is not handed back counts as one that killed its worker.
    """
    give_up = time.monotonic() + INSISTENCE
    while True:
        try:
            if not connection.in_atomic_block:
                connection.close_if_unusable_or_obsolete()  # a broken one would stay broken
            return _hand_back(row, error)
        except DatabaseError as failure:
            if not is_transient(failure) or time.monotonic() > give_up:
                raise
            pause(1)


def _hand_back(row: Work, error: Exception) -> bool:
    state = type(row).State
    late = is_timeout(error) or isinstance(error, SoftTimeLimitExceeded)
    if not late and not is_transient(error):
        if row.attempts >= MAX_ATTEMPTS:
            park(row, error, state.FAILED)
        else:
            held(row).update(state=state.PENDING, error=_words(error), lease_until=None)
        return False
    timeouts = row.timeouts + (late and _others_pass(row))
    if timeouts >= MAX_ATTEMPTS:
        park(row, error, state.FAILED, timeouts=timeouts)
        return False
    # 2 ** 10 times the first wait is far beyond the longest.
    wait = min(FIRST_WAIT * 2 ** min(row.failures, 10), LONGEST_WAIT)
    held(row).update(
        state=state.PENDING, error=_words(error), lease_until=None, enqueued_at=None,
        not_before=now() + wait, attempts=F("attempts") - 1, failures=F("failures") + 1, timeouts=timeouts,
    )  # fmt: skip
    logger.warning("%s %s waits %s: %s", row._meta.model_name, row.pk, wait, _words(error))
    return True


def _others_pass(row: Work) -> bool:
    """Whether other work of this kind was done since this row was taken."""
    done = type(row).objects.filter(state=type(row).State.DONE, finished_at__gte=row.claimed_at)
    return done.exists()


def retry_parked() -> int:
    """Let all parked work start again once its cause is mended. Return the number of rows.

    The sweeper tells the workers: asking the broker for each could outlast the request.
    """
    models = [kind.model for kind in work.KINDS.values() if kind.retried]
    return sum(release(model.objects.filter(state=model.State.FAILED)) for model in models)


def release(rows: QuerySet) -> int:
    """Let parked rows try again from the beginning; how many of these were parked."""
    state = rows.model.State
    return rows.filter(state=state.FAILED).update(
        state=state.PENDING, attempts=0, failures=0, timeouts=0, error="", not_before=None,
        finished_at=None, enqueued_at=None,
    )  # fmt: skip


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:2000]
