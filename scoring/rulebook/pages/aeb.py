"""The pages of the AEB's regulations: eligibility, P(i), the five coefficients, the documents' examples."""

from decimal import Decimal
from urllib.parse import urlencode

from django.conf import settings
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring import regulations
from scoring.engine.points import hundredths
from scoring.engine.types import Contestant, Event
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.receipts import receipt_line
from scoring.ledger.wording import SUMMARY, citation, regulation_name
from scoring.regulations.aeb.receipt import (
    AWARD_TEXT,
    COUNT_ARTICLE,
    I_TEXT,
    I_TEXT_EVEN,
    N_TEXT,
    P_MAX_ARTICLE,
    P_MIN_ARTICLE,
)
from scoring.regulations.aeb.scheme import Scheme
from scoring.regulations.aeb.shapes import RootCurve, Table
from ui.formatting import decimals_in, format_date, format_points, format_share
from ui.plots import Chart, Series
from ui.templatetags.ui import category_html

from .aeb_examples import examples_of
from .aeb_tables import printed_tables
from .blocks import Bullets, Column, Formula, Grid, Page, Paragraph, Plot, Section, Working
from .examples import ExampleTable
from .figures import fixed, plot, short, whole

DRAWN = 130  # curves are drawn up to this many boards or pairs; from 120 on they are level
EXAMPLE_PAIRS, EXAMPLE_BOARDS = 20, 24


def page(code: str) -> Page:
    scheme = regulations.get(code)
    lead = _(
        "The first gets Pmax = C1·C2·C3·C4·C5 points, the last Pmin, and whoever is between them a share "
        "that falls with the place."
    )
    sections = (
        _eligibility(scheme),
        _award(scheme),
        _listed(scheme, _("C1, the kind of tournament"), _("Kind of tournament"), "C1", scheme.event_types),
        _curved(scheme, "C2"),
        _curved(scheme, "C3"),
        _strength(scheme),
        _listed(scheme, _("C5, the venue"), _("Venue"), "C5", scheme.venues),
        _examples(scheme),
        *_printed_tables(scheme),
    )
    return Page(code, lead, _document(scheme), sections, _comparisons(scheme))


def _document(scheme: Scheme) -> str:
    """Return the document's title, which is the same every year, and its date."""
    return f"AEB, Puntuación en torneos, {format_date(scheme.valid_from, get_language() or '')}"


def _comparisons(scheme: Scheme) -> list[tuple[str, str]]:
    """Return (URL, text) of the calculator's comparisons with the family's other regulations."""
    links = []
    for alternative in regulations.of_family(FAMILY):
        if alternative is not scheme:
            query = urlencode({"reglamento": scheme.code, "comparar": alternative.code})
            text = _("Compare with %(regulation)s, side by side for the same tournament") % {
                "regulation": regulation_name(alternative.code)
            }
            links.append((f"{reverse('calculator')}?{query}", text))
    return links


def _eligibility(scheme: Scheme) -> Section:
    boards, licences = scheme.minimum_boards, scheme.minimum_licences
    conditions = []
    if boards:
        conditions.append(
            _("At least %(minimum)s boards have to be scheduled.") % {"minimum": whole(boards.boards)}
            + f" ({citation(scheme.code, boards.article)})"
        )
    if licences:
        share = format_share(licences.per_cent, get_language() or "")
        conditions.append(
            _("A club pool counts only if at least %(share)s of its players hold a licence.")
            % {"share": share}
            + f" ({citation(scheme.code, licences.article)})"
        )
    if conditions:
        block = Bullets(conditions)
    else:
        block = Paragraph(
            _("All of them: this regulation asks neither for a number of boards nor for licences.")
        )
    return Section(_("Which tournaments count"), [block])


def _award(scheme: Scheme) -> Section:
    names = {"pairs": _("Pairs"), "teams": _("Teams"), "individual": _("Individual")}
    even = settings.PLACE_RULE == "even"
    rows = [
        (name, N_TEXT[code], I_TEXT_EVEN if even and code != "pairs" else I_TEXT[code])
        for code, name in names.items()
    ]
    columns = (Column(_("Format")), Column("n", formula=True), Column("i", formula=True))
    return Section(
        _("The points of a place"),
        [
            Formula(AWARD_TEXT, citation(scheme.code, COUNT_ARTICLE)),
            Formula("Pmax = C1·C2·C3·C4·C5", citation(scheme.code, P_MAX_ARTICLE)),
            Formula(scheme.p_min_text, citation(scheme.code, P_MIN_ARTICLE)),
            Grid(_("n and i, from N contestants and the place k"), columns, rows),
            Paragraph(
                _("Nothing is rounded on the way; the points are rounded once, at the end, to two decimals.")
            ),
            _points_plot(scheme),
        ],
    )


