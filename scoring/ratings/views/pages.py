"""Public Go pages: the rating list, players, tournaments and receipts."""

from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

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
    VariantTable,
)
from scoring.ratings.wording import receipt_line
from ui import exports
from ui.addresses import crumbs
from ui.paging import Pages, paged
from ui.shared import shared

ROWS_PER_PAGE = 100


@require_safe
@shared
def ratings(request: HttpRequest) -> HttpResponse:
    """Show the rating list, highest first."""
    text = request.GET.get("q", "").strip().replace("\x00", "")[:100]
    players = queries.rating_list()
    if text:
        players = players.search(text)
    table = exports.file_or_table(
        request,
        RatingTable,
        _("go-ratings"),
        Pages(players, queries.player_records),
        file_source=lambda: queries.player_records(players.iterator(chunk_size=2000)),
        empty_text=_("No player has a rating yet."),
        empty_link=(reverse("go_tournaments"), _("See the Go tournaments")),
    )
    if isinstance(table, HttpResponseBase):
        return table
    if text:
        table.empty_text = _("No rated player has that name or PIN.")
        table.empty_link = (reverse("go_ratings"), _("See the whole list"))
    return render(
        request,
        "ratings/ratings.html",
        {
            "table_html": table.as_html(request),
            "total": len(table.rows),
            "text": text,
            "changed_at": queries.changed_at(),
            "may_upload": may_upload(request.user),
            "breadcrumbs": crumbs((_("Go ratings"), None)),
        },
    )


@require_safe
@shared
def player(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a player's rating, its chart and the rated tournaments."""
    rated = get_object_or_404(RatedPlayer.objects.select_related("player__merged_into"), pk=pk)
    reads_everything = roles_of(request.user).reads_everything
    name = rated.full_name if reads_everything else rated.public_name
    history = queries.ratings_of(rated)
    rows = queries.history_records(history)
    changes = RatingChange.objects.filter(player=rated, old__isnull=False).select_related(
        "tournament", "replay"
    )
    return render(
        request,
        "ratings/player.html",
        {
            "player": rated,
            "name": name,
            "last": rows[0] if rows else None,
            "changed_at": queries.changed_at(),
            "best": max(rows, key=lambda row: row["after"]) if rows else None,
            "chart": queries.chart_of(history, name),
            "table_html": paged(HistoryTable, request, rows).as_html(request) if rows else "",
            "changes": changes[:20],
            "annulled": queries.annulled_entries(rated),
            "breadcrumbs": go_crumbs((name, None)),
        },
    )


@require_safe
@shared
def tournaments(request: HttpRequest) -> HttpResponse:
    """List the tournaments, latest first."""
    events = RatingTournament.objects.annotate(
        players=Count("entrants", distinct=True),
        rated_games=Count("games", filter=Q(games__rated=True), distinct=True),
    ).order_by("-end_date", "-pk")
    table = paged(
        GoTournamentTable,
        request,
        Pages(events, list, RatingTournament.objects.count),
        empty_text=_("No Go tournament has been rated yet."),
        empty_link=(reverse("go_ratings"), _("See the Go ratings")),
    )
    return render(
        request,
        "ratings/tournaments.html",
        {
            "table_html": table.as_html(request),
            "total": len(table.rows),
            "changed_at": queries.changed_at(),
            "may_upload": may_upload(request.user),
            "breadcrumbs": go_crumbs((_("Go tournaments"), None)),
        },
    )


@require_safe
@shared
def tournament(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a tournament: ratings before and after, and all games with expected score and change."""
    event = get_object_or_404(RatingTournament, pk=pk)
    recomputed = queries.recompute(event)
    entrants = queries.entrant_records(recomputed.entrants)
    games = queries.game_records(event, recomputed)
    return render(
        request,
        "ratings/tournament.html",
        {
            "event": event,
            "regulation": recomputed.rated and recomputed.system,
            "epsilon": recomputed.rated and recomputed.system.epsilon_of(recomputed.tournament),
            "rated_games": sum(not game["note"] for game in games),
            "under_way": queries.replay_pending(event),
            "entrants_html": paged(
                EntrantTable, request, entrants, prefix="j-", per_page=ROWS_PER_PAGE
            ).as_html(request),
            "games_html": paged(GameTable, request, games, prefix="p-", per_page=ROWS_PER_PAGE).as_html(
                request
            ),
            "may_correct": may_upload(request.user) and may_correct(request.user, event),
            "annulments": acts_of(event),
            "breadcrumbs": go_crumbs((_("Tournaments"), reverse("go_tournaments")), (event.name, None)),
        },
    )


@require_safe
@shared
def receipt(request: HttpRequest, pk: int, position: int) -> HttpResponse:
    """Show how a player's rating was computed, step by step, and what it would be without some rules."""
    event = get_object_or_404(RatingTournament, pk=pk)
    recomputed = queries.recompute(event)
    entrant = get_object_or_404(
        event.entrants.select_related("player__player__merged_into"), position=position
    )
    name = entrant.player.public_name
    derivation = queries.receipt_of(recomputed, entrant)
    return render(
        request,
        "ratings/receipt.html",
        {
            "event": event,
            "entrant": entrant,
            "name": name,
            "receipt": derivation,
            "regulation": recomputed.rated and recomputed.system,
            "games": _games_table(derivation, recomputed) if derivation else None,
            "variants": _variants_table(derivation) if derivation else None,
            "lines": [receipt_line(step, recomputed.names) for step in derivation.steps]
            if derivation
            else [],
            "under_way": queries.replay_pending(event),
            "breadcrumbs": go_crumbs((event.name, event.get_absolute_url()), (name, None)),
        },
    )


def _games_table(derivation: queries.Receipt, recomputed: queries.Recomputation) -> OwnGameTable:
    """Return the table of the player's games.

    If the tournament has ε or a class weight below 1, a column shows the rating changes without them.
    """
    rows = queries.own_game_records(derivation, recomputed)
    excluded = () if derivation.bare else ("bare",)
    # The rating system of 2021 has no ε: there the column leaves out only the class weight.
    head = capfirst(_("as if of class A"))
    columns = [] if derivation.epsilon else [("bare", ChangeColumn(verbose_name=head, digits=2))]
    return OwnGameTable(rows, exclude=excluded, extra_columns=columns)


def _variants_table(derivation: queries.Receipt) -> VariantTable | None:
    """Return the table of the rating change computed without some rules; None if no rule can be omitted."""
    rows = queries.variant_records(derivation)
    return VariantTable(rows) if rows else None
