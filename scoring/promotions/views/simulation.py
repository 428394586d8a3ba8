"""The simulation of the year-end category change: any day, one rule set or two. It changes nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.ledger.conditional import standings_state
from scoring.ledger.queries.people import people
from scoring.promotions.models import PromotionRuleSet
from scoring.promotions.pure.selection import State
from scoring.promotions.queries.candidates import rule_set_of, unconfirmed
from scoring.promotions.queries.simulation import Mover, Outcome, codes_of, movers, simulate
from scoring.promotions.tables.simulation import MoverTable, OutcomeTable, mover_columns, outcome_columns
from scoring.promotions.views.access import campaign_crumbs, for_campaigns
from scoring.promotions.wording import STATES
from ui import exports
from ui.addresses import day_of
from ui.formatting import format_date
from ui.paging import ROWS, paged

NOTHING: dict[str, Outcome] = {}


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address asks for; `error` says what could not be read."""

    day: date
    typed_day: str
    first: PromotionRuleSet
    second: PromotionRuleSet | None
    error: str

    @property
    def unconfirmed(self) -> list[str]:
        """The names of the rule sets with figures that the federation has not confirmed."""
        sets = [each for each in (self.first, self.second) if each]
        return [each.name for each in sets if not each.confirmed or unconfirmed(each).exists()]


@for_campaigns
@require_safe
def simulation(request: HttpRequest) -> HttpResponse:
    """Who would move on a day, category by category; beside it what another rule set would do."""
    state = standings_state()
    sets = list(PromotionRuleSet.objects.filter(family="aeb"))
    if not sets:
        raise Http404(_("No promotion rules are known yet."))
    asked = _read(request, sets, state.as_of)
    context = {
        "asked": asked,
        "sets": sets,
        "breadcrumbs": campaign_crumbs(request, (_("Simulation"), None)),
    }
    if asked.error:
        return render(request, "promotions/campaign/simulation.html", context, status=400)
    first = simulate(state.version, asked.day, asked.first)
    second = simulate(state.version, asked.day, asked.second) if asked.second else NOTHING
    found = movers(first, second)
    kind = exports.asked(request)
    if kind:
        return _download(kind, asked, found)
    context |= _shown(request, asked, (first, second), found)
    return render(request, "promotions/campaign/simulation.html", context)


def _read(request: HttpRequest, sets: Sequence[PromotionRuleSet], as_of: date) -> Asked:
    """The address; a rule set that does not exist is a 404, a day is never guessed."""
    typed = request.GET.get("dia", "").strip()[:20]
    day, error = as_of, ""
    if typed:
        read = day_of(typed)
        if read is None:
            text = _("“%(text)s” is not a date. Write it as year-month-day, for example %(example)s.")
            error = text % {"text": typed, "example": as_of.isoformat()}
        elif read > as_of:
            error = _("%(day)s has not come yet.") % {"day": format_date(read, get_language() or "")}
        else:
            day = read
    first = _chosen(request.GET.get("reglas", ""), sets) or rule_set_of(day.year) or sets[0]
    second = _chosen(request.GET.get("con", ""), sets)
    return Asked(day, typed or as_of.isoformat(), first, second if second != first else None, error)


def _chosen(text: str, sets: Sequence[PromotionRuleSet]) -> PromotionRuleSet | None:
    if not text:
        return None
    for each in sets:
        if text == str(each.pk):
            return each
    raise Http404(_("There are no such rules."))


