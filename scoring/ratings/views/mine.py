"""The page of the signed-in player's own Go rating."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players.models import Player, Proposal
from scoring.ratings import queries
from scoring.ratings.forms import PinForm
from scoring.ratings.link_act import KIND, request_link
from scoring.ratings.models import RatedPlayer
from scoring.ratings.tables import OpponentTable, OwnTournamentTable
from ui.addresses import crumbs
from ui.form_errors import errors_on
from ui.paging import Pages, paged

GAMES_PER_PAGE = 30
TOURNAMENTS_PER_PAGE = 12


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def mine(request: HttpRequest) -> HttpResponse:
    """Show the player's Go rating, its chart and all games; or ask for the link to it (POST)."""
    player = getattr(request.user, "player", None)
    if player is None:
        return render(request, "ratings/mine_ask.html", {"breadcrumbs": crumbs((_("My Go rating"), None))})
    rated = RatedPlayer.objects.filter(player__in=Player.objects.numbers_of(player)).first()
    if rated is None:
        return _ask(request, player)
    if request.method == "POST":
        messages.info(request, _("Your Go rating is linked to your number already."))
    return _show(request, rated)


def _ask(request: HttpRequest, player: Player) -> HttpResponse:
    form = PinForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with errors_on(form):
            request_link(player, form.cleaned_data["pin"], request.user)
            text = _("The office has your request. Your rating appears here once it agrees.")
            messages.success(request, text)
    waits = Proposal.objects.filter(kind=KIND, prepared_by=request.user, state=Proposal.State.PENDING)
    context = {
        "form": form,
        "waiting": waits.first(),
        "breadcrumbs": crumbs((_("My Go rating"), None)),
    }
    refused = request.method == "POST" and form.errors
    return render(request, "ratings/mine_ask.html", context, status=422 if refused else 200)


def _show(request: HttpRequest, rated: RatedPlayer) -> HttpResponse:
    history = queries.ratings_of(rated)
    rows = queries.history_records(history)
    games = queries.games_of(rated)
    table = paged(
        OpponentTable,
        request,
        Pages(games, lambda page: queries.opponent_records(page, rated)),
        prefix="p-",
        per_page=GAMES_PER_PAGE,
        empty_text=_("No game of yours is registered yet."),
    )
    tournaments = paged(
        OwnTournamentTable,
        request,
        Pages(queries.entries_of(rated), lambda page: queries.entry_records(page, request.user)),
        prefix="t-",
        per_page=TOURNAMENTS_PER_PAGE,
        empty_text=_("No tournament of yours is registered yet."),
    )
    place, of = queries.place_of(rated)
    context = {
        "rated": rated,
        "place": place,
        "of": of,
        "last": rows[0] if rows else None,
        "chart": queries.chart_of(history, rated.full_name),
        "tournaments_html": tournaments.as_html(request),
        "games_html": table.as_html(request),
        "score": queries.score_of(rated),
        "breadcrumbs": crumbs((_("My Go rating"), None)),
    }
    return render(request, "ratings/mine.html", context)
