"""The health check, and the page that readers get while the database is unavailable."""

import sqlite3
import time
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import DatabaseError, InterfaceError, InternalError, OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone
from psycopg.errors import DiskFull, ReadOnlySqlTransaction

from federation import fitness, health, heartbeat, sweeping
from players.models import Player
from scoring.ledger.models import ScoringRun, StandingsState
from scoring.ledger.services import runs, standings, sweeper
from scoring.promotions.models import CampaignTask
from scoring.ratings.models import RatingReplay
from tests import factories as make
from tests.scoring.promotions.campaigns import create_people, draft

URL = "/salud/"


def break_database(monkeypatch, error=OperationalError) -> None:
    """Make every query fail as if the database server had stopped."""

    def fail(*_args, **_kwargs):
        raise error("the server closed the connection")

    monkeypatch.setattr(BaseDatabaseWrapper, "cursor", fail)


@pytest.mark.django_db
def test_health_is_degraded_before_the_first_worker_has_swept(client):
    assert client.get(URL).json() == {
        "status": "degraded",
        "database": True,
        "writable": True,
        "migrations_missing": False,
        "rights_missing": False,
        "files": "ok",
        "standings_as_of": None,
        "worker_seconds": None,
        "oldest_seconds": None,
        "parked": 0,
    }


@pytest.mark.django_db
def test_health_is_ok_after_a_worker_has_swept(client):
    StandingsState.objects.create(family="aeb", as_of="2026-03-14")
    assert sweeping.sweep_once()
    answer = client.get(URL)
    assert answer.status_code == 200
    assert answer.json() | {"worker_seconds": 0} == {
        "status": "ok", "database": True, "writable": True, "migrations_missing": False,
        "rights_missing": False, "files": "ok", "standings_as_of": answer.json()["standings_as_of"],
        "worker_seconds": 0, "oldest_seconds": None, "parked": 0,
    }  # fmt: skip
    # The sweep may have advanced the standings to today.
    assert answer.json()["standings_as_of"] >= "2026-03-14"
    assert "no-store" in answer.headers["Cache-Control"]


@pytest.mark.django_db
def test_health_is_degraded_once_no_worker_sweeps_any_more(client):
    cache.set(heartbeat.KEY, time.time() - 2 * health.SILENT)
    assert client.get(URL).json()["status"] == "degraded"


@pytest.mark.django_db
def test_health_is_down_without_the_database(client, monkeypatch):
    break_database(monkeypatch)
    answer = client.get(URL)
    assert (answer.status_code, answer.json()["status"], answer.json()["database"]) == (503, "down", False)


def run(**fields) -> ScoringRun:
    """Create a run that was confirmed a while ago."""
    people = Player.objects.order_by("pk")[:8] or make.players(8, category="2P")
    made = runs.create_run(make.revision(*make.pairs(list(people))), None)
    ScoringRun.objects.filter(pk=made.pk).update(**fields)
    return made


@pytest.mark.django_db
def test_health_is_degraded_while_work_is_late(client):
    heartbeat.record()
    run(created_at=timezone.now() - timedelta(seconds=health.LATE / 2))
    assert (answer := client.get(URL).json())["status"] == "ok"
    assert answer["oldest_seconds"] >= health.LATE / 2
    run(created_at=timezone.now() - timedelta(seconds=2 * health.LATE), state="running", error="no room")
    answer = client.get(URL)
    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
    assert answer.json()["oldest_seconds"] >= 2 * health.LATE
    (problem,) = health.problems()
    assert (problem.key, problem.values["error"]) == ("late", "no room")


@pytest.mark.django_db
def test_health_is_degraded_while_work_is_parked(client):
    heartbeat.record()
    run(state="failed")
    RatingReplay.objects.create(since="2026-01-01", state="failed")
    answer = client.get(URL)
    assert (answer.status_code, answer.json()["status"], answer.json()["parked"]) == (200, "degraded", 2)
    assert [problem.key for problem in health.problems()] == ["parked"]


