"""After a failure of the database, or of the machine that it runs on, background work waits.

Such failures do not count towards parking a row of work; errors of the work itself do. A timeout counts if
other work of the same kind succeeds meanwhile.
"""

from datetime import date, timedelta
from types import SimpleNamespace

import pytest
from billiard.exceptions import SoftTimeLimitExceeded
from django.db import DataError, InternalError, OperationalError
from django.utils import timezone

from scoring.ledger.services import queue
from scoring.ratings.models import RatingReplay

pytestmark = pytest.mark.django_db

LEASE = timedelta(seconds=15)
HOUR = timedelta(hours=1)


class Driver(Exception):
    """An error as psycopg or sqlite3 raises it, with its error code."""

    def __init__(self, sqlstate: str | None = None, sqlite_errorname: str | None = None) -> None:
        super().__init__("as the driver says it")
        self.sqlstate, self.sqlite_errorname = sqlstate, sqlite_errorname


def database_error(
    kind: type[Exception], sqlstate: str | None = None, sqlite: str | None = None
) -> Exception:
    error = kind("no")
    error.__cause__ = Driver(sqlstate, sqlite)
    return error


LOST = OperationalError("the connection is closed")
FULL = database_error(OperationalError, "53100")
STATEMENT_TIMEOUT = database_error(OperationalError, "57014")
TRANSIENT = [
    LOST,
    FULL,
    STATEMENT_TIMEOUT,
    *(
        database_error(OperationalError, state)
        for state in ("53200", "53300", "55P03", "40P01", "40001", "57P01")
    ),
    database_error(InternalError, "25006"),
    *(
        database_error(OperationalError, None, f"SQLITE_{name}")
        for name in ("FULL", "BUSY", "READONLY_DBMOVED")
    ),
]


@pytest.fixture
def row() -> RatingReplay:
    return RatingReplay.objects.create(since=date.min)


def claim(row):
    return queue.claim(RatingReplay, row.pk, LEASE)


def age_row(row, span: timedelta) -> None:
    """Move the row's times into the past by `span`, as if this time had passed."""
    waits = RatingReplay.objects.get(pk=row.pk)
    waits.not_before -= span
    waits.created_at -= span
    waits.save(update_fields=["not_before", "created_at"])


def finish_other_row() -> None:
    RatingReplay.objects.create(
        since=date.min, state=RatingReplay.State.DONE, finished_at=timezone.now() + timedelta(seconds=1)
    )


@pytest.mark.parametrize("error", TRANSIENT, ids=lambda error: f"{error.__cause__ and vars(error.__cause__)}")
def test_work_that_the_database_cannot_do_is_tried_again_for_hours(row, error):
    for attempt in range(1, 20):
        assert queue.hand_back(claim(row), error)
        row.refresh_from_db()
        assert (row.state, row.attempts, row.failures) == ("pending", 0, attempt)
        assert row.not_before and row.lease_until is None
        age_row(row, HOUR)


@pytest.mark.parametrize(
    "error",
    [
        ValueError("a bug"),
        database_error(DataError, "22003"),
        database_error(OperationalError, None, "SQLITE_ERROR"),
    ],
)
def test_work_that_fails_for_its_own_errors_is_parked(row, error):
    for _attempt in range(queue.MAX_ATTEMPTS):
        assert not queue.hand_back(claim(row), error)
    row.refresh_from_db()
    assert (row.state, row.attempts) == ("failed", queue.MAX_ATTEMPTS)


def test_the_wait_between_attempts_grows_up_to_some_seconds(row):
    waits = []
    for _attempt in range(10):
        before = queue.now()
        queue.hand_back(claim(row), FULL)
        row.refresh_from_db()
        waits.append(round((row.not_before - before).total_seconds()))
        age_row(row, HOUR)
    assert waits == [5, *[queue.LONGEST_WAIT.total_seconds()] * 9]


def test_waiting_work_is_not_claimed_or_enqueued_until_its_time(row):
    queue.hand_back(claim(row), FULL)
    age_row(row, timedelta(seconds=0))
    RatingReplay.objects.update(created_at=timezone.now() - HOUR)
    assert claim(row) is None and queue.find_lost(RatingReplay, 10) == []
    age_row(row, HOUR)
    assert queue.find_lost(RatingReplay, 10) == [row.pk]
    assert claim(row).not_before is None


