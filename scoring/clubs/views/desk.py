"""The list of clubs that an account administers, and the front page of a club's desk."""

from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django_tables2 import RequestConfig

from players.access import Kind, roles_of
from scoring.clubs.access import club_to_read, visible_clubs, visible_regions
from scoring.clubs.frame import desk_context
from scoring.clubs.inbox import inbox_of
from scoring.clubs.quality import findings
from scoring.clubs.queries.members import count_members
from scoring.clubs.queries.requests import count_pending
from scoring.clubs.queries.tournaments import tournaments_of
from scoring.clubs.tables import ClubTable
from ui.addresses import crumbs
from ui.clock import today


@login_required
@require_safe
def clubs_managed(request: HttpRequest) -> HttpResponse:
    """List the clubs that the account administers. An administrator of a single club gets its desk."""
    clubs, roles = visible_clubs(request.user), roles_of(request.user)
    if not (roles.regions or roles.everywhere) and len(roles.clubs.get(Kind.CLUB_ADMIN, ())) == 1:
        return redirect("club_manage", clubs.get().slug)
    table = ClubTable(clubs.select_related("region").annotate(members=Count("players")))
    RequestConfig(request).configure(table)
    context = {
        "table": table,
        "regions": visible_regions(request.user),
        "breadcrumbs": crumbs((_("My clubs"), None)),
    }
    return render(request, "clubs/managed.html", context)


@login_required
@require_safe
def club_manage(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the front page of a club's desk: its tournaments, and the quality of its files."""
    club, day = club_to_read(request, slug), today()
    members, licensed = count_members(club, day)
    tournaments = tournaments_of(club, day)
    context = {
        "members": members,
        "licensed": licensed,
        "unlicensed": members - licensed,
        "inbox": inbox_of(club, tournaments, request.user),
        "tournaments": tournaments,
        "pending": count_pending(club),
        "findings": findings(club, day),
    }
    return render(request, "clubs/desk.html", context | desk_context(request, club, "club_manage"))
