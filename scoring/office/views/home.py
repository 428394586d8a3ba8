"""The office's front page with its inbox, everybody's inbox, and retrying failed work."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from players.access import roles_of
from players.models import Player
from players.office_only import for_office
from scoring.audit.models import AuditRun
from scoring.ledger import systems
from scoring.ledger.models import ScoringRun
from scoring.ledger.services.queue import retry_parked
from scoring.ledger.services.runs import retry_failed
from scoring.office.desk import inbox_context
from scoring.office.queries.state import closing_days, system_state, uncounted_runs
from scoring.promotions.queries.campaigns import notices
from ui.addresses import crumbs

SHOWN = 20


@for_office
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show what waits for the office, the state of the system, and recent tournaments that did not count."""
    roles = roles_of(request.user)
    audits = AuditRun.objects.defer("differences", "position")
    context = {
        "may_write": roles.office,
        # The steps of a campaign that the office can take are already in its inbox.
        "notices": [notice for notice in notices() if notice.code in ("done", "approval")],
        "several_systems": bool(systems.others()),
        "system": system_state(),
        "begins": not Player.objects.exists(),
        "uncounted": uncounted_runs()[:SHOWN],
        "closing": closing_days(),
        "audit": audits.filter(state=AuditRun.State.DONE).first(),
        "breadcrumbs": crumbs((_("Office"), None)),
    }
    return render(request, "office/home.html", context | inbox_context(request, office=not roles.office))


@login_required
@require_safe
def inbox(request: HttpRequest) -> HttpResponse:
    """Show all that waits for the reader."""
    context = {"breadcrumbs": crumbs((_("Inbox"), None))}
    return render(request, "inbox/inbox.html", context | inbox_context(request))


@for_office
@require_POST
def run_retry(request: HttpRequest, uid) -> HttpResponse:
    """Send a failed run to the workers again."""
    run = get_object_or_404(ScoringRun.objects.select_related("tournament"), uid=uid)
    if run.state == ScoringRun.State.FAILED:
        retry_failed(run)
        messages.success(request, _("%(name)s will be scored again.") % {"name": run.tournament.name})
    else:
        messages.info(request, _("%(name)s has not failed: nothing to do.") % {"name": run.tournament.name})
    return redirect("office")


@for_office
@require_POST
def runs_retry(request: HttpRequest) -> HttpResponse:
    """Send all failed work to the workers again."""
    if number := retry_parked():
        text = ngettext(
            "%(number)s calculation will be tried again.",
            "%(number)s calculations will be tried again.",
            number,
        )
        messages.success(request, text % {"number": number})
    else:
        messages.info(request, _("Nothing has failed: nothing to do."))
    return redirect("office")
