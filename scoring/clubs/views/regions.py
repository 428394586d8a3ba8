"""The page of a region's administrator: its clubs, their results, and regional tournaments."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.access import roles_of
from players.inbox import Matter, sources
from players.models import Region
from scoring.clubs.access import visible_regions
from scoring.clubs.queries.region import state_of
from scoring.clubs.tables import RegionClubTable
from tournaments.waiting import DRAFTS, MISSING_RESULTS, with_club
from ui.addresses import crumbs
from ui.clock import today
from ui.paging import paged


@login_required
@require_safe
def region_manage(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the clubs of a region with what they have to do, and what its administrator approves."""
    region = get_object_or_404(visible_regions(request.user), slug=slug)
    roles = roles_of(request.user)
    state = state_of(region, today())
    matters = [with_club(MISSING_RESULTS.of(row, False), row.club) for row in state.missing]
    matters += [with_club(DRAFTS.of(row, roles.office), row.club) for row in state.drafts]
    context = {
        "region": region,
        "state": state,
        "approvals": _approvals(request.user, region),
        "matters": sorted(matters, key=lambda matter: -(matter.days or 0)),
        "may_announce": region.pk in roles.regions or roles.office,
        "table_html": paged(RegionClubTable, request, state.clubs).as_html(request),
        "breadcrumbs": crumbs((_("My clubs"), reverse("clubs_managed")), (region.name, None)),
    }
    return render(request, "clubs/region.html", context)


def _approvals(user: Any, region: Region) -> list[Matter]:
    """Return the matters of this region's tournaments whose points the account may approve."""
    roles = roles_of(user)
    (source,) = (source for source in sources() if source.kind == "points_to_approve")
    waiting = [row for row in source.rows(user, roles) if row.data.get("region") == region.pk]
    return source.matters([row for row in waiting if row.data["regional"]], user, roles)
