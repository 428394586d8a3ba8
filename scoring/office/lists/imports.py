"""Receiving, previewing and applying a list."""

import csv
import hashlib
import io
from collections.abc import Iterable
from datetime import date
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import get_language, gettext, gettext_lazy, override

from players.models import Player, Proposal
from players.services import categories
from players.services.proposals import propose
from scoring.ledger.services import standings
from scoring.office.lists.categories import Categories
from scoring.office.lists.licences import Licences
from scoring.office.lists.opening import Opening
from scoring.office.lists.plan import Detail, ImportKind, Plan, PlanLine, Undoing, players_by_number
from scoring.office.lists.players import Players
from scoring.office.models import OfficeImport
from tournaments.formats.licence import normalise
from tournaments.formats.sandbox import read_table_safely
from tournaments.formats.types import Issue, TableRow
from ui.chunks import chunks
from ui.formatting import language

KINDS: dict[str, ImportKind] = {
    OfficeImport.Kind.PLAYERS.value: Players(),
    OfficeImport.Kind.LICENCES.value: Licences(),
    OfficeImport.Kind.CATEGORIES.value: Categories(),
    OfficeImport.Kind.OPENING.value: Opening(),
}

KIND, KIND_UNDO = "import", "import_undo"  # of the acts for a second person
CHANGED = gettext_lazy(
    "The list would do something else now than when it was prepared: return it, and it is prepared again."
)


class NotApplicable(Exception):
    """The list cannot be applied as it is; `code` says why.

    errors: a row is wrong; warnings: they were not agreed to; changed: the preview is out of date;
    reason: a second person decides, and no reason or document was given;
    settled: it was already applied, undone or discarded, or waits for a second person.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Unreadable(Exception):
    """The file cannot be read as this kind of list; `issues` says why."""

    def __init__(self, issues: tuple[Issue, ...]) -> None:
        super().__init__(len(issues))
        self.issues = issues


def receive(kind: str, file_name: str, data: bytes, by) -> OfficeImport:
    """Read a list and keep its rows for review. Raises Unreadable, and then nothing is kept."""
    result = read_table_safely(file_name, data, KINDS[kind].columns)
    if result.has_errors:
        raise Unreadable(result.issues)
    return OfficeImport.objects.create(
        kind=kind,
        file_name=file_name[:200],
        sha256=hashlib.sha256(data).hexdigest(),
        rows=[{"line": row.line, "values": dict(row.values)} for row in result.rows],
        issues=[
            {name: getattr(issue, name) for name in Issue.__slots__} | {"params": dict(issue.params)}
            for issue in result.issues
        ],
        created_by=by,
    )


def plan_of(batch: OfficeImport, today: date, by=None) -> Plan:
    """What applying the list would do now, with the reader's remarks first; by: the account that would."""
    rows = [TableRow(row["line"], row["values"]) for row in batch.rows]
    plan = KINDS[batch.kind].plan(rows, today)
    plan.issues = tuple(Issue.from_json(each) for each in batch.issues) + plan.issues
    if by is not None:
        KINDS[batch.kind].weigh_for(plan, by, today)
    return plan


@transaction.atomic
def apply(
    batch_id, digest: str, agreed: bool, by, reason: str = "", evidence: str = ""
) -> OfficeImport | Proposal:
    """Write the whole list, or nothing; or let a second person decide. Raises NotApplicable.

    digest: of the plan that was looked at; agreed: whether its warnings were
    reason, evidence: asked for where a second person decides
    """
    batch = _locked(batch_id, OfficeImport.State.REVIEW)
    _lock_players(batch)
    plan = plan_of(batch, standings.today(), by)
    if plan.has_errors:
        raise NotApplicable("errors")
    if plan.digest != digest:
        raise NotApplicable("changed")
    if plan.has_warnings and not agreed:
        raise NotApplicable("warnings")
    if not plan.needs_second:
        return _write(batch, plan, by)
    if not (reason.strip() and evidence.strip()):
        raise NotApplicable("reason")
    data = {
        "batch": str(batch.pk), "file_name": batch.file_name, "kind": batch.kind,
        "digest": neutral_digest(batch),
    }  # fmt: skip
    made = propose(KIND, by, data, key=str(batch.pk), reason=reason, evidence=evidence)
    batch.state = OfficeImport.State.WAITING
    batch.save(update_fields=["state"])
    return made


@transaction.atomic
def apply_approved(proposal: Proposal, by) -> dict:
    """Write a list that a second person has approved. Raises ValidationError where it is another one now."""
    batch = _locked(proposal.data["batch"], OfficeImport.State.WAITING)
    _lock_players(batch)
    if neutral_digest(batch) != proposal.data["digest"]:
        raise ValidationError(CHANGED, code="changed")
    plan = plan_of(batch, standings.today())
    if plan.has_errors:
        raise ValidationError(CHANGED, code="changed")
    _write(batch, plan, by, proposal)
    return {"counts": batch.counts, "entries": batch.written["entries"]}


@transaction.atomic
def review_again(batch_id) -> None:
    """A second person did not approve the list: whoever prepared it looks at it again, or discards it."""
    OfficeImport.objects.filter(pk=batch_id, state=OfficeImport.State.WAITING).update(
        state=OfficeImport.State.REVIEW
    )


def neutral_digest(batch: OfficeImport) -> str:
    """The digest of what the list would do now, the same for readers of every language."""
    with override(settings.LANGUAGE_CODE):
        return plan_of(batch, standings.today()).digest


def _locked(batch_id, state: str) -> OfficeImport:
    batch = OfficeImport.objects.select_for_update().get(pk=batch_id)
    if batch.state != state:
        raise NotApplicable("settled")
    return batch


