"""Remember what the columns of a club's tables mean, so that they are chosen once for each layout."""

from dataclasses import asdict

from players.models import Club
from tournaments.formats.types import Choice, SheetLayout
from tournaments.models import ColumnLayout, ResultUpload

MOST = 100  # number of a club's layouts that are tried, the newest first


def choices_of(upload: ResultUpload) -> list[Choice]:
    """Return what was chosen for the columns of this file, or else for the club's earlier files.

    A file that was read by an earlier choice keeps it (see `keep_remembered`), so that what a club chooses
    later changes nothing about a confirmed upload.
    """
    if upload.columns:
        return [Choice.from_json(upload.columns)]
    if upload.state == ResultUpload.State.CONFIRMED:
        return []
    newest = ColumnLayout.objects.filter(club=upload.club_id).order_by("-updated_at", "-pk")[:MOST]
    return [Choice(layout.digest, tuple(layout.meanings), is_remembered=True) for layout in newest]


def keep_remembered(upload: ResultUpload) -> None:
    """Set `upload.columns`, without saving, to the choice for an earlier file by which this file was read."""
    if upload.columns or not any(item["code"] == "columns_remembered" for item in upload.parsed["issues"]):
        return
    layout = SheetLayout.from_json(upload.parsed["layouts"][0])
    upload.columns = asdict(Choice(layout.digest, layout.meanings, is_remembered=True))


def remember(club: Club, choice: Choice, user) -> None:
    """Store what the columns of a layout mean in the club's files."""
    values = {"meanings": asdict(choice)["meanings"], "updated_by": user}
    ColumnLayout.objects.update_or_create(club=club, digest=choice.digest, defaults=values)
