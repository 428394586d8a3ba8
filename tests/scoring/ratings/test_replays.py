"""Replays of whole histories: they equal the receipts to the last digit and store everything or nothing."""

import threading
from dataclasses import replace
from datetime import date, timedelta
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoring.ledger.services import queue
from scoring.ratings import history
from scoring.ratings.models import Rating, RatingChange, RatingGame, RatingReplay, RatingTournament
from scoring.ratings.queries import recompute
from scoring.ratings.services import register, replays
from tests.scoring.ratings import makers
from tournaments.formats.go_types import GoGame

pytestmark = pytest.mark.django_db

GRADES = ["12k", "9k", "5k", "2k", "1k", "1d", "4d"]


def random_history(size: int = 14) -> None:
    """Register tournaments of both systems, with handicaps, draws, forfeits, resets, new and idle players."""
    rng = Random(3)
    for k in range(size):
        players = tuple(
            replace(person, grade=rng.choice(GRADES), rating=rng.choice(["", "", "1234"]))
            for person in makers.people(8, rng.randrange(1, 5))
        )
        games = []
        for number in range(1, 4):
            seats = rng.sample(range(1, 9), 6)
            for first, other in zip(seats[::2], seats[1::2], strict=True):
                score, stones = rng.choice(["1", "0", "0.5"]), rng.choice([0, 0, 3, 9])
                reason = rng.choice(["", "", "", "forfeit"])
                games.append(GoGame(number, first, other, score, stones, True, reason, len(games) + 1))
        event = makers.event(
            f"Copa {k}", date(2020, 6, 1) + timedelta(days=30 * k), players, [], rng.choice("ABCD")
        )
        register.register(replace(event, result=replace(event.result, games=tuple(games))), None)


def stored_ratings() -> dict[int, tuple]:
    return {pk: tuple(rest) for pk, *rest in Rating.objects.values_list("pk", *history.RatingValues._fields)}


def replay_since(since: date = date.min) -> RatingReplay:
    """Request a replay and perform it, like a worker."""
    run = RatingReplay.objects.create(since=since)
    replays.replay(run.pk)
    run.refresh_from_db()
    return run


def test_a_replay_gives_exactly_the_ratings_of_the_receipts():
    random_history()
    assert replay_since().changed == Rating.objects.count() == 14 * 8
    standings: dict[int, history.PlayerState] = {}
    for event in RatingTournament.objects.all():
        entrants, games = list(event.entrants.order_by("position")), event.games.all()
        values, rated = history.rate(event, entrants, games, standings)
        assert [stored_ratings()[entry.pk] for entry in entrants] == values
        assert [change.after for change in recompute(event).rated.changes] == [
            change.after for change in rated.changes
        ]
        for entrant, item in zip(entrants, values, strict=True):
            highest = history.higher_grade(item.highest_before, entrant.declared)
            standings[entrant.player_id] = history.PlayerState(item.after, highest)
    assert {entry[3] for entry in stored_ratings().values()} > {None}  # some ratings were reset
    assert {entry[0] for entry in stored_ratings().values()} == {"egf-classic", "egf-2021"}


def test_a_replay_from_the_middle_gives_the_same_ratings_as_from_the_beginning():
    random_history()
    replay_since()
    whole = stored_ratings()
    middle = RatingTournament.objects.all()[7].end_date
    Rating.objects.filter(entrant__tournament__end_date__gte=middle).delete()
    assert replay_since(middle).changed == 7 * 8
    assert stored_ratings() == whole


def test_posting_in_small_chunks_gives_the_same_ratings(monkeypatch):
    random_history()
    replay_since()
    whole, changes = stored_ratings(), RatingChange.objects.count()
    players = list(makers.RatedPlayer.objects.order_by("pk").values())
    Rating.objects.all().delete()
    monkeypatch.setattr(replays, "CHUNK", 5)
    monkeypatch.setattr(history, "BATCH", 3)
    replay_since()
    assert stored_ratings() == whole
    assert RatingChange.objects.count() == 2 * changes
    assert list(makers.RatedPlayer.objects.order_by("pk").values()) == players


def test_reading_a_history_makes_two_queries_per_batch():
    random_history(4)
    replay_since()

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert list(replays.differences(date.min)) == []
        return len(captured)

    assert queries() == 4  # the ratings before, the tournaments, the entrants, the games


def test_a_classic_rating_above_3300_enters_the_2021_system_at_its_maximum():
    """A classic rating of 4000 becomes 3299.99 in the 2021 system, which is only defined below 3300."""
    first, two = makers.people(2, grade="9d")
    makers.registered(makers.event("Antes", date(2020, 1, 1), (replace(first, rating="4000"), two), []))
    later = makers.registered(makers.event("Después", date(2021, 1, 1), (first, two), [(1, 1, 2, "0")]))
    response = Rating.objects.get(entrant__tournament=later, entrant__player__name="Uno 1")
    assert response.before == 3299.99
    assert 3299 < response.after <= 3299.99


