"""Apply and undo imported lists. Workers call `perform`; nothing else writes what a list says.

Each task is one transaction: the worker locks its task, the proposal, the list, the players, the account and
the standings, in this order. It plans again what was asked for. If the plan is the same, it writes all of it
and marks the task as done; otherwise it writes nothing, and the list goes back. A worker that dies leaves
nothing behind. While one is at work, the locked task keeps the others away, even after its lease.
"""

import logging
from typing import Any

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import override

from players.models import Player, PlayerChange, Proposal
from players.services import categories, proposals
from scoring.ledger.services import queue, standings
from scoring.office.lists import imports, tasks
from scoring.office.lists.imports import CHANGED, KINDS, NotApplicable
from scoring.office.lists.plan import Plan, UndoPlan, players_by_number, without_private
from scoring.office.models import ListTask, OfficeImport
from scoring.office.services.category_changes import lock_account
from tournaments.formats.licence import normalise
from tournaments.services import pipeline
from ui.chunks import rows_in

LEASE = queue.LONGEST_LEASE
logger = logging.getLogger(__name__)


def perform(task_id: int) -> None:
    """Apply or undo a list as its task asks. Safe to repeat: a list is written once or not at all."""
    queue.work_on(ListTask, task_id, LEASE, _do)


def _do(task: ListTask) -> None:
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


# --- Applying -----------------------------------------------------------------------------------------------
def _apply(task: ListTask) -> None:
    """Apply a list that needs no second person. Raises NotApplicable if it would do something else by now."""
    batch = imports.lock(task.batch_id, OfficeImport.State.APPLYING)
    _lock_players(batch)
    lock_account(task.by)
    plan = imports.plan_of(batch, standings.today(), task.by)
    refusal = imports.refusal_of(plan, task.digest) or ("second" if plan.needs_second else "")
    if refusal:
        raise NotApplicable(refusal)
    _write(batch, plan, task.by)


def apply_approved(proposal: Proposal, by) -> dict:
    """Apply a list that a second person approved. Return the data to store as the proposal's result.

    Raises ValidationError if the list would change other data than when it was proposed.
    """
    batch = imports.lock(proposal.data["batch"], OfficeImport.State.APPLYING)
    _lock_players(batch)
    plan = imports.neutral_plan(batch)
    if plan.has_errors or plan.digest != proposal.data["digest"]:
        raise ValidationError(CHANGED, code="changed")
    _write(batch, plan, by, proposal)
    return {"counts": batch.counts, "entries": batch.written["entries"]}


def _lock_players(batch: OfficeImport) -> None:
    """Lock the list's players until the transaction ends.

    Meanwhile no player can be merged, hidden or given a category. `categories.lock` locks the rows in order
    of id, as merges do, so a list and a merge cannot deadlock.
    """
    numbers = {number for row in batch.parsed["rows"] if (number := normalise(row["values"].get("number")))}
    categories.lock(rows_in(Player.objects.values_list("pk", flat=True), "number", numbers))


def _write(batch: OfficeImport, plan: Plan, by, proposal: Proposal | None = None) -> None:
    written = KINDS[batch.kind].apply(plan, by, proposal)
    _note(batch, KINDS[batch.kind].journal(plan), PlayerChange.Source.LIST, by, proposal)
    standings.refresh(written.players, since=written.since)
    batch.counts, batch.written, batch.lines = plan.counts, written.to_json(), _stored_lines(plan)
    batch.state = OfficeImport.State.APPLIED
    batch.applied_at, batch.applied_by, batch.by_two = timezone.now(), by, proposal is not None
    batch.parsed = {}  # personal data that is no longer needed, like the file
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


def _stored_lines(plan: Plan) -> list[dict[str, Any]]:
    """Return the plan's lines as stored for auditors: with players' numbers, but without personal data."""
    with override("en"):  # store labels as message ids
        return [
            {
                "line": line.line,
                "changes": line.changes,
                "number": line.number,
                "details": [[str(detail.label), detail.new, detail.old] for detail in line.details],
            }
            for line in without_private(plan.lines)
        ]


# --- Undoing ------------------------------------------------------------------------------------------------
def _undo(task: ListTask) -> None:
    """Undo a list for which no second person is needed. Raises NotApplicable, as `_apply` does."""
    batch = _lock_undone(task.batch_id, task.by)
    plan = imports.undo_plan_of(batch, standings.today(), task.by)
    if plan.digest != task.digest:
        raise NotApplicable("changed")
    if plan.needs_second:
        raise NotApplicable("second")
    _write_undoing(batch, plan, task.reason, task.by)


def undo_approved(proposal: Proposal, by) -> dict:
    """Undo a list with a second person's approval. Return the data to store as the proposal's result.

    Raises ValidationError if it would change other data than when it was approved.
    """
    batch = _lock_undone(proposal.data["batch"], by)
    plan = imports.undo_plan_of(batch, standings.today(), proposal.prepared_by)
    task = tasks.open_task_of(proposal)
    if task is None or plan.digest != task.digest:
        raise ValidationError(CHANGED, code="changed")
    _write_undoing(batch, plan, proposal.reason, by, proposal)
    return {"entries": batch.written["back"]}


def _lock_undone(batch_id, by) -> OfficeImport:
    """Lock and return the list, and lock what is read when it is undone, until the transaction ends.

    These other rows are the list's players, the account `by`, and the `StandingsState` row of every family.
    Every writer of standings locks the `StandingsState` rows first.
    """
    batch = imports.lock(batch_id, OfficeImport.State.UNDOING)
    numbers = {line["number"] for line in batch.lines}
    categories.lock(player.pk for player in players_by_number(numbers).values())
    lock_account(by)
    standings.lock_states()
    return batch


def _write_undoing(
    batch: OfficeImport, plan: UndoPlan, reason: str, by, proposal: Proposal | None = None
) -> None:
    lines = KINDS[batch.kind].undo_journal(plan)
    _note(batch, lines, PlayerChange.Source.LIST_UNDONE, by, proposal, reason)
    written = KINDS[batch.kind].undo(plan, reason, by, proposal)
    standings.refresh(written.players, since=written.since)
    batch.written |= {"back": written.entries, "conflicts": plan.conflicts}
    batch.state = OfficeImport.State.UNDONE
    batch.undone_at, batch.undone_by, batch.undone_reason = timezone.now(), by, reason
    batch.save()
