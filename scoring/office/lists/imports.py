"""Receive and preview imported lists, and ask for applying and undoing them, which workers do (`writing`)."""

from collections.abc import Collection, Iterable
from dataclasses import asdict, replace
from datetime import date
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import get_language, gettext, gettext_lazy, override

from players.models import Proposal
from players.services.proposals import propose
from scoring.ledger.services import standings
from scoring.office.lists import columns, tasks
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
)
from scoring.office.lists.players import Players
from scoring.office.models import ListTask, OfficeImport
from tournaments.formats.sandbox import read_table_safely
from tournaments.formats.templates import table_csv, table_xlsx
from tournaments.formats.types import Choice, TableResult
from tournaments.services import pipeline
from tournaments.services.ticks import stored_ticks, valid_ticks
from ui.formatting import language

KINDS: dict[str, ImportKind] = {
    OfficeImport.Kind.PLAYERS.value: Players(),
    OfficeImport.Kind.LICENCES.value: Licences(),
    OfficeImport.Kind.CATEGORIES.value: Categories(),
    OfficeImport.Kind.OPENING.value: Opening(),
}

KIND, KIND_UNDO = "import", "import_undo"  # kinds of proposals
Verb = ListTask.Verb
CHANGED = gettext_lazy(
    "The list would do something else now than when it was prepared: return it, and it is prepared again."
)


class NotApplicable(Exception):
    """The list cannot be applied, undone or discarded. The attribute `code` has one of these values:

    errors: a row has an error
    warnings: the user has not ticked every warning
    changed: the preview is out of date
    reason: the reason is missing, or the document that a second person needs
    settled: the list was already applied, undone or discarded, or waits for a second person or a worker
    second: a second person is needed by now (only a worker finds that out)
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
) -> ListTask | Proposal:
    """Let a worker apply the whole list, or propose it if it needs a second person. Raises NotApplicable.

    Return the worker's task or the proposal.

    digest: digest of the previewed plan, in the reader's language
    reason, evidence: required if the list needs a second person
    ticks: keys of the ticks set in the preview; None to use the stored ticks

    New ticks are stored even if NotApplicable is raised, but not if the preview is out of date.
    """
    with transaction.atomic():
        batch = lock(batch_id, OfficeImport.State.REVIEW)
        plan = plan_of(batch, standings.today(), by)
        if ticks is not None and set(ticks) != batch.ticks.keys() and plan.digest == digest:
            batch.ticks = stored_ticks(plan.issues, ticks)
            batch.save(update_fields=["ticks"])
            plan.accepted = valid_ticks(plan.issues, batch.ticks)
        refusal = refusal_of(plan, digest)
        if not refusal and plan.needs_second:
            if reason.strip() and evidence.strip():
                return _propose(batch, plan, by, reason, evidence)
            refusal = "reason"
        if not refusal:
            return tasks.ask(batch, Verb.APPLY, by, digest, plan.number)
    raise NotApplicable(refusal)  # outside the transaction, which stores the ticks


def refusal_of(plan: Plan, digest: str) -> str:
    """Return the code of `NotApplicable` if the plan cannot be applied or proposed, else ""."""
    if plan.has_errors:
        return "errors"
    if plan.digest != digest:
        return "changed"
    return "warnings" if plan.unticked else ""


def _propose(batch: OfficeImport, plan: Plan, by, reason: str, evidence: str) -> Proposal:
    data = {
        "batch": str(batch.pk),
        "file_name": batch.file_name,
        "kind": batch.kind,
        "lines": plan.number,
        "digest": neutral_plan(batch).digest,
    }
    proposal = propose(KIND, by, data, key=str(batch.pk), reason=reason, evidence=evidence)
    batch.state = OfficeImport.State.WAITING
    batch.save(update_fields=["state"])
    return proposal


@transaction.atomic
def reopen(batch_id) -> None:
    """Set a list's state back to review after its proposal was returned or withdrawn."""
    OfficeImport.objects.filter(pk=batch_id, state=OfficeImport.State.WAITING).update(
        state=OfficeImport.State.REVIEW
    )


def neutral_plan(batch: OfficeImport) -> Plan:
    """Return the list's current plan in the installation's language, so that its digest is everybody's."""
    with override(settings.LANGUAGE_CODE):
        return plan_of(batch, standings.today())


def lock(batch_id, state: str) -> OfficeImport:
    """Lock a list until the transaction ends, and return it. Raises NotApplicable if its state is another."""
    batch = OfficeImport.objects.select_for_update().get(pk=batch_id)
    if batch.state != state:
        raise NotApplicable("settled")
    return batch


def applied_lines(lines: Iterable[dict[str, Any]]) -> list[PlanLine]:
    """Convert stored lines to lines of a plan, for display. Add the players' current names.

    A player who is not there, as after undoing the list, is named by the number. One query per 500 lines.
    """
    lines = list(lines)
    players = players_by_number(line["number"] for line in lines)
    return [
        PlanLine(
            line["line"],
            line["changes"],
            line["number"],
            players[line["number"]].desk_name if line["number"] in players else line["number"],
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
def undo(batch_id, digest: str, by, reason: str, evidence: str = "") -> ListTask | Proposal:
    """Let a worker undo an applied list, or propose to undo it if that needs a second person.

    A second person is needed if a second person approved applying the list, or if undoing it now makes a
    change that needs one. The rows in `UndoPlan.conflicts` stay as they are. Return the worker's task or the
    proposal. Raises NotApplicable.

    digest: digest of the `UndoPlan` that the user has seen
    evidence: the document behind the decision; required if a second person is needed
    """
    batch = lock(batch_id, OfficeImport.State.APPLIED)
    plan = undo_plan_of(batch, standings.today(), by)
    if not reason.strip() or (plan.needs_second and not evidence.strip()):
        raise NotApplicable("reason")
    if plan.digest != digest:
        raise NotApplicable("changed")
    if not plan.needs_second:
        return tasks.ask(batch, Verb.UNDO, by, digest, plan.number, reason=reason.strip())
    data = {
        "batch": str(batch.pk),
        "file_name": batch.file_name,
        "kind": batch.kind,
        "lines": plan.number,
    }
    return propose(KIND_UNDO, by, data, key=str(batch.pk), reason=reason, evidence=evidence)


# --- What a second person has approved ----------------------------------------------------------------------
def start_applying(proposal: Proposal, by) -> None:
    """Let a worker apply a list whose proposal the account `by` approves."""
    batch = _lock_approved(proposal, OfficeImport.State.WAITING)
    digest, number = proposal.data["digest"], proposal.data["lines"]
    tasks.ask(batch, Verb.APPLY, by, digest, number, proposal=proposal, language=settings.LANGUAGE_CODE)


def start_undoing(proposal: Proposal, by) -> None:
    """Let a worker undo a list whose proposal the account `by` approves."""
    batch = _lock_approved(proposal, OfficeImport.State.APPLIED)
    plan = undo_plan_of(batch, standings.today(), proposal.prepared_by)
    tasks.ask(batch, Verb.UNDO, by, plan.digest, plan.number, proposal=proposal, reason=proposal.reason)


def _lock_approved(proposal: Proposal, state: str) -> OfficeImport:
    try:
        return lock(proposal.data["batch"], state)
    except NotApplicable as error:
        raise ValidationError(gettext("This list has changed in the meantime: look at it again.")) from error


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
