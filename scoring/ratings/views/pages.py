"""The public pages of Go: the rating list, a player, the tournaments, and why a rating changed."""

from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from players.access import roles_of
from scoring.ledger.queries.annulled import acts_of
from scoring.ratings import queries
from scoring.ratings.access import go_crumbs, may_upload
from scoring.ratings.models import RatedPlayer, RatingChange, RatingTournament
from scoring.ratings.services.register import may_correct
from scoring.ratings.tables import (
    ChangeColumn,
    EntrantTable,
    GameTable,
    GoTournamentTable,
    HistoryTable,
    OwnGameTable,
    RatingTable,
    ReplayTable,
    VariantTable,
)
from scoring.ratings.wording import receipt_line
from ui import exports
from ui.addresses import crumbs
from ui.paging import Pages, paged

GAMES_A_PAGE = 100


def ratings(request: HttpRequest) -> HttpResponse:
    """Everybody with a rating, highest first."""
    text = request.GET.get("q", "").strip().replace("\x00", "")[:100]
    found = (
        RatedPlayer.objects.filter(rating__isnull=False)
        .select_related("player__merged_into")
        .order_by("-rating", "pk")
    )
    if text:
        found = found.search(text)
    kind = exports.requested_format(request)
    if kind:
        return _download(kind, found)
    table = paged(
        RatingTable,
        request,
        Pages(found, queries.player_records),
        empty_text=_("No player has a rating yet."),
        empty_link=(reverse("go_tournaments"), _("See the Go tournaments")),
    )
    if text:
        table.empty_text = _("No rated player has that name or PIN.")
        table.empty_link = (reverse("go_ratings"), _("See the whole list"))
    context = {
        "table_html": table.as_html(request),
        "total": len(table.rows),
        "text": text,
        "may_upload": may_upload(request.user),
        "breadcrumbs": crumbs((_("Go ratings"), None)),
    }
    return render(request, "ratings/ratings.html", context)


def _download(kind: str, found) -> HttpResponse:
    """The list as a file, hidden players by number."""
    heads = [_("Player"), _("Country"), _("Grade"), _("Rating"), _("Tournaments"), _("Last played")]
    rows = (
        [each["name"], each["country"], each["grade"], round(each["rating"]), each["events"], each["day"]]
        for each in queries.player_records(found.iterator(chunk_size=2000))
    )
    return exports.download(kind, _("go-ratings"), heads, rows, get_language() or "")


def player(request: HttpRequest, pk: int) -> HttpResponse:
    """A player's rating, its curve and the tournaments behind it."""
    found = get_object_or_404(RatedPlayer.objects.select_related("player__merged_into"), pk=pk)
    reads_everything = roles_of(request.user).reads_everything
    name = found.name if reads_everything else found.public_name
    history = queries.ratings_of(found)
    rows = queries.history_records(history)
    changes = RatingChange.objects.filter(player=found, old__isnull=False).select_related(
        "tournament", "replay"
    )
    context = {
        "player": found,
        "name": name,
        "chart": queries.chart_of(history, name),
        "table_html": paged(HistoryTable, request, rows).as_html(request) if rows else "",
        "changes": changes[:20],
        "annulled": queries.annulled_entries(found),
        "breadcrumbs": go_crumbs((name, None)),
    }
    return render(request, "ratings/player.html", context)


def tournaments(request: HttpRequest) -> HttpResponse:
    """The tournaments, latest first."""
    found = RatingTournament.objects.annotate(
        players=Count("entrants", distinct=True),
        rated_games=Count("games", filter=Q(games__rated=True), distinct=True),
    ).order_by("-end_date", "-pk")
    table = paged(
        GoTournamentTable,
        request,
        Pages(found, list, RatingTournament.objects.count),
        empty_text=_("No Go tournament has been rated yet."),
        empty_link=(reverse("go_ratings"), _("See the Go ratings")),
    )
    context = {
        "table_html": table.as_html(request),
        "total": len(table.rows),
        "may_upload": may_upload(request.user),
        "breadcrumbs": go_crumbs((_("Go tournaments"), None)),
    }
    return render(request, "ratings/tournaments.html", context)


def tournament(request: HttpRequest, pk: int) -> HttpResponse:
    """A tournament: everybody's rating before and after, and every game with expected score and change."""
    event = get_object_or_404(RatingTournament, pk=pk)
    found = queries.worked(event)
    games = queries.game_records(event, found)
    context = {
        "event": event,
        "regulation": found.rated and found.system,
        "epsilon": found.rated and found.system.epsilon_of(found.tournament),
        "rated_games": sum(not each["note"] for each in games),
        "under_way": queries.under_way(event),
        "entrants_html": paged(
            EntrantTable, request, queries.entrant_records(found.entrants), prefix="j-", per_page=GAMES_A_PAGE
        ).as_html(request),
        "games_html": paged(GameTable, request, games, prefix="p-", per_page=GAMES_A_PAGE).as_html(request),
        "may_correct": may_upload(request.user) and may_correct(request.user, event),
        "annulments": acts_of(event),
        "breadcrumbs": go_crumbs((_("Tournaments"), reverse("go_tournaments")), (event.name, None)),
    }
    return render(request, "ratings/tournament.html", context)


def receipt(request: HttpRequest, pk: int, position: int) -> HttpResponse:
    """Why one player's rating changed as it did, step by step, and what other computations would give."""
    event = get_object_or_404(RatingTournament, pk=pk)
    found = queries.worked(event)
    entrant = get_object_or_404(
        event.entrants.select_related("player__player__merged_into"), position=position
    )
    name = entrant.player.public_name
    shown = queries.receipt_of(found, entrant)
    context = {
        "event": event,
        "entrant": entrant,
        "name": name,
        "receipt": shown,
        "regulation": found.rated and found.system,
        "games": _games_table(shown, found) if shown else None,
        "variants": _variants_table(shown) if shown else None,
        "lines": [receipt_line(step, found.names) for step in shown.steps] if shown else [],
        "under_way": queries.under_way(event),
        "breadcrumbs": go_crumbs((event.name, event.get_absolute_url()), (name, None)),
    }
    return render(request, "ratings/receipt.html", context)


def _games_table(shown: queries.Receipt, found: queries.Worked) -> OwnGameTable:
    """The player's games; what leaving out ε and the class gives only where these play a part."""
    rows, excluded = queries.own_games(shown, found), () if shown.bare else ("bare",)
    # Since 2021 there is no ε to leave out.
    head = capfirst(_("as if of class A"))
    own = [] if shown.epsilon else [("bare", ChangeColumn(verbose_name=head, digits=2))]
    return OwnGameTable(rows, exclude=excluded, extra_columns=own)


def _variants_table(shown: queries.Receipt) -> VariantTable | None:
    """Other ways to compute; None where there are none."""
    rows = queries.variant_records(shown)
    return VariantTable(rows) if rows else None


def changes_table(replay) -> ReplayTable | None:
    """What a replay changed of ratings that were there before; None when it changed none."""
    changes = (
        RatingChange.objects.filter(replay=replay, old__isnull=False)
        .select_related("player__player__merged_into", "tournament")
        .order_by("tournament__end_date", "pk")
    )
    rows = [
        {
            "name": each.player.public_name,
            "url": each.player.get_absolute_url(),
            "tournament": each.tournament.name,
            "old": each.old,
            "new": each.new,
        }
        for each in changes[:500]
    ]
    return ReplayTable(rows) if rows else None
