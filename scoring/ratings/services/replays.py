"""Compute the ratings of Go players again from a day on (a replay), and store those that differ.

Ratings are computed outside of transactions, and posted in a short transaction if no game or rating has
changed in the meantime. Differences are written to a temporary file, so that memory holds the players but not
the whole history.
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
from django.db.models.functions import Now

from scoring.ledger.services import queue
from scoring.ratings import notices
from scoring.ratings.history import RatingValues, advance, derive, read_history, states_before
from scoring.ratings.models import RatingEntrant, RatingReplay, RatingState, RatingTournament
from ui.chunks import chunks

logger = logging.getLogger(__name__)

CHUNK = 2000
# The lease is renewed after each batch of tournaments, which takes much less. Posting locks the row instead.
LEASE = timedelta(seconds=15)

# Plain SQL, because half a million rows may differ, and on SQLite all other writers wait meanwhile. The ORM
# takes ten times as long.
UPSERT_RATING = """INSERT INTO ratings_rating
    (entrant_id, regulation, before, after, reset_to, highest_before, games)
    VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT (entrant_id) DO UPDATE SET
    regulation = EXCLUDED.regulation, before = EXCLUDED.before, after = EXCLUDED.after,
    reset_to = EXCLUDED.reset_to, highest_before = EXCLUDED.highest_before, games = EXCLUDED.games"""
INSERT_CHANGE = """INSERT INTO ratings_ratingchange (replay_id, player_id, tournament_id, old, new)
    VALUES (%s, %s, %s, %s, %s)"""
UPDATE_PLAYER = """UPDATE ratings_ratedplayer SET rating = %s, grade = %s, last_played = %s, events = %s
    WHERE id = %s"""


class RatingsChanged(Exception):
    """Raised if games or ratings changed during the computation, which must start again."""


class RatingDifference(NamedTuple):
    """A computed rating that differs from the stored one. The first three fields are ids.

    old: the stored rating after the tournament; None if there is none
    new: the computed rating
    """

    tournament: int
    player: int
    entrant: int
    old: float | None
    new: RatingValues


class LatestRating(NamedTuple):
    """A player's rating, declared grade and last day of the latest rated tournament.

    events: the number of the player's rated tournaments
    """

    rating: float | None = None
    grade: str = ""
    day: date | None = None
    events: int = 0


def differences(
    since: date, progress: Callable[[int], object] = lambda done: None
) -> Iterator[RatingDifference]:
    """Yield the ratings that a replay from the day `since` on would change, in the order of the tournaments.

    progress: called after each batch with the number of tournaments read so far
    """
    events = RatingTournament.objects.counting().filter(end_date__gte=since)
    players = RatingEntrant.objects.filter(tournament__end_date__gte=since).values("player")
    states = states_before(since, players=players)
    for stored in read_history(events.only("end_date", "tournament_class"), progress):
        for entry, new in zip(stored.entries, derive(stored, states), strict=True):
            advance(states, entry, new)
            if entry.stored != new:
                old = entry.stored and entry.stored.after
                yield RatingDifference(stored.event.pk, entry.player, entry.entrant, old, new)


# --- Posting --------------------------------------------------------------------------------------------
def spool(differences: Iterable[RatingDifference], file: IO[bytes]) -> int:
    """Write differences to a file, to be read by `spooled`. Return the number of differences."""
    rows, count = iter(differences), 0
    while chunk := [tuple(row) for row in islice(rows, CHUNK)]:
        pickle.dump(chunk, file)
        count += len(chunk)
    return count


def spooled(file: IO[bytes]) -> Iterator[list[RatingDifference]]:
    """Yield the differences that `spool` wrote to the file, as lists of a limited length."""
    end = file.tell()
    file.seek(0)
    while file.tell() < end:
        yield [RatingDifference._make(row) for row in pickle.load(file)]  # noqa: S301 (written by this process)


@transaction.atomic
def post(
    chunks: Iterable[list[RatingDifference]], at_version: int, replay: RatingReplay | None = None
) -> None:
    """Store the new ratings, and a `RatingChange` for each changed rating.

    chunks: lists of the differences to store
    at_version: the `RatingState.version` before the computation
    replay: the replay that made the changes; without one, no `RatingChange` is stored

    Raise RatingsChanged if the version is another one by now.
    """
    if lock().version != at_version:
        raise RatingsChanged
    players: set[int] = set()
    for chunk in chunks:
        _post_chunk(chunk, replay)
        players.update(difference.player for difference in chunk)
    if players:
        refresh_players(players)
        bump()


def _post_chunk(chunk: list[RatingDifference], replay: RatingReplay | None) -> None:
    with connection.cursor() as cursor:
        cursor.executemany(UPSERT_RATING, [(row.entrant, *row.new) for row in chunk])
        changes = [
            (replay and replay.pk, row.player, row.tournament, row.old, row.new.after)
            for row in chunk
            if row.old != row.new.after
        ]
        if replay and changes:
            cursor.executemany(INSERT_CHANGE, changes)


def refresh_players(player_ids: Iterable[int]) -> None:
    """Update the columns of these players' `RatedPlayer` rows that are copied from their latest rating."""
    for ids in chunks(sorted(player_ids), CHUNK):
        rows = [
            (row.rating, row.grade, connection.ops.adapt_datefield_value(row.day), row.events, player)
            for player, row in latest_ratings(ids).items()
        ]
        with connection.cursor() as cursor:
            cursor.executemany(UPDATE_PLAYER, rows)


