"""The readiness page, the notes of backups, and the alarms about what has not happened for too long."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from federation import backups, fitness, health, heartbeat
from federation.models import Backup
from scoring.ledger.models import StandingsState
from scoring.ledger.services.sweeper import sweep
from tests.federation.test_health import break_database
from ui.clock import today

URL = "/listo/"


@pytest.mark.django_db
def test_every_part_is_ready_after_a_sweep_and_a_backup(client, settings):
    settings.BACKUP_HOURS = 26
    heartbeat.record()
    sweep()
    backups.note(1_000)
    response = client.get(URL)
    assert response.status_code == 200
    body = response.json()
    assert body["ready"]
    assert {name for name, part in body["parts"].items() if not part["ok"]} == set()
    assert {"database", "rights", "work", "standings", "backup", "broker", "workers"} <= body["parts"].keys()


@pytest.mark.django_db
def test_what_is_late_is_reported_but_readers_are_served(client, settings, monkeypatch):
    settings.BACKUP_HOURS = 26
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(health.current_app.conf, "broker_write_url", settings.REDIS_URL)
    StandingsState.objects.create(family="aeb", as_of=today() - timedelta(days=1))
    response = client.get(URL)
    parts = response.json()["parts"]
    assert response.status_code == 200
    late = {name for name, part in parts.items() if not part["ok"]}
    assert late == {"standings", "backup", "workers", "broker"}
    assert parts["backup"]["age_seconds"] is None


@pytest.mark.django_db
def test_without_database_or_with_missing_migrations_nobody_is_sent_here(client, monkeypatch):
    monkeypatch.setattr(fitness, "_migrated", False)
    monkeypatch.setattr("django.db.migrations.executor.MigrationExecutor.migration_plan", lambda *_args: [1])
    assert client.get(URL).status_code == 503
    break_database(monkeypatch)
    response = client.get(URL)
    assert response.status_code == 503
    assert response.json()["parts"]["database"] == {"ok": False}


@pytest.mark.django_db
def test_alarms_name_standings_and_backups_that_are_overdue(settings, monkeypatch):
    settings.BACKUP_HOURS = 26
    StandingsState.objects.create(family="aeb", as_of=today() - timedelta(days=1))
    monkeypatch.setattr(health, "ROLLED_BY", timezone.datetime.min.time())
    assert {problem.key for problem in health.problems()} == {"standings", "backup"}
    StandingsState.objects.update(as_of=today())
    Backup.objects.create(at=timezone.now() - timedelta(hours=27))
    (problem,) = health.problems()
    assert problem.text % problem.values == "The last backup is too old. Hours since it was made: 27"
    backups.note()
    assert health.problems() == []


@pytest.mark.django_db
def test_the_backup_script_notes_a_file_that_is_there(tmp_path):
    path = tmp_path / "baza.dump"
    for wrong in (b"", None):
        if wrong is not None:
            path.write_bytes(wrong)
        with pytest.raises(CommandError, match="nothing was noted"):
            call_command("note_backup", path)
    path.write_bytes(b"dump")
    call_command("note_backup", path)
    assert backups.latest().size == 4
    call_command("note_backup")
    assert backups.latest().size is None
