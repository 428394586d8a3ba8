"""Simulate the year-end category change on any day, with one or two rule sets. Changes nothing for anybody.

Workers compute (`scoring.promotions.services.simulations`); the pages show what they stored.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from scoring.ledger.conditional import standings_state
from scoring.ledger.queries.people import people
from scoring.promotions.criteria import STATES
from scoring.promotions.models import PromotionRuleSet, Simulation
from scoring.promotions.pure.selection import PlaceState
from scoring.promotions.queries.candidates import rule_set_of, unconfirmed
from scoring.promotions.queries.simulation import Mover, Results, codes_of, results_of
from scoring.promotions.queries.stored import result_of, simulation_of
from scoring.promotions.services import simulations
from scoring.promotions.tables.simulation import MoverTable, OutcomeTable, mover_columns, outcome_columns
from scoring.promotions.views.access import campaign_crumbs, campaign_reader_required
from scoring.promotions.views.stored import computation, progress, simulation_address
from ui import exports
from ui.addresses import parse_day
from ui.formatting import format_date
from ui.paging import Pages
from ui.progress import answer


@dataclass(frozen=True, slots=True)
class Filters:
    """The parameters of the simulation page's query string.

    day: the day to simulate; `typed_day` is its text as typed
    first, second: the rule sets; `second` is None if none is compared
    error: a message if the typed day is invalid, else ""
    """

    day: date
    typed_day: str
    first: PromotionRuleSet
    second: PromotionRuleSet | None
    error: str

    @property
    def names(self) -> tuple[str, str]:
        """The names of the rule sets; the second is "" if there is only one."""
        return self.first.name, self.second.name if self.second else ""

    @property
    def unconfirmed(self) -> list[str]:
        """The names of the rule sets with figures that the federation has not confirmed."""
        sets = [rule_set for rule_set in (self.first, self.second) if rule_set]
        return [
            rule_set.name for rule_set in sets if not rule_set.confirmed or unconfirmed(rule_set).exists()
        ]


@campaign_reader_required
@require_http_methods(["GET", "HEAD", "POST"])
def simulation(request: HttpRequest) -> HttpResponse:
    """Show who would move if the category change took place on a chosen day; POST asks a worker for it.

    A second rule set can be chosen to compare it with the first. The office, the committee and auditors may
    ask, because it changes nothing.
    """
    sets = list(PromotionRuleSet.objects.filter(family="aeb"))
    if not sets:
        raise Http404(_("No promotion rules are known yet."))
    parameters = request.POST if request.method == "POST" else request.GET
    filters = _read_filters(parameters, sets, standings_state().as_of)
    context = {
        "asked": filters,
        "sets": sets,
        "breadcrumbs": campaign_crumbs(request, (_("Simulation"), None)),
    }
    if filters.error:
        return render(request, "promotions/campaign/simulation.html", context, status=400)
    if request.method == "POST":
        simulations.wait(simulations.ask(filters.day, filters.first, other_rules=filters.second))
        other = filters.second and filters.second.pk
        return redirect(simulation_address(filters.day, filters.first.pk, other))
    stored = simulation_of(filters.day, filters.first, other_rules=filters.second)
    value = result_of(stored)
    results = results_of(value) if value else Results(({}, {}), [])
    table = _file_or_table(request, filters, results.movers)
    if isinstance(table, HttpResponseBase):
        return table
    context |= computation(stored)
    if value:
        context |= _results(request, filters, results)
        context |= {"table_html": table.as_html(request), "differing": len(table.data)}
    return render(request, "promotions/campaign/simulation.html", context)


@campaign_reader_required
@require_safe
def simulation_progress(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the fragment that shows that a worker computes a simulation, or late results."""
    rows = Simulation.objects.defer("result").select_related("snapshot")
    return answer(request, progress(get_object_or_404(rows, pk=pk)))


