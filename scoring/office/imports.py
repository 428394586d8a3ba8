"""Receiving, previewing and applying a list."""

import csv
import hashlib
import io
from datetime import date

from django.db import transaction
from django.utils import timezone
from django.utils.translation import get_language

from players.chunks import chunks
from players.formatting import language
from players.models import Player
from players.services import categories
from scoring.models import OfficeImport
from scoring.office.categories import Categories
from scoring.office.licences import Licences
from scoring.office.opening import Opening
from scoring.office.plan import ImportKind, Plan
from scoring.office.players import Players
from scoring.services import standings
from tournaments.formats.licence import normalise
from tournaments.formats.sandbox import read_table_safely
from tournaments.formats.types import Issue, TableRow

KINDS: dict[str, ImportKind] = {
    OfficeImport.Kind.PLAYERS.value: Players(),
    OfficeImport.Kind.LICENCES.value: Licences(),
    OfficeImport.Kind.CATEGORIES.value: Categories(),
    OfficeImport.Kind.OPENING.value: Opening(),
}


class NotApplicable(Exception):
    """The list cannot be applied as it is; `code` says why.

    errors: a row is wrong; warnings: they were not agreed to; changed: the preview is out of date;
    settled: it was already applied or discarded.
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


def plan_of(batch: OfficeImport, today: date) -> Plan:
    """What applying the list would do now, with the reader's remarks first."""
    rows = [TableRow(row["line"], row["values"]) for row in batch.rows]
    plan = KINDS[batch.kind].plan(rows, today)
    plan.issues = tuple(Issue.from_json(each) for each in batch.issues) + plan.issues
    return plan


@transaction.atomic
def apply(batch_id, digest: str, agreed: bool, by) -> OfficeImport:
    """Write the whole list, or nothing. Raises NotApplicable.

    digest: of the plan that was looked at; agreed: whether its warnings were
    """
    batch = OfficeImport.objects.select_for_update().get(pk=batch_id)
    if batch.state != OfficeImport.State.REVIEW:
        raise NotApplicable("settled")
    _lock_players(batch)
    plan = plan_of(batch, standings.today())
    if plan.has_errors:
        raise NotApplicable("errors")
    if plan.digest != digest:
        raise NotApplicable("changed")
    if plan.has_warnings and not agreed:
        raise NotApplicable("warnings")
    touched = KINDS[batch.kind].apply(plan, by)
    standings.refresh(touched)
    batch.counts = plan.counts
    batch.state = OfficeImport.State.APPLIED
    batch.applied_at = timezone.now()
    return _settle(batch)


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
    batch = OfficeImport.objects.select_for_update().get(pk=batch_id)
    if batch.state != OfficeImport.State.REVIEW:
        raise NotApplicable("settled")
    batch.state = OfficeImport.State.DISCARDED
    return _settle(batch)


def _settle(batch: OfficeImport) -> OfficeImport:
    # Names and numbers now stand where they belong: no second copy of them is kept.
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
