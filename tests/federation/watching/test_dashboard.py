"""The dashboard for Grafana and the rules for Prometheus use only metrics and labels that there are."""

import json
import re

import pytest
from django.urls import reverse
from prometheus_client.parser import text_string_to_metric_families

from federation import backups, heartbeat
from scoring.ledger.models import ScoringRun
from tests import factories as make
from tests.folders import ROOT

FOLDER = ROOT / "deploy"
NAME = re.compile(r"\b(?:baza|django)_\w+")


@pytest.fixture
def exposed(client, settings, db) -> dict[str, set[str]]:
    """Return {name of a sample: names of its labels} of the endpoint, after a request and some work."""
    settings.METRICS_TOKEN = "token"
    make.scored((make.player(), make.player()), (make.player(), make.player()))
    ScoringRun.objects.update(state="failed")
    backups.note()
    heartbeat.record()
    client.get(reverse("home"))
    text = client.get("/metricas/", headers={"Authorization": "Bearer token"}).content.decode()
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return {sample.name: set(sample.labels) for sample in samples} | {
        "baza_uploads_day": {"state"},  # no sample while there are no uploads
    }


def expressions(file_name: str) -> list[str]:
    """Return the expressions of the dashboard or of the rules."""
    text = (FOLDER / file_name).read_text(encoding="utf-8")
    if file_name.endswith(".json"):
        return [target["expr"] for panel in json.loads(text)["panels"] for target in panel["targets"]]
    return re.findall(r"expr: (?:>-\n)?((?:.|\n {10})+)", text)


@pytest.mark.parametrize("file_name", ["grafana-dashboard.json", "alerts.yaml"])
def test_every_metric_and_label_is_exposed(file_name, exposed):
    asked = expressions(file_name)
    assert len(asked) >= 10
    for expression in asked:
        names = NAME.findall(expression)
        assert names or "up{" in expression
        assert [name for name in names if name not in exposed] == []
        labels = {label for group in re.findall(r"by \(([^)]*)\)", expression) for label in group.split(", ")}
        if names:
            assert labels <= set().union(*(exposed[name] for name in names)), expression


def test_every_metric_of_ours_is_documented(exposed):
    text = (ROOT / "docs/monitoring.md").read_text(encoding="utf-8")
    names = {name for name in exposed if name.startswith("baza_") and not name.endswith("_created")}
    ours = {re.sub("_(bucket|count|sum)$", "", name) for name in names}
    assert {name for name in ours if f"`{name}`" not in text} == set()
