"""One search for players, clubs and tournaments."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from players.models import Club, Player
from scoring.ledger.conditional import standings_state
from scoring.pages.queries import tournaments as queries
from scoring.pages.queries.members import player_records
from scoring.pages.tables.players import PlayerTable
from scoring.pages.tables.tournaments import TournamentTable
from ui.addresses import crumbs, own_player_id
from ui.text import fold

FOUND = 20  # of each kind; more than that is a search to narrow
SHORTEST = 2


def search(request: HttpRequest) -> HttpResponse:
    """What fits the words; a federation number leads straight to its player."""
    text = request.GET.get("q", "").strip().replace("\x00", "")[:100]
    number = text.lstrip("0")
    if number.isdecimal():
        player = Player.objects.select_related("merged_into").filter(number=number).first()
        if player:
            return redirect(player.current)
    context = {"text": text, "breadcrumbs": crumbs((_("Search"), None))}
    if len(text) >= SHORTEST:
        context |= _found(request, text)
    return render(request, "pages/search.html", context)


def _found(request: HttpRequest, text: str) -> dict:
    state = standings_state()
    players = list(Player.objects.search(text).order_by("hidden", "sort_key", "pk")[: FOUND + 1])
    clubs = _clubs(text)
    tournaments = queries.TournamentFilter(text=text).queryset()
    played = queries.summary(list(queries.listed(tournaments)[: FOUND + 1]))
    people = player_records(players[:FOUND], state.as_of)
    return {
        "searched": True,
        "as_of": state.as_of,
        "players": len(players),
        "players_html": _html(
            PlayerTable(people, caption=_("Players"), own_id=own_player_id(request)), request
        ),
        "clubs": clubs,
        "tournaments": len(played),
        "tournaments_html": _html(TournamentTable(played[:FOUND], caption=_("Tournaments")), request),
        "limit": FOUND,
        "more": len(players) > FOUND or len(played) > FOUND,
        "nothing": not (players or clubs or played),
    }


def _html(table, request: HttpRequest) -> str:
    return table.as_html(request) if len(table.rows) else ""


def _clubs(text: str) -> list[Club]:
    """Clubs with every word in their name or town, accents aside; there are few enough to look at all."""
    words = fold(text).split()
    clubs = Club.objects.filter(active=True).select_related("region").order_by("sort_key", "pk")
    found = (club for club in clubs if all(word in fold(f"{club.name} {club.city}") for word in words))
    return [club for club, _number in zip(found, range(FOUND), strict=False)]
