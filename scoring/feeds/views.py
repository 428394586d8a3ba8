"""The feeds, the same for every reader.

`federation.middleware.SharedPagesMiddleware` gives them an ETag of their content, and answers 304.
"""

from datetime import datetime

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.http import http_date
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.models import Club, Region
from scoring.feeds import atom, entries
from scoring.ledger.conditional import standings_state
from ui.clock import today
from ui.shared import shared


def _feed(request: HttpRequest, title: str, path: str, listed: list[atom.Entry]) -> HttpResponse:
    response = HttpResponse(atom.write(title, path, listed, request), content_type=atom.CONTENT_TYPE)
    response.headers["Last-Modified"] = http_date(_changed_at().timestamp())
    return response


def _changed_at() -> datetime:
    """Return when the contents of a feed may have changed for the last time. One query.

    Posting and publishing change the version of the standings; a day that begins ends other entries.
    """
    begin = atom.midnight(today())
    return max(begin, standings_state().changed_at or begin)


@require_safe
@shared
def results(request: HttpRequest) -> HttpResponse:
    """Send the latest results of all clubs."""
    return _feed(request, _("Results"), reverse("tournaments"), entries.results(Q()))


@require_safe
@shared
def region_results(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the latest results of the clubs of a region."""
    region = get_object_or_404(Region, slug=slug)
    title = _("Results: %(name)s") % {"name": region.name}
    return _feed(request, title, reverse("clubs"), entries.results(Q(tournament__club__region=region)))


@require_safe
@shared
def club_results(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the latest results of a club."""
    club = get_object_or_404(Club, slug=slug)
    title = _("Results: %(name)s") % {"name": club.name}
    return _feed(request, title, club.get_absolute_url(), entries.results(Q(tournament__club=club)))


@require_safe
@shared
def federation_lists(request: HttpRequest) -> HttpResponse:
    """Send the lists that the federation published, and the daily checkpoints of the transparency log."""
    title = _("Lists of the federation")
    return _feed(request, title, reverse("promotions"), entries.federation_lists())