def _listed(scheme: Scheme, title: str, head: str, symbol: str, table: Table) -> Section:
    digits = decimals_in(row.value for row in table.rows)
    rows = [(_(row.label), fixed(row.value, digits)) for row in table.rows]
    columns = (Column(head), Column(symbol, number=True))
    return Section(title, [Grid(head, columns, rows, citation(scheme.code, table.article, table.name))])


def _strength(scheme: Scheme) -> Section:
    table, lang = scheme.categories, get_language() or ""
    digits = decimals_in(row.value for row in table.rows)
    rows = [(category_html(row.code, lang), fixed(row.value, digits)) for row in table.rows]
    columns = (Column(_("Category")), Column("C4", number=True))
    text = _("The mean of the values of all players that have a category on the day of the tournament.")
    grid = Grid(_("Category"), columns, rows, citation(scheme.code, table.article, table.name))
    return Section(_("C4, the strength of the field"), [Paragraph(text), grid])


def _curved(scheme: Scheme, key: str) -> Section:
    curve = {"C2": scheme.c2_curve, "C3": scheme.c3_curve}[key]
    values = {
        "low": whole(curve.low),
        "low_value": short(curve.low_value),
        "high": whole(curve.high),
        "high_value": short(curve.high_value),
    }
    if key == "C2":
        title, chart = _("C2, the boards"), _("C2 by boards played by the winner")
        x_label = _("Boards")
        text = _(
            "m are the boards that the winner played: up to %(low)s boards it is %(low_value)s, from "
            "%(high)s on %(high_value)s."
        )
    else:
        title, chart, x_label = _("C3, the size of the field"), _("C3 by size of the field"), "n"
        text = _("Up to n = %(low)s it is %(low_value)s, from %(high)s on %(high_value)s.")
    formula = Formula(f"{key} = {curve.text(curve.variable)}", citation(scheme.code, curve.article))
    return Section(title, [formula, Paragraph(text % values), _curve_plot(curve, chart, x_label)])


def _curve_plot(curve: RootCurve, title: str, x_label: str) -> Plot:
    values = [(x, curve.value(Decimal(x))) for x in range(2, DRAWN + 1, 2)]
    desc = _("From %(low)s to %(high)s.") % {"low": short(curve.low_value), "high": short(curve.high_value)}
    return plot(title, desc, (x_label, _("Coefficient")), [Series(title, values)], (0, 4), whole_x=True)


def _example_event() -> Event:
    """Return a club pool of ordinary size."""
    pairs = tuple(Contestant(id=str(place), place=place) for place in range(1, EXAMPLE_PAIRS + 1))
    return Event(
        event_type="pool",
        format="pairs",
        boards=EXAMPLE_BOARDS,
        venue="in_person",
        contestants=pairs,
        c4=Decimal("1.2"),
    )


def _points_plot(scheme: Scheme) -> Plot:
    """Return the chart of P(i) for the example."""
    event, lang = _example_event(), get_language() or ""
    curve = scheme.curve(scheme.score(event))
    points = [(place, hundredths(curve.at(Decimal(place)))) for place in range(1, EXAMPLE_PAIRS + 1)]
    return Plot(
        Chart(
            title=_("Points by place in a pool of %(pairs)s pairs and %(boards)s boards, C4 = %(c4)s")
            % {"pairs": EXAMPLE_PAIRS, "boards": EXAMPLE_BOARDS, "c4": short(event.c4)},
            desc=_("From %(first)s points for the first to %(last)s for the last.")
            % {"first": format_points(points[0][1], lang), "last": format_points(points[-1][1], lang)},
            x_label=_("Place"),
            y_label=_("Points"),
            series=(Series(_("Points"), points),),
            x_format=lambda value: short(value, 0),
            y_format=lambda value: format_points(int(value), lang),
            whole_x=True,
        )
    )


def _printed_tables(scheme: Scheme) -> list[Section]:
    """Return the section of printed tables, which only the document of 2022 has."""
    return [printed_tables(scheme)] if scheme.code == "aeb-2022" else []


def _examples(scheme: Scheme) -> Section:
    event = _example_event()
    lang = get_language() or ""
    steps = scheme.explain(event, scheme.score(event), "6")
    return Section(
        _("Worked examples"),
        [
            ExampleTable(
                _("The worked examples of the document"),
                _("Example"),
                examples_of(scheme),
                citation(scheme.code, SUMMARY),
            ),
            Working(
                _("The sixth of a pool of %(pairs)s pairs and %(boards)s boards, step by step")
                % {"pairs": EXAMPLE_PAIRS, "boards": EXAMPLE_BOARDS},
                [receipt_line(step, scheme.code, lang) for step in steps],
            ),
        ],
    )
