"""With whom and where the player plays, one partner, and the year in review."""

from datetime import date

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.models import Player
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.windows import first_day
from scoring.mypage.own import OwnRequest, own_page
from scoring.mypage.queries import habits
from scoring.mypage.tables import BestTable, ClubTable, PartnerTable
from scoring.pages.queries import results
from scoring.pages.tables import ResultTable
from ui.addresses import crumbs
from ui.counting import counted_points
from ui.month_plot import MonthPlot
from ui.paging import paged

BEST = 5  # best results in the year in review


def span_of(text: str, today: date) -> tuple[date, date]:
    """Return the first and the last day of a period: a year such as "2026", "todo", or else 12 months."""
    if text == "todo":
        return date.min, today
    if len(text) == 4 and text.isascii() and text.isdecimal() and text > "1900":
        return date(int(text), 1, 1), date(int(text), 12, 31)
    return first_day(today), today


@require_safe
@own_page
def partners(request: OwnRequest) -> HttpResponse:
    """List everybody with whom the player played pairs, and all clubs, in a period."""
    player, day = request.player, request.standings.as_of
    period = request.GET.get("periodo", "")
    first, last = span_of(period, day)
    people = results.partners_of(player, first, last, results.ALL_PARTNERS)
    for person in people:
        person["url"] = reverse("my_partner", args=[person["number"]])
    people_table = paged(
        PartnerTable, request, people, caption=_("Partners"), prefix="parejas-", empty_text=_("Nobody yet.")
    )
    clubs = habits.clubs_played(player, first, last)
    club_table = paged(
        ClubTable, request, clubs, caption=_("Clubs"), prefix="clubes-", empty_text=_("No club yet.")
    )
    context = {
        "partners": len(people),
        "clubs": len(clubs),
        "period": period,
        "years": results.result_years(player, FAMILY),
        "partners_html": people_table.as_html(request),
        "clubs_html": club_table.as_html(request),
        "breadcrumbs": crumbs((_("My page"), reverse("my_page")), (_("Partners and clubs"), None)),
    }
    return render(request, "mypage/partners.html", context)


@require_safe
@own_page
def partner(request: OwnRequest, number: int) -> HttpResponse:
    """Show the player's results with one partner, beside those with all others."""
    player = request.player
    other = get_object_or_404(Player.objects.select_related("merged_into"), number=str(number))
    if other.merged_into_id:
        return redirect("my_partner", other.current.number)
    if other == player:
        raise Http404(_("That is you."))
    together, others = habits.with_partner(player, other)
    entries = results.ResultFilter(partner=other.pk).entries(player, request.standings.as_of)
    table = paged(
        ResultTable,
        request,
        results.result_pages(entries, player),
        caption=_("Results together"),
        empty_text=_("You have no result together."),
        exclude=("kind", "reason"),
    )
    context = {
        "partner": other,
        "name": other.public_name,
        "together": together,
        "others": others,
        "table_html": table.as_html(request),
        "breadcrumbs": crumbs(
            (_("My page"), reverse("my_page")),
            (_("Partners and clubs"), reverse("my_partners")),
            (other.public_name, None),
        ),
    }
    return render(request, "mypage/partner.html", context)


@require_safe
@own_page
def review(request: OwnRequest, year: int) -> HttpResponse:
    """Show a calendar year of the player in figures, on a page that can be printed."""
    player = request.player
    years = results.result_years(player, FAMILY)
    if year not in (*years, request.standings.as_of.year):
        raise Http404(_("You have no results of that year."))
    first, last = date(year, 1, 1), date(year, 12, 31)
    months = habits.won_by_month(player, year)
    points = sum(won for _month, won, _count in months)
    best = habits.best_of(player, first, last, BEST)
    people = results.partners_of(player, first, last)
    clubs = habits.clubs_played(player, first, last, results.MOST_PARTNERS)
    context = {
        "player": player,
        "year": year,
        "years": years,
        "points": points,
        "summary": habits.summary_of(player, first, last),
        "chart": MonthPlot(
            _("Points by month"),
            _("%(points)s in %(year)s.") % {"points": counted_points(points), "year": year},
            months,
        ),
        "best_html": BestTable(results.result_records(best, player), caption=_("Best results")).html_or_blank(
            request
        ),
        "partners_html": PartnerTable(people, caption=_("Partners"), orderable=False).html_or_blank(request),
        "clubs_html": ClubTable(clubs, caption=_("Clubs"), orderable=False).html_or_blank(request),
        "categories": player.assignments.filter(valid_from__year=year, revoked_at=None).select_related(
            "category"
        ),
        "breadcrumbs": crumbs((_("My page"), reverse("my_page")), (str(year), None)),
    }
    return render(request, "mypage/review.html", context)
