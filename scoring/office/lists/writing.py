"""Apply and undo imported lists. Workers call `perform`; nothing else writes what a list says.

A worker compares the whole list again (`comparing`). If all is as it was asked for, it writes part by part:
each is a short transaction, which also sends `players_changed`: the standings of its players are brought up
to date, and data files that name who is hidden now are withdrawn. So nobody waits long for a player or for
the standings, and readers see of each player all that the list says, or nothing of it.
Otherwise nothing is written, and the list goes back and is compared anew.

A part's transaction locks the task, the proposal, the list, the part's players, the account and the
standings, in this order. The first one also marks the task as begun (`ListTask.begun_at`). From then on the
list is written to its end: rows that would do something else by now, because somebody changed their player
in between, are left alone and named. A worker that dies leaves whole parts behind, and the next one goes on
with the others.

Lists of opening awards are written in one transaction: the proposal, which says for the audit which
adjustments it posted, is decided after the last.
"""

import logging
import time
from contextlib import nullcontext
from datetime import date

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from players.models import PlayerChange, Proposal
from players.services import categories, proposals
from players.services.changes import send_players_changed
from scoring.ledger.services import queue, standings
from scoring.office.lists import comparing, imports, rows, tasks
from scoring.office.lists.imports import KINDS, NotApplicable
from scoring.office.lists.plan import Comparison, Undoing, Written
from scoring.office.models import ListPart, ListRow, ListTask, OfficeImport
from scoring.office.services import countable
from scoring.office.services.category_changes import lock_account
from tournaments.formats.types import TableResult
from tournaments.services import pipeline
from tournaments.services.ticks import valid_ticks

LEASE = queue.LONGEST_LEASE
State, Verb = OfficeImport.State, ListTask.Verb
logger = logging.getLogger(__name__)


def perform(task_id: int) -> None:
    """Compare, apply or undo a list as its task asks. Safe to repeat: each part is written once."""
    queue.work_on(ListTask, task_id, LEASE, _do)


def _do(task: ListTask) -> None:
    if task.verb == Verb.COMPARE:
        comparing.compare(task)
        return
    batch = OfficeImport.objects.get(pk=task.batch_id)
    until, day = comparing.end_of_turn(), standings.today()
    try:
        if not (task.begun_at or comparing.compare_parts(task, batch, day, until)):
            queue.pass_on(task)
            return
        whole = KINDS[batch.kind].whole
        with transaction.atomic() if whole else nullcontext(), override(task.language):
            if _write_parts(task, batch, day, float("inf") if whole else until):
                _finish(task)
            else:
                queue.pass_on(task)
    except NotApplicable as error:
        _send_back(task, error.code)
    except (PermissionDenied, ValidationError):
        _send_back(task, "approval")
    except IntegrityError:
        # A row that was added since the part was planned breaks a constraint. The next attempt leaves it
        # alone. If nothing is written, the list goes back, and the next preview shows the row.
        if ListTask.objects.get(pk=task.pk).begun_at:
            raise
        logger.warning("list %s contradicts what was stored since", task.batch_id, exc_info=True)
        _send_back(task, "changed")


@transaction.atomic
def _send_back(task: ListTask, code: str) -> None:
    """End a task that wrote nothing, and give its list back to the office."""
    queue.lock_held(task)
    tasks.release(task)
    queue.park(task, NotApplicable(code), ListTask.State.RETURNED, refusal=code)
    with override(task.language):
        imports.compare_again(task.batch_id, task.by)


@transaction.atomic
def stop(batch_id, by) -> ListTask | None:
    """Take a list back from the workers. Return the stopped task; None if it cannot be stopped.

    Of a task that is half done and has failed, what is written stays, and the rest is not written.
    """
    task = tasks.stop(batch_id, by)
    if task is None:
        return None
    if task.begun_at and task.verb == Verb.APPLY:
        ListPart.objects.filter(batch=batch_id, written={}).delete()
        _settle(task)
    else:
        tasks.release(task)
    return task


