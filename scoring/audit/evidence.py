"""Read the data that the audit of points compares: runs, ledger entries and rankings of tournaments."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from django.db.models import QuerySet, Sum

from players.models import Proposal
from scoring.ledger.models import LedgerEntry, ScoringRun
from tournaments.drafts import HEADER_FIELDS, Header
from tournaments.models import Seat, Tournament
from ui.chunks import rows_in


class Run(NamedTuple):
    """The columns of a scoring run that the audit needs. The names are those of the model's fields."""

    tournament: int
    pk: int
    revision: int
    regulation: str
    state: str
    inputs: list
    input_digest: str
    eligible: bool | None
    outcome: dict
    purpose: str


class Entry(NamedTuple):
    """The columns of a ledger entry that the audit needs. The names are those of the model's fields.

    `points` are hundredths.
    """

    tournament: int | None
    pk: int
    kind: str
    family: str
    player: int
    points: int
    played_on: date
    online: bool
    run: int | None
    contestant: int | None
    reverses: int | None
    source_key: str


class Place(NamedTuple):
    """A seat of a stored ranking, with its contestant's field and place. `player` is None for a guest."""

    revision: int
    contestant: int
    position: int
    place: int
    field: str
    player: int | None


# The columns of `Place`, in their order.
PLACE = (
    "revision_id",
    "contestant_id",
    "contestant__position",
    "contestant__place",
    "contestant__field",
    "player_id",
)


@dataclass(slots=True)
class Evidence:
    """Everything stored about a tournament's points.

    published: id of the published revision
    runs: all runs, oldest revision first; each run replaces the points of the runs before it
    """

    tournament: int
    published: int | None
    annulled: bool
    header: Header
    runs: list[Run] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    seats: dict[int, list[Place]] = field(default_factory=lambda: defaultdict(list))  # by revision id


def selected(
    rows: QuerySet[Any],
    tournament_id: int | None,
    since: date | None,
    after: Any,
    tournament: str = "tournament__",
) -> QuerySet[Any]:
    """Filter `rows` to those that an audit has to check, with ids above `after`, in order of id.

    tournament_id: if not None, only rows of this tournament
    since: if not None, only rows of tournaments that ended on that day or later
    tournament: the lookup from a row to its tournament, with a trailing `__`; "" if the rows are tournaments
    """
    rows = rows.filter(pk__gt=after).order_by("pk")
    if tournament_id is not None:
        rows = rows.filter(**{f"{tournament}pk": tournament_id})
    return rows.filter(**{f"{tournament}end_date__gte": since}) if since else rows


def tournaments(tournament_id: int | None, since: date | None, after: int = 0) -> QuerySet[Tournament]:
    """Return the tournaments to audit; arguments as in `selected`."""
    return selected(Tournament.objects.all(), tournament_id, since, after, tournament="")


def gather(tournament_id: int | None, since: date | None, after: int, size: int) -> list[Evidence]:
    """Return the evidence of the first `size` tournaments with ids above `after`. Four queries.

    tournament_id, since: as in `selected`
    """
    rows = tournaments(tournament_id, since, after).values_list(
        "pk", "published_id", "annulled_at", *HEADER_FIELDS
    )
    evidence = {
        pk: Evidence(pk, published, bool(annulled), Header(**dict(zip(HEADER_FIELDS, header, strict=True))))
        for pk, published, annulled, *header in rows[:size]
    }
    runs = ScoringRun.objects.filter(tournament__in=evidence).order_by("revision__number", "number")
    for row in runs.values_list(*Run._fields):
        evidence[row[0]].runs.append(Run._make(row))
    for row in LedgerEntry.objects.filter(tournament__in=evidence).order_by().values_list(*Entry._fields):
        evidence[row[0]].entries.append(Entry._make(row))
    revisions = [run.revision for tournament in evidence.values() for run in tournament.runs]
    seats = Seat.objects.filter(revision__in=revisions).order_by("contestant_id", "position")
    for tournament, *row in seats.values_list("revision__tournament_id", *PLACE):
        evidence[tournament].seats[row[0]].append(Place._make(row))
    return list(evidence.values())


def loose_reversals() -> list[tuple[Entry, Entry]]:
    """Return the reversals that belong to no tournament, each with the entry it reverses."""
    names = (*Entry._fields, *(f"reverses__{name}" for name in Entry._fields))
    rows = LedgerEntry.objects.filter(tournament=None, kind=LedgerEntry.Kind.REVERSAL).order_by("pk")
    half = len(Entry._fields)
    return [(Entry._make(row[:half]), Entry._make(row[half:])) for row in rows.values_list(*names)]


def referring_entries() -> list[Entry]:
    """Return the openings and adjustments whose source key refers to another entry, in order of id.

    A source key identifies where an entry comes from (see `scoring.ledger.source_keys`). Keys of these two
    kinds contain a colon only if they refer to another entry.
    """
    kinds = (LedgerEntry.Kind.OPENING, LedgerEntry.Kind.ADJUSTMENT)
    rows = LedgerEntry.objects.filter(kind__in=kinds, source_key__contains=":").order_by("pk")
    return [Entry._make(row) for row in rows.values_list(*Entry._fields)]


def approved_entries() -> dict[int, int]:
    """Return {ledger entry id: id of the approved proposal that posted the entry}."""
    proposals: dict[int, int] = {}
    rows = Proposal.objects.filter(state=Proposal.State.APPROVED, result__has_key="entries")
    for pk, entries in rows.order_by("pk").values_list("pk", "result__entries"):
        proposals |= dict.fromkeys(entries, pk)
    return proposals


def entries_by_id(ids: Iterable[int]) -> dict[int, tuple[Entry, bool]]:
    """Return {ledger entry id: (entry, whether a reversal takes it back)}."""
    entries = {}
    rows = LedgerEntry.objects.values_list(*Entry._fields, "reversed_by")
    for *row, reversal in rows_in(rows, "pk", set(ids)):
        entries[row[1]] = (Entry._make(row), reversal is not None)
    return entries


def merged_sums() -> list[tuple[int, str, int]]:
    """Return (player id, family, sum) for every merged player whose points do not add up to zero.

    The sum is in hundredths. Merging should have moved all points to the surviving player.
    """
    rows = LedgerEntry.objects.filter(player__merged_into__isnull=False).order_by("player_id", "family")
    return list(rows.values_list("player_id", "family").annotate(Sum("points")).exclude(points__sum=0))
