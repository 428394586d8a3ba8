"""The page of the committee and of auditors: what waits for them, and what changed since they last looked."""

from datetime import datetime, timedelta
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from players.access import require, roles_of
from players.inbox import waiting_for
from scoring.audit.models import AuditRun
from scoring.office.models import Look, OfficeImport
from scoring.office.queries.changes import Changes, GivenByList, looks_of, since_last_look
from scoring.office.tables.changes import ChangesTable, ListGrantsTable
from ui.addresses import crumbs
from ui.paging import paged

WAITING = 5  # matters that are shown; the inbox has the others
LONGER = timedelta(days=365)  # how far back the page goes on request
LOOKS = 10


@login_required
@require_safe
def oversight(request: HttpRequest) -> HttpResponse:
    """Show what waits for the reader and what changed since their last look, or in the last year."""
    require(roles_of(request.user).reads_everything)
    since, looked = since_last_look(request.user)
    longer = request.GET.get("desde") == "ano"
    kind = request.GET.get("tipo", "")
    now = timezone.now()
    roles = roles_of(request.user)
    changes = Changes(now - LONGER if longer else since, kind, desk=roles.office or roles.auditor)
    audits = AuditRun.objects.defer("differences", "position")
    context = {
        "inbox": waiting_for(request.user, number=WAITING),
        "since": None if longer else since,
        "looked": looked,
        "longer": longer,
        "now": now.isoformat(),
        "counts": changes.counts,
        "total": sum(number for _item, number in changes.counts),
        "asked_kind": kind,
        "table_html": paged(ChangesTable, request, changes).as_html(request),
        "looks": looks_of(request.user)[:LOOKS],
        "audit": audits.filter(state=AuditRun.State.DONE).first(),
        "roles": roles,
        "breadcrumbs": crumbs((_("Oversight"), None)),
    }
    return render(request, "office/oversight.html", context)


@login_required
@require_safe
def oversight_list(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the categories that an imported list gave, which are one line among the changes."""
    require(roles_of(request.user).reads_everything)
    lists = OfficeImport.objects.filter(kind=OfficeImport.Kind.CATEGORIES, applied_at__isnull=False)
    lists = lists.select_related("applied_by", "undone_by").defer("parsed", "compared", "ticks")
    batch = get_object_or_404(lists, pk=pk)
    context = {
        "batch": batch,
        "table_html": paged(ListGrantsTable, request, GivenByList(batch)).as_html(request),
        "breadcrumbs": crumbs((_("Oversight"), reverse("oversight")), (batch.file_name, None)),
    }
    return render(request, "office/oversight_list.html", context)


@login_required
@require_POST
def oversight_looked(request: HttpRequest) -> HttpResponse:
    """Store that the reader has looked at everything up to the moment when their page was made."""
    require(roles_of(request.user).reads_everything)
    until = _moment(request.POST.get("until", ""))
    Look.objects.create(by=request.user, until=until)
    messages.success(request, _("Marked as looked at. From now on you see what changes after it."))
    return redirect("oversight")


def _moment(text: str) -> datetime:
    """Return the moment written in the form, or now if it is none or lies in the future."""
    now = timezone.now()
    try:
        moment = parse_datetime(text)
    except ValueError:
        return now
    return moment if moment and timezone.is_aware(moment) and moment <= now else now
