"""The search for players, clubs and tournaments, announced ones too."""

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from players import choosing
from players.models import Club, Player
from scoring.ledger.conditional import standings_state
from scoring.ledger.systems import offers_go
from scoring.pages.queries import tournaments as queries
from scoring.pages.queries.members import player_records
from scoring.pages.tables import PlayerTable, TournamentTable
from scoring.ratings.models import RatedPlayer
from scoring.ratings.queries import player_records as go_records
from scoring.ratings.tables import RatingTable
from tournaments.models import Announcement
from ui.addresses import crumbs, own_player_id
from ui.clock import today
from ui.shared import shared

LIMIT = 20  # the most results shown of each kind
SHORTEST = 2  # the fewest characters of a search text


@require_safe
@shared
def search(request: HttpRequest) -> HttpResponse:
    """Show the players, clubs, and played or announced tournaments whose names have the words of the text.

    Beginnings of words suffice. A search for a federation number, or for the PIN of a Go player, redirects to
    the page of the player.
    """
    text = request.GET.get("q", "").strip().replace("\x00", "")[:100]
    number = text.lstrip("0")
    if number.isdecimal():
        player = Player.objects.select_related("merged_into").filter(number=number).first()
        if player:
            return redirect(player.current)
        if offers_go() and (rated := RatedPlayer.objects.filter(pin=text).first()):
            return redirect(rated)
    context = {"text": text, "breadcrumbs": crumbs((_("Search"), None))}
    if len(text) >= SHORTEST:
        context |= _results(request, text)
    return render(request, "pages/search.html", context)


@require_safe
@shared
def clubs_like(request: HttpRequest) -> HttpResponse:
    """Return the clubs that a text may mean, while it is typed into a form (`static/js/choose.js`)."""
    text = request.GET.get("q", "").strip().replace("\x00", "")[:100]
    meant = choosing.clubs_like(text, Club.objects.filter(active=True).select_related("region"))
    clubs = meant[: choosing.MOST]
    options = [
        {"value": club.label, "name": club.name, "note": f"{club.code}, {club.city or club.region.name}"}
        for club in clubs
    ]
    return JsonResponse({"status": _status(len(meant)), "options": options})


def _status(number: int) -> str:
    """Return how many clubs a text may mean, in words. `choosing.MOST` of them are listed."""
    if number == 0:
        return _("No club has this name.")
    if number > choosing.MOST:
        return _("There are more: type more of the name.")
    return ngettext("%(number)s club", "%(number)s clubs", number) % {"number": number}


def _results(request: HttpRequest, text: str) -> dict:
    state = standings_state()
    players = list(Player.objects.search(text).order_by("sort_key", "pk")[: LIMIT + 1])
    clubs = list(_clubs(text)[: LIMIT + 1])
    rows = queries.list_rows(queries.TournamentFilter(text=text).queryset())
    tournaments = queries.summary(list(rows[: LIMIT + 1]))
    go_players, announced = _go_players(text), _announced(text)
    return {
        "searched": True,
        "as_of": state.as_of,
        "players": len(players),
        "players_html": PlayerTable(
            player_records(players[:LIMIT], state.as_of),
            caption=_("Players"),
            own_id=own_player_id(request),
        ).html_or_blank(request),
        "clubs": clubs[:LIMIT],
        "announced": announced[:LIMIT],
        "tournaments": len(tournaments),
        "tournaments_html": TournamentTable(tournaments[:LIMIT], caption=_("Tournaments")).html_or_blank(
            request
        ),
        "go_html": RatingTable(go_records(go_players[:LIMIT]), caption=_("Go players")).html_or_blank(
            request
        ),
        "limit": LIMIT,
        "more": any(len(rows) > LIMIT for rows in (players, clubs, tournaments, go_players, announced)),
        "nothing": not (players or clubs or tournaments or go_players or announced),
    }


def _go_players(text: str) -> list[RatedPlayer]:
    if not offers_go():
        return []
    players = RatedPlayer.objects.search(text).select_related("player__merged_into")
    return list(players.order_by("search_text", "pk")[: LIMIT + 1])


def _announced(text: str) -> list[Announcement]:
    """Return the tournaments of the calendar that are not over and whose name matches the text."""
    upcoming = Announcement.objects.upcoming(today()).search(text)
    return list(upcoming.select_related("club")[: LIMIT + 1])


def _clubs(text: str) -> QuerySet[Club]:
    """Return the clubs whose name, town and code have words that begin with those of the text."""
    clubs = Club.objects.search(text).filter(active=True)
    return clubs.select_related("region").order_by("sort_key", "pk")
