"""Alarms to the operators: one e-mail for each lasting problem, from the worker that notices it first."""

import pytest
from django.core.cache import cache
from django.db import OperationalError

from federation import alarms, health, sweeping
from federation.alarms import Problem, Watch

GIVEN_UP = Problem(
    "parked", "Calculations given up: %(number)s. The office can have them tried again.", {"number": 3}
)


@pytest.fixture(autouse=True)
def operators(settings) -> None:
    settings.ALARM_TO = ["ana@example.org"]


def test_what_stays_wrong_is_told_once_to_log_and_operators(mailoutbox, caplog):
    watch = Watch()
    watch.check([GIVEN_UP])
    assert not mailoutbox and not caplog.records  # a short problem is not reported
    for _look in range(3):
        watch.check([GIVEN_UP])
    (letter,) = mailoutbox
    assert letter.to == ["ana@example.org"]
    assert "Cálculos" in letter.body and "3" in letter.body
    assert [record.levelname for record in caplog.records] == ["ERROR"]


def test_of_several_workers_one_tells(mailoutbox):
    for watch in (Watch(), Watch()):
        watch.check([GIVEN_UP])
        watch.check([GIVEN_UP])
    assert len(mailoutbox) == 1


def test_what_comes_back_is_told_again(mailoutbox):
    watch = Watch()
    for problems in ([GIVEN_UP], [GIVEN_UP], [], [GIVEN_UP], [GIVEN_UP]):
        watch.check(problems)
    assert len(mailoutbox) == 2


def test_neither_a_cache_nor_a_mail_server_that_is_away_stops_the_watch(monkeypatch, caplog):
    def away(*_args, **_kwargs):
        raise OSError("away")

    monkeypatch.setattr(cache, "add", away)
    monkeypatch.setattr(alarms, "send_mail", away)
    watch = Watch()
    for _look in range(4):
        watch.check([GIVEN_UP])
    assert sum("given up" in record.getMessage() for record in caplog.records) == 1


def test_a_database_that_is_away_is_told_without_it(monkeypatch, mailoutbox):
    def away():
        raise OperationalError("the server closed the connection")

    monkeypatch.setattr(health, "problems", away)
    watch = Watch()
    sweeping.check_problems(watch)
    sweeping.check_problems(watch)
    (letter,) = mailoutbox
    assert "the server closed the connection" in letter.body
