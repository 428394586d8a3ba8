"""Write the ledger. Every function runs in one short transaction."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

from django.contrib.auth.models import User
from django.db import transaction
from django.dispatch import Signal

from players.models import Proposal
from scoring.ledger.evaluation import FAMILY, Evaluation
from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.queries.awards import effective_awards
from scoring.ledger.queries.week import WEEK
from scoring.ledger.services import queue, standings, transfers
from scoring.ledger.snapshots import outcome_of
from tournaments.models import Tournament
from ui.chunks import chunks
from ui.clock import today

Kind = LedgerEntry.Kind
# Sent inside the transaction that posts a run, with `run`, `reversed_awards` (the awards that it took back)
# and `awards` (those that it gave).
posted = Signal()
UNDONE_KEY = "undone-"  # key prefix of reversals that undo an imported list


class Superseded(Exception):
    """A later revision, run or annulment is already posted. Posting this run would undo it."""


@transaction.atomic
def post(run: ScoringRun, evaluation: Evaluation | None) -> None:
    """Post a claimed run: reverse the tournament's awards and add the new ones.

    The run's row is locked first, then its tournament, so that workers with the same or competing runs wait
    for each other (on SQLite all write transactions do). Raise Superseded or LeaseLost.

    evaluation: result of scoring the run; None for a run that annuls the tournament
    """
    queue.lock_held(run)
    tournament = (
        # FOR NO KEY UPDATE: a merge that locked the standings may be inserting entries of this tournament.
        Tournament.objects.select_for_update(of=("self",), no_key=True)
        .select_related("published")
        .get(pk=run.tournament_id)
    )
    if is_superseded(tournament, run):
        raise Superseded("a newer ranking or calculation of this tournament is already posted")
    if tournament.published:
        # Wait for merges, which reverse awards too and hold these locks.
        standings.lock_states()
    reversed_awards = reverse_awards(tournament, run)
    awards = LedgerEntry.objects.bulk_create(award_entries(run, evaluation) if evaluation else ())
    tournament.published = run.revision
    tournament.save(update_fields=["published"])
    # A correction may change the family, so refresh both the old and the new one.
    families = {entry.family for entry in reversed_awards} | ({evaluation.family} if evaluation else set())
    _refresh((*reversed_awards, *awards), families, run.created_by_id)
    posted.send(sender=ScoringRun, run=run, reversed_awards=reversed_awards, awards=awards)
    # Finish last: if anything above fails, the run still has its lease and can be handed back.
    finish(run, evaluation)


def _refresh(entries: Iterable[LedgerEntry], families: Iterable[str], by_id: int | None) -> None:
    """Update the standings after posting entries, and move awards of merged players to the surviving ones.

    by_id: id of the user who posted the entries
    """
    player_ids = {entry.player_id for entry in entries}
    since = min((entry.played_on for entry in entries), default=None)
    standings.refresh(player_ids, families, since)
    transferred = transfers.transfer_merged(player_ids, by_id)
    if transferred:
        standings.refresh(transferred, families)
    if transferred or since is not None and since <= today() - WEEK:
        standings.bump(people=True)  # the standings of a week ago are others, too


def is_superseded(tournament: Tournament, run: ScoringRun) -> bool:
    """Return whether a later revision, or a later run of the same revision, is already posted."""
    published = tournament.published
    if published is None or published.number < run.revision.number:
        return False
    later = published.runs.filter(state=ScoringRun.State.DONE, number__gt=run.number)
    return published.number > run.revision.number or later.exists()


def award_entries(run: ScoringRun, evaluation: Evaluation) -> list[LedgerEntry]:
    """Return an unsaved award entry for each player of the run's ranking who earns points.

    Guests get none.
    """
    if not evaluation.points_by_position:
        return []
    seats = run.revision.seats.filter(player__isnull=False).order_by("pk")
    return entries_of(run, evaluation, seats.values_list("player_id", "contestant_id"))


def entries_of(
    run: ScoringRun, evaluation: Evaluation, seats: Iterable[tuple[int, int]]
) -> list[LedgerEntry]:
    """Return an unsaved award entry for each player in `seats` who earns points. No query.

    seats: (player id, contestant id) pairs
    """
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
        # Under some systems only the first places earn points.
        if player in points
    ]


def reverse_awards(tournament: Tournament, run: ScoringRun) -> list[LedgerEntry]:
    """Reverse all effective awards of the tournament. Return these awards, not their reversals."""
    entries = list(effective_awards(tournament))
    reason = run.reason or run.revision.reason
    LedgerEntry.objects.bulk_create(
        LedgerEntry(
            family=entry.family,
            kind=Kind.REVERSAL,
            player_id=entry.player_id,
            points=-entry.points,
            played_on=entry.played_on,
            online=entry.online,
            tournament_id=entry.tournament_id,
            run=run,
            contestant_id=entry.contestant_id,
            reverses=entry,
            reason=reason,
            posted_by_id=run.created_by_id,
        )
        for entry in entries
    )
    return entries


FINISHED = ["state", "eligible", "outcome", "error", "finished_at", "lease_until"]


def complete(run: ScoringRun, evaluation: Evaluation | None, at: datetime) -> None:
    """Set the fields of a run that finished at the time `at`, without saving it.

    evaluation: result of scoring the run; None for a run that annuls the tournament
    """
    run.state = ScoringRun.State.DONE
    run.eligible = bool(evaluation and evaluation.eligible)
    run.outcome = outcome_of(evaluation) if evaluation else {}
    run.error = ""
    run.finished_at = at
    run.lease_until = None


def finish(run: ScoringRun, evaluation: Evaluation | None) -> None:
    """Mark the run as done and store its outcome.

    evaluation: result of scoring the run; None for a run that annuls the tournament
    """
    complete(run, evaluation, queue.now())
    run.save(update_fields=FINISHED)


@dataclass(frozen=True, slots=True)
class OpeningRow:
    """An award from before this application was in use, as imported by the office. Points in hundredths."""

    player_id: int
    played_on: date
    title: str
    online: bool
    points: int

    @property
    def source_key(self) -> str:
        """The source key of the award's entry. A repeated import recognises a posted award by this key."""
        identity = f"{FAMILY}|{self.player_id}|{self.played_on}|{self.title}|{self.online}"
        return hashlib.sha256(identity.encode()).hexdigest()


