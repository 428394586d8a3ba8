"""Ask for an audit, follow it, and read its report."""

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from players.access import require, roles_of
from scoring.audit import services
from scoring.audit.models import AuditRun
from scoring.audit.tables import AuditTable, DifferenceTable, records
from scoring.ledger.models.work import UNDER_WAY
from scoring.ratings.models import RatedPlayer
from ui.addresses import crumbs
from ui.form_errors import errors_on
from ui.paging import Pages, paged
from ui.progress import Progress, answer


class AuditForm(forms.Form):
    """What to audit."""

    since = forms.DateField(
        label=gettext_lazy("Only tournaments that ended since"),
        required=False,
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
        help_text=gettext_lazy("Empty for everything."),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def audits(request: HttpRequest) -> HttpResponse:
    """List the audits; POST asks for one. The office, the committee and auditors may."""
    require(roles_of(request.user).reads_everything)
    form = AuditForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with errors_on(form):
            return redirect(services.ask(request.user, form.cleaned_data["since"]))
    rows = AuditRun.objects.select_related("created_by").defer("differences", "position")
    context = {
        "form": form,
        "current": rows.filter(state__in=UNDER_WAY).first(),
        "last": rows.filter(state=AuditRun.State.DONE).first(),
        "table_html": paged(AuditTable, request, Pages(rows, list)).as_html(request),
        "breadcrumbs": crumbs((_("Oversight"), reverse("oversight")), (_("Audits"), None)),
    }
    return render(request, "audit/index.html", context, status=422 if request.method == "POST" else 200)


@login_required
@require_safe
def audit(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the report of an audit, or how far it is."""
    require(roles_of(request.user).reads_everything)
    run = get_object_or_404(AuditRun.objects.select_related("created_by"), pk=pk)
    context = {
        "run": run,
        "progress": _progress(run) if run.is_under_way else None,
        "counts": _counts(run),
        "table_html": paged(DifferenceTable, request, records(run)).as_html(request)
        if run.difference_count
        else "",
        "kept": len(run.differences),
        "breadcrumbs": crumbs(
            (_("Oversight"), reverse("oversight")), (_("Audits"), reverse("audits")), (_("Report"), None)
        ),
    }
    return render(request, "audit/audit.html", context)


@login_required
@require_safe
def audit_progress(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the fragment that shows how far an audit is."""
    require(roles_of(request.user).reads_everything)
    return answer(request, _progress(get_object_or_404(AuditRun.objects.defer("differences"), pk=pk)))


def _progress(run: AuditRun) -> Progress:
    number = min(run.stage, len(services.STAGES))
    if number < len(services.STAGES):
        stage = services.STAGES[number].label
    else:
        stage = _("Comparing the standings with the ledger")
    return Progress(
        stage=str(stage),
        since=run.created_at,
        until=run.finished_at,
        finished=not run.is_under_way,
        url=reverse("audit_progress", args=[run.pk]),
        page_url=run.get_absolute_url(),
        done=run.done,
        total=run.total or None,
    )


def _counts(run: AuditRun) -> list[tuple[str, int]]:
    """Return what the audit has checked so far, with the number of each."""
    at = run.position
    rows = [
        (_("Tournaments"), at.get("tournaments", 0)),
        (_("Computations"), at.get("runs", 0)),
        (_("Awards"), at.get("awards", 0)),
        (_("Rankings with boards"), at.get("rankings", 0)),
        (_("Files"), at.get("files", 0)),
        (_("Rankings read again from their files"), at.get("read_again", 0)),
        (_("Rankings without a file to read"), sum(at.get("unread", {}).values())),
        (_("Files no longer kept"), at.get("deleted", 0)),
    ]
    if RatedPlayer.objects.exists():
        rows.append((_("Ratings of Go"), at.get("ratings", 0)))
    return rows
