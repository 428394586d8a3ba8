"""The health address, and the page readers get while the database is away."""

import time

import pytest
from django.core.cache import cache
from django.db import DatabaseError, InterfaceError, OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper

from federation import health, sweeping
from scoring.models import StandingsState
from scoring.services import sweeper
from tests import factories as make

URL = "/salud/"


def take_away(monkeypatch, error=OperationalError) -> None:
    """Let every query fail as it does when the server is gone."""

    def fail(*_args, **_kwargs):
        raise error("the server closed the connection")

    monkeypatch.setattr(BaseDatabaseWrapper, "cursor", fail)


@pytest.mark.django_db
def test_a_new_installation_has_no_worker_yet(client):
    assert client.get(URL).json() == {
        "status": "degraded", "database": True, "standings_as_of": None, "worker_seconds": None
    }  # fmt: skip


@pytest.mark.django_db
def test_a_worker_that_swept_is_seen(client):
    StandingsState.objects.create(family="aeb", as_of="2026-03-14")
    assert sweeping.once()
    answer = client.get(URL)
    assert answer.status_code == 200
    assert answer.json() | {"worker_seconds": 0} == {
        "status": "ok", "database": True, "standings_as_of": answer.json()["standings_as_of"],
        "worker_seconds": 0,
    }  # fmt: skip
    assert answer.json()["standings_as_of"] >= "2026-03-14"  # the sweep may have rolled them to today
    assert "no-store" in answer.headers["Cache-Control"]


@pytest.mark.django_db
def test_a_worker_that_fell_silent_is_missed(client):
    cache.set(sweeping.HEARTBEAT, time.time() - 2 * health.SILENT)
    assert client.get(URL).json()["status"] == "degraded"


@pytest.mark.django_db
def test_without_its_database_the_site_is_down(client, monkeypatch):
    take_away(monkeypatch)
    answer = client.get(URL)
    assert (answer.status_code, answer.json()["status"], answer.json()["database"]) == (503, "down", False)


@pytest.mark.django_db
@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
def test_readers_are_asked_to_come_back(client, monkeypatch, error):
    client.force_login(make.user())  # the session is read from the database, by middleware
    client.raise_request_exception = False
    take_away(monkeypatch, error)
    answer = client.get("/clasificaciones/")
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "30"
    assert b"<h1" in answer.content


@pytest.mark.django_db
def test_other_errors_stay_errors(client, monkeypatch):
    client.force_login(make.user())
    client.raise_request_exception = False
    take_away(monkeypatch, DatabaseError)
    assert client.get("/clasificaciones/").status_code == 500


@pytest.mark.django_db
@pytest.mark.parametrize("error", [OperationalError, RuntimeError])
def test_a_sweep_that_fails_is_reported_and_leaves_no_heartbeat(monkeypatch, caplog, error):
    def fail():
        raise error("no")

    monkeypatch.setattr(sweeper, "sweep", fail)
    assert sweeping.once() is False
    assert sweeping.age() is None
    assert caplog.records