@transaction.atomic
def post_opening(rows: Iterable[OpeningRow], by: User | None) -> list[int]:
    """Post opening awards that were not imported before. Return the ids of the new entries."""
    new = _new_rows({row.source_key: row for row in rows})
    posted = LedgerEntry.objects.bulk_create(
        (
            LedgerEntry(
                family=FAMILY,
                kind=Kind.OPENING,
                player_id=row.player_id,
                points=row.points,
                played_on=row.played_on,
                online=row.online,
                title=row.title,
                source_key=key,
                posted_by=by,
            )
            for key, row in new.items()
        ),
        batch_size=1000,
    )
    _refresh(posted, [FAMILY], by.pk if by else None)
    return [entry.pk for entry in posted]


def _new_rows(rows: dict[str, OpeningRow]) -> dict[str, OpeningRow]:
    """Return the rows to post, as {source key: row}: those whose award is not in the ledger yet."""
    return {free: rows[key] for key, free in free_keys(rows).items()}


def free_keys(keys: Iterable[str]) -> dict[str, str]:
    """Return {source key: the key with which its opening award can be posted}.

    Keys of awards that are in the ledger are left out. An award may be posted again if it was taken back
    because its imported list was undone. Its new key is derived from the old one, because every key is used
    only once.
    """
    free: dict[str, str] = {}
    wanted = {key: key for key in keys}  # {key to try: the caller's key}
    while wanted:
        reversal_keys: dict[str, str | None] = {}
        for part in chunks(wanted):
            entries = LedgerEntry.objects.filter(source_key__in=part)
            reversal_keys |= dict(entries.values_list("source_key", "reversed_by__source_key"))
        free |= {original: key for key, original in wanted.items() if key not in reversal_keys}
        wanted = {
            hashlib.sha256(f"{key}|again".encode()).hexdigest(): original
            for key, original in wanted.items()
            if is_undone(reversal_keys.get(key))
        }
    return free


def is_undone(source_key: str | None) -> bool:
    """Return whether this is the source key of a reversal that was posted to undo an imported list."""
    return (source_key or "").startswith(UNDONE_KEY)


def take_back(entry_ids: Iterable[int], reason: str, by: User | None) -> list[int]:
    """Take back entries inside the caller's transaction. Return the ids of the new entries.

    A taken-back adjustment gets an opposite adjustment; any other entry gets a reversal.
    """
    common = {"reason": reason[:300], "posted_by": by}
    posted: list[LedgerEntry] = []
    for ids in chunks(entry_ids):
        entries = LedgerEntry.objects.filter(pk__in=ids).select_related("tournament").order_by("pk")
        for entry in entries:
            counter = transfers.counter_entry(entry, common)
            counter.source_key = counter.source_key or f"{UNDONE_KEY}{entry.pk}"
            posted.append(counter)
    LedgerEntry.objects.bulk_create(posted, batch_size=1000)
    _refresh(posted, {entry.family for entry in posted}, by.pk if by else None)
    return [entry.pk for entry in posted]


# --- Adjustments, posted when a second person approves them ---------------------------------------------
class Adjustment(Protocol):
    """The data of an adjustment. `points` are in hundredths, and negative if points are deducted."""

    player_id: int
    family: str
    played_on: date
    title: str
    online: bool
    points: int


def proposal_key(proposal: Proposal) -> str:
    """Return the prefix of the source keys of entries that a proposal posts."""
    return f"proposal-{proposal.pk}"


def post_adjustments(adjustments: Iterable[Adjustment], key: str, reason: str, by: User | None) -> list[int]:
    """Post adjustments inside the caller's transaction. Return the ids of the new entries.

    key: prefix of the source keys of the new entries
    """
    posted = LedgerEntry.objects.bulk_create(
        [
            LedgerEntry(
                kind=Kind.ADJUSTMENT,
                family=adjustment.family,
                player_id=adjustment.player_id,
                points=adjustment.points,
                played_on=adjustment.played_on,
                online=adjustment.online,
                title=adjustment.title,
                reason=reason[:300],
                source_key=f"{key}-{number}",
                posted_by=by,
            )
            for number, adjustment in enumerate(adjustments, 1)
        ],
        batch_size=1000,
    )
    _refresh(posted, {entry.family for entry in posted}, by.pk if by else None)
    return [entry.pk for entry in posted]


def take_back_adjustment(entry_id: int, reason: str, by: User | None) -> int:
    """Take back an adjustment inside the caller's transaction. Return the id of the counter entry."""
    return take_back([entry_id], reason, by)[0]
