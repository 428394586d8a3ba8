"""Receive and preview imported lists, and ask for what workers do with them (`comparing`, `writing`)."""

from collections.abc import Collection
from dataclasses import asdict
from datetime import date

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import get_language, gettext, gettext_lazy

from players.models import Proposal
from players.services.proposals import propose
from scoring.ledger.services import standings
from scoring.office.lists import columns, tasks
from scoring.office.lists.categories import Categories
from scoring.office.lists.licences import Licences
from scoring.office.lists.opening import Opening
from scoring.office.lists.plan import Comparison, ImportKind, Undoing
from scoring.office.lists.players import Players
from scoring.office.models import ListTask, OfficeImport
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

COMPARING = gettext_lazy("The list is being compared with the register: look at it again in a moment.")


class NotApplicable(Exception):
    """The list cannot be applied, undone or discarded. The attribute `code` has one of these values:

    errors: a row has an error
    warnings: the user has not ticked every warning
    changed: the preview is out of date
    reason: the reason is missing, or the document that a second person needs
    settled: the list was already applied, undone or discarded, or waits for a second person or a worker
    comparing: a worker is reading the list, or comparing it with the register
    second: a second person is needed by now (only a worker finds that out)
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def receive(kind: str, file_name: str, data: bytes, by) -> OfficeImport:
    """Store an uploaded list with its file, let a worker read and compare it, and return it.

    kind: what the list contains, a value of `OfficeImport.Kind`
    """
    return pipeline.receive(OfficeImport(kind=kind, created_by=by), file_name, data)


def _ask_to_read(batch: OfficeImport) -> OfficeImport:
    """Let a worker read the file of a list that is not read yet, or that was refused."""
    with pipeline.locked(batch, OfficeImport.State.REVIEW, OfficeImport.State.REFUSED) as current:
        _forget_reading(current)
        tasks.ask_to_compare(current, current.created_by)
    return current


def _forget_reading(batch: OfficeImport) -> None:
    """Set a list that the caller has locked back to how it was when it was uploaded."""
    batch.parts.all().delete()
    batch.file_format, batch.ticks, batch.compared, batch.compared_at = "", {}, {}, None
    batch.state = OfficeImport.State.REVIEW
    batch.save(update_fields=["file_format", "ticks", "compared", "compared_at", "columns", "state"])


def choose_columns(batch: OfficeImport, choice: Choice, by) -> OfficeImport:
    """Let a worker read the file again with the columns as chosen, and remember them for lists of this kind.

    Raises `pipeline.NotUnderReview` if the list is neither under review nor refused, or a worker has it, and
    `pipeline.FileGone` if its file is deleted.
    """
    if batch.file_deleted_at:
        raise pipeline.FileGone(batch.pk)
    with pipeline.locked(batch, OfficeImport.State.REVIEW, OfficeImport.State.REFUSED) as current:
        if tasks.is_open(current):
            raise pipeline.NotUnderReview
        current.columns = asdict(choice)
        _forget_reading(current)
        columns.remember(current.kind, choice, by)
        tasks.ask_to_compare(current, by)
    return current


def is_refused(result: TableResult) -> bool:
    """Return whether nothing can be reviewed, and nobody can say what the columns mean either."""
    return result.has_errors and not columns.are_open(result)


def comparison_of(batch: OfficeImport, by=None) -> Comparison:
    """Return what applying the list would change, as a worker has compared it.

    The issues are those of reading the file, then those of comparing it with the database.

    by: the account that would apply the list. Some reasons for a second person depend on the account; the
        comparison lacks them if it is None
    """
    today = standings.today()
    if batch.compared:
        comparison = Comparison.from_json(batch.compared)
    else:
        comparison = Comparison.empty(today, get_language() or settings.LANGUAGE_CODE)
    # What was read is deleted once a list is applied, or some time after it is discarded.
    read = TableResult.from_json(batch.parsed).issues if batch.parsed else ()
    comparison.issues = (*pipeline.unread_issues(batch), *read, *comparison.issues)
    comparison.accepted = valid_ticks(comparison.issues, batch.ticks)
    if by is not None:
        KINDS[batch.kind].count_reasons_for(comparison, by, today)
    return comparison


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
        if tasks.is_open(batch):
            raise NotApplicable("comparing")
        plan = comparison_of(batch, by)
        if ticks is not None and set(ticks) != batch.ticks.keys() and plan.digest == digest:
            batch.ticks = stored_ticks(plan.issues, ticks)
            batch.save(update_fields=["ticks"])
            plan.accepted = valid_ticks(plan.issues, batch.ticks)
        refusal = refusal_of(plan, digest) if batch.compared else "changed"
        if not refusal and plan.needs_second:
            if reason.strip() and evidence.strip():
                return _propose(batch, plan, by, reason, evidence)
            refusal = "reason"
        if not refusal:
            return tasks.ask(batch, Verb.APPLY, by, digest, plan.number, language=plan.language)
    raise NotApplicable(refusal)  # outside the transaction, which stores the ticks


def refusal_of(plan: Comparison, digest: str) -> str:
    """Return the code of `NotApplicable` if the plan cannot be applied or proposed, else ""."""
    if plan.has_errors:
        return "errors"
    if plan.digest != digest:
        return "changed"
    return "warnings" if plan.unticked else ""


def _propose(batch: OfficeImport, plan: Comparison, by, reason: str, evidence: str) -> Proposal:
    data = {
        "batch": str(batch.pk),
        "file_name": batch.file_name,
        "kind": batch.kind,
        "lines": plan.number,
        "digest": plan.digest,
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


@transaction.atomic
def compare_again(batch_id, by) -> bool:
    """Let a worker compare a list under review, or that waits for a second person, with the register again.

    Return False if a worker has the list already, or it has another state.
    """
    batch = OfficeImport.objects.select_for_update().get(pk=batch_id)
    if batch.state not in (OfficeImport.State.REVIEW, OfficeImport.State.WAITING) or tasks.is_open(batch):
        return False
    tasks.ask_to_compare(batch, by)
    return True


def compare_if_old(batch: OfficeImport, by) -> bool:
    """Let a worker compare a list that was not compared yet, or for another day. Return whether it has to.

    Categories depend on the day, and whether a change is of a past one. A short list under review is also
    compared for a reader of another language, because what changes is stored in words.
    """
    if batch.compared:
        is_old = batch.compared["day"] != standings.today().isoformat()
        if batch.state == OfficeImport.State.REVIEW and batch.parts.count() == 1:
            is_old |= batch.compared["language"] != get_language()
    elif batch.compared_at:
        is_old = False
    else:
        is_old = not batch.is_unread and batch.parts.exists()
    task = tasks.latest(batch)
    was_stopped = task is not None and task.verb == Verb.COMPARE and task.state == ListTask.State.STOPPED
    return is_old and not was_stopped and compare_again(batch.pk, by)


def lock(batch_id, state: str) -> OfficeImport:
    """Lock a list until the transaction ends, and return it. Raises NotApplicable if its state is another."""
    batch = OfficeImport.objects.select_for_update().get(pk=batch_id)
    if batch.state != state:
        raise NotApplicable("settled")
    return batch


# --- Undoing ------------------------------------------------------------------------------------------------
def undoing_of(batch: OfficeImport, today: date, by) -> Undoing:
    """Return what undoing an applied list would change, and why that needs a second person.

    A list of one part is compared at once. A longer one a worker has to compare first: until then this raises
    NotApplicable.

    by: the account that would undo the list, or that proposed to undo it
    """
    if needs_weighing(batch, today):
        raise NotApplicable("comparing")
    if batch.compared:
        undoing = Undoing.from_json(batch.compared)
    else:
        written = batch.parts.filter(undone={}).values_list("written", flat=True)
        plans = [KINDS[batch.kind].plan_undo(part, today) for part in written]
        undoing = Undoing.of_parts(map(Undoing.of_plan, plans))
    return with_reasons(undoing, batch, today, by)


def with_reasons(undoing: Undoing, batch: OfficeImport, today: date, by) -> Undoing:
    """Count why the account `by` needs a second person to undo the list. Return `undoing`."""
    KINDS[batch.kind].count_reasons_for(undoing, by, today)
    undoing.second["approved"] = int(batch.by_two)
    return undoing


def needs_weighing(batch: OfficeImport, today: date) -> bool:
    """Return whether a worker has to compare an applied list before anybody can undo it."""
    if batch.compared.get("day") == today.isoformat() and not tasks.is_open(batch):
        return False
    return batch.parts.count() > 1


@transaction.atomic
def weigh_if_needed(batch: OfficeImport, by) -> bool:
    """Let a worker compare an applied list, if that is needed to undo it. Return whether it is."""
    if not needs_weighing(batch, standings.today()):
        return False
    current = OfficeImport.objects.select_for_update().get(pk=batch.pk)
    if current.state == OfficeImport.State.APPLIED and not tasks.is_open(current):
        tasks.ask_to_compare(current, by)
    return True


@transaction.atomic
def undo(batch_id, digest: str, by, reason: str, evidence: str = "") -> ListTask | Proposal:
    """Let a worker undo an applied list, or propose to undo it if that needs a second person.

    A second person is needed if a second person approved applying the list, or if undoing it now makes a
    change that needs one. The rows in `Undoing.conflicts` stay as they are. Return the worker's task or the
    proposal. Raises NotApplicable.

    digest: digest of the `Undoing` that the user has seen
    evidence: the document behind the decision; required if a second person is needed
    """
    batch = lock(batch_id, OfficeImport.State.APPLIED)
    if tasks.is_open(batch):
        raise NotApplicable("comparing")
    plan = undoing_of(batch, standings.today(), by)
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
    if batch.compared.get("digest") != digest:
        raise ValidationError(CHANGED, code="changed")
    language = batch.compared["language"]
    tasks.ask(batch, Verb.APPLY, by, digest, number, proposal=proposal, language=language)


def start_undoing(proposal: Proposal, by) -> None:
    """Let a worker undo a list whose proposal the account `by` approves."""
    batch = _lock_approved(proposal, OfficeImport.State.APPLIED)
    try:
        plan = undoing_of(batch, standings.today(), proposal.prepared_by)
    except NotApplicable as error:
        raise ValidationError(COMPARING) from error
    tasks.ask(batch, Verb.UNDO, by, plan.digest, plan.number, proposal=proposal, reason=proposal.reason)


def _lock_approved(proposal: Proposal, state: str) -> OfficeImport:
    try:
        batch = lock(proposal.data["batch"], state)
        if tasks.is_open(batch):
            raise ValidationError(COMPARING)
        return batch
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


UPLOADS = pipeline.Kind(OfficeImport, TableResult, is_refused=is_refused, ask=_ask_to_read)
