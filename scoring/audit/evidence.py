"""What an audit reads of some tournaments: four queries, however many awards they gave."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from django.db.models import Sum

from players.models import Proposal
from scoring.ledger.models import LedgerEntry, ScoringRun
from tournaments.drafts import HEADER_FIELDS, Header
from tournaments.models import Seat, Tournament
from ui.chunks import chunks


class Run(NamedTuple):
    """A scoring run, without what an audit has no use for."""

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
    """A row of the ledger; points in hundredths."""

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
    """A person of a stored ranking, with the contestant they belong to; no player: a guest."""

    revision: int
    contestant: int
    position: int
    place: int
    field: str
    player: int | None


ENTRY = (
    "tournament_id", "pk", "kind", "family", "player_id", "points", "played_on", "online", "run_id",
    "contestant_id", "reverses_id", "source_key",
)  # fmt: skip


@dataclass(slots=True)
class Evidence:
    """All that is stored of one tournament's points; a later one of the `runs` supersedes those before it."""

    tournament: int
    published: int | None
    annulled: bool
    header: Header
    runs: list[Run] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    seats: dict[int, list[Place]] = field(default_factory=lambda: defaultdict(list))  # by revision


def tournaments(only: int | None, since: date | None, after: int = 0):
    """Tournaments to audit, in the order of their ids, from the one behind `after` on."""
    rows = Tournament.objects.filter(pk__gt=after).order_by("pk")
    if only is not None:
        rows = rows.filter(pk=only)
    return rows.filter(end_date__gte=since) if since else rows


def gather(only: int | None, since: date | None, after: int, size: int) -> list[Evidence]:
    """The evidence of the next `size` tournaments."""
    found = {
        pk: Evidence(pk, published, bool(annulled), Header(**dict(zip(HEADER_FIELDS, header, strict=True))))
        for pk, published, annulled, *header in tournaments(only, since, after).values_list(
            "pk", "published_id", "annulled_at", *HEADER_FIELDS
        )[:size]
    }
    runs = ScoringRun.objects.filter(tournament__in=found).order_by("revision__number", "number")
    for row in runs.values_list(
        "tournament_id", "pk", "revision_id", "regulation", "state", "inputs", "input_digest", "eligible",
        "outcome", "purpose",
    ):  # fmt: skip
        found[row[0]].runs.append(Run(*row))
    for row in LedgerEntry.objects.filter(tournament__in=found).order_by().values_list(*ENTRY):
        found[row[0]].entries.append(Entry._make(row))
    seats = Seat.objects.filter(revision__in=[run.revision for each in found.values() for run in each.runs])
    for tournament, *row in seats.order_by("contestant_id", "position").values_list(
        "revision__tournament_id", "revision_id", "contestant_id", "contestant__position",
        "contestant__place", "contestant__field", "player_id",
    ):  # fmt: skip
        found[tournament].seats[row[0]].append(Place._make(row))
    return list(found.values())


def loose_reversals() -> list[tuple[Entry, Entry]]:
    """Reversals that name no tournament, each with the entry it takes back."""
    names = (*ENTRY, *(f"reverses__{name}" for name in ENTRY))
    rows = LedgerEntry.objects.filter(tournament=None, kind=LedgerEntry.Kind.REVERSAL).order_by("pk")
    half = len(ENTRY)
    return [(Entry._make(row[:half]), Entry._make(row[half:])) for row in rows.values_list(*names)]


def marked() -> list[Entry]:
    """Openings and adjustments whose key says what they have to do with another entry, by id.

    Imported ones have a digest for a key, without a colon.
    """
    kinds = (LedgerEntry.Kind.OPENING, LedgerEntry.Kind.ADJUSTMENT)
    rows = LedgerEntry.objects.filter(kind__in=kinds, source_key__contains=":").order_by("pk")
    return [Entry._make(row) for row in rows.values_list(*ENTRY)]


def approved_entries() -> dict[int, int]:
    """Ledger entry id -> the approved proposal that posted it."""
    found: dict[int, int] = {}
    rows = Proposal.objects.filter(state=Proposal.State.APPROVED, result__has_key="entries")
    for pk, entries in rows.order_by("pk").values_list("pk", "result__entries"):
        found |= dict.fromkeys(entries, pk)
    return found


def entries_by_id(ids: Iterable[int]) -> dict[int, tuple[Entry, bool]]:
    """Entry id -> the entry, and whether a reversal takes it back."""
    found = {}
    for chunk in chunks(sorted(set(ids))):
        rows = LedgerEntry.objects.filter(pk__in=chunk)
        for *row, reversal in rows.values_list(*ENTRY, "reversed_by"):
            found[row[1]] = (Entry._make(row), reversal is not None)
    return found


def merged_sums() -> list[tuple[int, str, int]]:
    """(player, family, hundredths) of merged numbers that have points left."""
    rows = LedgerEntry.objects.filter(player__merged_into__isnull=False).order_by("player_id", "family")
    return list(rows.values_list("player_id", "family").annotate(Sum("points")).exclude(points__sum=0))
