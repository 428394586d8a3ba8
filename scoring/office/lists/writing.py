"""Apply and undo imported lists. Workers call `perform`; nothing else writes what a list says.

Applying and undoing are one transaction each: the worker locks its task, the proposal, the list, the players,
the account and the standings, in this order. It compares each part again before it writes it. If all is as it
was asked for, it marks the task as done; otherwise nothing is written, and the list goes back and is compared
anew. A worker that dies leaves nothing behind. While one is at work, the locked task keeps the others away,
even after its lease.
"""

import logging

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import get_language, override

from players.models import PlayerChange, Proposal
from players.services import categories, proposals
from scoring.ledger.services import queue, standings
from scoring.office.lists import comparing, imports, rows, tasks
from scoring.office.lists.imports import CHANGED, KINDS, NotApplicable
from scoring.office.lists.plan import Comparison, Plan, Written
from scoring.office.models import ListPart, ListTask, OfficeImport
from scoring.office.services.category_changes import lock_account
from tournaments.formats.types import TableResult
from tournaments.services import pipeline
from tournaments.services.ticks import valid_ticks

LEASE = queue.LONGEST_LEASE
logger = logging.getLogger(__name__)


def perform(task_id: int) -> None:
    """Compare, apply or undo a list as its task asks. Safe to repeat: it is written once or not at all."""
    queue.work_on(ListTask, task_id, LEASE, _do)


def _do(task: ListTask) -> None:
    if task.verb == ListTask.Verb.COMPARE:
        comparing.compare(task)
        return
    try:
        with transaction.atomic(), override(task.language):
            queue.lock_held(task)
            if task.proposal_id:
                proposals.complete(task.proposal_id, task.by)
            elif task.verb == ListTask.Verb.APPLY:
                _apply(task)
            else:
                _undo(task)
            queue.finish(task)
    except NotApplicable as error:
        _send_back(task, error.code)
    except (PermissionDenied, ValidationError) as error:
        _send_back(task, "changed" if getattr(error, "code", "") == "changed" else "approval")
    except IntegrityError:
        # A row that was added since the list was planned breaks a constraint. The next preview shows it.
        logger.warning("list %s contradicts what was stored since", task.batch_id, exc_info=True)
        _send_back(task, "changed")


@transaction.atomic
def _send_back(task: ListTask, code: str) -> None:
    """End a task that wrote nothing, and give its list back to the office."""
    queue.lock_held(task)
    tasks.release(task)
    queue.park(task, NotApplicable(code), ListTask.State.RETURNED, refusal=code)
    if task.verb == ListTask.Verb.UNDO:
        # What was compared is out of date. Whoever opens the page of undoing has it compared anew.
        OfficeImport.objects.filter(pk=task.batch_id).update(compared={})
    with override(task.language):
        imports.compare_again(task.batch_id, task.by)


# --- Applying -----------------------------------------------------------------------------------------------
def _apply(task: ListTask) -> None:
    """Apply a list that needs no second person. Raises NotApplicable if it would do something else by now."""
    batch = imports.lock(task.batch_id, OfficeImport.State.APPLYING)
    categories.lock(rows.player_ids(batch))
    lock_account(task.by)
    _write(batch, task.by, task.digest)


def apply_approved(proposal: Proposal, by) -> dict:
    """Apply a list that a second person approved. Return the data to store as the proposal's result.

    Raises ValidationError if the list would change other data than when it was proposed.
    """
    batch = imports.lock(proposal.data["batch"], OfficeImport.State.APPLYING)
    categories.lock(rows.player_ids(batch))
    try:
        entries = _write(batch, by, proposal.data["digest"], proposal)
    except NotApplicable as error:
        raise ValidationError(CHANGED, code="changed") from error
    return {"counts": batch.counts, "entries": entries}


def _write(batch: OfficeImport, by, digest: str, proposal: Proposal | None = None) -> list[int]:
    """Write the whole list, part by part. Return the ids of the adjustments posted.

    Raises NotApplicable if it would do something else by now, or needs a second person and has none. The
    caller's transaction then takes back what was written.
    """
    today, parts, total = standings.today(), [], Written()
    for part in batch.parts.iterator(chunk_size=1):
        stored = rows.read(part)
        plan = KINDS[batch.kind].plan(rows.as_read(stored), today)
        parts.append(Comparison.of_plan(plan, today, get_language()))
        if plan.has_errors:
            raise NotApplicable("errors")
        if plan.digest != part.compared.get("digest"):
            raise NotApplicable("changed")
        if proposal is None and parts[-1].needs_second:
            raise NotApplicable("second")
        _write_part(batch, part, plan, by, proposal, total)
        rows.forget_private(stored)
    comparison = Comparison.of_parts(parts, today, get_language())
    _check(batch, comparison, digest, by, proposal)
    standings.refresh(total.players, since=total.since)
    _settle(batch, comparison.counts, total.alone, by, proposal)
    return total.entries


