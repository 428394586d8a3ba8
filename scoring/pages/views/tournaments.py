"""The list of tournaments, and one tournament's page."""

from collections.abc import Callable
from decimal import Decimal

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from players.access import roles_of
from scoring.annulments.services import may_annul
from scoring.calculator.working.aeb import comparison_address
from scoring.engine.placed import PlacedEvent
from scoring.engine.points import hundredths
from scoring.ledger import place_wording, systems
from scoring.ledger.conditional import standings_state
from scoring.ledger.evaluation import FieldResult
from scoring.ledger.models import ScoringRun
from scoring.ledger.queries import places
from scoring.ledger.queries.annulled import acts_of
from scoring.ledger.services.approval import approvers_of
from scoring.ledger.tables import RankingTable
from scoring.ledger.wording import FIELD_NAMES, event_type_name, reasons_of, regulation_name
from scoring.office.services.rescore import alternatives
from scoring.pages.queries import tournaments as queries
from scoring.pages.tables.tournaments import TournamentTable
from scoring.regulations.aeb.scheme import Scheme
from scoring.regulations.places.scheme import PlaceScheme
from tournaments.addresses import by_slug
from tournaments.models import Tournament
from ui import exports
from ui.addresses import crumbs, one_of, own_player_id
from ui.choices import MOST_CHOICES, option_tags
from ui.formatting import format_decimal, format_points, format_whole
from ui.paging import Pages, paged
from ui.plots import Chart, coefficient_curve, points_curve

CURVE_STEPS = 40  # points of a drawn curve
LIMITS = 130  # boards and pairs up to which C2 and C3 are drawn: they stay level from 120


def index(request: HttpRequest) -> HttpResponse:
    """Tournaments, latest first."""
    state = standings_state()
    clubs = places.clubs(state.version)
    asked = _asked(request, clubs)
    found = queries.listed(asked.queryset())
    source = Pages(found, queries.summary, lambda: queries.counted(state.version, asked))
    table = paged(
        TournamentTable,
        request,
        source,
        caption=_("Tournaments, latest first"),
        empty_text=_("No tournament fits: with other filters there may be some."),
        empty_link=(reverse("tournaments"), _("See all tournaments")),
    )
    club = request.GET.get("club", "")
    context = {
        "table_html": table.as_html(request),
        "total": len(table.rows),
        "asked": asked,
        "years": queries.years(state.version),
        "formats": Tournament.Format.choices,
        "types": queries.event_types(),
        "systems": systems.offered() if systems.others() else (),
        "clubs": option_tags(clubs, club, _("any club")) if len(clubs) <= MOST_CHOICES or club else "",
        "narrowed": any(
            (
                asked.year,
                asked.club_id,
                asked.format,
                asked.event_type,
                asked.family,
                asked.counted,
                asked.text,
            )
        ),  # fmt: skip
        "breadcrumbs": crumbs((_("Tournaments"), None)),
    }
    return render(request, "pages/tournaments.html", context)


def _asked(request: HttpRequest, clubs: tuple) -> queries.TournamentFilter:
    get = request.GET.get
    year, club = get("ano", ""), get("club", "")
    club_id = next((pk for pk, slug, _name in clubs if slug == club), None)
    if club and club_id is None:
        raise Http404(_("There is no such club."))
    return queries.TournamentFilter(
        year=int(year) if year.isdecimal() and len(year) == 4 and year != "0000" else None,
        club_id=club_id,
        format=one_of(get("modalidad", ""), Tournament.Format.values),
        event_type=one_of(get("tipo", ""), dict(queries.event_types())),
        family=one_of(get("puntos", ""), [each.family for each in systems.offered()]),
        counted=one_of(get("puntua", ""), queries.COUNTED),
        text=get("q", "").strip().replace("\x00", "")[:100],
    )


def tournament(request: HttpRequest, year: int, slug: str) -> HttpResponse:
    """One tournament: ranking, points, coefficients, and why it counts or does not."""
    found = by_slug(slug)
    if request.path != found.get_absolute_url():
        return redirect(found)
    page = queries.ranked(found)
    kind = exports.requested_format(request)
    if kind:
        return _download(kind, page)
    newest = queries.newest_run(found)
    waits = newest is not None and newest.state == ScoringRun.State.WAITING
    may_correct = request.user.is_authenticated and may_annul(request.user, found)
    context = {
        "tournament": found,
        "type_name": event_type_name(
            found.event_type, page.evaluation.regulation if page.evaluation else None
        ),
        "colour": place_wording.colour(found),
        "rankings": _rankings(request, page),
        "contestants": page.contestants,
        "run": page.run,
        "reasons": reasons_of(page.run) if page.run else [],
        "persons": page.run.outcome.get("persons") if page.run else None,
        "most": max((row["points"] for row in page.rows if row["points"] is not None), default=None),
        "decimals": systems.points_decimals(found),
        "pending": newest
        if newest and newest.state in (ScoringRun.State.PENDING, ScoringRun.State.RUNNING)
        else None,
        "short": page.evaluation.short if page.evaluation else 0,
        "approvers": approvers_of(newest) if waits else "",
        "failed": newest if newest and newest.state == ScoringRun.State.FAILED else None,
        "revisions": queries.revisions_of(found),
        "rescorings": queries.rescorings_of(found),
        "may_rescore": roles_of(request.user).office and bool(alternatives(found)),
        "annulments": acts_of(found),
        "may_correct": may_correct and not waits and not found.annulled_at,
        "may_annul": may_correct and not waits,
        "breadcrumbs": crumbs((_("Tournaments"), reverse("tournaments")), (found.name, None)),
    }
    if page.evaluation:
        context |= _engine_context(page)
    return render(request, "pages/tournament.html", context)


