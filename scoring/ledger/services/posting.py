"""Writing the ledger. Everything here happens in one short transaction, or not at all."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

from django.db import transaction

from players.models import Proposal
from scoring.ledger.evaluation import FAMILY, Evaluation
from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.queries.awards import effective_awards
from scoring.ledger.services import queue, standings, transfers
from scoring.ledger.snapshots import outcome_of
from tournaments.models import Tournament
from ui.chunks import chunks

Kind = LedgerEntry.Kind
_UNDONE = "undone-"  # begins the keys of reversals that undo a list


class Superseded(Exception):
    """A later revision, calculation or annulment was posted before this run: posting it would undo that."""


@transaction.atomic
def post(run: ScoringRun, evaluation: Evaluation | None) -> None:
    """Post a claimed run: take back what the tournament gave before, give what it gives now.

    evaluation: None of a run that annuls, which gives nothing

    Locks the run and its tournament, in that order, so that two workers with the same or with rival runs
    go one after the other (on SQLite every writing transaction does anyway). Raises Superseded, LeaseLost.
    """
    queue.still_held(run)
    tournament = (
        # No more than that: a merging, which holds the standings, may have entries of this tournament.
        Tournament.objects.select_for_update(of=("self",), no_key=True)
        .select_related("published")
        .get(pk=run.tournament_id)
    )
    if newer_is_posted(tournament, run):
        raise Superseded("a newer ranking or calculation of this tournament is already posted")
    if tournament.published:
        # A merging of two numbers takes awards back too, and holds these.
        standings.lock_states()
    reversed_awards = reverse_awards(tournament, run)
    awards = LedgerEntry.objects.bulk_create(award_entries(run, evaluation) if evaluation else ())
    tournament.published = run.revision
    tournament.save(update_fields=["published"])
    # A correction may also say that a tournament gives other points than it was first said to give.
    families = {entry.family for entry in reversed_awards} | ({evaluation.family} if evaluation else set())
    _refresh((*reversed_awards, *awards), families, run.created_by_id)
    # Last: whatever fails before finds a run that still holds its lease, and can be handed back with it.
    finish(run, evaluation)


def _refresh(entries: Iterable[LedgerEntry], families: Iterable[str], by_id: int | None) -> None:
    """Bring standings up to what was just written, once merged numbers among these have passed theirs on."""
    player_ids = {entry.player_id for entry in entries}
    since = min((entry.played_on for entry in entries), default=None)
    standings.refresh(player_ids, families, since)
    if followed := transfers.follow(player_ids, by_id):
        standings.refresh(followed, families)


def newer_is_posted(tournament: Tournament, run: ScoringRun) -> bool:
    """Whether a later revision, or a later run of the same one, came first."""
    published = tournament.published
    if published is None or published.number < run.revision.number:
        return False
    later = published.runs.filter(state=ScoringRun.State.DONE, number__gt=run.number)
    return published.number > run.revision.number or later.exists()


def award_entries(run: ScoringRun, evaluation: Evaluation) -> list[LedgerEntry]:
    """One entry for each player of each contestant that earned points; guests get none."""
    if not evaluation.points_by_position:
        return []
    seats = run.revision.seats.filter(player__isnull=False).order_by("pk")
    return entries_of(run, evaluation, seats.values_list("player_id", "contestant_id"))


def entries_of(
    run: ScoringRun, evaluation: Evaluation, seats: Iterable[tuple[int, int]]
) -> list[LedgerEntry]:
    """The entries of (player, contestant) pairs of a tournament that counts; no query."""
    points = evaluation.points_by_player
    event = evaluation.fields[0].event
    common = {
        "family": evaluation.family,
        "kind": Kind.AWARD,
        "played_on": event.date,
        "online": event.venue != Tournament.Venue.IN_PERSON,
        "tournament_id": run.tournament_id,
        "run": run,
        "posted_by_id": run.created_by_id,
    }
    return [
        LedgerEntry(player_id=player, points=points[player], contestant_id=contestant, **common)
        for player, contestant in seats
        # Under some systems only the first places earn points: nothing is posted for the others.
        if player in points
    ]


def reverse_awards(tournament: Tournament, run: ScoringRun) -> list[LedgerEntry]:
    """Take back every standing award of the tournament. Returns the awards that stood."""
    entries = list(effective_awards(tournament))
    reason = run.reason or run.revision.reason
    LedgerEntry.objects.bulk_create(
        LedgerEntry(
            family=entry.family, kind=Kind.REVERSAL, player_id=entry.player_id, points=-entry.points,
            played_on=entry.played_on, online=entry.online, tournament_id=entry.tournament_id, run=run,
            contestant_id=entry.contestant_id, reverses=entry, reason=reason, posted_by_id=run.created_by_id,
        )
        for entry in entries
    )  # fmt: skip
    return entries


FINISHED = ["state", "stage", "eligible", "outcome", "error", "finished_at", "lease_until"]


def complete(run: ScoringRun, evaluation: Evaluation | None, at: datetime) -> None:
    """Set on a run what a finished one says, without saving it."""
    run.state = ScoringRun.State.DONE
    run.stage = ""
    run.eligible = bool(evaluation and evaluation.eligible)
    run.outcome = outcome_of(evaluation) if evaluation else {}
    run.error = ""
    run.finished_at = at
    run.lease_until = None


def finish(run: ScoringRun, evaluation: Evaluation | None) -> None:
    """Mark the run done, with what pages show of it."""
    complete(run, evaluation, queue.now())
    run.save(update_fields=FINISHED)


@dataclass(frozen=True, slots=True)
class OpeningRow:
    """An award of the time before this system, as the office brings it in. Points in hundredths."""

    player_id: int
    played_on: date
    title: str
    online: bool
    points: int

    @property
    def source_key(self) -> str:
        """The same for the same award however often it is imported."""
        identity = f"{FAMILY}|{self.player_id}|{self.played_on}|{self.title}|{self.online}"
        return hashlib.sha256(identity.encode()).hexdigest()


@transaction.atomic
def post_opening(rows: Iterable[OpeningRow], by) -> list[int]:
    """Add opening awards that are not there yet; returns the ids of the new entries."""
    new = _new_keys({row.source_key: row for row in rows})
    made = LedgerEntry.objects.bulk_create(
        (
            LedgerEntry(
                family=FAMILY, kind=Kind.OPENING, player_id=row.player_id, points=row.points,
                played_on=row.played_on, online=row.online, title=row.title, source_key=key, posted_by=by,
            )
            for key, row in new.items()
        ),
        batch_size=1000,
    )  # fmt: skip
    _refresh(made, [FAMILY], by and by.pk)
    return [entry.pk for entry in made]


def _new_keys(rows: dict[str, OpeningRow]) -> dict[str, OpeningRow]:
    """Those that nobody has brought in; what was undone with its list may come again, under another key."""
    new: dict[str, OpeningRow] = {}
    while rows:
        known: dict[str, str | None] = {}
        for keys in chunks(rows):
            entries = LedgerEntry.objects.filter(source_key__in=keys)
            known |= dict(entries.values_list("source_key", "reversed_by__source_key"))
        new |= {key: row for key, row in rows.items() if key not in known}
        rows = {
            hashlib.sha256(f"{key}|again".encode()).hexdigest(): row
            for key, row in rows.items()
            if is_undone(known.get(key))
        }
    return new


def is_undone(source_key: str | None) -> bool:
    """Whether a reversal with this key undid an award together with the list that it came in."""
    return (source_key or "").startswith(_UNDONE)


def take_back(entry_ids: Iterable[int], reason: str, by) -> list[int]:
    """Take back what a list has posted, inside the caller's transaction; the ids of the new entries."""
    common = {"reason": reason[:300], "posted_by": by}
    made: list[LedgerEntry] = []
    for ids in chunks(entry_ids):
        entries = LedgerEntry.objects.filter(pk__in=ids).select_related("tournament").order_by("pk")
        for entry in entries:
            back = transfers.taken(entry, common)
            back.source_key = back.source_key or f"{_UNDONE}{entry.pk}"
            made.append(back)
    LedgerEntry.objects.bulk_create(made, batch_size=1000)
    _refresh(made, {entry.family for entry in made}, by and by.pk)
    return [entry.pk for entry in made]


