"""Candidates for promotion: the years, and one category of a year."""

from django.db.models import Min
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from players.models import Category
from scoring.ledger.conditional import conditional
from scoring.ledger.models import LedgerEntry
from scoring.ledger.queries.people import people
from scoring.promotions.pure.selection import Rule, Selection, public_view
from scoring.promotions.queries.campaigns import listed_codes
from scoring.promotions.queries.candidates import CategoryCandidates, candidates_of, criteria, rule_set_of
from scoring.promotions.tables.candidates import CandidateTable
from scoring.promotions.views import public
from scoring.promotions.wording import hindrance, public_state, rule_words
from ui import exports
from ui.addresses import crumbs, own_player_id
from ui.paging import ROWS, paged


class CandidateRows:
    """The players in a category's list as everybody reads it, a page at a time."""

    def __init__(self, selection: Selection, rule: Rule) -> None:
        self.places, self.rule = selection.listed, rule

    def count(self) -> int:
        """How many players are in the list."""
        return len(self.places)

    def rows(self, start: int, stop: int) -> list[dict]:
        """Records of the table from `start` to before `stop`; one query."""
        places = [public_view(place, self.rule) for place in self.places[start:stop]]
        known = people(place.entrant.player_id for place in places)
        return [
            {
                **known[place.entrant.player_id],
                "player_id": place.entrant.player_id, "rank": place.rank, "shared": place.shared,
                "points": place.entrant.points, "tournaments": place.entrant.tournaments,
                "margin": place.margin, "state": place.state,
            }
            for place in places
        ]  # fmt: skip


@conditional
def index(request: HttpRequest) -> HttpResponse:
    """The years whose candidates can be seen, each with its categories and rules."""
    as_of = request.standings.as_of
    past = LedgerEntry.objects.filter(family="aeb", played_on__lte=as_of)
    earliest = past.aggregate(first=Min("played_on"))["first"]
    official = public.published_years()
    years = []
    for year in range(as_of.year, (earliest.year if earliest else as_of.year) - 1, -1):
        rules = rule_set_of(year)
        if rules is None:
            continue
        rows = rules.rules.filter(target__isnull=False).select_related("category", "target")
        lines = [
            {"category": row.category, "target": row.target, "words": " ".join(rule_words(criteria(row)))}
            for row in rows.order_by("-category__order")
        ]
        said = {line["words"] for line in lines}
        common = said.pop() if len(said) == 1 else ""
        years.append(
            {"year": year, "rules": rules, "rows": lines, "common": common, "official": year in official}
        )
    context = {"years": years, "as_of": as_of, "breadcrumbs": crumbs((_("Promotions"), None))}
    return render(request, "promotions/index.html", context)


@conditional
def promotion(request: HttpRequest, year: int, code: str) -> HttpResponse:
    """One category of a year: the official list once it is published, until then the candidates."""
    state = request.standings
    if not 2000 <= year <= state.as_of.year:
        raise Http404(_("There are no candidates of that year."))
    official = public.published(year)
    if official and code.upper() in listed_codes(official):
        return public.official(request, official, code)
    rules = rule_set_of(year)
    if rules is None:
        raise Http404(_("No promotion rules are known for that year."))
    category = get_object_or_404(Category, code__iexact=code)
    kind = exports.asked(request)
    found = candidates_of(state, year, category, rules, exact=bool(kind))
    request.outdated = found.outdated is not None
    if kind:
        return _download(kind, found)
    context = {
        "campaign": found,
        "category": category,
        "rules": rules,
        "year": year,
        "breadcrumbs": crumbs((_("Promotions"), reverse("promotions")), (f"{year}, {category.code}", None)),
    }
    if found.selection:
        context |= _listed(request, found)
    return render(request, "promotions/promotion.html", context)


def _listed(request: HttpRequest, found: CategoryCandidates) -> dict:
    selection, rule = found.selection, criteria(found.rule)
    table = paged(
        CandidateTable,
        request,
        CandidateRows(selection, rule),
        own_id=own_player_id(request),
        caption=_("Licensed players with points from 1 January to the day, most first"),
        empty_text=_("Nobody of this category has points in the year."),
        empty_link=(reverse("promotions"), _("See other categories")),
    )
    own = own_player_id(request)
    mine = next((each for each in selection.listed if own and each.entrant.player_id == own), None)
    return {
        "table_html": table.as_html(request),
        "candidates": len(selection.movers),
        "entered": len(selection.listed),
        "rule_words": rule_words(rule),
        "looks_at_average": rule.looks_at_average,
        "mine": mine,
        "hindrance": hindrance(public_view(mine, rule).state, own=True) if mine else "",
    }


def _download(kind: str, found: CategoryCandidates) -> HttpResponse:
    if found.selection is None:
        raise Http404(_("There is no list to download."))
    heads = [
        _("Place"), _("Federation number"), _("Player"), _("Club"), _("Points of the year"), _("To the cut"),
        _("State"), _("Moves up to"),
    ]  # fmt: skip
    source = CandidateRows(found.selection, criteria(found.rule))
    rows = (
        [
            row["rank"], int(row["number"]), row["name"], row["club"], exports.points_value(row["points"]),
            exports.points_value(row["margin"]), public_state(row["state"]),
            found.rule.target.code if row["state"].up else "",
        ]
        for start in range(0, source.count(), ROWS * 10)
        for row in source.rows(start, start + ROWS * 10)
    )  # fmt: skip
    name = "-".join((_("promotion"), str(found.year), found.category.code.lower()))
    return exports.download(kind, name, heads, rows, get_language() or "")
