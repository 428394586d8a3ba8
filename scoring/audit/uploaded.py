"""Read rankings and their uploads for the audit."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from django.db.models import Count, QuerySet

from scoring.audit.evidence import selected
from tournaments.models import BoardResult, Contestant, ResultUpload, Revision
from tournaments.services import stored_files


class Origin(NamedTuple):
    """A ranking and the upload that it comes from.

    revision, tournament: ids of the ranking and of its tournament
    scored: the scoring method of its boards, as in `Revision.boards_scored`
    upload: id of the upload; None if the ranking was not uploaded
    kept: whether the file is still stored
    edited: "" if the ranking is as read from the file, "numbers" if federation numbers were corrected, "rows"
        if the ranking itself was edited
    """

    revision: int
    tournament: int
    scored: str
    upload: UUID | None
    sha256: str
    kept: bool
    edited: str

    @property
    def typed(self) -> bool:
        """Whether the ranking was typed by hand, without a file."""
        return not self.sha256 and not self.kept


class Line(NamedTuple):
    """A contestant's row in a ranking. `persons` is the number of people in it."""

    field: str
    place: int
    label: str
    team_name: str
    score: Decimal | None
    percentage: Decimal | None
    persons: int


class Table(NamedTuple):
    """The table where a board was played: the board's number, the section, and the two contestants.

    ns, ew: positions in the ranking of the contestants who sat North-South and East-West; None if unknown
    """

    board: int
    section: str
    ns: int | None
    ew: int | None


class Result(NamedTuple):
    """The result of a board at one table.

    score: the score; None if the result is artificial
    adjusted_ns, adjusted_ew: the artificial percentages of North-South and East-West, else None
    ns_points, ew_points: the points that the file states for each side
    contract, declarer, lead, tricks: as in the model `BoardResult`
    """

    score: int | None
    adjusted_ns: int | None
    adjusted_ew: int | None
    ns_points: Decimal | None
    ew_points: Decimal | None
    contract: str
    declarer: str
    lead: str
    tricks: int | None


@dataclass(slots=True)
class Uploaded:
    """A stored ranking, with its upload and the content of the uploaded file.

    lines: {position in the ranking: contestant's row}
    results: {table: results made there}
    """

    origin: Origin
    upload: ResultUpload
    content: bytes
    lines: dict[int, Line] = field(default_factory=dict)
    results: dict[Table, list[Result]] = field(default_factory=lambda: defaultdict(list))


def rankings(tournament_id: int | None, since: date | None, after: int = 0) -> QuerySet[Revision]:
    """Return the rankings to audit, including those corrected later; arguments as in `evidence.selected`."""
    return selected(Revision.objects.all(), tournament_id, since, after)


def origins(tournament_id: int | None, since: date | None, after: int, size: int) -> list[Origin]:
    """Return the first `size` rankings with ids above `after`, each with its upload. One query.

    tournament_id, since: as in `rankings`
    """
    rows = rankings(tournament_id, since, after).values_list(
        "pk",
        "tournament_id",
        "boards_scored",
        "upload",
        "upload__sha256",
        "upload__file",
        "upload__parsed__edited",
    )
    return [
        Origin(pk, tournament, scored, upload, sha256 or "", file is not None, edited or "")
        for pk, tournament, scored, upload, sha256, file, edited in rows[:size]
    ]


def with_files(origins: Sequence[Origin]) -> list[Uploaded]:
    """Read the stored rankings and the uploaded files of these origins. At most six queries.

    What was read from the files is loaded only of the uploads whose boards the director has changed.

    origins: rankings whose uploaded file is still stored
    """
    revisions = [origin.revision for origin in origins]
    rows = ResultUpload.objects.filter(revision__in=revisions).select_related("corrects", "file")
    rows = rows.defer("parsed").prefetch_related("further_files__file")
    uploads = {upload.revision_id: upload for upload in rows}
    changed = ResultUpload.objects.filter(revision__in=revisions, parsed__has_key="changes")
    parsed = dict(changed.values_list("revision", "parsed"))
    for revision, upload in uploads.items():
        upload.parsed = parsed.get(revision, {})
    rankings = {
        origin.revision: Uploaded(
            origin, uploads[origin.revision], stored_files.read(uploads[origin.revision].file) or b""
        )
        for origin in origins
    }
    contestants = Contestant.objects.filter(revision__in=revisions).order_by("revision_id", "position")
    columns = Line._fields[:-1]
    for revision, position, *line in contestants.annotate(persons=Count("seats")).values_list(
        "revision_id", "position", *columns, "persons"
    ):
        rankings[revision].lines[position] = Line(*line)
    results = BoardResult.objects.filter(revision__in=revisions).order_by("pk")
    for revision, board, section, ns, ew, *result in results.values_list(
        "revision_id", "board", "section", "ns__position", "ew__position", *Result._fields
    ).iterator():
        rankings[revision].results[Table(board, section, ns, ew)].append(Result(*result))
    return list(rankings.values())
