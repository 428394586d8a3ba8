"""Runs of the sanity checks in the background, their pages, and the alarm about new errors."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from psycopg.errors import QueryCanceled

from federation import health
from players.models import Player, Role
from scoring.ledger.services import queue
from scoring.sanity import queries, services
from scoring.sanity.models import Finding, SanityRun
from tests import factories as make
from tests.pages import open_page
from ui import sanity
from ui.sanity import Check, Severity, checks

pytestmark = pytest.mark.django_db


@pytest.fixture
def office(client):
    account = make.office()
    client.force_login(account)
    return account


def child():
    return make.player(club=None, birth_year=make.today().year - 10)


def checked() -> SanityRun:
    """Make all checks, as workers do."""
    services.ask_daily(make.today())
    run = SanityRun.objects.first()
    while run.is_under_way:
        services.perform(run.pk)
        run.refresh_from_db()
    assert run.state == "done", run.error
    return run


def test_a_finding_is_new_then_known_then_gone_and_new_again_if_it_returns(office):
    player = child()
    run = checked()
    assert run.counts["minor_visible"] == 1
    finding = Finding.objects.get(code="minor_visible")
    assert finding.key == str(player.pk)
    services.acknowledge(finding, office, "A consent is on file.")
    checked()
    assert Finding.objects.filter(code="minor_visible").get().acknowledged_by == office
    Player.objects.update(hidden=True)
    checked()
    finding.refresh_from_db()
    assert finding.gone_at
    Player.objects.update(hidden=False)
    checked()
    (again,) = Finding.objects.unacknowledged().filter(code="minor_visible")
    assert again.pk != finding.pk
    Finding.objects.filter(pk=finding.pk).update(gone_at=timezone.now() - services.KEPT - timedelta(days=1))
    checked()
    assert not Finding.objects.filter(pk=finding.pk).exists()


def test_new_errors_raise_an_alarm_until_they_are_acknowledged(office):
    child()
    checked()
    (problem,) = [problem for problem in health.problems() if problem.key == "sanity"]
    assert problem.values == {"number": 1}
    services.acknowledge(Finding.objects.get(code="minor_visible"), office, "Known.")
    assert queries.new_errors() == 0


def test_a_worker_puts_the_run_back_between_checks(monkeypatch):
    monkeypatch.setattr(services, "SLICE", -1)
    run = services.ask(None)
    services.perform(run.pk)
    run.refresh_from_db()
    assert (run.state, run.checked) == ("pending", [])
    monkeypatch.setattr(services, "SLICE", 60)
    services.perform(run.pk)
    run.refresh_from_db()
    assert (run.state, len(run.checked)) == ("done", len(checks()))
    with pytest.raises(ValidationError):
        services.ask(None)
        services.ask(None)


def test_a_check_that_fails_does_not_keep_the_others_from_being_made(monkeypatch):
    def broken():
        raise ValueError("a bug")

    failing = Check("broken", Severity.NOTE, "Broken", "Why", sanity.TextsOf(broken))
    monkeypatch.setitem(sanity._CHECKS, "broken", failing)
    Finding.objects.create(code="broken", key="1")
    child()
    run = checked()
    assert run.counts["broken"] == services.NOT_MADE
    assert run.counts["minor_visible"] == 1
    assert Finding.objects.present().filter(code="broken").exists()  # it may still be there


def test_the_command_makes_the_other_checks_if_one_takes_too_long(monkeypatch, capsys):
    def slow():
        raise OperationalError("canceled") from QueryCanceled()

    monkeypatch.setitem(
        sanity._CHECKS, "slow", Check("slow", Severity.ERROR, "Slow", "Why", sanity.TextsOf(slow))
    )
    make.club()
    with pytest.raises(CommandError, match="not made: slow") as ended:
        call_command("sanity", "slow", "club_without_administrator")
    assert ended.value.returncode == 3
    assert capsys.readouterr().out.startswith("club_without_administrator\tnote\t")


def test_a_database_in_trouble_lets_the_run_wait(monkeypatch):
    def away():
        raise OperationalError("the server closed the connection")

    failing = Check("away", Severity.ERROR, "Away", "Why", sanity.TextsOf(away))
    monkeypatch.setitem(sanity._CHECKS, "away", failing)
    monkeypatch.setattr("scoring.sanity.services.is_transient", lambda _error: True)
    monkeypatch.setattr("scoring.ledger.services.queue.is_transient", lambda _error: True)
    run = services.ask(None)
    services.perform(run.pk)
    run.refresh_from_db()
    assert (run.state, run.failures) == ("pending", 1)
    assert run.not_before > queue.now()


def test_findings_beyond_the_limit_are_counted_and_not_stored(monkeypatch):
    monkeypatch.setattr(services, "MOST", 2)
    for _number in range(3):
        make.club()
    run = checked()
    assert run.counts["club_without_administrator"] == 3
    assert Finding.objects.filter(code="club_without_administrator").count() == 2


def test_the_office_sees_findings_asks_for_a_run_and_acknowledges(client, office):
    player = child()
    checked()
    page = open_page(client, reverse("sanity"))
    page.link("Menores de 14 años con el nombre a la vista")
    listing = open_page(client, reverse("sanity_check", args=["minor_visible"]))
    (row,) = listing.context["table_html"] and Finding.objects.filter(code="minor_visible")
    assert player.desk_name in listing.text
    address = row.get_absolute_url()
    assert client.post(address, {"reason": ""}).status_code == 422
    assert client.post(address, {"reason": "Hay permiso."}).status_code == 302
    assert "Hay permiso." in open_page(client, address).text
    assert client.post(address, {"back": "1"}).status_code == 302
    row.refresh_from_db()
    assert (row.acknowledged_at, row.reason) == (None, "")
    assert client.post(reverse("sanity_run")).status_code == 302
    assert SanityRun.objects.first().by == office
    assert client.get(reverse("sanity_check", args=["nonsense"])).status_code == 404


def test_an_auditor_reads_only(client):
    account = make.user()
    make.role(account, Role.Kind.AUDITOR)
    client.force_login(account)
    child()
    checked()
    page = open_page(client, reverse("sanity"))
    assert not page.buttons or "Revisar ahora" not in page.text
    finding = Finding.objects.get(code="minor_visible")
    assert open_page(client, finding.get_absolute_url())
    assert client.post(finding.get_absolute_url(), {"reason": "x"}).status_code == 403


@pytest.mark.parametrize("name", ["sanity", "minor_visible"])
def test_the_queries_of_a_page_do_not_grow_with_findings(client, office, name):
    address = reverse("sanity") if name == "sanity" else reverse("sanity_check", args=[name])
    numbers = []
    for _round in range(2):
        for _number in range(1 if not numbers else 2):
            child()
        checked()
        client.get(address)
        with CaptureQueriesContext(connection) as queries_made:
            client.get(address)
        numbers.append(len(queries_made))
    assert numbers[0] == numbers[1]