def _write_part(batch: OfficeImport, part: ListPart, plan: Plan, by, proposal, total: Written) -> None:
    """Write a part, and add what was written to `total`, of which only the sums are needed."""
    written = KINDS[batch.kind].apply(plan, by, proposal)
    _note(batch, KINDS[batch.kind].journal(plan), PlayerChange.Source.LIST, by, proposal)
    part.written = written.to_json()
    part.save(update_fields=["written"])
    total.add(written)


def _check(batch: OfficeImport, comparison: Comparison, digest: str, by, proposal: Proposal | None) -> None:
    """Raise NotApplicable unless all of the list is what was asked for, by those who may."""
    stored = imports.comparison_of(batch)
    comparison.issues = (*TableResult.from_json(batch.parsed).issues, *comparison.issues)
    comparison.accepted = valid_ticks(comparison.issues, batch.ticks)
    if comparison.digest != digest or stored.digest != digest:
        raise NotApplicable("changed")
    if proposal:
        return
    if comparison.unticked:
        raise NotApplicable("warnings")
    KINDS[batch.kind].count_reasons_for(comparison, by, comparison.day)
    if comparison.needs_second:
        raise NotApplicable("second")


def _settle(batch: OfficeImport, counts: dict[str, int], alone: int, by, proposal: Proposal | None) -> None:
    rows.forget(batch)
    batch.counts, batch.written = counts, {"alone": alone}
    batch.state = OfficeImport.State.APPLIED
    batch.applied_at, batch.applied_by, batch.by_two = timezone.now(), by, proposal is not None
    batch.parsed, batch.compared = {}, {}  # personal data that is no longer needed, like the file
    batch.parts.update(compared={})
    batch.save()
    pipeline.delete_files(OfficeImport.objects.filter(pk=batch.pk))


def _note(
    batch: OfficeImport,
    lines: list[PlayerChange],
    source: str,
    by,
    proposal: Proposal | None,
    reason: str = "",
) -> None:
    """Store the lines of the journal of the register about a list that was applied or undone."""
    for line in lines:
        line.source, line.reference, line.by, line.proposal = source, str(batch.pk), by, proposal
        line.reason = reason or (proposal.reason if proposal else batch.file_name)[:300]
    PlayerChange.objects.bulk_create(lines, batch_size=1000)


# --- Undoing ------------------------------------------------------------------------------------------------
def _undo(task: ListTask) -> None:
    """Undo a list for which no second person is needed. Raises NotApplicable, as `_apply` does."""
    batch = _lock_undone(task.batch_id, task.by)
    _write_undoing(batch, task.digest, task.reason, task.by, task.by)


def undo_approved(proposal: Proposal, by) -> dict:
    """Undo a list with a second person's approval. Return the data to store as the proposal's result.

    Raises ValidationError if it would change other data than when it was approved.
    """
    batch = _lock_undone(proposal.data["batch"], by)
    task = tasks.open_task_of(proposal)
    try:
        _write_undoing(
            batch, task.digest if task else "", proposal.reason, by, proposal.prepared_by, proposal
        )
    except NotApplicable as error:
        raise ValidationError(CHANGED, code="changed") from error
    return {"entries": batch.written["back"]}


def _lock_undone(batch_id, by) -> OfficeImport:
    """Lock and return the list, and lock what is read when it is undone, until the transaction ends.

    These other rows are the list's players, the account `by`, and the `StandingsState` row of every family.
    Every writer of standings locks the `StandingsState` rows first.
    """
    batch = imports.lock(batch_id, OfficeImport.State.UNDOING)
    categories.lock(rows.player_ids(batch))
    lock_account(by)
    standings.lock_states()
    return batch


def _write_undoing(
    batch: OfficeImport, digest: str, reason: str, by, preparer, proposal: Proposal | None = None
) -> None:
    """Undo the whole list, part by part. Raises NotApplicable, as `_write` does."""
    today, total = standings.today(), Written()
    undoing = imports.with_reasons(imports.weigh_undoing(batch, today), batch, today, preparer)
    if undoing.digest != digest:
        raise NotApplicable("changed")
    if proposal is None and undoing.needs_second:
        raise NotApplicable("second")
    for plan in imports.undo_plans_of(batch, today):
        lines = KINDS[batch.kind].undo_journal(plan)
        _note(batch, lines, PlayerChange.Source.LIST_UNDONE, by, proposal, reason)
        total.add(KINDS[batch.kind].undo(plan, reason, by, proposal))
    standings.refresh(total.players, since=total.since)
    batch.written |= {"back": total.entries, "conflicts": undoing.conflicts}
    batch.state, batch.compared = OfficeImport.State.UNDONE, {}
    batch.undone_at, batch.undone_by, batch.undone_reason = timezone.now(), by, reason
    batch.save()