# --- What a second person approved ----------------------------------------------------------------------
class Adjusted(Protocol):
    """Points given or, below zero, taken, in hundredths."""

    player_id: int
    family: str
    played_on: date
    title: str
    online: bool
    points: int


def key_of(proposal: Proposal) -> str:
    """How the source keys of what an approval posts begin."""
    return f"proposal-{proposal.pk}"


def proposal_of(source_key: str) -> int | None:
    """The proposal whose approval posted an entry with this key; None for any other entry."""
    kind, _dash, rest = source_key.partition("-")
    number = rest.partition("-")[0]
    return int(number) if kind == "proposal" and number.isdecimal() and len(number) < 19 else None


def post_adjustments(wanted: Iterable[Adjusted], key: str, reason: str, by) -> list[int]:
    """Add adjustments, inside the caller's transaction; their ids."""
    made = LedgerEntry.objects.bulk_create(
        [
            LedgerEntry(
                kind=Kind.ADJUSTMENT, family=each.family, player_id=each.player_id, points=each.points,
                played_on=each.played_on, online=each.online, title=each.title, reason=reason[:300],
                source_key=f"{key}-{number}", posted_by=by,
            )
            for number, each in enumerate(wanted, 1)
        ],
        batch_size=1000,
    )  # fmt: skip
    _refresh(made, {entry.family for entry in made}, by and by.pk)
    return [entry.pk for entry in made]


def take_back_adjustment(entry_id: int, reason: str, by) -> int:
    """Take an adjustment back by another one, inside the caller's transaction; its id."""
    return take_back([entry_id], reason, by)[0]
