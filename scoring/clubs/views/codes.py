"""Codes with which the members of a club make their account."""

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from players.models import Club
from players.services import signups
from scoring.clubs.access import club_to_change, sees_hidden_members
from scoring.clubs.forms import CodesForm
from scoring.clubs.frame import desk_context
from scoring.clubs.queries.codes import members_without_account


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def club_codes(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose members who have no account; POST makes codes and shows them as sheets to print."""
    club = club_to_change(request, slug)
    members = list(members_without_account(club))
    sees_names = sees_hidden_members(request.user, club)
    names = {player.number: player.desk_name if sees_names else player.public_name for player in members}
    form = CodesForm(request.POST if request.method == "POST" else None, members=members, names=names)
    if form.is_valid():
        return _sheets(request, club, form, sees_names)
    context = {"form": form, "members": len(members), "days": settings.SIGN_UP_CODE_DAYS}
    context |= desk_context(request, club, "club_members", (_("Codes"), None))
    return render(request, "clubs/codes.html", context, status=422 if form.is_bound else 200)


def _sheets(request: HttpRequest, club: Club, form: CodesForm, sees_names: bool) -> HttpResponse:
    players = form.chosen
    codes = signups.print_codes(players, request.user)
    context = {
        "sheets": [
            {
                "player": player,
                "name": player.full_name if sees_names else player.public_name,
                "code": signups.in_groups(codes[player.pk]),
            }
            for player in players
            if player.pk in codes
        ],
        "days": settings.SIGN_UP_CODE_DAYS,
        "address": f"{settings.SITE_ADDRESS}{reverse('sign_up_code')}",
        "back": reverse("club_codes", args=[club.slug]),
    }
    context |= desk_context(request, club, "club_members", (_("Codes"), None))
    return render(request, "account/sign_up_sheets.html", context)