# --- Part by part -------------------------------------------------------------------------------------------
def _write_parts(task: ListTask, batch: OfficeImport, day: date, until: float) -> bool:
    """Write the parts that are left. Return whether all are written.

    until: when to leave the rest to the next turn, in seconds of the monotonic clock

    Raises NotApplicable if nothing is written yet, and the list would do something else by now than what was
    asked for, or needs a second person and has none. Raises PermissionDenied or ValidationError if those who
    asked and approved may not by now.
    """
    write = _apply_part if task.verb == Verb.APPLY else _undo_part
    rest = list(_unwritten(task).values_list("pk", flat=True))
    for number, pk in enumerate(rest, 1):
        with transaction.atomic():
            queue.lock_held(task)
            begins = task.begun_at is None
            if begins and task.proposal_id:
                proposals.check(task.proposal_id, task.by)
            part = ListPart.objects.get(pk=pk)
            categories.lock(rows.player_ids(part))
            if begins:
                _begin(task, day)
            task.done += write(task, batch, part, day, begins)
            queue.renew(task, LEASE, done=task.done, begun_at=task.begun_at)
        if time.monotonic() > until:
            return number == len(rest)
    return True


def _unwritten(task: ListTask):
    parts = ListPart.objects.filter(batch=task.batch_id)
    return parts.filter(written={}) if task.verb == Verb.APPLY else parts.filter(undone={})


def _begin(task: ListTask, day: date) -> None:
    """Check the whole list, as it was just compared, and mark the task as begun."""
    batch = imports.lock(task.batch_id, tasks.STATES[Verb(task.verb)])
    lock_account(task.by)
    task.begun_at, task.done = timezone.now(), 0
    if task.verb == Verb.APPLY:
        comparison = _check_applying(task, batch, day)
        batch.counts = comparison.counts
        batch.written = {"alone": 0 if task.proposal_id else comparison.alone}
        batch.applied_at, batch.applied_by = task.begun_at, task.by
        batch.by_two = task.proposal_id is not None
    else:
        undoing = _check_undoing(task, batch, day)
        batch.written |= {"undone_alone": 0 if task.proposal_id else undoing.alone}
        batch.undone_at, batch.undone_by, batch.undone_reason = task.begun_at, task.by, task.reason
    batch.save()


def _finish(task: ListTask) -> None:
    """End a task all of whose parts are written."""
    with transaction.atomic():
        queue.lock_held(task)
        _settle(task)
        queue.finish(task)


def _settle(task: ListTask) -> None:
    """Set the state of a list that is written, and record the approval of its proposal."""
    if OfficeImport.objects.filter(pk=task.batch_id, kind=OfficeImport.Kind.LICENCES).exists():
        countable.ask_on_commit()
    if task.proposal_id:
        proposals.complete(task.proposal_id, task.by, checked=True)
    elif task.verb == Verb.APPLY:
        _settle_applied(imports.lock(task.batch_id, State.APPLYING))
    else:
        _settle_undone(imports.lock(task.batch_id, State.UNDOING))


def _note(task: ListTask, batch: OfficeImport, lines: list[PlayerChange], source: str, reason: str) -> None:
    """Store the lines of the journal of the register about a part that was applied or undone."""
    for line in lines:
        line.source, line.reference, line.by, line.proposal = source, str(batch.pk), task.by, task.proposal
        line.reason = reason[:300]
    PlayerChange.objects.bulk_create(lines, batch_size=1000)


# --- Applying -----------------------------------------------------------------------------------------------
def _check_applying(task: ListTask, batch: OfficeImport, day: date) -> Comparison:
    """Raise NotApplicable unless all of the list is what was asked for, by those who may."""
    parts = batch.parts.values_list("compared", flat=True)
    comparison = Comparison.of_parts(list(map(Comparison.from_json, parts)), day, task.language)
    if comparison.has_errors:
        raise NotApplicable("errors")
    if not comparison.digest == task.digest == batch.compared["digest"]:
        raise NotApplicable("changed")
    if task.proposal_id:
        return comparison
    comparison.issues = (*TableResult.from_json(batch.parsed).issues, *comparison.issues)
    comparison.accepted = valid_ticks(comparison.issues, batch.ticks)
    KINDS[batch.kind].count_reasons_for(comparison, task.by, day)
    if comparison.needs_second:
        raise NotApplicable("second")
    if comparison.unticked:
        raise NotApplicable("warnings")
    return comparison