def latest_ratings(player_ids: list[int]) -> dict[int, LatestRating]:
    """Return {player id: latest rating}, read from the stored ratings of these players' tournaments.

    A player who was never rated gets an empty `LatestRating`.
    """
    latest: dict[int, tuple] = {}
    events: Counter[int] = Counter()
    rated = RatingEntrant.objects.filter(player__in=player_ids, result__isnull=False).order_by()
    for player, *row in rated.values_list(
        "player_id", "tournament__end_date", "tournament_id", "result__after", "declared"
    ):
        events[player] += 1
        if player not in latest or row[:2] > latest[player][:2]:
            latest[player] = row
    ratings = {player: LatestRating(*row[2:], row[0], events[player]) for player, row in latest.items()}
    return {player: ratings.get(player, LatestRating()) for player in player_ids}


def _state() -> RatingState:
    """Return the single row of `RatingState`, created if missing."""
    return RatingState.objects.get_or_create(pk=1)[0]


def lock() -> RatingState:
    """Lock the `RatingState` row until the transaction ends, and return it.

    Call it before changing games or ratings.
    """
    _state()
    return RatingState.objects.select_for_update().get(pk=1)


def bump() -> None:
    """Increase `RatingState.version`. Call it inside the transaction that changes games or ratings."""
    _state()
    RatingState.objects.filter(pk=1).update(version=F("version") + 1, changed_at=Now())


# --- Runs -----------------------------------------------------------------------------------------------
def request(since: date, by, tournament: RatingTournament | None = None, reason: str = "") -> RatingReplay:
    """Create a replay from the day `since` on, and return it.

    It is enqueued when the surrounding transaction commits.

    tournament: the tournament whose change made the replay necessary
    """
    replay = RatingReplay.objects.create(
        tournament=tournament,
        since=since,
        created_by=by,
        reason=reason,
        total=RatingTournament.objects.counting().filter(end_date__gte=since).count(),
    )
    queue.enqueue_on_commit(replay)
    return replay


def replay(replay_id: int) -> None:
    """Carry out a replay: claim it, compute the ratings and store those that differ. Safe to repeat.

    If the replay cannot be claimed, do nothing. After a temporary error the replay waits for its next
    attempt. Other errors are raised again.
    """
    queue.work_on(RatingReplay, replay_id, LEASE, _replay)


def _replay(run: RatingReplay) -> None:
    while not _try_replay(run):
        logger.info("replay %s starts again because games or ratings changed", run.pk)


def _try_replay(run: RatingReplay) -> bool:
    """Compute a replay and post it. Return False, without posting, if games or ratings changed meanwhile."""
    at_version = _state().version
    total = RatingTournament.objects.counting().filter(end_date__gte=run.since).count()
    queue.renew(run, LEASE, done=0, total=total)
    with tempfile.TemporaryFile() as file:
        changed = spool(differences(run.since, lambda done: queue.renew(run, LEASE, done=done)), file)
        try:
            with transaction.atomic():
                queue.lock_held(run)
                post(spooled(file), at_version, run)
                notices.tell_of(run)
                queue.finish(run, changed=changed)
        except RatingsChanged:
            return False
    return True
