"""Receive, preview, apply and undo imported lists."""

from collections.abc import Collection, Iterable
from dataclasses import asdict, replace
from datetime import date
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import get_language, gettext, gettext_lazy, override

from players.models import Player, PlayerChange, Proposal
from players.services import categories
from players.services.proposals import propose
from scoring.ledger.services import standings
from scoring.office.lists import columns
from scoring.office.lists.categories import Categories
from scoring.office.lists.licences import Licences
from scoring.office.lists.opening import Opening
from scoring.office.lists.plan import (
    Detail,
    ImportKind,
    Plan,
    PlanLine,
    UndoPlan,
    players_by_number,
    without_private,
)
from scoring.office.lists.players import Players
from scoring.office.models import OfficeImport
from scoring.office.services.category_changes import lock_account
from tournaments.formats.licence import normalise
from tournaments.formats.sandbox import read_table_safely
from tournaments.formats.templates import table_csv, table_xlsx
from tournaments.formats.types import Choice, TableResult
from tournaments.services import pipeline
from tournaments.services.ticks import stored_ticks, valid_ticks
from ui.chunks import rows_in
from ui.formatting import language

KINDS: dict[str, ImportKind] = {
    OfficeImport.Kind.PLAYERS.value: Players(),
    OfficeImport.Kind.LICENCES.value: Licences(),
    OfficeImport.Kind.CATEGORIES.value: Categories(),
    OfficeImport.Kind.OPENING.value: Opening(),
}

KIND, KIND_UNDO = "import", "import_undo"  # kinds of proposals
CHANGED = gettext_lazy(
    "The list would do something else now than when it was prepared: return it, and it is prepared again."
)


