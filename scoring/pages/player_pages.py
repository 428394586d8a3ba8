"""What the public page of a player and the player's own pages share: the figures and the list of results."""

from datetime import date
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from players.categories import history_of
from players.models import Player
from scoring.ledger import systems
from scoring.ledger.conditional import StandingsVersion
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.queries import awards
from scoring.pages.queries import profile, results
from scoring.pages.tables import AwaitingTable, NotCountedTable, ResultTable
from tournaments.models import Tournament
from ui import exports
from ui.choices import Asked, option_tags

STATES = [("cuentan", gettext_lazy("that count today")), ("fuera", gettext_lazy("that no longer count"))]
VENUES = [("presencial", gettext_lazy("in person")), ("en-linea", gettext_lazy("online"))]


def results_url(player: Player) -> str:
    """Return the URL of a player's list of results."""
    return f"{player.get_absolute_url()}resultados/"


def overview(player: Player, state: StandingsVersion, *, own: bool = False) -> dict[str, Any]:
    """Return the template context of a player's figures: strip, lead, chart, categories, other systems.

    player: from the query `profile.players`
    own: whether the reader is the player
    """
    totals, history = profile.totals_of(player), history_of(player)
    position, week = profile.standing_of(player, history, totals, state)
    prospect = profile.prospect_of(player, position.category, state, own=own)
    left = totals.rolling.left_on(date(state.as_of.year, 12, 31), state.as_of)
    cut = prospect.cut if prospect else None
    return {
        "player": player,
        "name": player.full_name if own else player.public_name,
        "as_of": state.as_of,
        "position": position,
        "week": week,
        "prospect": prospect,
        "licence": profile.licence_of(player, state.as_of),
        "leaves_this_year": position.points - left,
        "left_on_31_december": left,
        "totals": totals,
        "history": history,
        "chart": profile.plot_of(totals.rolling, state.as_of, get_language() or "", cut),
        "others": [
            {
                **other,
                "listed": other["system"].family in settings.FAMILIES,
                "colours": _colours(player, other["system"].family, state.as_of),
            }
            for other in totals.others(state.as_of)
        ],
    }


def _colours(player: Player, family: str, day: date) -> list[tuple[str, int]]:
    """Return a player's points by colour, as `awards.colour_totals`; none in systems without colours."""
    return awards.colour_totals(player, day) if family == Tournament.Family.ACBL else []


def result_list(
    request: HttpRequest, player: Player, state: StandingsVersion, name: str, *, own: bool = False
) -> dict[str, Any] | HttpResponseBase:
    """Return the template context of the list of a player's results, or the file that the request asks for.

    name: the player's name as this reader may see it
    own: whether the reader is the player, who can report what is wrong with a result
    """
    asked = Asked(request.GET)
    family = asked.one_of("puntos", systems.ALL, _("Points")) or FAMILY
    clubs, years = results.clubs_of(player, family), results.result_years(player, family)
    partners = results.partners_of(player, date.min, date.max, results.ALL_PARTNERS)
    by_number = {person["number"]: person["player_id"] for person in partners}
    filters = _filters(asked, family, clubs, years, by_number)
    entries = filters.entries(player, state.as_of)
    table = exports.file_or_table(
        request,
        ResultTable,
        f"{_('results')}-{player.number}",
        results.result_pages(entries, player),
        caption=_("Results, latest first"),
        empty_text=_("No result fits."),
        exclude=("kind", "reason"),
    )
    if isinstance(table, HttpResponseBase):
        return table
    waiting_rows, uncounted_rows = awards.without_points(player)
    awaiting, not_counted = AwaitingTable(waiting_rows), NotCountedTable(uncounted_rows)
    if own:
        for listed in (table, awaiting, not_counted):
            listed.columns.show("report")
    return {
        "player": player,
        "name": name,
        "filters": filters,
        "years": years,
        "left_out": asked.left_out,
        "clubs": option_tags(tuple(clubs), request.GET.get("club", ""), _("any club")),
        "partners": partners,
        "partner": request.GET.get("pareja", ""),
        "states": STATES,
        "venues": VENUES,
        "systems": systems.others(),
        "table_html": table.as_html(request),
        "total": len(table.rows),
        "awaiting_html": awaiting.html_or_blank(request),
        "not_counted_html": not_counted.html_or_blank(request),
    }


def _filters(
    asked: Asked,
    family: str,
    clubs: list[tuple[int, str, str]],
    years: list[int],
    partners: dict[str, int],
) -> results.ResultFilter:
    """Return the filters of the request; values that do not fit the points chosen are left out.

    clubs, years: those in which the player has points of the family
    partners: {federation number: player id}
    """
    by_slug = {slug: pk for pk, slug, _name in clubs}
    year = asked.one_of("ano", [str(year) for year in years], _("Year"))
    return results.ResultFilter(
        family=family,
        year=int(year) if year else None,
        state=asked.one_of("ver", dict(STATES), _("Results")),
        venue=asked.one_of("lugar", dict(VENUES), _("Venue")),
        club=by_slug.get(asked.one_of("club", by_slug, _("Club"))),
        partner=partners.get(asked.one_of("pareja", partners, _("Partner"))),
        text=asked.text("q"),
    )
