"""The signed-in player's page and list of results, and the button for corrections that were seen."""

from datetime import date, datetime

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from players.access import require
from scoring.ledger import systems
from scoring.ledger.queries import awards
from scoring.ledger.queries.corrected import news_of
from scoring.ledger.services.seen import see_corrections
from scoring.ledger.windows import first_day
from scoring.mypage.own import OwnRequest, own_page
from scoring.mypage.queries import habits
from scoring.mypage.queries.forecast import forecast_of, leaving_by_month
from scoring.pages.player_pages import overview, result_list
from scoring.pages.queries import results
from scoring.pages.queries.profile import Totals
from scoring.pages.tables import ResultTable
from scoring.promotions.queries.own import latest_result, orphaned_claims
from ui.addresses import crumbs
from ui.counting import counted_points
from ui.formatting import format_month_in_words
from ui.month_plot import MonthPlot

LATEST = 5  # results on the page
WITHOUT_POINTS = 3


@require_safe
@own_page
def my_page(request: OwnRequest) -> HttpResponse:
    """Show the player's year at a glance, and what only the player may read: news, claims, reasons."""
    player, state = request.player, request.standings
    context = overview(player, state, own=True)
    change = latest_result(player, state.as_of, context["history"])
    latest = results.rows_of(context["totals"].latest(state.as_of, LATEST))
    table = ResultTable(
        results.result_records(latest, player),
        caption=_("Latest results"),
        exclude=("kind", "reason", "leaves"),
    )
    table.columns.show("report")
    awaiting, not_counted = awards.without_points(player)
    context |= {
        "news": news_of(player),
        "change": change,
        "claims_left": [] if change else orphaned_claims(player, state.as_of),
        "unplayed": not latest and not context["position"].points,
        "results_html": table.html_or_blank(request),
        "results_url": reverse("my_results"),
        "partners": results.partners_of(player, first_day(state.as_of), state.as_of),
        "clubs": habits.clubs_played(player, first_day(state.as_of), state.as_of, results.MOST_PARTNERS),
        "forecast": forecast_of(context["totals"], state.as_of),
        "leaving": leaving_plot(context["totals"], state.as_of),
        "example": results.example_of(latest, state.as_of),
        "rated": getattr(player, "rated", None) if systems.offers_go() else None,
        "review_year": state.as_of.year,
        "awaiting": awaiting,
        "not_counted": not_counted[:WITHOUT_POINTS],
        "not_counted_more": len(not_counted),
        "breadcrumbs": crumbs((_("My page"), None)),
    }
    return render(request, "mypage/page.html", context)


def leaving_plot(totals: Totals, day: date) -> MonthPlot | None:
    """Return the chart of the points that leave in each of the coming months, None if no points count."""
    months = leaving_by_month(totals, day)
    if not any(points for _month, points, _count in months):
        return None
    most = max(months, key=lambda month: month[1])
    desc = _("Most leave in %(month)s: %(points)s.") % {
        "month": format_month_in_words(most[0], get_language() or ""),
        "points": counted_points(most[1]),
    }
    return MonthPlot(_("Points that leave, by month"), desc, months)


@require_safe
@own_page
def my_results(request: OwnRequest) -> HttpResponseBase:
    """List all results of the player, filtered, as a page or a file."""
    player = request.player
    listed = result_list(request, player, request.standings, player.full_name, own=True)
    if isinstance(listed, HttpResponseBase):
        return listed
    listed["breadcrumbs"] = crumbs((_("My page"), reverse("my_page")), (_("Results"), None))
    return render(request, "mypage/results.html", listed)


@login_required
@require_POST
def seen(request: HttpRequest) -> HttpResponse:
    """Mark the corrections up to the time that the form states as seen by the account's player."""
    player = getattr(request.user, "player", None)
    require(player is not None)
    until = _time_of(request.POST.get("until", ""))
    if until:
        see_corrections(player, until)
    return redirect("my_page")


def _time_of(text: str) -> datetime | None:
    """Return the time that a form states; None if the text is none, or has no time zone."""
    try:
        time = parse_datetime(text)
    except ValueError:
        return None
    return time if time and time.tzinfo else None
