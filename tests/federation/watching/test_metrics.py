"""The metrics: who may read them, what they count, and how many series there can be."""

from ipaddress import ip_network

import pytest
from django.core.cache import cache
from django.urls import reverse
from prometheus_client.parser import text_string_to_metric_families

from federation import backups
from scoring.ledger.models import LedgerEntry, ScoringRun
from tests import factories as make
from tests.federation.test_health import break_database

URL = "/metricas/"


@pytest.fixture
def token(settings) -> dict[str, str]:
    settings.METRICS_TOKEN = "secret-of-the-monitor"
    return {"Authorization": "Bearer secret-of-the-monitor"}


def samples(response) -> dict[tuple, float]:
    """Return {(name, values of labels): number} of a response."""
    assert response.status_code == 200
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(response.content.decode())
        for sample in family.samples
    }


@pytest.mark.django_db
def test_only_the_token_or_an_allowed_address_reads_the_metrics(client, settings, token):
    assert client.get(URL).status_code == 404
    assert client.get(URL, headers={"Authorization": "Bearer wrong"}).status_code == 404
    assert client.get(URL, headers={"Authorization": "Bearer ñ"}).status_code == 404
    assert client.get(URL, headers=token).status_code == 200
    settings.METRICS_TOKEN = ""
    assert client.get(URL, headers={"Authorization": "Bearer "}).status_code == 404
    settings.METRICS_FROM = [ip_network("10.0.0.0/8")]
    assert client.get(URL, REMOTE_ADDR="10.1.2.3").status_code == 200
    assert client.get(URL, REMOTE_ADDR="192.0.2.1").status_code == 404
    assert (
        client.get(URL, REMOTE_ADDR="192.0.2.1", headers={"X-Forwarded-For": "10.1.2.3"}).status_code == 404
    )
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    answer = client.get(URL, REMOTE_ADDR="10.0.0.1", headers={"X-Forwarded-For": "10.1.2.3, 192.0.2.1"})
    assert answer.status_code == 404  # the proxy is allowed, but the reader behind it is not


@pytest.mark.django_db
def test_figures_of_work_and_points_come_from_the_database(client, token):
    make.scored((make.player(), make.player()), (make.player(), make.player()))
    ScoringRun.objects.update(state="failed")
    backups.note()
    figures = samples(client.get(URL, headers=token))
    assert figures["baza_database_up",] == 1
    assert figures["baza_work_rows", "ledger.scoringrun", "failed"] == 1
    assert figures["baza_work_parked",] == 1
    assert (
        figures["baza_ledger_entries_total",] == LedgerEntry.objects.last().pk
        or LedgerEntry.objects.first().pk
    )
    assert 0 <= figures["baza_age_seconds", "backup"] < 60
    assert figures["baza_database_bytes",] > 10_000


@pytest.mark.django_db
def test_reading_the_metrics_again_asks_the_database_for_nothing(client, token, django_assert_num_queries):
    client.get(URL, headers=token)
    with django_assert_num_queries(0):
        client.get(URL, headers=token)


@pytest.mark.django_db
def test_without_database_the_metrics_say_so(client, token, monkeypatch):
    cache.clear()
    break_database(monkeypatch)
    assert samples(client.get(URL, headers=token))["baza_database_up",] == 0


@pytest.mark.django_db
def test_addresses_and_unknown_methods_make_no_series(client, token):
    client.get(reverse("home"))
    before = samples(client.get(URL, headers=token))
    for number in range(5):
        client.generic(f"CANARY{number}", reverse("home"))
        client.get(f"/canary-{number}/")
        client.get(reverse("home"), {"canary": number})
        client.get(f"/jugadores/canary-{number}/")
    after = samples(client.get(URL, headers=token))
    new = {key for key in after.keys() - before.keys() if key[0].endswith(("_total", "_count"))}
    assert "canary" not in str(new).lower()
    views = {key[2] for key in new if key[0].endswith("by_view_method_count")}
    assert views <= {"home", "player", "<unnamed view>"}
