"""What an audit reads of rankings and the uploads they came from: three queries for a few rankings."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from django.db.models import Count, QuerySet

from tournaments.models import BoardResult, Contestant, ResultUpload, Revision


class Origin(NamedTuple):
    """A ranking and what is known of where it came from; `upload` None: it came with none.

    edited: "" as the file was read, "numbers" with numbers of players mended, "rows" with another ranking
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
        """Whether there never was a file."""
        return not self.sha256 and not self.kept


class Line(NamedTuple):
    """A contestant of a ranking, without who they are; `persons` is how many."""

    field: str
    place: int
    label: str
    team_name: str
    score: Decimal | None
    percentage: Decimal | None
    persons: int


class Table(NamedTuple):
    """Where a result of a board was made; the sides by their position in the ranking."""

    board: int
    section: str
    ns: int | None
    ew: int | None


class Result(NamedTuple):
    """What it was: a score or two artificial percentages, and what the file states of each side."""

    score: int | None
    adjusted_ns: int | None
    adjusted_ew: int | None
    ns_points: Decimal | None
    ew_points: Decimal | None


@dataclass(slots=True)
class Uploaded:
    """A ranking as it is stored, lines by position, with its upload and the bytes that are kept of it."""

    origin: Origin
    upload: ResultUpload
    content: bytes
    lines: dict[int, Line] = field(default_factory=dict)
    results: dict[Table, list[Result]] = field(default_factory=lambda: defaultdict(list))


def rankings(only: int | None, since: date | None, after: int = 0) -> QuerySet[Revision]:
    """Every ranking, corrected ones included, in the order of their ids behind `after`.

    only: those of a single tournament; since: of tournaments that ended on that day or later
    """
    found = Revision.objects.filter(pk__gt=after).order_by("pk")
    if only is not None:
        found = found.filter(tournament=only)
    return found.filter(tournament__end_date__gte=since) if since else found


def origins(only: int | None, since: date | None, after: int, size: int) -> list[Origin]:
    """The next `size` of them; one query."""
    rows = rankings(only, since, after).values_list(
        "pk", "tournament_id", "boards_scored", "upload", "upload__sha256", "upload__file",
        "upload__parsed__edited",
    )  # fmt: skip
    return [
        Origin(pk, tournament, scored, upload, sha256 or "", file is not None, edited or "")
        for pk, tournament, scored, upload, sha256, file, edited in rows[:size]
    ]


def stored(found: Sequence[Origin]) -> Iterator[Uploaded]:
    """All that is stored of these, which have a file; three queries."""
    revisions = [origin.revision for origin in found]
    uploads = ResultUpload.objects.filter(revision__in=revisions).defer("parsed")
    sent = {each.revision_id: each for each in uploads.select_related("corrects", "file")}
    known = {
        each.revision: Uploaded(each, sent[each.revision], bytes(sent[each.revision].file.content))
        for each in found
    }
    contestants = Contestant.objects.filter(revision__in=revisions).order_by("revision_id", "position")
    columns = Line._fields[:-1]
    for revision, position, *line in contestants.annotate(persons=Count("seats")).values_list(
        "revision_id", "position", *columns, "persons"
    ):
        known[revision].lines[position] = Line(*line)
    results = BoardResult.objects.filter(revision__in=revisions).order_by("pk")
    for revision, board, section, ns, ew, *result in results.values_list(
        "revision_id", "board", "section", "ns__position", "ew__position", *Result._fields
    ).iterator():
        known[revision].results[Table(board, section, ns, ew)].append(Result(*result))
    return iter(known.values())
