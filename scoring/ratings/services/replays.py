"""Replaying the ratings of Go players from a day on, and posting what differs.

Computing goes on outside any transaction; a short one posts, if nothing has changed meanwhile. What differs
waits in a temporary file, so that memory holds the players but not the history.
"""

import logging
import pickle
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from itertools import islice
from typing import IO, NamedTuple

from django.db import connection, transaction
from django.db.models import F

from scoring.ledger.services import queue
from scoring.ratings.history import Values, derive, history, move_on, standings_before
from scoring.ratings.models import RatingEntrant, RatingReplay, RatingState, RatingTournament
from ui.chunks import chunks

logger = logging.getLogger(__name__)

CHUNK = 2000
# Renewed after each batch of tournaments, which takes far less; while posting, the row is locked.
LEASE = timedelta(seconds=15)

# Written out, because half a million rows may differ: on SQLite, where everybody else waits meanwhile, this
# takes a tenth of the time that making as many objects takes.
STORE = """INSERT INTO ratings_rating (entrant_id, regulation, before, after, reset_to, highest_before, games)
    VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT (entrant_id) DO UPDATE SET
    regulation = EXCLUDED.regulation, before = EXCLUDED.before, after = EXCLUDED.after,
    reset_to = EXCLUDED.reset_to, highest_before = EXCLUDED.highest_before, games = EXCLUDED.games"""
NOTE = """INSERT INTO ratings_ratingchange (replay_id, player_id, tournament_id, old, new)
    VALUES (%s, %s, %s, %s, %s)"""
REPEAT = """UPDATE ratings_ratedplayer SET rating = %s, grade = %s, last_played = %s, events = %s
    WHERE id = %s"""


class Overtaken(Exception):
    """Games or ratings changed while these were computed: they have to be computed anew."""


class Difference(NamedTuple):
    """A rating that is not stored as it was derived; `old` is the stored rating, None if there is none."""

    tournament: int
    player: int
    entrant: int
    old: float | None
    new: Values


class Last(NamedTuple):
    """A player's last rating and grade, when that was, and the number of tournaments."""

    rating: float | None = None
    grade: str = ""
    day: date | None = None
    events: int = 0


def differences(since: date, tell: Callable[[int], object] = lambda done: None) -> Iterator[Difference]:
    """What a replay from a day on would change, in order. `tell` hears how many tournaments are done."""
    events = RatingTournament.objects.counting().filter(end_date__gte=since)
    players = RatingEntrant.objects.filter(tournament__end_date__gte=since).values("player")
    standings = standings_before(since, players=players)
    for played in history(events.only("end_date", "tournament_class"), tell):
        for entry, new in zip(played.entries, derive(played, standings), strict=True):
            move_on(standings, entry, new)
            if entry.stored != new:
                old = entry.stored and entry.stored.after
                yield Difference(played.event.pk, entry.player, entry.entrant, old, new)


# --- Posting --------------------------------------------------------------------------------------------
def spool(found: Iterable[Difference], file: IO[bytes]) -> int:
    """Write differences to a file, to be read by `spooled`; returns how many there were."""
    rows, number = iter(found), 0
    while chunk := [tuple(each) for each in islice(rows, CHUNK)]:
        pickle.dump(chunk, file)
        number += len(chunk)
    return number


def spooled(file: IO[bytes]) -> Iterator[list[Difference]]:
    """What `spool` wrote, some at a time."""
    end = file.tell()
    file.seek(0)
    while file.tell() < end:
        yield [Difference._make(each) for each in pickle.load(file)]  # noqa: S301 (written by this process)


@transaction.atomic
def post(chunks: Iterable[list[Difference]], at_version: int, replay: RatingReplay | None = None) -> None:
    """Store differences, and each with its old and new value. Raises Overtaken."""
    if lock().version != at_version:
        raise Overtaken
    players: set[int] = set()
    for chunk in chunks:
        _post_chunk(chunk, replay)
        players.update(each.player for each in chunk)
    if players:
        refresh_players(players)
        bump()


