"""The home page."""

from datetime import date

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.access import Kind, roles_of
from players.inbox import waiting_for
from players.models import Club, Region
from scoring.calendar.queries import next_tournaments
from scoring.ledger.conditional import StandingsVersion, standings_state
from scoring.office.desk import title_of
from scoring.pages.queries.front import latest_records, leader_records, played
from scoring.pages.queries.profile import position_of
from scoring.pages.tables import LatestTable, LeaderTable
from scoring.promotions.models import PromotionRuleSet
from scoring.promotions.queries.candidates import criteria, rule_set_of
from scoring.promotions.wording import rule_words
from tournaments.models import ResultUpload
from ui.clock import today
from ui.formatting import format_days
from ui.shared import shared

LATEST = 8
COMING = 4
WAITING = 3  # matters that are shown; the inbox has the others


@require_safe
@shared
def home(request: HttpRequest) -> HttpResponse:
    """Show the search, who leads each category, and the latest and next tournaments."""
    state = standings_state()
    rules = rule_set_of(state.as_of.year)
    leaders = leader_records(state)
    tournaments, points = played(state.version, state.as_of)
    licensed = sum(record["players"] for record in leaders)
    latest = latest_records(LATEST)
    context = {
        "as_of": state.as_of,
        "changed_at": state.changed_at,
        "tally": (licensed or tournaments)
        and [
            (licensed, _("players with points in 12 months")),
            (Club.objects.filter(active=True).count(), _("clubs")),
            (tournaments, _("tournaments in 12 months")),
            (points // 100, _("points won in them")),
        ],
        "leaders_html": LeaderTable(
            [record for record in leaders if not record["is_title"]], year=state.as_of.year
        ).html_or_blank(request),
        "titles": [record for record in leaders if record["is_title"]],
        "latest_html": LatestTable(latest).html_or_blank(request),
        "coming": _coming(),
        "closing": _closing(state, rules),
        "own": _own(request, state),
    }
    return render(request, "pages/home.html", context)


@login_required
@require_safe
def my_place(request: HttpRequest) -> HttpResponse:
    """Show what waits for the signed-in account, and lead it to its pages.

    Players for whom nothing waits, and who have no other task, get their own page.
    """
    jobs = _jobs(request, standings_state())
    if jobs["only_plays"] and not jobs["inbox"].count:
        return redirect("my_page")
    context = {"coming": _coming(), **jobs}
    return render(request, "pages/my_place.html", context)


def _own(request: HttpRequest, state: StandingsVersion) -> dict | None:
    """Return a signed-in reader's position and what waits for them; None for anybody else."""
    if not request.user.is_authenticated:
        return None
    player = getattr(request.user, "player", None)
    inbox = waiting_for(request.user, number=WAITING)
    return {
        "position": player and position_of(player, state.as_of),
        "inbox": inbox,
        "inbox_title": title_of(inbox),
    }


def _closing(state: StandingsVersion, rules: PromotionRuleSet | None) -> dict | None:
    """Return the year of the next category change, the days left, and its rule in words if there is only one.

    Return None if no rules are known.
    """
    if rules is None:
        return None
    rows = rules.rules.filter(target__isnull=False).select_related("category", "target")
    texts = {" ".join(rule_words(criteria(row))) for row in rows}
    year = state.as_of.year
    return {
        "year": year,
        "days": (date(year, 12, 31) - state.as_of).days,
        "rule": texts.pop() if len(texts) == 1 else "",
        "confirmed": rules.confirmed,
    }


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
    inbox = waiting_for(user, number=WAITING)
    jobs: dict = {
        "roles": roles,
        "desk": desk,
        "directs": directs,
        "keeps_clubs": keeps_clubs,
        "watches": roles.committee or roles.auditor,
        "player": player,
        "has_jobs": bool(player or directs or desk or keeps_clubs or roles.committee),
        "only_plays": bool(player) and not (directs or desk or keeps_clubs or roles.committee),
        "inbox": inbox,
        "inbox_title": title_of(inbox),
    }
    if keeps_clubs and roles.regions:
        jobs["regions"] = Region.objects.filter(pk__in=roles.regions)
    if player:
        jobs["position"] = position_of(player, state.as_of)
    if directs:
        drafts = ResultUpload.objects.drafts().filter(created_by=user)
        jobs["drafts"] = drafts.select_related("club").defer("parsed", "details")[:5]
    return jobs
