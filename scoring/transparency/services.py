"""Append to the transparency log, and sign checkpoints.

One worker at a time appends what was committed since the last time, so that posting never waits for the log.
"""

import logging
from datetime import timedelta
from secrets import token_hex
from time import monotonic

from django.db import IntegrityError, transaction
from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.services import queue
from scoring.transparency import keys, leaves, queries, transactions, witnessing
from scoring.transparency.models import Checkpoint, Leaf, LogState, Node, Pseudonym
from scoring.transparency.notes import Checkpoint as Note
from scoring.transparency.notes import InvalidNote, Signer
from scoring.transparency.tree import grown, leaf_hash
from ui.copying import copy_rows
from ui.shared import changes_only

logger = logging.getLogger(__name__)
PERSON, POSTED_AT = map(list(leaves.ENTRY).index, ("person", "posted_at"))

EVERY = timedelta(seconds=10)  # between two times of appending
SECONDS = 5.0  # for which one call of `append_if_due` goes on
SLICE = 5_000  # rows in one transaction
# No transaction that posts takes this long: what is older and not in the log yet can no longer be committed.
LONGEST = timedelta(hours=2)
# A transaction draws its first id a moment before it gets a number.
UNNUMBERED = timedelta(minutes=1)
# What keeps a log from being signed: it was changed, or its key is wrong.
FAULTS = (InvalidNote, LookupError, IntegrityError)


class LogDamaged(Exception):
    """The stored tree does not have the root that was signed before."""


def append_if_due() -> None:
    """Append to the log for some seconds, unless a worker did so just now. One query if not.

    A log that cannot be signed is reported, and must not keep the sweep from its other work.
    """
    with changes_only():
        # Only a clock that was ahead sets a time further ahead than EVERY.
        is_due = Q(due_at__lte=Now()) | Q(due_at__gt=Now() + 2 * EVERY)
        due = LogState.objects.filter(is_due, pk=1).update(due_at=Now() + EVERY)
    if not due:
        return
    try:
        append(SECONDS)
        witnessing.ask_if_due()
    except (LogDamaged, *FAULTS):
        logger.exception("the transparency log was not signed")


def append(seconds: float | None = None) -> int:
    """Append all that was committed and is not in the log yet, and sign a checkpoint. Return the log's size.

    seconds: for how long at most; what is left is appended the next time. None for no limit
    """
    deadline = None if seconds is None else monotonic() + seconds

    def goes_on() -> bool:
        return deadline is None or monotonic() < deadline

    with changes_only():  # pages in shared caches do not show the log
        more, after = True, 0
        while more and goes_on():
            more = _append_runs()
        while goes_on() and (last := _append_entries(after)):
            after = last
        sign()
    return queries.log_size()


def look_again() -> None:
    """Look at all runs and entries the next time, for those that were committed too late to be noticed."""
    LogState.objects.update(entries_to=0, runs_to=None)


@transaction.atomic
def _append_runs() -> bool:
    """Append runs that were posted, in the order in which they finished. Return whether more are left."""
    state = _locked_state()
    runs = ScoringRun.objects.filter(state=ScoringRun.State.DONE, leaf=None)
    settled = queue.now() - LONGEST
    if state.runs_to:  # the clock may have been ahead
        runs = runs.filter(finished_at__gte=min(state.runs_to, settled))
    chosen = runs.order_by("finished_at", "pk")
    rows = list(chosen.values_list("pk", "finished_at", *leaves.RUN.values())[:SLICE])
    data = ((pk, leaves.canonical(leaves.leaf_of(values, leaves.RUN, "run"))) for pk, _at, *values in rows)
    _add(state, [(None, pk, leaf) for pk, leaf in data])
    more = len(rows) == SLICE
    state.runs_to = min(rows[-1][1] or settled, settled) if more else settled
    state.save()
    return more


