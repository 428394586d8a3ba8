"""Read imported lists and compare them with the register, part by part. Workers do both.

What was compared of a list is stored part by part. A worker that dies, or whose time is over, leaves the rest
to the next one.
"""

import time
from dataclasses import replace
from datetime import date, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import override

from scoring.ledger.services import queue, standings
from scoring.office.lists import columns, rows
from scoring.office.lists.imports import KINDS, is_refused
from scoring.office.lists.plan import Comparison, Undoing
from scoring.office.models import ListPart, ListTask, OfficeImport
from tournaments.formats.limits import LIST_READ_SECONDS
from tournaments.formats.sandbox import read_table_safely
from tournaments.formats.types import TableResult
from tournaments.services import pipeline

LEASE = queue.LONGEST_LEASE
SLICE = timedelta(seconds=20)  # then the task makes room for others
State = OfficeImport.State


def compare(task: ListTask) -> None:
    """Read the list of a claimed task if that was not done yet, and compare those parts that were not."""
    until, batch = end_of_turn(), OfficeImport.objects.get(pk=task.batch_id)
    if batch.is_unread and not batch.file_deleted_at:
        batch = _read(task, batch)
    day = standings.today()
    if compare_parts(task, batch, day, until):
        _finish(task, day)
    else:
        queue.pass_on(task)


def end_of_turn() -> float:
    """Return when a task that begins now makes room for others."""
    return time.monotonic() + SLICE.total_seconds()


def compare_parts(task: ListTask, batch: OfficeImport, day: date, until: float) -> bool:
    """Compare the parts of a list that are not compared yet. Return whether all are.

    until: when to leave the rest to the next turn, in seconds of the monotonic clock
    """
    weighs = batch.state in (State.APPLIED, State.UNDOING)
    rest = list(batch.parts.filter(compared={}, undone={}).values_list("pk", flat=True))
    for pk in rest:
        part = ListPart.objects.get(pk=pk)
        if weighs:
            _weigh_part(task, batch, part, day)
        else:
            _compare_part(task, batch, part, day)
        if time.monotonic() > until:
            return pk == rest[-1]
    return True


def _read(task: ListTask, batch: OfficeImport) -> OfficeImport:
    result = read_table_safely(
        batch.file_name,
        pipeline.content_of(batch),
        KINDS[batch.kind].columns,
        timeout=LIST_READ_SECONDS,
        choices=columns.choices_of(batch),
    )
    readable = result.rows
    if result.has_errors:
        # Name what else is wrong now, not after the next attempt: the file is then corrected once.
        lines = {issue.line for issue in result.issues}
        readable = tuple(row for row in result.rows if row.line not in lines)
    queue.renew(task, LEASE, number=len(readable))
    with transaction.atomic():
        queue.lock_held(task)
        batch.parts.all().delete()
        batch.file_format = result.format_name[: pipeline.FORMAT_LENGTH]
        batch.parsed = replace(result, rows=()).to_json()
        batch.save(update_fields=["file_format", "parsed"])
        rows.store(batch, readable)
    queue.renew(task, LEASE)
    return batch


def _compare_part(task: ListTask, batch: OfficeImport, part: ListPart, day: date) -> None:
    stored = rows.read(part)
    with override(task.language):
        plan = KINDS[batch.kind].plan(rows.as_read(stored), day)
        comparison = Comparison.of_plan(plan, day, task.language)
    with transaction.atomic():
        queue.lock_held(task)
        rows.store_changes(stored, plan)
        part.compared = comparison.to_json()
        part.save(update_fields=["compared"])
        task.done += len(stored)
        queue.renew(task, LEASE, done=task.done)


def _weigh_part(task: ListTask, batch: OfficeImport, part: ListPart, day: date) -> None:
    """Compare a part of an applied list, to tell what undoing it would change."""
    undoing = Undoing.of_plan(KINDS[batch.kind].plan_undo(part.written, day))
    with transaction.atomic():
        queue.lock_held(task)
        part.compared = undoing.to_json(day)
        part.save(update_fields=["compared"])
        task.done += part.rows.count()
        queue.renew(task, LEASE, done=task.done)


def compared_undoing(batch: OfficeImport) -> QuerySet:
    """Return what undoing each part that is not undone yet would change, as `Undoing.to_json`."""
    return batch.parts.filter(undone={}).values_list("compared", flat=True)


@transaction.atomic
def _finish(task: ListTask, day: date) -> None:
    """Store the comparison of the whole list. One that cannot be read is refused.

    A list that was applied, or proposed, between asking and comparing is compared as what it is by then.
    """
    queue.lock_held(task)
    batch = OfficeImport.objects.select_for_update().get(pk=task.batch_id)
    if batch.state in (State.REVIEW, State.WAITING) and not batch.is_unread:
        parts = [Comparison.from_json(part.compared) for part in batch.parts.all()]
        comparison = Comparison.of_parts(parts, day, task.language)
        read = TableResult.from_json(batch.parsed)
        batch.compared, batch.compared_at = comparison.to_json(), timezone.now()
        if read.has_errors:
            # The rows hold personal data, so do not keep those of a list that cannot be applied.
            batch.parts.all().delete()
            batch.parsed = replace(read, issues=(*read.issues, *comparison.issues)).to_json()
            batch.compared = {}
        if is_refused(read):
            batch.state = State.REFUSED
        batch.save(update_fields=["compared", "compared_at", "parsed", "state"])
    elif batch.state == State.APPLIED:
        undoing = Undoing.of_parts(map(Undoing.from_json, compared_undoing(batch)))
        batch.compared, batch.compared_at = undoing.to_json(day), timezone.now()
        batch.save(update_fields=["compared", "compared_at"])
    queue.finish(task)
