"""A log that is behind, or that nobody witnesses, is a problem that people are told of."""

from datetime import timedelta

import pytest
from django.utils import timezone

from federation import health, heartbeat
from scoring.transparency import services
from scoring.transparency.models import LogState
from scoring.transparency.notes import COSIGNATURE, Signer
from tests import factories as make

pytestmark = pytest.mark.django_db


def problems() -> dict[str, str]:
    return {problem.key: problem.text % problem.values for problem in health.problems()}


def test_a_log_that_is_an_hour_behind_is_an_alarm(log):
    heartbeat.record()
    assert "log" not in problems()
    LogState.objects.update(appended_at=timezone.now() - timedelta(minutes=70))
    assert problems()["log"] == "The transparency log is behind. Hours since all entries were in it: 1"


def test_a_log_that_grows_unsigned_for_long_is_an_alarm(log, settings, monkeypatch):
    settings.LOG_KEY, key = "", settings.LOG_KEY
    make.scored(*log.pairs)
    services.append()
    assert "log" not in problems()
    settings.LOG_KEY = key
    later = timezone.now() + timedelta(minutes=11)
    monkeypatch.setattr(timezone, "now", lambda: later)
    LogState.objects.update(appended_at=later)
    assert "log" in problems()
    services.sign()
    assert "log" not in problems()


def test_a_log_that_was_never_begun_is_an_alarm_as_soon_as_there_are_entries(log):
    LogState.objects.update(appended_at=None)
    assert "log" in problems()


def test_an_empty_ledger_needs_no_log(db):
    LogState.objects.all().delete()
    assert "log" not in problems()


def test_a_log_that_no_witness_cosigns_is_an_alarm(log, settings, monkeypatch):
    assert "witness" not in problems()
    witness = Signer.generate("witness.test/1").verifier(COSIGNATURE)
    settings.LOG_WITNESSES = [f"{witness}@http://127.0.0.1:9"]
    assert "witness" not in problems()  # it was signed just now
    later = timezone.now() + timedelta(hours=27)
    monkeypatch.setattr(timezone, "now", lambda: later)
    assert "witness" in problems()
