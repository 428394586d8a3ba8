"""The regulations, written from the tables that the engine itself uses."""

from decimal import Decimal

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from players.formatting import decimals_in, format_decimal, format_points
from players.plots import Chart, Series
from scoring import regulations
from scoring.adapters import FAMILY
from scoring.engine.errors import EngineError
from scoring.engine.points import hundredths
from scoring.engine.types import Contestant, Event
from scoring.receipts import localised
from scoring.regulation_notes import ERRATA, RULINGS
from scoring.regulations.aeb.receipt import AWARD_TEXT, I_TEXT, N_TEXT
from scoring.regulations.aeb.scheme import Scheme
from scoring.regulations.aeb.shapes import RootCurve, Table
from scoring.services.standings import today
from scoring.views.common import crumbs
from scoring.wording import citation, regulation_name

DRAWN = 130  # boards or pairs up to which a curve is drawn; from 120 on it is level
EXAMPLE_PAIRS, EXAMPLE_BOARDS = 20, 24


def index(request: HttpRequest) -> HttpResponse:
    """Every regulation, the one in force first."""
    day = today()
    rows = [
        {
            "code": scheme.code,
            "name": regulation_name(scheme.code),
            "title": _(scheme.title),
            "valid_from": scheme.valid_from,
            "valid_to": scheme.valid_to,
            "in_force": scheme.valid_from <= day and (scheme.valid_to is None or day <= scheme.valid_to),
        }
        for scheme in reversed(regulations.of_family(FAMILY))
    ]
    context = {
        "regulations": rows,
        "current": next((row for row in rows if row["in_force"]), None),
        "breadcrumbs": crumbs((_("Regulations"), None)),
    }
    return render(request, "regulations/index.html", context)


def regulation(request: HttpRequest, code: str) -> HttpResponse:
    """One regulation: tables, formulas, curves, eligibility, rulings and misprints."""
    try:
        scheme = regulations.get(code)
    except EngineError as error:
        raise Http404(_("There is no such regulation.")) from error
    if scheme.family != FAMILY:
        raise Http404(_("There is no such regulation."))
    lang = get_language() or ""
    boards, licences = scheme.minimum_boards, scheme.minimum_licences
    context = {
        "regulation": scheme,
        "name": regulation_name(code),
        "c1": _table(scheme, scheme.event_types),
        "c4": _table(scheme, scheme.categories),
        "c5": _table(scheme, scheme.venues),
        "c2": _curve(scheme, scheme.c2_curve, lang),
        "c3": _curve(scheme, scheme.c3_curve, lang),
        "c2_chart": _curve_chart(scheme.c2_curve, _("C2 by boards played by the winner"), _("Boards"), lang),
        "c3_chart": _curve_chart(scheme.c3_curve, _("C3 by size of the field"), "n", lang),
        "points_chart": _points_chart(scheme, lang),
        "award_text": AWARD_TEXT,
        "p_min_text": scheme.p_min_text,
        "positions": [
            (_("Pairs"), N_TEXT["pairs"], I_TEXT["pairs"]),
            (_("Teams"), N_TEXT["teams"], I_TEXT["teams"]),
            (_("Individual"), N_TEXT["individual"], I_TEXT["individual"]),
        ],
        "boards": boards,
        "licences": licences,
        "rulings": RULINGS.get(code, ()),
        "errata": [
            {
                "where": e.where,
                "printed": localised(str(e.printed), lang),
                "right": localised(str(e.right), lang),
            }
            for e in ERRATA.get(code, ())
        ],
        "breadcrumbs": crumbs((_("Regulations"), reverse("regulations")), (regulation_name(code), None)),
    }
    return render(request, "regulations/regulation.html", context)


def _table(scheme: Scheme, table: Table) -> dict:
    return {
        "source": citation(scheme.code, table.article, table.name),
        "digits": decimals_in(row.value for row in table.rows),
        "rows": [{"code": row.code, "label": _(row.label), "value": row.value} for row in table.rows],
    }


def _curve(scheme: Scheme, curve: RootCurve, lang: str) -> dict:
    return {
        "formula": localised(curve.text(curve.variable), lang),
        "variable": curve.variable,
        "low": curve.low,
        "low_value": curve.low_value,
        "high": curve.high,
        "high_value": curve.high_value,
        "source": citation(scheme.code, curve.article),
    }


def _curve_chart(curve: RootCurve, title: str, x_label: str, lang: str) -> Chart:
    values = [(x, curve.value(Decimal(x))) for x in range(2, DRAWN + 1, 2)]
    desc = _("From %(low)s to %(high)s.") % {
        "low": format_decimal(curve.low_value, lang),
        "high": format_decimal(curve.high_value, lang),
    }
    return Chart(
        title=title,
        desc=desc,
        x_label=x_label,
        y_label=_("Coefficient"),
        series=(Series(title, values),),
        x_format=lambda value: format_decimal(Decimal(str(value)), lang, 0),
        y_format=lambda value: format_decimal(Decimal(str(value)), lang, 4),
        whole_x=True,
    )


def _points_chart(scheme: Scheme, lang: str) -> Chart:
    """P(i) of a club pool of an everyday size."""
    pairs = tuple(Contestant(id=str(place), place=place) for place in range(1, EXAMPLE_PAIRS + 1))
    event = Event(
        event_type="pool", format="pairs", boards=EXAMPLE_BOARDS, venue="in_person", contestants=pairs,
        c4=Decimal("1.2"),
    )  # fmt: skip
    result = scheme.score(event)
    curve = scheme.curve(result)
    points = [(place, hundredths(curve.at(Decimal(place)))) for place in range(1, EXAMPLE_PAIRS + 1)]
    return Chart(
        title=_("Points by place in a pool of %(pairs)s pairs and %(boards)s boards, C4 = %(c4)s")
        % {"pairs": EXAMPLE_PAIRS, "boards": EXAMPLE_BOARDS, "c4": format_decimal(event.c4, lang)},
        desc=_("From %(first)s points for the first to %(last)s for the last.")
        % {"first": format_points(points[0][1], lang), "last": format_points(points[-1][1], lang)},
        x_label=_("Place"),
        y_label=_("Points"),
        series=(Series(_("Points"), points),),
        x_format=lambda value: format_decimal(Decimal(str(value)), lang, 0),
        y_format=lambda value: format_points(int(value), lang),
        whole_x=True,
    )
