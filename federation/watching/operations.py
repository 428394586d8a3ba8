"""The office's page about the operation of the site: what runs, what waits, and what is late."""

import platform
from collections import Counter
from datetime import datetime, timedelta
from typing import Any

import django
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from federation import backups, health, heartbeat
from federation.watching import metrics, statements
from players.access import roles_of
from players.office_only import for_office
from scoring.audit.models import AuditRun
from scoring.ledger import freshness, work
from scoring.ledger.models import ScoringRun
from scoring.ledger.models.work import FAILED
from scoring.sanity.queries import last_run, open_by_severity
from tournaments.models import ResultUpload
from ui.addresses import crumbs
from ui.formatting import format_whole
from ui.plots import Chart, Series

HOURS = 24  # that the drawing shows
RUNS = 5_000  # latest runs that are looked at: no federation scores more in a day
PARKED = 20  # parked rows that are listed


@for_office
@require_safe
def operations(request: HttpRequest) -> HttpResponse:
    """Show the state of the site. The number of queries does not grow with the work."""
    figures = metrics.read_figures()
    rows = sorted(figures["baza_work_rows"].items())
    context = {
        "problems": [problem.sentence() for problem in [*health.silent_workers(), *health.problems()]],
        "queued": sum(number for key, number in rows if not key.endswith(FAILED)),
        "parked_number": figures["baza_work_parked"][""],
        "oldest": round(figures["baza_work_oldest_seconds"][""]),
        "work": [(_name(key), _state(key), number) for key, number in rows],
        "parked": parked(),
        "may_retry": roles_of(request.user).office,
        "chart": chart(),
        "seconds": heartbeat.seconds_since_sweep(),
        "standings_day": health.standings_day(),
        "ages": freshness.ages(),
        "backup": backups.latest(),
        "audit": AuditRun.objects.defer("differences", "position").filter(state="done").first(),
        "sanity": last_run(),
        "findings": sum(open_by_severity().values()),
        "megabytes": round(figures["baza_database_bytes"][""] / 1_000_000),
        "versions": versions(),
        "slow": statements.latest(),
        "breadcrumbs": crumbs((_("Office"), reverse("office")), (_("Operation of the site"), None)),
    }
    return render(request, "watching/operations.html", context)


def _kind(key: str) -> work.Kind:
    return work.KINDS[key.split(" ")[0]]


def _name(key: str) -> str:
    return str(_kind(key).model._meta.verbose_name_plural)


def _state(key: str) -> str:
    states = dict(_kind(key).model._meta.get_field("state").choices)
    return str(states[key.split(" ")[1]])


def parked() -> list[dict[str, Any]]:
    """Return the latest parked rows of each kind: what it is, since when, and the type of its error."""
    result = []
    for kind in work.KINDS.values():
        rows = kind.model._default_manager.filter(state=FAILED).order_by("-pk")
        for pk, since, error in rows.values_list("pk", "finished_at", "error")[:PARKED]:
            name = kind.model._meta.verbose_name
            result.append({"name": name, "pk": pk, "since": since, "error": error.partition(":")[0]})
    return result[:PARKED]


def chart() -> Chart:
    """Return a drawing of the tournaments scored and the files received in each of the last hours."""
    hour = timezone.localtime().replace(minute=0, second=0, microsecond=0)
    first = hour - timedelta(hours=HOURS - 1)
    latest = ScoringRun.objects.order_by("-pk").values_list("finished_at", flat=True)[:RUNS]
    uploads = ResultUpload.objects.filter(created_at__gte=first).order_by()
    series = [
        Series(_("tournaments scored"), _by_hour(first, latest), "line"),
        Series(_("files received"), _by_hour(first, uploads.values_list("created_at", flat=True)), "line"),
    ]
    lang = get_language() or ""
    return Chart(
        title=_("The last 24 hours"),
        desc=_("Tournaments scored and files received in each hour."),
        x_label=_("Hours ago"),
        y_label="",
        series=series,
        x_format=lambda x: format_whole(abs(int(x)), lang),
        y_format=lambda y: format_whole(int(y), lang),
        whole_x=True,
        y_span=4,
    )


def _by_hour(first: datetime, times: Any) -> list[tuple[int, int]]:
    """Return (hour, counted from now backwards, number of the times in it) of each hour since `first`."""
    hours = Counter(int((at - first).total_seconds() // 3600) for at in times if at and at >= first)
    return [(hour - HOURS + 1, hours[hour]) for hour in range(HOURS)]


def versions() -> str:
    """Return the versions of Python, Django and the database server."""
    if connection.vendor == "postgresql":
        number = connection.pg_version
        database = f"PostgreSQL {number // 10_000}.{number % 10_000}"
    else:
        database = f"SQLite {connection.Database.sqlite_version}"
    return f"Python {platform.python_version()}, Django {django.__version__}, {database}"
