"""Bringing a list in, as the office does."""

from datetime import date

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from scoring.office.lists import imports
from scoring.office.models import OfficeImport
from tests import second

HEADINGS = {kind: [column.names[0] for column in item.columns] for kind, item in imports.KINDS.items()}
TODAY = date(2026, 6, 1)


def table(kind: str, *rows: str, headings: list[str] | None = None) -> bytes:
    """A list as a Spanish spreadsheet saves it; each row's cells are separated by semicolons."""
    return "\r\n".join([";".join(headings or HEADINGS[kind]), *rows]).encode("utf-8-sig")


def send(client, kind: str, data: bytes, name: str = "lista.csv"):
    """Upload a list through the page."""
    return client.post(reverse("office_imports"), {"kind": kind, "file": SimpleUploadedFile(name, data)})


def sent(client, kind: str, *rows: str) -> OfficeImport:
    """Upload a readable list, and the import that is to be reviewed."""
    response = send(client, kind, table(kind, *rows))
    assert response.status_code == 302, response.content.decode()
    return OfficeImport.objects.get(pk=response.url.rstrip("/").rsplit("/", 1)[1])


def apply(client, batch: OfficeImport, **data):
    """Press the button of the preview; where that needs a second person, they approve."""
    answer = pressed(client, batch, **data)
    second.approve_all()
    return answer


def pressed(client, batch: OfficeImport, **data):
    """Press the button of the preview, with a reason and a document for a second person."""
    digest = client.get(reverse("office_import_review", args=[batch.pk])).context["plan"].digest
    text = {"reason": "Season 2026", "evidence": "Minutes 3", "digest": digest, **data}
    return client.post(reverse("office_import_apply", args=[batch.pk]), text)


def issues(batch: OfficeImport, today: date = TODAY) -> list[tuple[str, int | None]]:
    """Code and line of everything wrong with a list."""
    return [(issue.code, issue.line) for issue in imports.plan_of(batch, today).issues]
