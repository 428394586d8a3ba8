"""Requests of a club to the office: the list, and the pages that send one."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from players.models import Club
from scoring.clubs.access import club_to_change, club_to_read
from scoring.clubs.forms import FORMS
from scoring.clubs.frame import desk_context
from scoring.clubs.queries.requests import count_pending, records, requests_of
from scoring.clubs.requests import REQUESTS
from scoring.clubs.tables import RequestTable
from ui.clock import today
from ui.form_errors import errors_on
from ui.paging import Pages, paged


@login_required
@require_safe
def club_requests(request: HttpRequest, slug: str) -> HttpResponse:
    """List the requests of the club with their state, and other clubs' transfers of its members."""
    club = club_to_read(request, slug)
    source = Pages(requests_of(club), lambda page: records(page, request.user))
    context = {
        "table_html": paged(RequestTable, request, source).as_html(request),
        "pending": count_pending(club),
        "kinds": _kinds(club),
    }
    context |= desk_context(request, club, "club_requests")
    return render(request, "clubs/requests.html", context)


def _kinds(club: Club, without: str = "") -> list[dict[str, Any]]:
    """Return the requests that the club can send, with their purposes and addresses.

    without: the slug of a request to leave out
    """
    return [
        {
            "label": _label(slug),
            "purpose": act.purpose,
            "url": reverse("club_request", args=[club.slug, slug]),
        }
        for slug, act in REQUESTS.items()
        if slug != without
    ]


def _label(slug: str) -> str:
    act = REQUESTS[slug]
    return str(act.desk_label or act.label)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def club_request(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Send a request to the office.

    kind: the slug of a request
    """
    club = club_to_change(request, slug)
    if kind not in REQUESTS:
        raise Http404
    data = request.POST if request.method == "POST" else None
    form = FORMS[kind](data, club=club, user=request.user, day=today(), asked=request.GET)
    if form.is_valid():
        with errors_on(form):
            form.send()
            messages.success(request, _("Sent to the office. Nothing is changed until it approves."))
            return redirect("club_requests", club.slug)
    context = {
        "form": form,
        "kind": kind,
        "label": _label(kind),
        "purpose": REQUESTS[kind].purpose,
        "others": _kinds(club, without=kind),
        "asked": request.GET.get("q", "")[:100],
    }
    context |= desk_context(request, club, "club_requests", (_label(kind), None))
    templates = [f"clubs/request_{kind}.html", "clubs/request.html"]
    return render(request, templates, context, status=422 if form.is_bound else 200)
