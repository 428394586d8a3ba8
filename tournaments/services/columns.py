"""Remember what the columns of a club's tables mean, so that they are chosen once for each layout."""

from dataclasses import asdict, replace

from players.models import Club
from tournaments.formats.types import LINES_PER_FILE, Choice, SheetLayout
from tournaments.models import ColumnLayout, ResultUpload

MOST = 100  # number of a club's layouts that are tried, the newest first


def choices_of(upload: ResultUpload) -> list[Choice]:
    """Return what was chosen for the columns of this upload, and then for the club's earlier files.

    What was chosen for one file counts for the others of the upload with the same layout. A file that was
    read by an earlier choice keeps it (see `keep_remembered`), so that what a club chooses later changes
    nothing about a confirmed upload.
    """
    chosen = [Choice.from_json(choice) for choice in upload.columns.values()]
    chosen += [replace(choice, sheet="") for choice in chosen if choice.sheet]
    if upload.state == ResultUpload.State.CONFIRMED:
        return chosen
    newest = ColumnLayout.objects.filter(club=upload.club_id).order_by("-updated_at", "-pk")[:MOST]
    remembered = [Choice(layout.digest, tuple(layout.meanings), is_remembered=True) for layout in newest]
    return [*chosen, *remembered]


def keep_remembered(upload: ResultUpload) -> None:
    """Add to `upload.columns`, without saving, the choices for earlier files by which its files were read."""
    files = {
        (item["line"] or 0) // LINES_PER_FILE
        for item in upload.parsed["issues"]
        if item["code"] == "columns_remembered"
    }
    for layout in map(SheetLayout.from_json, upload.parsed.get("layouts", ())):
        if layout.file in files and layout.digest not in upload.columns:
            choice = Choice(layout.digest, layout.meanings, is_remembered=True)
            upload.columns = {**upload.columns, layout.digest: asdict(choice)}


def remember(club: Club, choice: Choice, user) -> None:
    """Store what the columns of a layout mean in the club's files."""
    values = {"meanings": asdict(choice)["meanings"], "updated_by": user}
    ColumnLayout.objects.update_or_create(club=club, digest=choice.digest, defaults=values)
