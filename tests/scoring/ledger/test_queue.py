"""Rows of background work: only one worker at a time holds a row, and only the last to claim it can write."""

import threading
import time
from dataclasses import replace
from datetime import date, timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from scoring.ledger import work
from scoring.ledger.models.work import DONE, FAILED, PENDING, RUNNING
from scoring.ledger.services import queue
from scoring.ledger.tasks import OutOfMemory, perform
from scoring.ratings.models import RatingReplay
from tests.threads import at_once

pytestmark = pytest.mark.django_db

LEASE = timedelta(minutes=1)


@pytest.fixture
def row() -> RatingReplay:
    return RatingReplay.objects.create(since=date.min)


def claim(row):
    return queue.claim(RatingReplay, row.pk, LEASE)


def end_lease(row) -> None:
    """Let the lease of a claimed row expire."""
    RatingReplay.objects.filter(pk=row.pk).update(lease_until=timezone.now() - timedelta(microseconds=1))


def reloaded(row) -> RatingReplay:
    return RatingReplay.objects.get(pk=row.pk)


@pytest.mark.parametrize("kind", work.KINDS.values(), ids=work.KINDS)
def test_every_kind_of_work_has_the_states_of_the_queue(kind):
    assert {PENDING, RUNNING, DONE, FAILED} <= set(kind.model.State.values)


def test_a_task_without_memory_does_not_stop_its_worker(row, monkeypatch):
    """Celery stops a whole worker if a task raises MemoryError."""

    def fill(_row) -> None:
        raise MemoryError

    label = row._meta.label_lower
    kind = replace(work.KINDS[label], perform=lambda pk: queue.work_on(RatingReplay, pk, LEASE, fill))
    monkeypatch.setitem(work.KINDS, label, kind)
    for _attempt in range(queue.MAX_ATTEMPTS):
        with pytest.raises(OutOfMemory):
            perform(label, row.pk)
    assert reloaded(row).state == FAILED


def test_a_row_is_claimed_by_one_worker_at_a_time(row):
    mine = claim(row)
    assert (mine.state, mine.attempts) == ("running", 1)
    assert claim(row) is None
    assert queue.held(mine).exists()


def test_a_worker_whose_lease_ended_no_longer_holds_the_row(row):
    mine = claim(row)
    end_lease(row)
    other = claim(row)
    assert other.attempts == 2
    assert not queue.held(mine).exists()
    for act in (lambda: queue.renew(mine, LEASE), lambda: queue.lock_held(mine)):
        with pytest.raises(queue.LeaseLost), transaction.atomic():
            act()
    queue.hand_back(mine, ValueError("late"))
    queue.park(mine, ValueError("late"), RatingReplay.State.FAILED)
    assert (reloaded(row).state, reloaded(row).error, reloaded(row).lease_until) == (
        "running",
        "",
        other.lease_until,
    )


def test_a_worker_that_renews_its_lease_still_holds_the_row(row):
    mine = claim(row)
    before = mine.lease_until
    queue.renew(mine, LEASE, done=3)
    assert mine.lease_until > before
    assert (reloaded(row).lease_until, reloaded(row).done) == (mine.lease_until, 3)
    assert queue.held(mine).exists()


def test_a_failed_row_returns_to_the_queue_until_the_last_attempt(row):
    for attempt in range(1, queue.MAX_ATTEMPTS):
        queue.hand_back(claim(row), ValueError("example"))
        assert (reloaded(row).state, reloaded(row).attempts) == ("pending", attempt)
        assert reloaded(row).finished_at is None
    queue.hand_back(claim(row), ValueError("example"))
    assert (reloaded(row).state, reloaded(row).error) == ("failed", "ValueError: example")
    assert reloaded(row).finished_at is not None and reloaded(row).lease_until is None
    assert claim(row) is None


def test_a_row_whose_workers_die_again_and_again_is_parked(row):
    for _attempt in range(queue.MAX_ATTEMPTS):
        assert claim(row) is not None
        end_lease(row)
    assert claim(row) is None
    assert reloaded(row).state == "failed" and reloaded(row).lease_until is None


def test_a_row_is_not_updated_after_its_message_is_sent(row, monkeypatch):
    """The row is updated before its message is sent: after that, a worker may hold the row's lock."""
    times = []
    monkeypatch.setattr(perform, "apply_async", lambda row_of: times.append(reloaded(row).enqueued_at))
    queue.enqueue(RatingReplay, row.pk)
    assert times == [reloaded(row).enqueued_at]
    assert times[0] is not None


def test_a_message_that_the_broker_did_not_accept_is_sent_again_soon(row, monkeypatch):
    def away(row_of: tuple[str, int]) -> None:
        raise perform.OperationalError("no broker")

    monkeypatch.setattr(perform, "apply_async", away)
    RatingReplay.objects.update(created_at=timezone.now() - 2 * queue.FIRST_MESSAGE)
    queue.enqueue(RatingReplay, row.pk)
    assert reloaded(row).enqueued_at is None
    assert queue.find_lost(RatingReplay, 10) == [row.pk]


@pytest.mark.django_db(transaction=True)
def test_of_eight_workers_only_one_claims_a_row(row):
    taken = []
    assert at_once([lambda: taken.append(claim(row))] * 8) == []
    assert sum(item is not None for item in taken) == 1
    assert reloaded(row).attempts == 1


# --- Long reading -------------------------------------------------------------------------------------------
SHORT = timedelta(seconds=0.2)


def wait_for(condition) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.django_db(transaction=True)
def test_a_lease_is_renewed_while_a_worker_only_reads(row):
    claimed = queue.claim(RatingReplay, row.pk, SHORT)
    first = claimed.lease_until
    with queue.keeping(claimed, SHORT):
        wait_for(lambda: reloaded(row).lease_until > first)
    assert reloaded(row).lease_until == claimed.lease_until
    queue.finish(claimed)
    assert reloaded(row).state == DONE


@pytest.mark.django_db(transaction=True)
def test_a_lease_that_another_worker_took_is_not_renewed(row):
    claimed, threads = queue.claim(RatingReplay, row.pk, SHORT), threading.active_count()
    with queue.keeping(claimed, SHORT):
        end_lease(row)
        other = claim(row)
        wait_for(lambda: threading.active_count() == threads)
    queue.finish(claimed)
    assert (reloaded(row).state, reloaded(row).lease_until) == (RUNNING, other.lease_until)
