"""The office's page about the operation of the site."""

import time

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from federation import health, heartbeat
from scoring.ledger.models import ScoringRun
from tests import factories as make
from tests.pages import open_page

pytestmark = pytest.mark.django_db
URL = reverse("operations")


@pytest.fixture
def office(client) -> None:
    client.force_login(make.office())


def parked_pool() -> None:
    make.scored((make.player(), make.player()), (make.player(), make.player()))
    ScoringRun.objects.update(state="failed", error="ValueError: María Quorvander")
    cache.clear()


def test_the_page_names_what_is_wrong_and_offers_to_try_again(client, office):
    parked_pool()
    page = open_page(client, URL)
    assert "1" in page.text and "ValueError" in page.text
    assert "Quorvander" not in page.text  # the message of an error may quote names
    form = page.main.form("csrfmiddlewaretoken")
    assert form.action == reverse("office_runs_retry")


def test_the_page_tells_that_no_worker_runs(client, office):
    """Workers cannot report it themselves."""
    heartbeat.record()
    assert "Todo funciona" in open_page(client, URL).text
    cache.set(heartbeat.KEY, time.time() - 2 * health.SILENT)
    page = open_page(client, URL)
    assert "Todo funciona" not in page.text
    assert "ningún proceso de cálculo" in page.text


def test_the_queries_do_not_grow_with_the_work(client, office):
    numbers = []
    for round_number in (1, 2):
        for _pool in range(round_number):
            parked_pool()
        client.get(URL)
        cache.clear()
        with CaptureQueriesContext(connection) as made:
            client.get(URL)
        numbers.append(len(made))
    assert numbers[0] == numbers[1]
