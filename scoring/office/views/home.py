"""The office's home page with its tasks, and retrying failed work."""

from datetime import timedelta

from django.contrib import messages
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from players.access import roles_of
from players.office_only import for_office
from scoring.ledger import systems
from scoring.ledger.models import ScoringRun
from scoring.ledger.services.queue import retry_parked
from scoring.ledger.services.runs import retry_failed
from scoring.office.queries.waiting import waiting_for
from scoring.promotions.queries.campaigns import notices
from scoring.ratings.models import RatingReplay
from tournaments.models import ResultUpload
from ui.addresses import crumbs

SHOWN = 20
RECENT = timedelta(days=7)


@for_office
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the office's tasks, failed runs, unconfirmed uploads and recent tournaments that did not count."""
    roles = roles_of(request.user)
    runs = ScoringRun.objects.select_related("tournament__club")
    failed = runs.filter(state=ScoringRun.State.FAILED)
    waiting = ResultUpload.objects.drafts()
    uncounted = runs.filter(
        state=ScoringRun.State.DONE,
        eligible=False,
        revision=F("tournament__published"),
        tournament__annulled_at=None,
        purpose=ScoringRun.Purpose.SCORE,
        finished_at__gte=timezone.now() - RECENT,
    )
    failed_runs = failed.count()
    failed_replays = RatingReplay.objects.filter(state=RatingReplay.State.FAILED)
    context = {
        "may_write": roles.office,
        "tasks": waiting_for(request.user),
        # The steps of a campaign that the office can take are already among its tasks.
        "notices": [notice for notice in notices() if roles.auditor or notice.code in ("done", "approval")],
        "several_systems": bool(systems.others()),
        "failed": failed[:SHOWN],
        "failed_runs": failed_runs,
        "failed_replays": failed_replays,
        "failed_count": failed_runs + len(failed_replays),
        "waiting": waiting.select_related("club", "created_by", "token").defer("parsed")[:SHOWN],
        "waiting_count": waiting.count(),
        "uncounted": uncounted[:SHOWN],
        "uncounted_count": uncounted.count(),
        "breadcrumbs": crumbs((_("Office"), None)),
    }
    return render(request, "office/home.html", context)


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
