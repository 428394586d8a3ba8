"""Remember what the columns of the office's lists mean, so that they are chosen once for each layout."""

from dataclasses import asdict

from scoring.office.models import ListLayout, OfficeImport
from tournaments.formats.lists import OPEN
from tournaments.formats.types import Choice, TableResult

MOST = 100  # number of layouts of a kind of list that are tried, the newest first


def choices_of(batch: OfficeImport) -> list[Choice]:
    """Return what was chosen for the columns of this file, and then for earlier lists of its kind."""
    chosen = [Choice.from_json(batch.columns)] if batch.columns else []
    newest = ListLayout.objects.filter(kind=batch.kind).order_by("-updated_at", "-pk")[:MOST]
    return [*chosen, *(Choice(item.digest, tuple(item.meanings), is_remembered=True) for item in newest)]


def remember(kind: str, choice: Choice, by) -> None:
    """Store what the columns of a layout mean in lists of this kind."""
    values = {"meanings": asdict(choice)["meanings"], "updated_by": by}
    ListLayout.objects.update_or_create(kind=kind, digest=choice.digest, defaults=values)


def are_open(result: TableResult) -> bool:
    """Return whether the file cannot be read before somebody says what its columns mean."""
    return bool(result.layouts) and any(issue.code in OPEN for issue in result.issues)


def may_choose(batch: OfficeImport) -> bool:
    """Return whether the office may still say what the columns of the list mean."""
    is_open = batch.state in (OfficeImport.State.REVIEW, OfficeImport.State.REFUSED)
    return is_open and not batch.file_deleted_at and bool(batch.parsed.get("layouts"))
