"""The metrics for Prometheus, at `/metricas/`.

Requests and statements are counted by each process. The processes of one gunicorn add theirs up in the files
of PROMETHEUS_MULTIPROC_DIR, which `gunicorn_conf.py` sets. Everything else (work, uploads, letters, points,
standings) is read from the database when the page is requested, at most every FRESH seconds: so it counts
what workers on all hosts did, survives restarts, and needs no state in any process.

Labels have a bounded number of values: names of views, kinds, states; never addresses or anything that
people wrote.
"""

import hmac
import ipaddress
import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from typing import Any

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.db import Error as DatabaseError
from django.db import connection
from django.db.models import Count, Max
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_prometheus.middleware import PrometheusAfterMiddleware
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest, multiprocess
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from federation import heartbeat
from federation.health import standings_day
from scoring.ledger import freshness, work
from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.models.work import FAILED, PENDING, RUNNING
from scoring.ledger.services.sweeper import backlog
from scoring.sanity.queries import open_by_severity
from tournaments.models import ResultUpload
from ui.clock import today

FRESH = 15  # seconds for which figures of the database are kept, so that requests cannot cost more
KEY = "metrics-of-the-database"
Figures = dict[str, dict[str, float]]


class AfterMiddleware(PrometheusAfterMiddleware):
    """django-prometheus's middleware, with a bounded number of values for the method in all its metrics."""

    def process_request(self, request: HttpRequest) -> None:
        """Leave a Content-Length that is no number to the view, which answers it with an error."""
        with suppress(ValueError):
            super().process_request(request)

    def label_metric(self, metric: Any, request: HttpRequest, response: Any = None, **labels: Any) -> Any:
        """Replace a method that no client of ours uses: the request's own word would be a new series."""
        if "method" in labels:
            labels["method"] = self._method(request)
        return super().label_metric(metric, request, response, **labels)


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics in Prometheus's format, to allowed addresses or with the token; else 404."""
    if not may_read(request):
        raise Http404
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)
        text = generate_latest(registry)
    else:
        text = generate_latest(REGISTRY)
    own = CollectorRegistry()
    own.register(OwnMetrics())
    return HttpResponse(text + generate_latest(own), content_type=CONTENT_TYPE_LATEST)


def may_read(request: HttpRequest) -> bool:
    """Return whether the request has the token, or comes from an address of BAZA_METRICS_FROM."""
    token = settings.METRICS_TOKEN
    stated = request.headers.get("Authorization", "")
    if token and hmac.compare_digest(stated.encode(), f"Bearer {token}".encode()):
        return True
    try:
        address = ipaddress.ip_address(get_adapter(request).get_client_ip(request))
    except (ValueError, PermissionDenied):  # the adapter refuses requests without an address
        return False
    return any(address in network for network in settings.METRICS_FROM)


class OwnMetrics:
    """Collector of the metrics that are read from the database; if it is away, of that fact alone."""

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics."""
        try:
            figures = read_figures()
        except DatabaseError:
            yield GaugeMetricFamily("baza_database_up", "Whether the database answers.", 0)
            return
        yield GaugeMetricFamily("baza_database_up", "Whether the database answers.", 1)
        for name, (kind, text, labels) in FAMILIES.items():
            family = kind(name, text, labels=labels)
            for values, number in figures.get(name, {}).items():
                family.add_metric(values.split(" ") if labels else [], number)
            yield family
        if (seconds := heartbeat.seconds_since_sweep()) is not None:
            text = "Seconds since any worker last looked for work."
            yield GaugeMetricFamily("baza_sweep_age_seconds", text, seconds)


# Metric -> (class, help text, labels).
FAMILIES: dict[str, tuple[type[Metric], str, list[str]]] = {
    "baza_work_rows": (GaugeMetricFamily, "Rows of unfinished work.", ["kind", "state"]),
    "baza_work_oldest_seconds": (GaugeMetricFamily, "Time that the oldest work has waited.", []),
    "baza_work_parked": (GaugeMetricFamily, "Rows of work that wait for the office.", []),
    "baza_uploads_day": (GaugeMetricFamily, "Uploads of results of 24 hours.", ["state"]),
    "baza_runs": (CounterMetricFamily, "Scoring runs ever stored (the largest id).", []),
    "baza_ledger_entries": (CounterMetricFamily, "Ledger entries ever posted (the largest id).", []),
    "baza_standings_days_behind": (GaugeMetricFamily, "Days from the standings' day to today.", []),
    "baza_age_seconds": (GaugeMetricFamily, "Time since something last happened.", ["of"]),
    "baza_late": (GaugeMetricFamily, "Whether it should have happened again.", ["of"]),
    "baza_sanity_findings": (GaugeMetricFamily, "Findings that nobody acknowledged.", ["severity"]),
    "baza_database_bytes": (GaugeMetricFamily, "Size of the database.", []),
}


def read_figures() -> Figures:
    """Return {metric: {values of its labels, separated by blanks: number}}. Raises DatabaseError."""
    try:
        kept = cache.get(KEY)
    except Exception:  # each cache backend raises errors of its own library
        kept = None
    if kept is not None:
        return kept
    figures = _figures()
    with suppress(Exception):  # as above
        cache.set(KEY, figures, FRESH)
    return figures


def _figures() -> Figures:
    backlogged, day, now = backlog(), standings_day(), timezone.now()
    ages = freshness.ages()
    uploads = ResultUpload.objects.filter(created_at__gte=now - timedelta(days=1)).order_by()
    figures: Figures = {
        "baza_work_rows": {},
        "baza_work_oldest_seconds": {"": backlogged.oldest or 0},
        "baza_work_parked": {"": backlogged.parked},
        "baza_uploads_day": dict(uploads.values_list("state").annotate(Count("pk"))),
        "baza_runs": {"": ScoringRun.objects.aggregate(last=Max("pk"))["last"] or 0},
        "baza_ledger_entries": {"": LedgerEntry.objects.aggregate(last=Max("pk"))["last"] or 0},
        "baza_standings_days_behind": {"": (today() - day).days if day else 0},
        "baza_age_seconds": {age.of.code: age.seconds for age in ages if age.seconds is not None},
        "baza_late": {age.of.code: int(age.is_late) for age in ages},
        "baza_sanity_findings": {key.name.lower(): n for key, n in open_by_severity().items()},
        "baza_database_bytes": {"": database_bytes()},
    }
    for label, kind in work.KINDS.items():
        rows = kind.model._default_manager.order_by()
        # The two conditions of the indexes for the sweeper and for parked work.
        for states in ([PENDING, RUNNING], [FAILED]):
            counts = rows.filter(state__in=states).values_list("state").annotate(Count("pk"))
            figures["baza_work_rows"] |= {f"{label} {state}": number for state, number in counts}
    return figures


def database_bytes() -> int:
    """Return the size of the database, in bytes."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_database_size(current_database())")
        else:
            cursor.execute("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
        return cursor.fetchone()[0]