@pytest.mark.parametrize("error", [STATEMENT_TIMEOUT, SoftTimeLimitExceeded()])
def test_work_that_alone_takes_too_long_is_parked(row, error):
    waits = []
    for _attempt in range(queue.MAX_ATTEMPTS):
        mine = claim(row)
        finish_other_row()
        waits.append(queue.hand_back(mine, error))
        row.refresh_from_db()
        if row.not_before:
            age_row(row, HOUR)
    assert (row.state, row.timeouts) == ("failed", queue.MAX_ATTEMPTS)
    assert waits == [True] * (queue.MAX_ATTEMPTS - 1) + [False]


def test_work_waits_if_all_other_work_takes_too_long_as_well(row):
    finish_other_row()
    RatingReplay.objects.update(finished_at=timezone.now() - HOUR)
    for _attempt in range(2 * queue.MAX_ATTEMPTS):
        queue.hand_back(claim(row), STATEMENT_TIMEOUT)
        row.refresh_from_db()
        age_row(row, HOUR)
    assert (row.state, row.timeouts) == ("pending", 0)


def test_a_worker_that_cannot_return_a_row_keeps_trying(row, monkeypatch):
    """A worker that cannot return a row to the queue tries again, and the attempt is not counted.

    A full disk, for example, can stop both the work and the return.
    """
    mine, refusals = claim(row), [FULL, LOST]

    def held(row):
        if refusals:
            raise refusals.pop()
        return real(row)

    real, pauses = queue.held, []
    monkeypatch.setattr(queue, "held", held)
    monkeypatch.setattr(queue, "pause", pauses.append)
    queue.hand_back(mine, FULL)
    row.refresh_from_db()
    assert (row.state, row.attempts, len(pauses)) == ("pending", 0, 2)


def test_a_worker_stops_trying_to_return_a_row_after_a_while_or_if_waiting_is_no_help(row, monkeypatch):
    mine, clock, errors, pauses = claim(row), iter([100, 110, 159, 161]), [], []

    def pause(seconds):
        pauses.append(seconds)
        assert len(pauses) < 5, "waits for ever"

    def refuse(row):
        raise errors[0]

    monkeypatch.setattr(queue, "held", refuse)
    monkeypatch.setattr(queue, "pause", pause)
    monkeypatch.setattr(queue, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    errors.append(FULL)
    with pytest.raises(OperationalError):
        queue.hand_back(mine, FULL)
    assert len(pauses) == 2  # retried after 10 and 59 seconds, not after 61
    clock = iter([100, 100])
    errors[0] = DataError("a bug")
    with pytest.raises(DataError):
        queue.hand_back(mine, FULL)
    assert len(pauses) == 2


def test_all_parked_work_can_be_retried_at_once(row):
    other = RatingReplay.objects.create(since=date.min)
    for item in (row, other):
        for _attempt in range(queue.MAX_ATTEMPTS):
            queue.hand_back(claim(item), ValueError("a bug"))
    RatingReplay.objects.filter(pk=other.pk).update(
        failures=4, timeouts=3, not_before=timezone.now() + HOUR, enqueued_at=timezone.now()
    )
    assert queue.retry_parked() == 2
    other.refresh_from_db()
    assert (other.state, other.attempts, other.failures, other.timeouts) == ("pending", 0, 0, 0)
    assert (other.error, other.not_before, other.finished_at, other.enqueued_at) == ("", None, None, None)
    assert claim(row).attempts == 1
    assert queue.retry_parked() == 0


# --- Wrong clocks -------------------------------------------------------------------------------------------
def test_a_lease_far_in_the_future_does_not_hold_a_row(row):
    """A lease that ends far in the future was set by a wrong clock, so other workers may claim the row."""
    assert claim(row)
    RatingReplay.objects.update(lease_until=timezone.now() + HOUR)
    assert queue.find_lost(RatingReplay, 10) == [row.pk]
    assert claim(row).attempts == 2


def test_no_lease_is_longer_than_the_longest(row):
    mine = queue.claim(RatingReplay, row.pk, HOUR)
    assert mine.lease_until <= queue.now() + queue.LONGEST_LEASE
    queue.renew(mine, HOUR)
    assert mine.lease_until <= queue.now() + queue.LONGEST_LEASE


def test_a_host_with_a_wrong_clock_hides_no_work(row):
    """Rows whose times are in the future, because of a host with a wrong clock, are processed at once."""
    RatingReplay.objects.update(created_at=timezone.now() + HOUR)
    assert queue.find_lost(RatingReplay, 10) == [row.pk]
    RatingReplay.objects.update(enqueued_at=timezone.now() + HOUR)
    assert queue.find_lost(RatingReplay, 10) == [row.pk]


def test_an_error_text_that_is_too_long_is_cut(row):
    queue.hand_back(claim(row), ValueError("x" * 3000))
    row.refresh_from_db()
    assert row.error == "ValueError: " + "x" * (2000 - len("ValueError: "))
