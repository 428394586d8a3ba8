"""The list of clubs and the page of a club."""

from itertools import groupby

from django.core.paginator import Paginator
from django.db.models import Count, Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.access import manageable_clubs, uploadable_clubs
from players.models import Club, ClubPair, Licence, Player
from players.models.names import matching
from scoring.ledger.conditional import standings_state
from scoring.pages.queries import tournaments as queries
from scoring.pages.queries.members import members_of
from scoring.pages.tables import PlayerTable, TournamentTable
from tournaments.models import Tournament
from ui.addresses import crumbs, own_player_id
from ui.paging import paged
from ui.parameters import PAGE
from ui.shared import shared

RECENT = 10
CLUBS = 100  # on one page


@require_safe
@shared
def index(request: HttpRequest) -> HttpResponse:
    """List the active clubs by region, each with its number of licensed players."""
    state = standings_state()
    licensed = Player.objects.unmerged().filter(
        Exists(Licence.objects.valid_on(state.as_of).filter(player=OuterRef("pk")))
    )
    counts = dict(
        licensed.filter(club__isnull=False).order_by().values_list("club_id").annotate(players=Count("pk"))
    )
    text = request.GET.get("q", "").strip().replace("\x00", "")[:100]
    listed = Club.objects.filter(active=True).select_related("region")
    if text:
        listed = listed.filter(matching(text, ClubPair))
    page = Paginator(listed.order_by("region__sort_key", "sort_key", "pk"), CLUBS).get_page(
        request.GET.get(PAGE)
    )
    groups = [
        {
            "region": region,
            "clubs": [{"club": club, "players": counts.get(club.pk, 0)} for club in members],
        }
        for region, members in groupby(page.object_list, key=lambda club: club.region)
    ]
    return render(
        request,
        "pages/clubs.html",
        {
            "groups": groups,
            "page": page,
            "page_field": PAGE,
            "text": text,
            "total": page.paginator.count,
            "regions": listed.order_by().values("region").distinct().count(),
            "changed_at": state.changed_at,
            "players": sum(counts.get(pk, 0) for pk in listed.order_by().values_list("pk", flat=True)),
            "breadcrumbs": crumbs((_("Clubs"), None)),
        },
    )


@require_safe
@shared
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club's licensed members with category and points, and its latest tournaments."""
    state = standings_state()
    club = get_object_or_404(Club.objects.select_related("region"), slug=slug)
    members = members_of(club, state.as_of)
    table = paged(
        PlayerTable,
        request,
        members,
        exclude=("club", "licensed"),
        printable=True,
        caption=_("Licensed members, by category and points"),
        own_id=own_player_id(request),
        empty_text=_("Nobody of this club has a licence today."),
        empty_link=(reverse("clubs"), _("See the other clubs")),
    )
    tournaments = Tournament.objects.filter(club=club).order_by("-end_date", "-pk")
    latest = TournamentTable(
        queries.summary(list(queries.list_rows(tournaments)[:RECENT])),
        exclude=("club",),
        caption=_("Latest tournaments"),
        empty_text=_("No tournament of this club has been uploaded yet."),
    )
    user = request.user
    return render(
        request,
        "pages/club.html",
        {
            "club": club,
            "members": len(members),
            "points": sum(row["points"] for row in members),
            "table_html": table.as_html(request),
            "tournaments_html": latest.as_html(request),
            "more": tournaments.count() > RECENT,
            "as_of": state.as_of,
            "changed_at": state.changed_at,
            "may_upload": user.is_authenticated and uploadable_clubs(user).filter(pk=club.pk).exists(),
            "may_manage": user.is_authenticated and manageable_clubs(user).filter(pk=club.pk).exists(),
            "breadcrumbs": crumbs((_("Clubs"), reverse("clubs")), (club.name, None)),
        },
    )