class NotApplicable(Exception):
    """The list cannot be applied, undone or discarded. The attribute `code` has one of these values:

    errors: a row has an error
    warnings: the user has not ticked every warning
    changed: the preview is out of date
    reason: the reason is missing, or the document that a second person needs
    settled: the list was already applied, undone or discarded, or waits for a second person
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def receive(kind: str, file_name: str, data: bytes, by) -> OfficeImport:
    """Store an uploaded list with its file, read its rows, and return it. See `pipeline.receive`.

    kind: what the list contains, a value of `OfficeImport.Kind`
    """
    return pipeline.receive(OfficeImport(kind=kind, created_by=by), file_name, data)


def _read(batch: OfficeImport, data: bytes) -> TableResult:
    result = read_table_safely(
        batch.file_name, data, KINDS[batch.kind].columns, choices=columns.choices_of(batch)
    )
    if not result.has_errors:
        return result
    # Name what else is wrong now, not after the next attempt: the file is then corrected once.
    lines = {issue.line for issue in result.issues}
    others = [row for row in result.rows if row.line not in lines]
    issues = (*result.issues, *KINDS[batch.kind].plan(others, standings.today()).issues)
    # The rows hold personal data, so do not store those of a list that cannot be applied.
    return replace(result, rows=(), issues=issues)


def choose_columns(batch: OfficeImport, choice: Choice, by) -> OfficeImport:
    """Read the file again with the columns as chosen, and remember them for lists of this kind.

    Raises `pipeline.NotUnderReview` if the list is neither under review nor refused, and `pipeline.FileGone`
    if its file is deleted.
    """
    batch.columns = asdict(choice)
    parsed = _read(batch, pipeline.content_of(batch))
    with pipeline.locked(batch, OfficeImport.State.REVIEW, OfficeImport.State.REFUSED) as current:
        current.columns, current.parsed, current.ticks = batch.columns, parsed.to_json(), {}
        current.file_format = parsed.format_name
        current.state = OfficeImport.State.REFUSED if _is_refused(parsed) else OfficeImport.State.REVIEW
        current.save(update_fields=["columns", "parsed", "ticks", "file_format", "state"])
        columns.remember(current.kind, choice, by)
    return current


def _is_refused(result: TableResult) -> bool:
    """Return whether nothing can be reviewed, and nobody can say what the columns mean either."""
    return result.has_errors and not columns.are_open(result)


def plan_of(batch: OfficeImport, today: date, by=None) -> Plan:
    """Return what applying the list would change now.

    The plan's issues are those found on reading the file, then those found on comparing with the database.

    by: the account that would apply the list. Some reasons for a second person depend on the account; the
        plan lacks them if it is None
    """
    # What was read is deleted once a list is applied, or some time after it is discarded.
    read = TableResult.from_json(batch.parsed) if batch.parsed else TableResult("", "")
    plan = KINDS[batch.kind].plan(read.rows, today)
    plan.issues = (*pipeline.unread_issues(batch), *read.issues, *plan.issues)
    plan.accepted = valid_ticks(plan.issues, batch.ticks)
    if by is not None:
        KINDS[batch.kind].count_reasons_for(plan, by, today)
    return plan


def apply(
    batch_id, digest: str, by, reason: str = "", evidence: str = "", ticks: Collection[str] | None = None
) -> OfficeImport | Proposal:
    """Apply the whole list, or propose it if it needs a second person. Raises NotApplicable.

    Return the applied list or the proposal.

    digest: digest of the previewed plan
    reason, evidence: required if the list needs a second person
    ticks: keys of the ticks set in the preview; None to use the stored ticks

    New ticks are stored even if NotApplicable is raised, but not if the preview is out of date.
    """
    with transaction.atomic():
        batch = _lock(batch_id, OfficeImport.State.REVIEW)
        _lock_players(batch)
        lock_account(by)
        plan = plan_of(batch, standings.today(), by)
        if ticks is not None and set(ticks) != batch.ticks.keys() and plan.digest == digest:
            batch.ticks = stored_ticks(plan.issues, ticks)
            batch.save(update_fields=["ticks"])
            plan.accepted = valid_ticks(plan.issues, batch.ticks)
        refusal = _refusal(plan, digest, has_reason=bool(reason.strip() and evidence.strip()))
        if not refusal and plan.needs_second:
            return _propose(batch, plan, by, reason, evidence)
        if not refusal:
            return _write(batch, plan, by)
    raise NotApplicable(refusal)  # outside the transaction, which stores the ticks


def _refusal(plan: Plan, digest: str, *, has_reason: bool) -> str:
    """Return the code of `NotApplicable` if the plan cannot be applied, else ""."""
    if plan.has_errors:
        return "errors"
    if plan.digest != digest:
        return "changed"
    if plan.unticked:
        return "warnings"
    return "reason" if plan.needs_second and not has_reason else ""


def _propose(batch: OfficeImport, plan: Plan, by, reason: str, evidence: str) -> Proposal:
    data = {
        "batch": str(batch.pk),
        "file_name": batch.file_name,
        "kind": batch.kind,
        "lines": len(plan.add) + len(plan.change),
        "digest": neutral_digest(batch),
    }
    proposal = propose(KIND, by, data, key=str(batch.pk), reason=reason, evidence=evidence)
    batch.state = OfficeImport.State.WAITING
    batch.save(update_fields=["state"])
    return proposal


@transaction.atomic
def apply_approved(proposal: Proposal, by) -> dict:
    """Apply a list that a second person approved. Return the data to store as the proposal's result.

    Raises ValidationError if the list would change other data than when it was proposed.
    """
    batch = _lock(proposal.data["batch"], OfficeImport.State.WAITING)
    _lock_players(batch)
    if neutral_digest(batch) != proposal.data["digest"]:
        raise ValidationError(CHANGED, code="changed")
    plan = plan_of(batch, standings.today())
    if plan.has_errors:
        raise ValidationError(CHANGED, code="changed")
    _write(batch, plan, by, proposal)
    return {"counts": batch.counts, "entries": batch.written["entries"]}


@transaction.atomic
def reopen(batch_id) -> None:
    """Set a list's state back to review after its proposal was returned or withdrawn."""
    OfficeImport.objects.filter(pk=batch_id, state=OfficeImport.State.WAITING).update(
        state=OfficeImport.State.REVIEW
    )


def neutral_digest(batch: OfficeImport) -> str:
    """Return the digest of the list's current plan, computed in the same language for all users."""
    with override(settings.LANGUAGE_CODE):
        return plan_of(batch, standings.today()).digest


def _lock(batch_id, state: str) -> OfficeImport:
    batch = OfficeImport.objects.select_for_update().get(pk=batch_id)
    if batch.state != state:
        raise NotApplicable("settled")
    return batch


def _write(batch: OfficeImport, plan: Plan, by, proposal: Proposal | None = None) -> OfficeImport:
    written = KINDS[batch.kind].apply(plan, by, proposal)
    _note(batch, KINDS[batch.kind].journal(plan), PlayerChange.Source.LIST, by, proposal)
    standings.refresh(written.players, since=written.since)
    batch.counts, batch.written, batch.lines = plan.counts, written.to_json(), _stored_lines(plan)
    batch.state = OfficeImport.State.APPLIED
    batch.applied_at, batch.applied_by, batch.by_two = timezone.now(), by, proposal is not None
    batch.parsed = {}  # personal data that is no longer needed, like the file
    batch.save()
    pipeline.delete_files(OfficeImport.objects.filter(pk=batch.pk))
    return batch


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


def applied_lines(lines: Iterable[dict[str, Any]]) -> list[PlanLine]:
    """Convert stored lines to lines of a plan, for display. Add the players' current names.

    Takes one query per 500 lines.
    """
    lines = list(lines)
    players = players_by_number(line["number"] for line in lines)
    return [
        PlanLine(
            line["line"],
            line["changes"],
            line["number"],
            players[line["number"]].desk_name if line["number"] in players else "—",
            tuple(Detail(gettext(label), new, old) for label, new, old in line["details"]),
        )
        for line in lines
    ]


