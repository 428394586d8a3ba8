"""Candidates for promotion: the index of years, and one category of a year."""

from django.db.models import Min
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.models import Category
from scoring.ledger.conditional import conditional
from scoring.ledger.models import YearTotal
from scoring.ledger.queries.people import people
from scoring.promotions.pure.selection import Place, public_view
from scoring.promotions.queries.campaigns import listed_codes
from scoring.promotions.queries.candidates import criteria, rule_set_of
from scoring.promotions.queries.own import published, published_years
from scoring.promotions.queries.ranked import CategoryCandidates, candidates_of, cuts_of
from scoring.promotions.tables.campaigns import CandidateTable
from scoring.promotions.views import public
from scoring.promotions.wording import hindrance, rule_words
from ui import exports
from ui.addresses import crumbs, own_player_id


class _CandidateRows:
    """The public records of a category's candidates, as the source of a `CandidateTable`."""

    def __init__(self, candidates: CategoryCandidates) -> None:
        self.candidates, self.count = candidates, candidates.count

    def rows(self, start: int, stop: int) -> list[dict]:
        """Return the records from index `start` up to, but not including, `stop`."""
        return _candidate_records(self.candidates.rows(start, stop), self.candidates)


def _candidate_records(listed: list[Place], candidates: CategoryCandidates) -> list[dict]:
    places = [public_view(place, candidates.rule) for place in listed]
    persons = people(place.entrant.player_id for place in places)
    return [
        {
            **persons[place.entrant.player_id],
            "player_id": place.entrant.player_id,
            "rank": place.rank,
            "shared": place.shared,
            "points": place.entrant.points,
            "tournaments": place.entrant.tournaments,
            "margin": place.margin,
            "state": place.state,
            "target": candidates.row.target.code if place.state.up else "",
        }
        for place in places
    ]


@require_safe
@conditional
def index(request: HttpRequest) -> HttpResponse:
    """List the years with candidates, each with its categories and rules."""
    as_of = request.standings.as_of
    earliest = YearTotal.objects.aggregate(first=Min("year"))["first"]
    official = published_years()
    years = []
    for year in range(as_of.year, (earliest or as_of.year) - 1, -1):
        rules = rule_set_of(year)
        if rules is None:
            continue
        rows = rules.rules.filter(target__isnull=False).select_related("category", "target")
        lines = [
            {"category": row.category, "target": row.target, "words": " ".join(rule_words(criteria(row)))}
            for row in rows.order_by("-category__order")
        ]
        texts = {line["words"] for line in lines}
        common = texts.pop() if len(texts) == 1 else ""
        years.append(
            {"year": year, "rules": rules, "rows": lines, "common": common, "official": year in official}
        )
    cuts = cuts_of(request.standings)
    if years and years[0]["year"] == as_of.year:
        for line in years[0]["rows"]:
            line["cut"] = cuts.get(line["category"].pk)
    context = {
        "years": years,
        "as_of": as_of,
        "changed_at": request.standings.changed_at,
        "cuts": any(line.get("cut") is not None for line in years[0]["rows"]) if years else False,
        "breadcrumbs": crumbs((_("Promotions"), None)),
    }
    return render(request, "promotions/index.html", context)


@require_safe
@conditional
def promotion(request: HttpRequest, year: int, code: str) -> HttpResponse:
    """Show one category of a year: the candidates or, once published, the official list."""
    state = request.standings
    if not 2000 <= year <= state.as_of.year:
        raise Http404(_("There are no candidates of that year."))
    official = published(year)
    if official and code.upper() in listed_codes(official):
        return public.official(request, official, code)
    rules = rule_set_of(year)
    if rules is None:
        raise Http404(_("No promotion rules are known for that year."))
    category = get_object_or_404(Category, code__iexact=code)
    kind = exports.requested_format(request)
    candidates = candidates_of(state, year, category, rules)
    if kind and candidates.row is None:
        raise Http404(_("There is no list to download."))
    context = {
        "campaign": candidates,
        "category": category,
        "rules": rules,
        "year": year,
        "changed_at": state.changed_at,
        "breadcrumbs": crumbs((_("Promotions"), reverse("promotions")), (f"{year}, {category.code}", None)),
    }
    if candidates.row:
        table = _file_or_table(request, candidates)
        if isinstance(table, HttpResponseBase):
            return table
        context |= _listed(request, candidates, table)
    return render(request, "promotions/promotion.html", context)


def _file_or_table(request: HttpRequest, candidates: CategoryCandidates) -> HttpResponseBase | CandidateTable:
    return exports.file_or_table(
        request,
        CandidateTable,
        "-".join((_("promotion"), str(candidates.year), candidates.category.code.lower())),
        _CandidateRows(candidates),
        own_id=own_player_id(request),
        caption=_("Licensed players with points from 1 January to the day, most first"),
        empty_text=_("Nobody of this category has points in the year."),
        empty_link=(reverse("promotions"), _("See other categories")),
    )


def _listed(request: HttpRequest, candidates: CategoryCandidates, table: CandidateTable) -> dict:
    rule, own = candidates.rule, own_player_id(request)
    mine = candidates.place_of(own) if own else None
    if mine and mine.rank is None:
        mine = None  # not in the list, for lack of a licence
    return {
        "table_html": table.as_html(request),
        "candidates": candidates.movers.number,
        "entered": candidates.count(),
        "rule_words": rule_words(rule),
        "looks_at_average": rule.looks_at_average,
        "mine": mine,
        "hindrance": hindrance(public_view(mine, rule).state, own=True) if mine else "",
    }