def _post_chunk(chunk: list[Difference], replay: RatingReplay | None) -> None:
    with connection.cursor() as cursor:
        cursor.executemany(STORE, [(each.entrant, *each.new) for each in chunk])
        changes = [
            (replay and replay.pk, each.player, each.tournament, each.old, each.new.after)
            for each in chunk
            if each.old != each.new.after
        ]
        if replay and changes:
            cursor.executemany(NOTE, changes)


def refresh_players(player_ids: Iterable[int]) -> None:
    """Repeat on the players what their last ratings say."""
    for ids in chunks(sorted(player_ids), CHUNK):
        _refresh_chunk(ids)


def _refresh_chunk(ids: list[int]) -> None:
    rows = [(*_columns(last), player) for player, last in last_ratings(ids).items()]
    with connection.cursor() as cursor:
        cursor.executemany(REPEAT, rows)


def _columns(last: Last) -> tuple:
    return (last.rating, last.grade, connection.ops.adapt_datefield_value(last.day), last.events)


def last_ratings(player_ids: list[int]) -> dict[int, Last]:
    """What the players' rows have to repeat."""
    found: dict[int, tuple] = {}
    events: Counter[int] = Counter()
    rated = RatingEntrant.objects.filter(player__in=player_ids, result__isnull=False).order_by()
    for player, *row in rated.values_list(
        "player_id", "tournament__end_date", "tournament_id", "result__after", "declared"
    ):
        events[player] += 1
        if player not in found or row[:2] > found[player][:2]:
            found[player] = row
    last = {player: Last(*row[2:], row[0], events[player]) for player, row in found.items()}
    return {player: last.get(player, Last()) for player in player_ids}


def _state() -> RatingState:
    """The one row."""
    return RatingState.objects.get_or_create(pk=1)[0]


def lock() -> RatingState:
    """Hold the state until the transaction ends; who changes games or ratings takes it first."""
    _state()
    return RatingState.objects.select_for_update().get(pk=1)


def bump() -> None:
    """Games or ratings have changed; to be called inside the transaction that changes them."""
    _state()
    RatingState.objects.filter(pk=1).update(version=F("version") + 1)


# --- Runs -----------------------------------------------------------------------------------------------
def ask(since: date, by, tournament: RatingTournament | None = None, reason: str = "") -> RatingReplay:
    """Ask for a replay; the workers are told once the surrounding transaction is really there."""
    replay = RatingReplay.objects.create(
        tournament=tournament, since=since, created_by=by, reason=reason,
        total=RatingTournament.objects.counting().filter(end_date__gte=since).count(),
    )  # fmt: skip
    queue.enqueue_on_commit(replay)
    return replay


def replay(replay_id: int) -> None:
    """Compute and post a replay. Safe to repeat; raises what is wrong with the replay itself."""
    run = queue.claim(RatingReplay, replay_id, LEASE)
    if run is None:
        return
    try:
        while not _replayed(run):
            logger.info("replay %s was overtaken by other games and begins again", replay_id)
    except queue.LeaseLost:
        logger.warning("replay %s was taken over by another worker", replay_id)
    except Exception as error:
        if not queue.hand_back(run, error):
            raise


def _replayed(run: RatingReplay) -> bool:
    """Compute and post; False where games or ratings changed meanwhile, so that nothing was posted."""
    at_version = _state().version
    total = RatingTournament.objects.counting().filter(end_date__gte=run.since).count()
    queue.renew(run, LEASE, done=0, total=total)
    with tempfile.TemporaryFile() as file:
        number = spool(differences(run.since, lambda done: queue.renew(run, LEASE, done=done)), file)
        try:
            with transaction.atomic():
                queue.lock_held(run)
                post(spooled(file), at_version, run)
                queue.held(run).update(
                    state=RatingReplay.State.DONE, finished_at=queue.now(), lease_until=None,
                    changed=number, error="",
                )  # fmt: skip
        except Overtaken:
            return False
    return True