# --- Undoing ------------------------------------------------------------------------------------------------
def undo_plan_of(batch: OfficeImport, today: date, by) -> UndoPlan:
    """Return what undoing an applied list would change now, and why that needs a second person.

    by: the account that would undo the list, or that proposed to undo it
    """
    plan = KINDS[batch.kind].plan_undo(batch.written, today)
    KINDS[batch.kind].count_reasons_for(plan, by, today)
    plan.second["approved"] = int(batch.by_two)
    return plan


@transaction.atomic
def undo(batch_id, digest: str, by, reason: str, evidence: str = "") -> OfficeImport | Proposal:
    """Undo an applied list, or propose to undo it if that needs a second person.

    A second person is needed if a second person approved applying the list, or if undoing it now makes a
    change that needs one. The rows in `UndoPlan.conflicts` stay as they are. Return the list or the proposal.
    Raises NotApplicable.

    digest: digest of the `UndoPlan` that the user has seen
    evidence: the document behind the decision; required if a second person is needed
    """
    batch = _lock(batch_id, OfficeImport.State.APPLIED)
    _lock_undone(batch, by)
    plan = undo_plan_of(batch, standings.today(), by)
    if not reason.strip() or (plan.needs_second and not evidence.strip()):
        raise NotApplicable("reason")
    if plan.digest != digest:
        raise NotApplicable("changed")
    if not plan.needs_second:
        return _undo(batch, plan, reason.strip(), by)
    data = {
        "batch": str(batch.pk),
        "file_name": batch.file_name,
        "kind": batch.kind,
        "lines": plan.number,
    }
    return propose(KIND_UNDO, by, data, key=str(batch.pk), reason=reason, evidence=evidence)


@transaction.atomic
def undo_approved(proposal: Proposal, by) -> dict:
    """Undo a list with a second person's approval. Return the data to store as the proposal's result."""
    batch = _lock(proposal.data["batch"], OfficeImport.State.APPLIED)
    _lock_undone(batch, by)
    plan = undo_plan_of(batch, standings.today(), proposal.prepared_by)
    return {"entries": _undo(batch, plan, proposal.reason, by, proposal).written["back"]}


def _lock_undone(batch: OfficeImport, by) -> None:
    """Lock the rows that are read when a list is undone, until the transaction ends.

    These rows are the list's players, the account `by`, and the `StandingsState` row of every family. Every
    writer of standings locks the `StandingsState` rows first.
    """
    numbers = {line["number"] for line in batch.lines}
    categories.lock(player.pk for player in players_by_number(numbers).values())
    lock_account(by)
    standings.lock_states()


def _undo(
    batch: OfficeImport, plan: UndoPlan, reason: str, by, proposal: Proposal | None = None
) -> OfficeImport:
    lines = KINDS[batch.kind].undo_journal(plan)
    _note(batch, lines, PlayerChange.Source.LIST_UNDONE, by, proposal, reason)
    written = KINDS[batch.kind].undo(plan, reason, by, proposal)
    standings.refresh(written.players, since=written.since)
    batch.written |= {"back": written.entries, "conflicts": plan.conflicts}
    batch.state = OfficeImport.State.UNDONE
    batch.undone_at, batch.undone_by, batch.undone_reason = timezone.now(), by, reason
    batch.save()
    return batch


def _lock_players(batch: OfficeImport) -> None:
    """Lock the list's players until the transaction ends.

    Meanwhile no player can be merged, hidden or given a category. `categories.lock` locks the rows in order
    of id, as merges do, so a list and a merge cannot deadlock.
    """
    numbers = {number for row in batch.parsed["rows"] if (number := normalise(row["values"].get("number")))}
    categories.lock(rows_in(Player.objects.values_list("pk", flat=True), "number", numbers))


def template_headings(kind: str) -> list[str]:
    """Return the column headings of this kind of list, in the user's language."""
    position = 0 if language(get_language()) == "es" else 1
    return [column.names[position] for column in KINDS[kind].columns]


def template(kind: str, extension: str) -> bytes:
    """Return a file with only the headings of a list, as CSV or XLSX.

    In XLSX the cells for player numbers are formatted as text, to keep leading zeros.
    """
    headings = template_headings(kind)
    if extension == "csv":
        return table_csv([headings])
    numbers = [index for index, column in enumerate(KINDS[kind].columns) if column.kind == "licence"]
    return table_xlsx([headings], numbers)


UPLOADS = pipeline.Kind(OfficeImport, TableResult, _read, _is_refused)
