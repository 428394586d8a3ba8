"""What an audit reads of rankings that results of boards came with: three queries, however many results."""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet

from scoring.strength.figures import StoredResult
from tournaments.models import BoardResult, Contestant, Revision

CHUNK = 5_000


class Figures(NamedTuple):
    """A contestant's row in the ranking, and what is stored there of the boards."""

    position: int
    boards: int | None
    adjusted: Decimal | None


class Session(NamedTuple):
    """A ranking, how its boards were scored, the stored figures by contestant id, and the boards' results."""

    revision: int
    tournament: int
    scored: str
    stored: dict[int, Figures]
    rows: list[StoredResult]


def revisions(only: int | None, since: date | None, after: int = 0) -> QuerySet[Revision]:
    """Rankings with boards, or with figures as if they had some, in the order of their ids behind `after`.

    only: those of a single tournament; since: of tournaments that ended on that day or later
    """
    of_this = {"revision": OuterRef("pk")}
    figured = Contestant.objects.filter(Q(boards_played__isnull=False) | Q(adjusted__isnull=False), **of_this)
    found = Revision.objects.filter(pk__gt=after).order_by("pk")
    if only is not None:
        found = found.filter(tournament=only)
    if since:
        found = found.filter(tournament__end_date__gte=since)
    return found.filter(
        ~Q(boards_scored="") | Exists(BoardResult.objects.filter(**of_this)) | Exists(figured)
    )


def sessions(only: int | None, since: date | None, after: int, size: int) -> Iterator[Session]:
    """The next `size` of them. Results of boards are streamed: memory holds those of one ranking."""
    listed = revisions(only, since, after).values_list("pk", "tournament_id", "boards_scored")
    found = {pk: rest for pk, *rest in listed[:size]}
    stored: dict[int, dict[int, Figures]] = {pk: {} for pk in found}
    contestants = Contestant.objects.filter(revision__in=found).order_by("revision_id", "position")
    for revision, pk, *figures in contestants.values_list(
        "revision_id", "pk", "position", "boards_played", "adjusted"
    ):
        stored[revision][pk] = Figures(*figures)
    results = BoardResult.objects.filter(revision__in=found).order_by("revision_id", "pk")
    rows = groupby(
        results.values_list("revision_id", *StoredResult._fields).iterator(chunk_size=CHUNK), itemgetter(0)
    )
    following = next(rows, None)
    for revision, (tournament, scored) in found.items():
        own: list[StoredResult] = []
        if following and following[0] == revision:
            own = [StoredResult(*row) for _revision, *row in following[1]]
            following = next(rows, None)
        yield Session(revision, tournament, scored, stored.pop(revision), own)