def _apply_part(task: ListTask, batch: OfficeImport, part: ListPart, day: date, begins: bool) -> int:
    """Write a part, and return how many of its lines were to be written.

    begins: whether nothing of the list is written yet. Then NotApplicable is raised if a row changed since
    """
    kind, stored = KINDS[batch.kind], rows.read(part)
    plan = kind.plan(rows.as_read(stored), day)
    if left := rows.changed_numbers(stored, plan):
        if begins:
            raise NotApplicable("errors" if plan.has_errors else "changed")
        plan = kind.plan(rows.as_read(row for row in stored if row.number not in left), day)
    written = kind.apply(plan, task.by, task.proposal, part.position)
    reason = task.proposal.reason if task.proposal else batch.file_name
    _note(task, batch, kind.journal(plan), PlayerChange.Source.LIST, reason)
    text = _("Number %(number)s was changed since: it stays as it is.")
    written.conflicts = [text % {"number": number} for number in sorted(left)]
    part.written = written.to_json()
    part.compared = {}
    part.save(update_fields=["written", "compared"])
    rows.forget_private([row for row in stored if row.number not in left])
    rows.forget(part, left)
    send_players_changed(written.players, written.since)
    return sum(1 for row in stored if row.change)


def apply_approved(proposal: Proposal) -> dict:
    """End applying a list that a second person approved. Return what to store as the proposal's result."""
    batch = imports.lock(proposal.data["batch"], State.APPLYING)
    entries = _settle_applied(batch)
    return {"counts": batch.counts, "entries": entries}


def _settle_applied(batch: OfficeImport) -> list[int]:
    """Set the state of an applied list, and forget what is not needed. Return the posted adjustments."""
    change = ListRow.Change
    batch.counts |= batch.rows.aggregate(
        added=Count("pk", filter=Q(change=change.ADD)), changed=Count("pk", filter=Q(change=change.CHANGE))
    )
    whole = _joined(batch.parts.values_list("written", flat=True))
    batch.written |= {"conflicts": whole.conflicts}
    batch.state = State.APPLIED
    batch.parsed, batch.compared = {}, {}  # personal data that is no longer needed, like the file
    batch.save()
    pipeline.delete_files(OfficeImport.objects.filter(pk=batch.pk))
    return whole.entries


def _joined(parts) -> Written:
    """Join what was written of the parts of a list, as far as its page and its proposal name it."""
    whole = Written()
    for stored in parts.order_by("position"):
        whole.entries += stored.get("entries", ())
        whole.conflicts += stored.get("conflicts", ())
    return whole


# --- Undoing ------------------------------------------------------------------------------------------------
def _check_undoing(task: ListTask, batch: OfficeImport, day: date) -> Undoing:
    """Raise NotApplicable unless undoing the list does what was asked for, by those who may."""
    undoing = Undoing.of_parts(map(Undoing.from_json, comparing.compared_undoing(batch)))
    preparer = task.proposal.prepared_by if task.proposal else task.by
    imports.with_reasons(undoing, batch, day, preparer)
    if undoing.digest != task.digest:
        raise NotApplicable("changed")
    if undoing.needs_second and not task.proposal_id:
        raise NotApplicable("second")
    return undoing


def _undo_part(task: ListTask, batch: OfficeImport, part: ListPart, day: date, begins: bool) -> int:
    """Undo a part, and return how many of its lines were undone. `begins` is as in `_apply_part`."""
    kind = KINDS[batch.kind]
    if kind.whole:
        standings.lock_states()  # as every writer of entries that take others back does
    plan = kind.plan_undo(part.written, day)
    if begins and [plan.digest] != part.compared["digests"]:
        raise NotApplicable("changed")
    _note(task, batch, kind.undo_journal(plan), PlayerChange.Source.LIST_UNDONE, task.reason)
    written = kind.undo(plan, task.reason, task.by, task.begun_at, task.proposal)
    written.conflicts = plan.conflicts
    part.undone = written.to_json()
    part.compared = {}
    part.save(update_fields=["undone", "compared"])
    send_players_changed(written.players, written.since)
    return plan.number


def undo_approved(proposal: Proposal) -> dict:
    """End undoing a list with a second person's approval. Return what to store as the proposal's result."""
    batch = imports.lock(proposal.data["batch"], State.UNDOING)
    return {"entries": _settle_undone(batch)}


def _settle_undone(batch: OfficeImport) -> list[int]:
    """Set the state of an undone list. Return the entries that take others back."""
    whole = _joined(batch.parts.values_list("undone", flat=True))
    batch.written |= {"back": whole.entries, "conflicts": whole.conflicts}
    batch.state, batch.compared = State.UNDONE, {}
    batch.save()
    return whole.entries
