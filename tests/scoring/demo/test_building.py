"""`manage.py demo`: its options, and that it does everything or nothing."""

import pytest
from django.core.management import CommandError
from django.db import transaction

from players.models import Club, Player
from scoring.demo import accounts, build, samples
from scoring.ledger.models import LedgerEntry
from tests.scoring.demo.acts import create_demo


@pytest.fixture
def var(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    return tmp_path


def test_the_password_can_be_set_by_an_environment_variable(db, var, monkeypatch, client):
    monkeypatch.setenv("BAZA_DEMO_PASSWORD", "chosen-by-the-environment")
    assert "chosen-by-the-environment" in create_demo(until="2025-09-21")
    assert client.login(username="director", password="chosen-by-the-environment")


def test_without_a_demo_there_is_no_summary(db, django_user_model):
    django_user_model.objects.create_user("director", "someone@club.example", "x")
    assert accounts.summary() == []


def test_the_same_seed_gives_the_same_federation(db, var):
    def made():
        entries = LedgerEntry.objects.order_by("pk").values_list("player__number", "points", "played_on")
        return [*entries], (var / "demo" / samples.USEBIO).read_bytes()

    results = []
    for seed in (3, 3, 4):
        with transaction.atomic():
            create_demo(seed=seed, until="2025-10-10")
            results.append(made())
            transaction.set_rollback(True)
    assert results[0] == results[1]
    assert results[0] != results[2]


def test_the_demo_is_refused_in_production(db, settings):
    settings.PRODUCTION = True
    with pytest.raises(CommandError, match="known password"):
        create_demo()
    assert not Player.objects.exists()


@pytest.mark.parametrize(
    "options",
    [
        {"since": "2021-12-31"},
        {"since": "2026-01-01", "until": "2025-12-31"},
        {"until": "2999-01-01"},
        {"clubs": 0},
        {"players": -5},
        {"players": 99},
    ],
)
def test_invalid_numbers_and_days_are_refused(db, var, options):
    with pytest.raises(CommandError):
        create_demo(**options)
    assert not Player.objects.exists()


def test_a_demo_that_fails_half_way_stores_nothing(transactional_db, var, monkeypatch):
    def broken(*args):
        raise RuntimeError("power cut")

    monkeypatch.setattr(build, "correct_one", broken)
    with pytest.raises(RuntimeError, match="power cut"):
        create_demo(until="2025-09-21")
    assert not Player.objects.exists()
    assert not Club.objects.exists()
