"""The page "Where are my points?"."""

from collections import Counter
from datetime import date, timedelta
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.models import Club
from scoring.cases.models import Case
from scoring.cases.queries.tracker import Period, find, usual_clubs
from scoring.cases.tracks import CURRENT, DONE, STOPPED, tracks_of
from scoring.ledger.queries import places
from ui.addresses import crumbs, parse_day
from ui.choices import Asked
from ui.clock import today

SPAN = timedelta(days=30)


@login_required
@require_safe
def where_points(request: HttpRequest) -> HttpResponse:
    """Show where the player's points of a day are; without a day, those of the last 30 days."""
    player = getattr(request.user, "player", None)
    context = {"player": player, "breadcrumbs": crumbs((_("Where are my points?"), None))}
    if player is not None:
        context |= _context(request, player.current)
    return render(request, "cases/points.html", context)


def _context(request: HttpRequest, player) -> dict:
    asked, day = request.GET.get("dia", "").strip()[:20], today()
    chosen = parse_day(asked)
    error = _day_error(asked, chosen, day)
    first, last = (chosen, chosen) if chosen and not error else (day - SPAN, day)
    clubs = tuple(
        Club.objects.filter(active=True).order_by("sort_key", "pk").values_list("pk", "slug", "name")
    )
    own = usual_clubs(player, day)
    filters = Asked(request.GET)
    slug = places.chosen_club(filters, clubs) or filters.text("club")
    club = next((club for club in own if club.slug == slug), None)
    if club is None and slug:
        club = Club.objects.filter(slug=slug).first()
    ids = [club.pk] if club else [item.pk for item in own]
    result = find(player, Period(first, last, ids, club), day)
    tracks = tracks_of(result.sightings, result.usual, player, day)
    counts = Counter(track.mark for track in tracks)
    return {
        "tracks": tracks,
        "total": len(tracks),
        "asked": asked,
        "chosen": chosen if not error else None,
        "error": error,
        "club": club,
        "club_choice": places.club_choice(filters, clubs, club.slug if club else "", _("all my clubs")),
        "left_out": filters.left_out,
        "own_clubs": own,
        "first": first,
        "last": last,
        "latest": day.isoformat(),
        "report": _report_address(first if first == last else None, club),
        "counted": counts[DONE],
        "waiting": counts[CURRENT],
        "stopped": counts[STOPPED],
    }


def _day_error(asked: str, chosen: date | None, day: date) -> str:
    """Return what is wrong with the day that was asked for; "" if nothing is."""
    if asked and chosen is None:
        return _("Write the day as in 2026-11-23.")
    if chosen and chosen > day:
        return _("That day is still to come.")
    return ""


def _report_address(day: date | None, club: Club | None) -> str:
    """Return the address of the form for a missing tournament, filled in with the day and the club."""
    asked = {"tipo": Case.Kind.MISSING.value}
    if day:
        asked["dia"] = day.isoformat()
    if club:
        asked["club"] = club.slug
    return f"{reverse('case_open')}?{urlencode(asked)}"