def _shown(
    request: HttpRequest,
    asked: Asked,
    outcomes: tuple[Mapping[str, Outcome], Mapping[str, Outcome]],
    found: list[Mover],
) -> dict:
    """What the page says and lists: with two rule sets, the players on whom they differ."""
    first, second = outcomes
    listed = [each for each in found if each.differs] if asked.second else found
    names = (asked.first.name, asked.second.name if asked.second else "")
    source = Movers(listed, desk=True)
    table = paged(
        MoverTable,
        request,
        source,
        extra_columns=mover_columns(*names),
        caption=_("Players on whom the two differ") if asked.second else _("Who would move"),
        empty_text=_("The two differ on nobody.") if asked.second else _("Nobody would move."),
    )
    categories = OutcomeTable(
        _lines(first, second, found),
        extra_columns=outcome_columns(*names),
        caption=_("Categories, highest first"),
    )
    return {
        "moving": [sum(each.goes[side] is not None for each in found) for side in (0, 1)],
        "differing": source.count(),
        "forecast": asked.day != date(asked.day.year, 12, 31),
        "first_day": date(asked.day.year, 1, 1),
        "categories_html": categories.as_html(request),
        "table_html": table.as_html(request),
    }


def _lines(first: Mapping[str, Outcome], second: Mapping[str, Outcome], found: list[Mover]) -> list[dict]:
    """Records of the table of categories, highest first."""
    lines = []
    for code in codes_of(first, second):
        here, there = first.get(code), second.get(code)
        goes = [each.goes for each in found if each.category == code]
        lines.append(
            {
                "code": code,
                "target": (here or there).target,
                "listed": (here or there).listed,
                "cut": here and here.cut,
                "up": here and here.up,
                "down": here and here.down,
                "moving": here and len(here.moving),
                "only": sum(other is None for _own, other in goes),
                "other_cut": there and there.cut,
                "other_moving": there and len(there.moving),
                "other_only": sum(own is None for own, _other in goes),
            }
        )
    return lines


class Movers:
    """Records of the players who would move, a page at a time; `desk` as in `people`."""

    def __init__(self, found: Sequence[Mover], *, desk: bool = False) -> None:
        self.found, self.desk = found, desk

    def count(self) -> int:
        """How many players there are."""
        return len(self.found)

    def rows(self, start: int, stop: int) -> list[dict]:
        """Records from `start` to before `stop`; one query."""
        some = self.found[start:stop]
        known = people((each.place.entrant.player_id for each in some), desk=self.desk)
        return [_record(each, known[each.place.entrant.player_id]) for each in some]


def _record(mover: Mover, person: dict) -> dict:
    entrant, words = mover.place.entrant, [_in_words(state) for state in mover.states]
    return {
        **person,
        "player_id": entrant.player_id,
        "category": mover.category,
        "points": entrant.points,
        "in_person": entrant.in_person,
        "online": entrant.online,
        "tournaments": entrant.tournaments,
        "boards": entrant.boards,
        "average": entrant.average,
        "first": words[0],
        "second": words[1],
        "told": tuple(zip(words, mover.goes, strict=True)),
    }


def _in_words(state: State | None) -> str:
    return _("no rule") if state is None else str(STATES[state])


def _download(kind: str, asked: Asked, found: list[Mover]) -> HttpResponse:
    """Everybody who would move by either rule set."""
    names = [asked.first.name, *([asked.second.name] if asked.second else [])]
    heads = [
        _("Category"), _("Federation number"), _("Player"), _("Club"), _("Points of the year"),
        _("In person"), _("Online"), _("Tournaments"), _("Boards"), _("Modified average"),
        *(head for name in names for head in (f"{name}: {_('State')}", f"{name}: {_('Moves to')}")),
    ]  # fmt: skip
    source = Movers(found)
    rows = (
        [
            row["category"], int(row["number"]), row["name"], row["club"],
            exports.points_value(row["points"]), exports.points_value(row["in_person"]),
            exports.points_value(row["online"]), row["tournaments"], row["boards"], row["average"],
            *(value for told in row["told"][: len(names)] for value in told),
        ]
        for start in range(0, source.count(), ROWS * 10)
        for row in source.rows(start, start + ROWS * 10)
    )  # fmt: skip
    name = f"{_('simulation')}-{asked.day.isoformat()}"
    return exports.download(kind, name, heads, rows, get_language() or "")
