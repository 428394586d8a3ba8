"""Read rankings with board results for the audit: three queries per batch of rankings."""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet

from scoring.audit.evidence import selected
from scoring.strength.figures import StoredResult
from tournaments.boards import OF_PAIRS
from tournaments.models import BoardResult, Contestant, Revision

CHUNK = 5_000


class Figures(NamedTuple):
    """A contestant's position in the ranking, number of boards played, and stored adjusted result."""

    position: int
    boards: int | None
    adjusted: Decimal | None


class Session(NamedTuple):
    """A stored ranking with its board results.

    revision, tournament: ids of the ranking and of its tournament
    scored: the scoring method of the boards, as in `Revision.boards_scored`
    stored: {contestant id: stored figures}
    rows: the board results
    """

    revision: int
    tournament: int
    scored: str
    stored: dict[int, Figures]
    rows: list[StoredResult]


def revisions(tournament_id: int | None, since: date | None, after: int = 0) -> QuerySet[Revision]:
    """Return the rankings to audit that have board results of pairs, or stored board figures.

    Arguments as in `evidence.selected`.
    """
    figures = Q(boards_played__isnull=False) | Q(adjusted__isnull=False)
    contestants = Contestant.objects.filter(figures, revision=OuterRef("pk"))
    results = BoardResult.objects.filter(revision=OuterRef("pk"))
    unsaid = Q(boards_scored="") & Exists(results)
    rows = Revision.objects.filter(Q(boards_scored__in=OF_PAIRS) | unsaid | Exists(contestants))
    return selected(rows, tournament_id, since, after)


def sessions(tournament_id: int | None, since: date | None, after: int, size: int) -> Iterator[Session]:
    """Yield the first `size` of the `revisions` whose ids are above `after`, each with its board results.

    The board results of only one ranking are in memory at a time.

    tournament_id, since: as in `revisions`
    """
    columns = revisions(tournament_id, since, after).values_list("pk", "tournament_id", "boards_scored")
    rankings = {pk: rest for pk, *rest in columns[:size]}
    stored: dict[int, dict[int, Figures]] = {pk: {} for pk in rankings}
    contestants = Contestant.objects.filter(revision__in=rankings).order_by("revision_id", "position")
    for revision, pk, *figures in contestants.values_list(
        "revision_id", "pk", "position", "boards_played", "adjusted"
    ):
        stored[revision][pk] = Figures(*figures)
    results = BoardResult.objects.filter(revision__in=rankings).order_by("revision_id", "pk")
    groups = groupby(
        results.values_list("revision_id", *StoredResult._fields).iterator(chunk_size=CHUNK), itemgetter(0)
    )
    group = next(groups, None)
    for revision, (tournament, scored) in rankings.items():
        rows: list[StoredResult] = []
        if group and group[0] == revision:
            rows = [StoredResult(*row) for _revision, *row in group[1]]
            group = next(groups, None)
        yield Session(revision, tournament, scored, stored.pop(revision), rows)
