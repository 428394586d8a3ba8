"""The pages of the sanity checks. The office and auditors read them; the office asks and acknowledges."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players.access import roles_of
from players.office_only import for_office
from scoring.ledger.models.work import UNDER_WAY
from scoring.sanity import queries, services
from scoring.sanity.models import Finding, SanityRun
from scoring.sanity.tables import (
    PLURALS,
    SEVERITIES,
    FindingTable,
    ReportedTable,
    RunTable,
    finding_records,
    state_of,
)
from ui.addresses import crumbs
from ui.paging import Pages, paged
from ui.sanity import Check, checks

RUNS = 14


class ReasonForm(forms.Form):
    """Why a finding stays as it is, or what is being done about it."""

    reason = forms.CharField(
        label=gettext_lazy("Why it is as it should be, or what is being done"), max_length=300, strip=True
    )


@for_office
@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """Show what the checks reported, the most severe first, and the last runs."""
    last = queries.last_run()
    summaries = queries.summaries(last)
    runs = SanityRun.objects.select_related("by")
    reported = [item for item in summaries if item.present]
    context = {
        "current": runs.filter(state__in=UNDER_WAY).first(),
        "last": last,
        "counts": [(PLURALS[severity], n) for severity, n in queries.open_by_severity().items()],
        "open": sum(item.open for item in summaries),
        "reported_html": ReportedTable(reported).as_html(request),
        "quiet": [item for item in summaries if not item.present and item.total is not None],
        "not_made": [item for item in summaries if item.total is None] if last else [],
        "runs_html": RunTable(list(runs[:RUNS])).as_html(request),
        "may_ask": roles_of(request.user).office,
        "breadcrumbs": crumbs((_("Office"), reverse("office")), (_("Condition of the data"), None)),
    }
    return render(request, "sanity/overview.html", context)


@for_office
@require_POST
def run(request: HttpRequest) -> HttpResponse:
    """Ask the workers to make all checks now."""
    try:
        services.ask(request.user)
    except ValidationError as error:
        messages.info(request, error.messages[0])
    else:
        messages.success(request, _("The checks are being made. Reload this page in a while."))
    return redirect("sanity")


@for_office
@require_safe
def check(request: HttpRequest, code: str) -> HttpResponse:
    """Show why a check is made, and its findings: those that are there, then those gone lately."""
    chosen = _check_of(code)
    findings = Finding.objects.filter(code=code).order_by("gone_at", "acknowledged_at", "-since", "-pk")
    present = findings.present()

    def records(rows: Any) -> Sequence[dict[str, Any]]:
        return finding_records(chosen, list(rows))

    last = queries.last_run()
    total = (last.counts if last else {}).get(code)
    context = {
        "check": chosen,
        "severity": SEVERITIES[chosen.severity],
        "number": present.count(),
        "total": total,
        "table_html": paged(FindingTable, request, Pages(present, records)).as_html(request),
        "gone": records(findings.exclude(gone_at=None).order_by("-gone_at")[:RUNS]),
        "breadcrumbs": _crumbs((str(chosen.title), None)),
    }
    return render(request, "sanity/check.html", context)


@for_office
@require_http_methods(["GET", "HEAD", "POST"])
def finding(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a finding; POST acknowledges it with a reason, or takes the acknowledgement back."""
    row = get_object_or_404(Finding.objects.select_related("acknowledged_by"), pk=pk)
    chosen = _check_of(row.code)
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and "back" in request.POST:
        services.take_back(row)
        return redirect(row)
    if request.method == "POST" and form.is_valid():
        services.acknowledge(row, request.user, form.cleaned_data["reason"])
        messages.success(request, _("Noted. The finding counts as known."))
        return redirect("sanity_check", code=row.code)
    (record,) = finding_records(chosen, [row])
    context = {
        "check": chosen,
        "finding": row,
        "record": record,
        "state": state_of(row),
        "form": form,
        "may_write": roles_of(request.user).office and not row.gone_at,
        "breadcrumbs": _crumbs(
            (str(chosen.title), reverse("sanity_check", args=[chosen.code])), (_("Finding"), None)
        ),
    }
    return render(request, "sanity/finding.html", context, status=422 if request.method == "POST" else 200)


def _check_of(code: str) -> Check:
    """Return the check with this code, or raise Http404."""
    for item in checks():
        if item.code == code:
            return item
    raise Http404


def _crumbs(*last: tuple[str, str | None]) -> list[dict[str, Any]]:
    office, data = (_("Office"), reverse("office")), (_("Condition of the data"), reverse("sanity"))
    return crumbs(office, data, *last)