def _rankings(request: HttpRequest, page: queries.Ranked) -> list[dict]:
    """One table a line: North-South and East-West have a ranking each."""
    fields = list(dict.fromkeys(row["field"] for row in page.rows))
    own = own_player_id(request)
    rankings = []
    for field in fields:
        rows = [row for row in page.rows if row["field"] == field]
        hidden = [name for name in ("percentage", "score") if all(row[name] is None for row in rows)] + (
            [] if any(row["points"] is not None for row in rows) else ["points"]
        )
        table = RankingTable(
            rows,
            exclude=hidden,
            own_id=own,
            points_decimals=systems.points_decimals(page.tournament),
            caption=_("Places and points") if not field else FIELD_NAMES[field],
        )
        if field != fields[-1]:
            table.exports = ()
        rankings.append({"field": FIELD_NAMES[field], "html": table.as_html(request)})
    return rankings


def _engine_context(page: queries.Ranked) -> dict:
    """Coefficients and plots, each line of a two-field session with its own."""
    evaluation = page.evaluation
    regulation = evaluation.regulation
    by_place = isinstance(regulation, PlaceScheme)
    lines = [
        {
            "field": FIELD_NAMES[line.field],
            "n": line.result.n,
            "coefficients": line.result.coefficients,
            "figures": place_wording.figures(line.result.coefficients) if by_place else (),
            "p_max": line.result.p_max,
            "p_min": line.result.p_min,
            "curve": _points_chart(regulation, line, page.tournament) if line.result.eligible else None,
        }
        for line in evaluation.fields
    ]
    first = evaluation.fields[0]
    return {
        "regulation": regulation,
        "regulation_name": regulation_name(regulation.code),
        "lines": lines,
        "eligible": evaluation.eligible,
        "calculator": comparison_address(regulation, first),
        "by_place": by_place,
        "c2_chart": None if by_place else _c2_chart(regulation, first.event.boards),
        "c3_chart": None if by_place else _c3_chart(regulation, first.result.n),
    }


def _points_chart(regulation: Scheme | PlaceScheme, line: FieldResult, played: Tournament) -> Chart | None:
    """P(i) by place with this tournament's places on it; None for a field too small to draw."""
    event, result = line.event, line.result
    count = event.count
    if count < 2:
        return None
    lang = get_language() or ""
    if isinstance(regulation, PlaceScheme):
        drawn, points_at = _by_place(regulation, event)
    else:
        drawn, points_at = _along_the_curve(regulation, line)
    places = sorted({(award.place, award.points) for award in result.awards if award.place is not None})
    decimals = systems.points_decimals(played)
    desc = _("From %(first)s points for the first to %(last)s for the last of %(count)s.") % {
        "first": format_points(places[0][1], lang, decimals),
        "last": format_points(places[-1][1], lang, decimals),
        "count": format_whole(count, lang),
    }
    return points_curve(
        [(place, points_at(place)) for place in drawn],
        places,
        desc=desc,
        points=lambda value: format_points(int(value), lang, decimals),
    )


def _along_the_curve(regulation: Scheme, line: FieldResult) -> tuple[list, Callable[[Decimal], int]]:
    """The places to draw and the hundredths of each, also between two places."""
    count, curve = line.event.count, regulation.curve(line.result)
    steps = min(count, CURVE_STEPS)
    drawn = [Decimal(1) + Decimal(count - 1) * step / (steps - 1) for step in range(steps)]
    return drawn, lambda place: hundredths(curve.at(regulation.position(line.event, place)))


def _by_place(regulation: PlaceScheme, event: PlacedEvent) -> tuple[list, Callable[[int], int]]:
    """The same where only whole places have points, and the last ones none."""
    ladder = regulation.ladder(event)
    drawn = range(1, min(event.count, ladder.paid + 1) + 1)
    return list(drawn), lambda place: ladder.points(ladder.at(place))


def _c2_chart(regulation: Scheme, boards: int) -> Chart:
    lang = get_language() or ""
    value = regulation.c2(boards)
    desc = _("With %(boards)s boards C2 is %(value)s.") % {
        "boards": format_whole(boards, lang),
        "value": format_decimal(value, lang, 6),
    }
    curve = [(m, regulation.c2(m)) for m in range(10, max(LIMITS, boards + 5), 2)]
    return coefficient_curve(_("C2 by boards"), _("Boards"), curve, (boards, value), desc=desc)


def _c3_chart(regulation: Scheme, n: Decimal) -> Chart:
    lang = get_language() or ""
    value = regulation.c3(n)
    desc = _("With a field of n = %(n)s C3 is %(value)s.") % {
        "n": format_decimal(n, lang, 1),
        "value": format_decimal(value, lang, 6),
    }
    top = max(LIMITS, int(n) + 5)
    curve = [(pairs, regulation.c3(pairs)) for pairs in range(2, top, 2)]
    return coefficient_curve(_("C3 by size of the field"), "n", curve, (int(n), value), desc=desc)


def _download(kind: str, page: queries.Ranked) -> HttpResponse:
    heads = [
        _("Line"), _("Place"), _("Federation number"), _("Player"), _("Team"), _("Percentage"), _("Result"),
        _("Points"),
    ]  # fmt: skip
    rows = (
        [
            str(FIELD_NAMES[row["field"]]), row["place"], person["number"] and int(person["number"]),
            person["name"], row["team"], row["percentage"], row["score"], exports.points_value(row["points"]),
        ]
        for row in page.rows
        for person in row["people"]
    )  # fmt: skip
    name = f"{_('tournament')}-{page.tournament.pk}"
    return exports.download(kind, name, heads, rows, get_language() or "")
