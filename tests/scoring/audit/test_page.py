"""Audits that are asked for on the page and run in the background."""

import re
from datetime import date

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.urls import reverse

from players.models import Role
from scoring.audit import services
from scoring.audit.models import AuditRun
from scoring.audit.words import WORDS
from scoring.ledger.models import LedgerEntry, Standing
from scoring.ledger.services import queue
from tests import factories as make
from tests import triggers
from tests.folders import ROOT
from tests.scoring.audit.acts import run_audit
from tests.scoring.pages.test_queries import query_count

pytestmark = pytest.mark.django_db
VERIFY = (ROOT / "docs/verify.md").read_text().splitlines()


@pytest.fixture
def auditor() -> Client:
    account = make.user()
    make.role(account, Role.Kind.AUDITOR)
    client = Client()
    client.force_login(account)
    client.account = account
    return client


def finished(run: AuditRun) -> AuditRun:
    """Let workers finish the audit."""
    while AuditRun.objects.get(pk=run.pk).is_under_way:
        services.perform(run.pk)
    return AuditRun.objects.get(pk=run.pk)


def plant() -> None:
    """Change an award and a standing behind the application's back."""
    with triggers.without(connection):
        entry = LedgerEntry.objects.filter(kind="award").first()
        LedgerEntry.objects.filter(pk=entry.pk).update(points=entry.points + 5)
    Standing.objects.filter(player=entry.player).update(tournaments=9)


def test_the_report_has_what_the_command_prints(pool, auditor):
    plant()
    lines, _text = run_audit()
    assert auditor.post(reverse("audits"), {}).status_code == 302
    run = finished(AuditRun.objects.get())
    reported = ["\t".join(column or "-" for column in row) for row in run.differences]
    assert reported and reported == lines[: len(reported)]
    assert (run.difference_count, run.state, run.created_by) == (len(reported), "done", auditor.account)
    assert {row[0] for row in run.differences} >= {"award", "standing"}
    page = auditor.get(run.get_absolute_url()).content.decode()
    assert "Los puntos de un jugador" in page and f'href="/t/{pool.pk}/"' in page
    # Of a sum only what differs is shown, and points are not in hundredths.
    assert "<td" in page and "torneos: 9" in page and "points=" not in page and "(row" not in page
    cells = [line.split("|")[1] for line in VERIFY if line.startswith("| `")]
    assert {code for cell in cells for code in re.findall("`(.*?)`", cell)} == set(WORDS)
    assert auditor.get(reverse("audits")).context["last"] == run


def test_an_untouched_database_is_equal(pool, auditor):
    run = finished(services.ask(auditor.account, None))
    assert (run.differences, run.difference_count, run.position["awards"]) == ([], 0, 4)
    assert run.standings_day == date(2026, 3, 20)
    assert "Todo está igual" in auditor.get(run.get_absolute_url()).content.decode()


def test_an_audit_goes_on_where_the_last_slice_ended(pool, auditor, monkeypatch):
    make.scored(*make.pairs(make.players(4)))
    plant()
    whole = finished(services.ask(auditor.account, None))
    for name, value in (("SLICE", -1), ("BATCH", 1), ("SLOW_BATCH", 1)):
        monkeypatch.setattr(services, name, value)
    run = services.ask(auditor.account, None)
    slices = []
    while run.is_under_way:
        services.perform(run.pk)
        run = AuditRun.objects.get(pk=run.pk)
        slices.append((run.stage, run.done))
    assert len(set(slices)) == len(slices) > 2
    assert (run.differences, run.position) == (whole.differences, whole.position)


def test_one_audit_runs_at_a_time_and_a_worker_that_lost_it_writes_nothing(pool, auditor, monkeypatch):
    run = services.ask(auditor.account, None)
    with pytest.raises(ValidationError):
        services.ask(make.office(), None)
    page = auditor.post(reverse("audits"), {})
    assert (page.status_code, AuditRun.objects.count()) == (422, 1)

    def taken_over(*args, **also):
        raise queue.LeaseLost("another worker")

    monkeypatch.setattr(queue, "renew", taken_over)
    services.perform(run.pk)
    monkeypatch.undo()
    run.refresh_from_db()
    assert (run.state, run.position, run.differences) == ("running", {}, [])


def test_the_date_leaves_older_tournaments_out(pool, auditor):
    assert auditor.post(reverse("audits"), {"since": "2100-01-01"}).status_code == 302
    assert finished(AuditRun.objects.get()).position["tournaments"] == 0
    assert auditor.post(reverse("audits"), {"since": "nonsense"}).status_code == 422


def test_progress_and_list_take_the_same_queries_for_one_and_three(auditor):
    counts = []
    for _number in range(3):
        AuditRun.objects.create(created_by=make.office(), state="done")
        counts.append(query_count(auditor, reverse("audits")))
    assert counts[0] == counts[2]
    run = services.ask(auditor.account, None)
    fragment = auditor.get(reverse("audit_progress", args=[run.pk]), headers={"HX-Request": "true"})
    assert "progress-block" in fragment.content.decode()
    assert auditor.get(reverse("audits")).context["current"] == run