@transaction.atomic
def _append_entries(after: int) -> int | None:
    """Append ledger entries, in the order of their ids. Return the id of the last one; None if none is left.

    after: the entries up to this id were appended by the caller
    """
    state = _locked_state()
    settled = not after and _is_settled(state)
    in_log = last_in_log() if settled else 0
    new = _new_entries(max(after, state.entries_to))
    rows = list(new.values_list("pk", "player_id", *leaves.ENTRY.values())[:SLICE])
    codes = _named({player for _pk, player, *values in rows if values[PERSON] is None})
    data = ((pk, leaves.entry_leaf(values, codes.get(player))) for pk, player, *values in rows)
    _add(state, [(pk, None, leaf) for pk, leaf in data])
    more, now = len(rows) == SLICE, queue.now()
    if state.appended_at is None:  # the first time: entries may be years old
        old = [pk for pk, _player, *values in rows if values[POSTED_AT] < now - LONGEST]
        state.entries_to = max([state.entries_to, *old])
    if not more:
        state.appended_at = now
    if settled and not more:  # what was committed before all had ended is among the rows
        state.entries_to = max(state.entries_to, state.seen_to)
        state.seen_to, state.seen_at, state.seen_before = in_log, now, None
    state.save()
    return rows[-1][0] if more else None


def _new_entries(after: int) -> QuerySet[LedgerEntry]:
    """Return the entries with a larger id that are not in the log, in the order of their ids.

    The bound stands on both sides of the join. Otherwise PostgreSQL reads all leaves.
    """
    own_leaf = Leaf.objects.filter(entry=OuterRef("pk"), entry__gt=after)
    return LedgerEntry.objects.filter(~Exists(own_leaf), pk__gt=after).order_by("pk")


def _is_settled(state: LogState) -> bool:
    """Return whether no entry up to `seen_to` can be committed any more. Note `seen_before` when it is time.

    By the clock of the database, because the hosts that date entries may have a wrong one. In a database that
    was restored elsewhere the numbers of transactions begin anew, and only the time counts. A time that is
    still to come was noted by a clock that was ahead.
    """
    if state.seen_at is None:
        return True
    since = queue.now() - state.seen_at
    if since >= LONGEST:
        return True
    if state.seen_before is None and not timedelta(0) <= since < UNNUMBERED:
        state.seen_before = transactions.own_number()
        return False
    return state.seen_before is not None and transactions.have_ended(state.seen_before)


def last_in_log() -> int:
    """Return the highest id of an entry in the log; 0 if there is none."""
    return Leaf.objects.aggregate(last=Max("entry"))["last"] or 0


def _locked_state() -> LogState:
    return LogState.objects.select_for_update().get_or_create(pk=1)[0]


def _named(player_ids: set[int]) -> dict[int, str]:
    """Give a pseudonym to players who have none. Return {player id: pseudonym}."""
    codes = {player: token_hex(16) for player in sorted(player_ids)}
    Pseudonym.objects.bulk_create(Pseudonym(player_id=player, code=code) for player, code in codes.items())
    return codes


def _add(state: LogState, rows: list[tuple[int | None, int | None, bytes]]) -> None:
    """Add leaves, and the nodes above them, to the tree.

    rows: (entry id, run id, data) of each leaf
    """
    hashes = [leaf_hash(data) for _entry, _run, data in rows]
    nodes = list(grown(state.size, queries.hashes, hashes))
    leaf_rows = (
        (state.size + number, hash_, entry, run)
        for number, (hash_, (entry, run, _data)) in enumerate(zip(hashes, rows, strict=True))
    )
    copy_rows(Leaf, ["id", "hash", "entry", "run"], leaf_rows)
    copy_rows(Node, ["level", "number", "hash"], nodes)
    state.size += len(rows)


@transaction.atomic
def sign() -> Checkpoint | None:
    """Sign a checkpoint of the log. Return it; None without a key, or if the latest one still holds.

    Raise LogDamaged if the log no longer begins with what the latest checkpoint says.
    """
    signer = keys.signer()
    if signer is None:
        return None
    state = _locked_state()
    latest = queries.latest_checkpoint()
    if latest:
        if state.size < latest.size or queries.stored_tree(latest.size).root() != bytes(latest.root):
            raise LogDamaged(f"the log does not begin with the {latest.size} leaves that were signed")
        if latest.size == state.size and signed_by(latest, signer):
            return None
    note = Note(signer.name, state.size, queries.stored_tree(state.size).root())
    text = f"{note.body}\n{signer.sign(note.body)}"
    return Checkpoint.objects.create(size=note.size, root=note.root, note=text)


def signed_by(checkpoint: Checkpoint, signer: Signer) -> bool:
    """Return whether this key signed the checkpoint. After a change of keys, the new one has not."""
    return bool(Note.parse(checkpoint.note).signed_by([signer.verifier()]))
