"""Helpers that import lists as the office does."""

from datetime import date

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from players.models import Proposal
from scoring.office.lists import imports, rows, writing
from scoring.office.lists.plan import Plan
from scoring.office.models import ListTask, OfficeImport
from tests import second
from tournaments.formats.types import TableResult
from tournaments.services.ticks import stored_ticks, valid_ticks

HEADINGS = {kind: [column.names[0] for column in item.columns] for kind, item in imports.KINDS.items()}
TODAY = date(2026, 6, 1)


def table(kind: str, *rows: str, headings: list[str] | None = None) -> bytes:
    """Return the CSV file of a list, as Spanish spreadsheets export it.

    kind: kind of list, one of `OfficeImport.Kind`
    rows: the lines, with cells separated by semicolons; blank cells at the end may be left out
    headings: by default those of the kind
    """
    if headings is None:
        rows = tuple(row and row + ";" * (len(HEADINGS[kind]) - 1 - row.count(";")) for row in rows)
    return "\r\n".join([";".join(headings or HEADINGS[kind]), *rows]).encode("utf-8-sig")


def send(client, kind: str, data: bytes, name: str = "lista.csv"):
    """Upload the file of a list on the office's page. Return the response."""
    return client.post(reverse("office_imports"), {"kind": kind, "file": SimpleUploadedFile(name, data)})


def sent(client, kind: str, *rows: str) -> OfficeImport:
    """Upload a readable list of these rows. Return the import under review."""
    response = send(client, kind, table(kind, *rows))
    assert response.status_code == 302, response.content.decode()
    return OfficeImport.objects.get(pk=response.url.rstrip("/").rsplit("/", 1)[1])


def apply(client, batch: OfficeImport, **data):
    """Apply the previewed list, and approve the proposal if that creates one. Return the first response."""
    answer = pressed(client, batch, **data)
    approve_all()
    return answer


def pressed(client, batch: OfficeImport, **data):
    """Submit the preview's form as `asked` does, and do the worker's part. Return the response."""
    answer = asked(client, batch, **data)
    work()
    return answer


def asked(client, batch: OfficeImport, **data):
    """Submit the preview's form with a reason and a document. Return the response."""
    digest = client.get(reverse("office_import_review", args=[batch.pk])).context["plan"].digest
    text = {"reason": "Season 2026", "evidence": "Minutes 3", "digest": digest, **data}
    return client.post(reverse("office_import_apply", args=[batch.pk]), text)


def work() -> None:
    """Do what the workers were asked to do with lists."""
    done: set[int] = set()  # a task that fails goes back to the queue
    pending = ListTask.objects.filter(state="pending").order_by("pk")
    while task := pending.exclude(pk__in=done).first():
        done.add(task.pk)
        writing.perform(task.pk)


def approve_all(by=None) -> list[Proposal]:
    """Approve all pending proposals, and do what the workers were asked to do with lists."""
    approved = second.approve_all(by)
    work()
    return approved


def issues(batch: OfficeImport, today: date = TODAY) -> list[tuple[str, int | None]]:
    """Return (code, line) of each issue that the preview of an imported list shows."""
    return [(issue.code, issue.line) for issue in plan_of(batch, today).issues]


def plan_of(batch: OfficeImport, day: date = TODAY, by=None) -> Plan:
    """Return what applying the list would change on a day, compared now, all its rows at once."""
    batch.refresh_from_db()
    kind = imports.KINDS[batch.kind]
    plan = kind.plan(rows.as_read(batch.rows.order_by("line")), day)
    plan.issues = (*TableResult.from_json(batch.parsed).issues, *plan.issues)
    plan.accepted = valid_ticks(plan.issues, batch.ticks)
    if by is not None:
        kind.count_reasons_for(plan, by, day)
    return plan


def tick_all(batch: OfficeImport, day: date = TODAY) -> str:
    """Tick all warnings of an imported list. Return the digest of the changes that the list would make."""
    plan = plan_of(batch, day)
    batch.ticks = stored_ticks(plan.issues, plan.by_tick)
    batch.save(update_fields=["ticks"])
    return plan.digest