def _read_filters(parameters: QueryDict, sets: Sequence[PromotionRuleSet], as_of: date) -> Filters:
    """Read the parameters. Raises Http404 for an unknown rule set; an invalid day sets `error`.

    sets: the rule sets to choose from
    as_of: day of the standings, which is the default and the last possible day
    """
    typed = parameters.get("dia", "").strip()[:20]
    day, error = as_of, ""
    if typed:
        parsed = parse_day(typed)
        if parsed is None:
            text = _("“%(text)s” is not a date. Write it as year-month-day, for example %(example)s.")
            error = text % {"text": typed, "example": as_of.isoformat()}
        elif parsed > as_of:
            error = _("%(day)s has not come yet.") % {"day": format_date(parsed, get_language() or "")}
        else:
            day = parsed
    first = _chosen(parameters.get("reglas", ""), sets) or rule_set_of(day.year) or sets[0]
    second = _chosen(parameters.get("con", ""), sets)
    return Filters(day, typed or as_of.isoformat(), first, second if second != first else None, error)


def _chosen(text: str, sets: Sequence[PromotionRuleSet]) -> PromotionRuleSet | None:
    if not text:
        return None
    for rule_set in sets:
        if text == str(rule_set.pk):
            return rule_set
    raise Http404(_("There are no such rules."))


def _file_or_table(
    request: HttpRequest, filters: Filters, moving: list[Mover]
) -> HttpResponseBase | MoverTable:
    """Return the table of players, or the file that the request asks for.

    If two rule sets are compared, the page lists only the players on whom they differ. The file always has
    everybody who would move by either rule set.

    moving: the players who would move by at least one of the rule sets
    """
    listed = [mover for mover in moving if mover.differs] if filters.second else moving
    return exports.file_or_table(
        request,
        MoverTable,
        f"{_('simulation')}-{filters.day.isoformat()}",
        Pages(listed, partial(_mover_records, desk=True)),
        file_source=Pages(moving, _mover_records),
        extra_columns=mover_columns(*filters.names),
        caption=_("Players on whom the two differ") if filters.second else _("Who would move"),
        empty_text=_("The two differ on nobody.") if filters.second else _("Nobody would move."),
    )


def _results(request: HttpRequest, filters: Filters, results: Results) -> dict:
    """Return the template context with the results of the simulation, without the table of players."""
    categories = OutcomeTable(
        _category_records(results),
        extra_columns=outcome_columns(*filters.names),
        caption=_("Categories, highest first"),
    )
    return {
        "moving": [sum(summary.moving for summary in side.values()) for side in results.sides],
        "forecast": filters.day != date(filters.day.year, 12, 31),
        "first_day": date(filters.day.year, 1, 1),
        "categories_html": categories.as_html(request),
    }


def _category_records(results: Results) -> list[dict]:
    """Return records for `OutcomeTable`, highest category first."""
    records = []
    first, second = results.sides
    for code in codes_of(first, second):
        summary, compared = first.get(code), second.get(code)
        destinations = [mover.destinations for mover in results.movers if mover.category == code]
        records.append(
            {
                "code": code,
                "target": (summary or compared).target,
                "listed": (summary or compared).listed,
                "cut": summary and summary.cut,
                "up": summary and summary.up,
                "down": summary and summary.down,
                "moving": summary and summary.moving,
                "only": sum(to_second is None for _to_first, to_second in destinations),
                "other_cut": compared and compared.cut,
                "other_moving": compared and compared.moving,
                "other_only": sum(to_first is None for to_first, _to_second in destinations),
            }
        )
    return records


def _mover_records(movers: list[Mover], *, desk: bool = False) -> list[dict]:
    """Return records for `MoverTable`.

    desk: whether to show the names of hidden players; True on the page, False in downloads
    """
    persons = people((mover.place.entrant.player_id for mover in movers), desk=desk)
    return [
        {
            **persons[mover.place.entrant.player_id],
            "player_id": mover.place.entrant.player_id,
            "points": mover.place.entrant.points,
            "in_person": mover.place.entrant.in_person,
            "online": mover.place.entrant.online,
            "tournaments": mover.place.entrant.tournaments,
            "boards": mover.place.entrant.boards,
            "average": mover.place.entrant.average,
            "category": mover.category,
            "first": _in_words(mover.states[0]),
            "second": _in_words(mover.states[1]),
            "first_target": mover.destinations[0],
            "second_target": mover.destinations[1],
        }
        for mover in movers
    ]


def _in_words(state: PlaceState | None) -> str:
    return _("no rule") if state is None else str(STATES[state])
