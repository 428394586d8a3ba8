"""What all work for the workers has in common: it is a row that says who works on it, and until when.

The queue only carries hints; the sweeper finds the rows that nobody works on. A row has `state` (with
PENDING, RUNNING and FAILED), `attempts`, `lease_until`, `enqueued_at`, `created_at`, `finished_at`, `error`.

A lease is known by its end: a row is only taken when it waits or its lease is over, so each lease ends later
than those before it. Who held an earlier one finds nothing under `held`, and so writes nothing:

    row = queue.claim(Model, pk, LEASE)                    # None: done, parked or in other hands
    queue.renew(row, LEASE)                                # long work, now and then; raises LeaseLost
    with transaction.atomic():
        queue.still_held(row)                              # locks the row, or raises LeaseLost
        queue.held(row).update(state=..., ...)             # with whatever else the work writes
"""

import logging
from datetime import datetime, timedelta
from typing import Any

from celery import Task
from django.db import connection, transaction
from django.db.models import F, Model, Q, QuerySet
from django.utils import timezone

logger = logging.getLogger(__name__)

MAX_ATTEMPTS = 3
UNDERWAY = timedelta(seconds=2)  # a row this young may have its first message still on the way
PATIENCE = timedelta(seconds=10)  # a row told to the workers this long ago and still waiting is told again


def tell(task: Task, model: type[Model], pk: int) -> None:
    """Tell the workers of a row. A broker that is away is no error: the sweeper tells them later."""
    # Noted before the workers hear of it: a quick one holds the row from then on.
    if not _note(model, pk, timezone.now()):
        return
    try:
        task.delay(pk)
    except task.OperationalError as error:
        _note(model, pk, None)
        logger.warning(
            "%s %s waits for the sweeper: the broker did not take it (%s)",
            model._meta.model_name, pk, error,
        )  # fmt: skip


def _note(model: type[Model], pk: int, told_at: datetime | None) -> bool:
    """Note when the workers were told of a row, unless somebody holds it: then work is done on it already.

    Whoever waited for that would wait until the work is done, which may outlast its lease.
    """
    rows = model.objects.filter(pk=pk)
    with transaction.atomic():
        free = rows.select_for_update(skip_locked=True, no_key=True).exists()
        return free and bool(rows.update(enqueued_at=told_at))


def lost(model: type[Model], most: int) -> list[int]:
    """Ids of rows that nobody works on, oldest first; where rows can be locked, without those that are.

    SQLite has one writer at a time: a row there is never locked alone, and only reading does not wait.
    """
    now = timezone.now()
    forgotten = Q(enqueued_at=None, created_at__lt=now - UNDERWAY) | Q(enqueued_at__lt=now - PATIENCE)
    waiting = Q(state=model.State.PENDING) & forgotten
    abandoned = Q(state=model.State.RUNNING, lease_until__lt=now)
    found = model.objects.filter(waiting | abandoned).order_by("pk").values_list("pk", flat=True)
    if not connection.features.has_select_for_update_skip_locked:
        return list(found[:most])
    with transaction.atomic():
        return list(found.select_for_update(skip_locked=True, no_key=True)[:most])


class LeaseLost(Exception):
    """The row is no longer this worker's: another one took it over, so this one writes nothing."""


def claim(model: type[Model], pk: int, lease_for: timedelta, **also: Any) -> Model | None:
    """Take the row for this worker and set `also`; None when it is done, parked or in other hands."""
    now = timezone.now()
    state = model.State
    free = Q(state=state.PENDING) | Q(state=state.RUNNING, lease_until__lt=now)
    rows = model.objects.filter(free, pk=pk)
    # The attempt is counted before the work: a row that kills its worker must not do so for ever.
    until = now + lease_for
    if rows.filter(attempts__lt=MAX_ATTEMPTS).update(
        state=state.RUNNING, lease_until=until, attempts=F("attempts") + 1, **also
    ):
        return model.objects.filter(pk=pk, lease_until=until).first()
    rows.filter(attempts__gte=MAX_ATTEMPTS).update(state=state.FAILED, finished_at=now, lease_until=None)
    return None


def held(row: Model) -> QuerySet:
    """The row while it is this worker's: what is not written through it may be written by two."""
    model = type(row)
    return model.objects.filter(pk=row.pk, state=model.State.RUNNING, lease_until=row.lease_until)


def still_held(row: Model) -> None:
    """Lock the row until the surrounding transaction ends. Raises LeaseLost."""
    if not held(row).select_for_update().exists():
        raise LeaseLost(f"{row._meta.model_name} {row.pk}")


def renew(row: Model, lease_for: timedelta, **also: Any) -> None:
    """Keep the row for longer, and set `also`. Raises LeaseLost."""
    until = timezone.now() + lease_for
    if not held(row).update(lease_until=until, **also):
        raise LeaseLost(f"{row._meta.model_name} {row.pk}")
    row.lease_until = until


def park(row: Model, error: Exception, state: str) -> None:
    """Give the row up for good, in this state: trying again would be of no use."""
    held(row).update(state=state, error=_told(error), finished_at=timezone.now(), lease_until=None)


def hand_back(row: Model, error: Exception) -> None:
    """Let another worker try, or park the row as failed after the last attempt."""
    state = type(row).State
    if row.attempts >= MAX_ATTEMPTS:
        park(row, error, state.FAILED)
    else:
        held(row).update(state=state.PENDING, error=_told(error), lease_until=None)


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:2000]
