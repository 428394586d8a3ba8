"""Run an audit in the background. It reads in read-only transactions and writes only its own row."""

import json
import time
from datetime import date, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from scoring.audit import stages
from scoring.audit.models import AuditRun
from scoring.audit.position import Position
from scoring.audit.verify import Difference
from scoring.ledger.services import queue

LEASE = timedelta(seconds=60)
SLICE = 20  # seconds of checking after which a worker puts the row back
BATCH, SLOW_BATCH = 100, 20  # items checked between two renewals of the lease
MOST = 2_000  # differences that the report keeps
STAGES = (*stages.BRIDGE, *stages.GO, *stages.LOG)
State = AuditRun.State


def ask(by: Any, since: date | None) -> AuditRun:
    """Ask the workers for an audit. Raise ValidationError if one is under way.

    since: check only tournaments that ended on this day or later; None for all
    """
    try:
        with transaction.atomic():
            run = AuditRun.objects.create(since=since, created_by=by)
    except IntegrityError as error:
        raise ValidationError(_("An audit is under way already: wait until it is over.")) from error
    queue.enqueue_on_commit(run)
    return run


def perform(run_id: int) -> None:
    """Go on with an audit for some seconds, and finish it if nothing is left. Safe to repeat."""
    queue.work_on(AuditRun, run_id, LEASE, _check)


def _check(run: AuditRun) -> None:
    """Check for SLICE seconds from the stored position on, then finish the audit or put it back."""
    deadline = time.monotonic() + SLICE
    position = Position.load(run.position) if run.position else Position()
    while run.stage < len(STAGES):
        stage = STAGES[run.stage]
        field = stage.units[1]
        run.total = getattr(position, field) + stage.left(None, run.since, position)
        size = SLOW_BATCH if stage.slow else BATCH
        for batch in stage.batches(None, run.since, position, size):
            position.add(stage.last, batch)
            run.done = getattr(position, field)
            _store(run, position)
            if time.monotonic() > deadline:
                queue.held(run).update(
                    state=State.PENDING, lease_until=None, enqueued_at=None, attempts=0, failures=0
                )
                queue.enqueue(AuditRun, run.pk)
                return
        run.stage, run.done, run.total = run.stage + 1, 0, 0
        _store(run, position)
    day, position.differences = _whole()
    with transaction.atomic():
        _store(run, position, standings_day=day)
        queue.finish(run)


def _whole() -> tuple[date | None, list[dict[str, Any]]]:
    day, differences = stages.whole_database()
    return day, [_values(difference) for difference in differences]


def _values(difference: Difference) -> dict[str, Any]:
    return {name: getattr(difference, name) for name in Difference.__slots__}


def _store(run: AuditRun, position: Position, **also: Any) -> None:
    """Store the position and the new differences, and renew the lease. Raise LeaseLost."""
    new, position.differences = position.differences, []
    run.difference_count += len(new)
    run.differences = [*run.differences, *map(_columns, new)][:MOST]
    run.position = json.loads(position.as_json())
    queue.renew(
        run,
        LEASE,
        stage=run.stage,
        done=run.done,
        total=run.total,
        position=run.position,
        differences=run.differences,
        difference_count=run.difference_count,
        **also,
    )


def _columns(values: dict[str, Any]) -> list[str]:
    """Return code, tournament, run, player, stored and computed value of a difference as texts."""
    names = ("code", "tournament", "run", "player", "stored", "derived")
    return [" ".join(str(values[name]).split()) if values[name] not in (None, "") else "" for name in names]
