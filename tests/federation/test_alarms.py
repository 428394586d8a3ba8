"""Alarms to the operators: one e-mail for each lasting problem, from the worker that notices it first."""

from datetime import date

import pytest
from django.core.cache import cache
from django.db import OperationalError
from django.utils import translation

from federation import alarms, health, sweeping
from federation.alarms import Problem, Watch

GIVEN_UP = Problem(
    "parked", "Background work given up: %(number)s. The office can have it tried again.", {"number": 3}
)


@pytest.fixture(autouse=True)
def operators(settings) -> None:
    settings.ALARM_TO = ["ana@example.org"]


def test_a_lasting_problem_is_logged_and_mailed_once(mailoutbox, caplog):
    watch = Watch()
    watch.check([GIVEN_UP])
    assert not mailoutbox and not caplog.records  # a short problem is not reported
    for _look in range(3):
        watch.check([GIVEN_UP])
    (letter,) = mailoutbox
    assert letter.to == ["ana@example.org"]
    assert "Tareas" in letter.body and "3" in letter.body
    assert [record.levelname for record in caplog.records] == ["ERROR"]


def test_a_day_in_a_problem_is_written_as_the_readers_language_writes_it():
    problem = Problem("standings", "They are those of %(day)s.", {"day": date(2026, 11, 28)})
    with translation.override("es"):
        assert problem.sentence() == "They are those of 28 nov 2026."


def test_only_one_of_several_workers_reports_a_problem(mailoutbox):
    for watch in (Watch(), Watch()):
        watch.check([GIVEN_UP])
        watch.check([GIVEN_UP])
    assert len(mailoutbox) == 1


def test_a_problem_that_returns_is_reported_again(mailoutbox):
    watch = Watch()
    for problems in ([GIVEN_UP], [GIVEN_UP], [], [GIVEN_UP], [GIVEN_UP]):
        watch.check(problems)
    assert len(mailoutbox) == 2


def test_the_watch_goes_on_without_cache_and_mail_server(monkeypatch, caplog):
    def away(*_args, **_kwargs):
        raise OSError("away")

    monkeypatch.setattr(cache, "add", away)
    monkeypatch.setattr(alarms, "send_mail", away)
    watch = Watch()
    for _look in range(4):
        watch.check([GIVEN_UP])
    assert sum("given up" in record.getMessage() for record in caplog.records) == 1


def test_an_unavailable_database_is_reported_without_using_it(monkeypatch, mailoutbox):
    def away():
        raise OperationalError("the server closed the connection")

    monkeypatch.setattr(health, "problems", away)
    watch = Watch()
    sweeping.check_problems(watch)
    sweeping.check_problems(watch)
    (letter,) = mailoutbox
    assert "the server closed the connection" in letter.body
