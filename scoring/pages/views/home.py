"""The home page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.access import Kind, roles_of
from players.models import Club
from scoring.calendar.queries import next_tournaments
from scoring.ledger.conditional import StandingsVersion, standings_state
from scoring.office.queries.waiting import waiting_for
from scoring.pages.queries import tournaments as queries
from scoring.pages.queries.categories import category_records
from scoring.pages.queries.profile import position_of
from scoring.pages.tables import CategoryTable, TournamentTable
from tournaments.models import ResultUpload, Tournament
from ui.clock import today
from ui.formatting import format_days

LATEST = 8
COMING = 4


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the standings, the search and the latest tournaments, and the tasks of a signed-in account."""
    state = standings_state()
    categories = category_records(state.as_of, state.version)
    latest = Tournament.objects.filter(published__isnull=False).order_by("-end_date", "-pk")
    table = TournamentTable(
        queries.summary(list(queries.list_rows(latest)[:LATEST])), exclude=("boards",), empty_text=""
    )
    context = {
        "as_of": state.as_of,
        "tally": [
            (sum(record["players"] for record in categories), _("players with points in 12 months")),
            (Club.objects.filter(active=True).count(), _("clubs")),
        ],
        "categories_html": CategoryTable(categories).as_html(request),
        "table_html": table.html_or_blank(request),
        "coming": _coming(),
    }
    if request.user.is_authenticated:
        context |= _jobs(request, state)
    return render(request, "pages/home.html", context)


def _coming() -> list[dict[str, str]]:
    """Return the next announced tournaments, each with name, url, days and club."""
    lang = get_language() or ""
    return [
        {
            "name": announced.name,
            "url": announced.get_absolute_url(),
            "days": format_days(announced.start_date, announced.end_date, lang, year=False),
            "club": announced.club.name,
        }
        for announced in next_tournaments(today(), COMING)
    ]


def _jobs(request: HttpRequest, state: StandingsVersion) -> dict:
    """Return the template context for the tasks of a signed-in account: its roles, proposals and drafts."""
    user = request.user
    roles = roles_of(user)
    player = getattr(user, "player", None)
    directs = roles.office or Kind.DIRECTOR in roles.clubs
    desk = roles.office or roles.auditor
    keeps_clubs = not desk and (Kind.CLUB_ADMIN in roles.clubs or bool(roles.regions))
    jobs: dict = {
        "roles": roles,
        "desk": desk,
        "directs": directs,
        "keeps_clubs": keeps_clubs,
        "player": player,
        "has_jobs": bool(player or directs or desk or keeps_clubs or roles.committee),
        "waiting": waiting_for(user),
    }
    if player:
        jobs["position"] = position_of(player, state.as_of)
    if directs:
        drafts = ResultUpload.objects.drafts().filter(created_by=user)
        jobs["drafts"] = drafts.select_related("club").defer("parsed", "details")[:5]
    return jobs