@pytest.mark.django_db
def test_a_step_scheduled_for_a_later_day_is_not_late(client):
    heartbeat.record()
    people, tomorrow = create_people(), standings.today() + timedelta(days=1)
    CampaignTask.objects.create(
        campaign=draft(people), verb="apply", created_by=people.office, due_on=tomorrow
    )
    CampaignTask.objects.update(created_at=timezone.now() - timedelta(days=30))
    assert client.get(URL).json()["oldest_seconds"] is None
    CampaignTask.objects.update(due_on=standings.today())
    assert client.get(URL).json()["oldest_seconds"] <= 25 * 3600


@pytest.mark.django_db
def test_health_is_down_while_the_database_is_read_only(client, monkeypatch):
    heartbeat.record()
    monkeypatch.setattr(health, "writable", lambda: False)
    answer = client.get(URL)
    assert (answer.status_code, answer.json()["status"]) == (503, "down")
    assert (answer.json()["database"], answer.json()["writable"]) == (True, False)
    assert [problem.key for problem in health.problems()] == ["read-only"]


@pytest.mark.django_db
def test_health_is_degraded_while_migrations_or_rights_are_missing(client, monkeypatch):
    heartbeat.record()
    monkeypatch.setattr(fitness, "refused_table", lambda: "players_club")
    body = client.get(URL).json()
    assert (body["status"], body["migrations_missing"], body["rights_missing"]) == ("degraded", False, True)
    assert [problem.key for problem in health.problems()] == ["rights"]
    monkeypatch.setattr(fitness, "lacks_migrations", lambda: True)
    assert client.get(URL).json()["migrations_missing"] is True
    assert [problem.key for problem in health.problems()] == ["migrations"]


@pytest.mark.django_db
def test_a_broker_that_does_not_answer_is_a_problem(settings, monkeypatch):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(health.current_app.conf, "broker_write_url", settings.REDIS_URL)
    assert [problem.key for problem in health.problems()] == ["broker"]


def read_only(*_args) -> InternalError:
    """Return the error that PostgreSQL raises for a write on a standby server."""
    error = InternalError("cannot execute INSERT in a read-only transaction")
    error.__cause__ = ReadOnlySqlTransaction("cannot execute INSERT in a read-only transaction")
    return error


@pytest.mark.django_db
@pytest.mark.parametrize("error", [OperationalError, InterfaceError, read_only])
def test_readers_get_503_with_a_retry_time_while_the_database_is_unavailable(client, monkeypatch, error):
    client.force_login(make.user())  # so that the middleware reads a session from the database
    client.raise_request_exception = False
    break_database(monkeypatch, error)
    answer = client.get("/clasificaciones/")
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "30"
    assert b"<h1" in answer.content


def disk_full(*_args) -> OperationalError:
    """Return the error that PostgreSQL raises for a write without room on its disk."""
    error = OperationalError("could not extend file: No space left on device")
    error.__cause__ = DiskFull("could not extend file: No space left on device")
    return error


def sqlite_full(*_args) -> OperationalError:
    """Return the error that SQLite raises for a write without room on its disk."""
    error = OperationalError("database or disk is full")
    error.__cause__ = sqlite3.OperationalError("database or disk is full")
    error.__cause__.sqlite_errorname = "SQLITE_FULL"
    return error


@pytest.mark.django_db
@pytest.mark.parametrize("error", [disk_full, sqlite_full])
def test_readers_get_507_while_the_disk_of_the_database_is_full(client, monkeypatch, error):
    client.force_login(make.user())
    client.raise_request_exception = False
    break_database(monkeypatch, error)
    answer = client.get("/clasificaciones/")
    assert (answer.status_code, answer.headers["Retry-After"]) == (507, "30")


@pytest.mark.django_db
def test_other_database_errors_give_500(client, monkeypatch):
    client.force_login(make.user())
    client.raise_request_exception = False
    break_database(monkeypatch, DatabaseError)
    assert client.get("/clasificaciones/").status_code == 500


@pytest.mark.django_db
@pytest.mark.parametrize("error", [OperationalError, RuntimeError])
def test_a_failed_sweep_is_logged_and_records_no_heartbeat(monkeypatch, caplog, error):
    def fail():
        raise error("no")

    monkeypatch.setattr(sweeper, "sweep", fail)
    assert sweeping.sweep_once() is False
    assert heartbeat.seconds_since_sweep() is None
    assert caplog.records