def _write(batch: OfficeImport, plan: Plan, by, proposal: Proposal | None = None) -> OfficeImport:
    written = KINDS[batch.kind].apply(plan, by, proposal)
    standings.refresh(written.players, since=written.since)
    batch.counts, batch.written, batch.lines = plan.counts, written.to_json(), _kept(plan)
    batch.state = OfficeImport.State.APPLIED
    batch.applied_at, batch.applied_by, batch.by_two = timezone.now(), by, proposal is not None
    return _settle(batch)


def _kept(plan: Plan) -> list[dict[str, Any]]:
    """What an auditor reads later: numbers and values before and after, no names of players."""
    with override("en"):  # labels are kept as message ids
        return [
            {
                "line": each.line, "changes": each.changes, "number": each.number,
                "details": [[str(one.label), one.new, one.old] for one in each.details],
            }
            for each in plan.lines
        ]  # fmt: skip


def kept_lines(batch: OfficeImport, lines: Iterable[dict[str, Any]]) -> list[PlanLine]:
    """Lines of an applied list as the preview had them, with the names of today; one query for each 500."""
    lines = list(lines)
    names = {number: each.desk_name for number, each in players_by_number(x["number"] for x in lines).items()}
    return [
        PlanLine(
            each["line"], each["changes"], each["number"], names.get(each["number"], "—"),
            tuple(Detail(gettext(label), new, old) for label, new, old in each["details"]),
        )
        for each in lines
    ]  # fmt: skip


# --- Undoing ------------------------------------------------------------------------------------------------
def undoing_of(batch: OfficeImport) -> Undoing:
    """What undoing an applied list would do now."""
    return KINDS[batch.kind].undoing(batch.written)


@transaction.atomic
def undo(batch_id, digest: str, by, reason: str, evidence: str = "") -> OfficeImport | Proposal:
    """Undo an applied list as a whole, or let a second person decide where applying it needed one.

    What somebody changed since is left alone. Raises NotApplicable.
    """
    batch = _locked(batch_id, OfficeImport.State.APPLIED)
    if not reason.strip() or (batch.by_two and not evidence.strip()):
        raise NotApplicable("reason")
    if undoing_of(batch).digest != digest:
        raise NotApplicable("changed")
    if not batch.by_two:
        return _undo(batch, reason.strip(), by)
    data = {"batch": str(batch.pk), "file_name": batch.file_name, "kind": batch.kind}
    return propose(KIND_UNDO, by, data, key=str(batch.pk), reason=reason, evidence=evidence)


@transaction.atomic
def undo_approved(proposal: Proposal, by) -> dict:
    """Undo a list that a second person has approved to undo."""
    batch = _locked(proposal.data["batch"], OfficeImport.State.APPLIED)
    return {"entries": _undo(batch, proposal.reason, by, proposal).written["back"]}


def _undo(batch: OfficeImport, reason: str, by, proposal: Proposal | None = None) -> OfficeImport:
    kind = KINDS[batch.kind]
    numbers = {each["number"] for each in batch.lines}
    categories.lock(player.pk for player in players_by_number(numbers).values())
    standings.lock_states()
    undoing = kind.undoing(batch.written)
    done = kind.undo(undoing, reason, by, proposal)
    standings.refresh(done.players, since=done.since)
    batch.written |= {"back": done.entries, "conflicts": undoing.conflicts}
    batch.state = OfficeImport.State.UNDONE
    batch.undone_at, batch.undone_by, batch.undone_reason = timezone.now(), by, reason
    batch.save()
    return batch


def _lock_players(batch: OfficeImport) -> None:
    """Nobody merges these players, hides them or gives them a category between the plan and its writing.

    In the order in which all others lock them: a list and a merging wait for each other, never in a circle.
    """
    numbers = {number for row in batch.rows if (number := normalise(row["values"].get("number")))}
    ids: list[int] = []
    for chunk in chunks(sorted(numbers)):
        ids.extend(Player.objects.filter(number__in=chunk).values_list("pk", flat=True))
    categories.lock(ids)


@transaction.atomic
def discard(batch_id) -> OfficeImport:
    """Put a list aside without applying it. Raises NotApplicable when it is settled."""
    batch = _locked(batch_id, OfficeImport.State.REVIEW)
    batch.state = OfficeImport.State.DISCARDED
    return _settle(batch)


def _settle(batch: OfficeImport) -> OfficeImport:
    # Names and numbers now stand where they belong: what was read is not kept as well.
    batch.rows = []
    batch.issues = []
    batch.save()
    return batch


def template_headings(kind: str) -> list[str]:
    """The headings of the kind's template in the reader's language."""
    position = 0 if language(get_language()) == "es" else 1
    return [column.names[position] for column in KINDS[kind].columns]


def template_csv(kind: str) -> bytes:
    """An empty list to fill in, as a Spanish spreadsheet opens it: semicolons and a byte order mark."""
    text = io.StringIO()
    csv.writer(text, delimiter=";").writerow(template_headings(kind))
    return text.getvalue().encode("utf-8-sig")


def template_xlsx(kind: str) -> bytes:
    """The same as a workbook; numbers of players are text there, so that their zeros stay."""
    from openpyxl import Workbook  # takes long to load, and only templates need it here

    book = Workbook()
    sheet = book.active
    sheet.append(template_headings(kind))
    for position, column in enumerate(KINDS[kind].columns):
        sheet.column_dimensions[chr(ord("A") + position)].width = 18
        if column.kind == "licence":
            for line in range(2, 502):
                sheet.cell(line, position + 1).number_format = "@"
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()