# --- Workers --------------------------------------------------------------------------------------------
def test_a_replay_that_fails_while_posting_stores_nothing(monkeypatch):
    random_history(4)
    real = replays._post_chunk
    seen = []

    def broken(chunk, replay):
        seen.append(len(chunk))
        if len(seen) == 3:
            raise OSError("disk full")
        real(chunk, replay)

    monkeypatch.setattr(replays, "CHUNK", 5)
    monkeypatch.setattr(replays, "_post_chunk", broken)
    run = RatingReplay.objects.create(since=date.min)
    with pytest.raises(OSError, match="disk full"):
        replays.replay(run.pk)
    run.refresh_from_db()
    assert (run.state, run.error, run.lease_until) == ("pending", "OSError: disk full", None)
    assert not Rating.objects.exists() and not RatingChange.objects.exists()


def test_games_registered_during_a_replay_are_rated_too(monkeypatch):
    """Games registered during a replay are rated by it too: it starts again within the same attempt."""
    event, run = register.register(makers.event("Copa 1", date(2026, 1, 1)), None)
    late = makers.event("Copa 2", date(2026, 2, 1))
    real, calls = replays.spool, []

    def spool(*arguments):
        number = real(*arguments)
        if not calls:
            register.register(late, None)
        calls.append(number)
        return number

    monkeypatch.setattr(replays, "spool", spool)
    replays.replay(run.pk)
    run.refresh_from_db()
    assert calls == [4, 8]
    assert (run.state, run.attempts, run.changed, run.total) == ("done", 1, 8, 2)
    assert list(replays.differences(date.min)) == []


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_lost_its_lease_writes_nothing(monkeypatch):
    """A worker that lost its lease writes nothing.

    It is blocked for longer than its lease, and meanwhile a second worker finishes the replay.
    """
    event, run = register.register(makers.event("Copa 1", date(2026, 1, 1)), None)
    hanging, go_on = threading.Event(), threading.Event()
    real, slow, posted = replays.spool, [], []

    def spool(*arguments):
        number = real(*arguments)
        if threading.current_thread() in slow:
            hanging.set()
            assert go_on.wait(30)
        return number

    real_post = replays.post

    def post(*arguments):
        real_post(*arguments)
        posted.append(threading.current_thread())

    def work() -> None:
        try:
            replays.replay(run.pk)
        finally:
            connection.close()

    monkeypatch.setattr(replays, "spool", spool)
    monkeypatch.setattr(replays, "post", post)
    first = threading.Thread(target=work)
    slow.append(first)
    first.start()
    assert hanging.wait(30)
    RatingReplay.objects.update(lease_until=timezone.now() - timedelta(microseconds=1))
    assert queue.find_lost(RatingReplay, 10) == [run.pk]
    replays.replay(run.pk)
    run.refresh_from_db()
    finished = run.finished_at
    go_on.set()
    first.join()
    run.refresh_from_db()
    assert posted == [threading.current_thread()]
    assert (run.state, run.attempts, run.finished_at) == ("done", 2, finished)
    assert RatingChange.objects.count() == 4


def test_a_worker_that_lost_its_lease_stops_while_computing(monkeypatch):
    random_history(4)
    run = RatingReplay.objects.create(since=date.min)
    taken = []

    def taken_over(*arguments):
        RatingReplay.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(microseconds=1))
        taken.append(queue.claim(RatingReplay, run.pk, replays.LEASE))
        return []

    monkeypatch.setattr(history, "BATCH", 1)
    monkeypatch.setattr(history, "_games", lambda batch: {})
    monkeypatch.setattr(history, "derive", taken_over)
    monkeypatch.setattr(replays, "derive", taken_over)
    monkeypatch.setattr(history, "_entries", lambda batch: {})
    replays.replay(run.pk)
    assert len(taken) == 1  # it stopped before the next tournament
    run.refresh_from_db()
    assert (run.state, run.attempts, run.lease_until) == ("running", 2, taken[0].lease_until)
    assert not Rating.objects.exists()


def test_the_row_of_a_replay_stores_its_progress(monkeypatch):
    random_history(4)
    run = RatingReplay.objects.create(since=date.min)
    seen = []
    real = replays.derive

    def derive(*arguments):
        seen.append(RatingReplay.objects.get(pk=run.pk).done)
        return real(*arguments)

    monkeypatch.setattr(replays, "derive", derive)
    monkeypatch.setattr(history, "BATCH", 2)
    replays.replay(run.pk)
    assert seen == [0, 0, 2, 2]
    assert RatingGame.objects.count() == 4 * 9
