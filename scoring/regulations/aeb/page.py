"""The page that explains a regulation of the AEB."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from scoring.engine.points import hundredths
from scoring.engine.types import Contestant, Event
from scoring.regulations.context import Context
from scoring.regulations.page import (
    Block,
    Bullets,
    Column,
    Example,
    ExampleTable,
    Formula,
    Grid,
    Line,
    Page,
    Paragraph,
    Plot,
    Section,
    Working,
)
from scoring.regulations.texts import (
    SUMMARY,
    Category,
    Citation,
    Day,
    Text,
    Words,
    _,
    counted,
    counted_points,
    fixed,
    points,
    share,
    short,
    verbatim,
    whole,
)

from .receipt import (
    AWARD_TEXT,
    COUNT_ARTICLE,
    I_TEXT,
    I_TEXT_EVEN,
    N_TEXT,
    P_MAX_ARTICLE,
    P_MIN_ARTICLE,
)
from .scheme import Scheme
from .shapes import RootCurve, Table

DRAWN = 130  # curves are drawn up to this many boards or pairs; from 120 on they are constant
EXAMPLE_PAIRS, EXAMPLE_BOARDS, EXAMPLE_C4 = 20, 24, Decimal("1.2")
EXAMPLE_SIZE: dict[str, Words] = {
    "pairs": counted(EXAMPLE_PAIRS, "pair"),
    "boards": counted(EXAMPLE_BOARDS, "board"),
}


def page(
    scheme: Scheme, examples: Sequence[Example], printed_tables: Sequence[Section], context: Context
) -> Page:
    """Return the page of one regulation.

    examples: the worked examples of the document
    printed_tables: sections of further tables that the document prints
    """
    lead = _(
        "The first gets Pmax = C1·C2·C3·C4·C5 points, the last Pmin, and whoever is between them a share "
        "that falls with the place."
    )
    sections = (
        _eligibility(scheme),
        _award(scheme, context.place_rule == "even"),
        _listed(scheme, _("C1, the kind of tournament"), _("Kind of tournament"), "C1", scheme.event_types),
        _curved(scheme, "C2"),
        _curved(scheme, "C3"),
        _strength(scheme),
        _listed(scheme, _("C5, the venue"), _("Venue"), "C5", scheme.venues),
        _examples(scheme, examples),
        *printed_tables,
    )
    comparison = _("Compare with %(regulation)s, side by side for the same tournament")
    return Page(lead, _document(scheme), sections, comparison)


def _document(scheme: Scheme) -> Text:
    """Return the document's title, which is the same every year, and its date."""
    return verbatim("AEB, Puntuación en torneos, %(day)s") % {"day": Day(scheme.valid_from)}


def _eligibility(scheme: Scheme) -> Section:
    boards, licences = scheme.minimum_boards, scheme.minimum_licences
    conditions: list[Words] = []
    if boards:
        text = _("Boards scheduled: at least %(minimum)s.") % {"minimum": whole(boards.boards)}
        conditions.append(_with_source(text, Citation(scheme.code, boards.article)))
    if licences:
        text = _("A club pool counts only if at least %(share)s of its players hold a licence.")
        values = {"share": share(licences.per_cent)}
        conditions.append(_with_source(text % values, Citation(scheme.code, licences.article)))
    block: Block = Bullets(conditions)
    if not conditions:
        block = Paragraph(
            _("All of them: this regulation asks neither for a number of boards nor for licences.")
        )
    return Section(_("Which tournaments count"), [block])


def _with_source(text: Text, source: Citation) -> Text:
    return verbatim("%(text)s (%(source)s)") % {"text": text, "source": source}


def _award(scheme: Scheme, even: bool) -> Section:
    names = {"pairs": _("Pairs"), "teams": _("Teams"), "individual": _("Individual")}
    rows = [
        (name, N_TEXT[code], I_TEXT_EVEN if even and code != "pairs" else I_TEXT[code])
        for code, name in names.items()
    ]
    columns = (Column(_("Format")), Column("n", formula=True), Column("i", formula=True))
    return Section(
        _("The points of a place"),
        [
            Formula(AWARD_TEXT, Citation(scheme.code, COUNT_ARTICLE)),
            Formula("Pmax = C1·C2·C3·C4·C5", Citation(scheme.code, P_MAX_ARTICLE)),
            Formula(scheme.p_min_text, Citation(scheme.code, P_MIN_ARTICLE)),
            Grid(_("n and i, from N contestants and the place k"), columns, rows),
            Paragraph(
                _("Nothing is rounded on the way; the points are rounded once, at the end, to two decimals.")
            ),
            _points_plot(scheme),
        ],
    )


def _listed(scheme: Scheme, title: Text, head: Text, symbol: str, table: Table) -> Section:
    digits = _decimals_of(table)
    rows = [(_(row.label), fixed(row.value, digits)) for row in table.rows]
    columns = (Column(head), Column(symbol, number=True))
    return Section(title, [Grid(head, columns, rows, Citation(scheme.code, table.article, table.name))])


def _strength(scheme: Scheme) -> Section:
    table = scheme.categories
    digits = _decimals_of(table)
    rows = [(Category(row.code), fixed(row.value, digits)) for row in table.rows]
    columns = (Column(_("Category")), Column("C4", number=True))
    text = _("The mean of the values of all players that have a category on the day of the tournament.")
    grid = Grid(_("Category"), columns, rows, Citation(scheme.code, table.article, table.name))
    return Section(_("C4, the strength of the field"), [Paragraph(text), grid])


def _curved(scheme: Scheme, key: str) -> Section:
    curve = {"C2": scheme.c2_curve, "C3": scheme.c3_curve}[key]
    x_label: Words
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
            "m are the boards that the winner played: up to %(low)s it is %(low_value)s, from "
            "%(high)s on %(high_value)s."
        )
    else:
        title, chart, x_label = _("C3, the size of the field"), _("C3 by size of the field"), "n"
        text = _("Up to n = %(low)s it is %(low_value)s, from %(high)s on %(high_value)s.")
    formula = Formula(f"{key} = {curve.text(curve.variable)}", Citation(scheme.code, curve.article))
    return Section(title, [formula, Paragraph(text % values), _curve_plot(curve, chart, x_label)])


def _curve_plot(curve: RootCurve, title: Text, x_label: Words) -> Plot:
    values = [(x, curve.value(Decimal(x))) for x in range(2, DRAWN + 1, 2)]
    desc = _("From %(low)s to %(high)s.") % {"low": short(curve.low_value), "high": short(curve.high_value)}
    axes = (x_label, _("Coefficient"))
    return Plot(title, desc, axes, [Line(title, values)], digits=(0, 4), whole_x=True)


def _example_event() -> Event:
    """Return the event that the page uses as an example, a club pool of ordinary size."""
    pairs = tuple(Contestant(id=str(place), place=place) for place in range(1, EXAMPLE_PAIRS + 1))
    return Event(
        event_type="pool",
        format="pairs",
        boards=EXAMPLE_BOARDS,
        venue="in_person",
        contestants=pairs,
        c4=EXAMPLE_C4,
    )


def _points_plot(scheme: Scheme) -> Plot:
    """Return the chart of the points by place, P(i), for the example event."""
    event = _example_event()
    curve = scheme.curve(scheme.score(event))
    awards = [(place, hundredths(curve.at(Decimal(place)))) for place in range(1, EXAMPLE_PAIRS + 1)]
    values: dict[str, Words] = {**EXAMPLE_SIZE, "c4": short(EXAMPLE_C4)}
    ends: dict[str, Words] = {"first": counted_points(awards[0][1], 2), "last": points(awards[-1][1], 2)}
    return Plot(
        title=_("Points by place in a pool of %(pairs)s and %(boards)s, C4 = %(c4)s") % values,
        description=_("From %(first)s for the first to %(last)s for the last.") % ends,
        axes=(_("Place"), _("Points")),
        lines=(Line(_("Points"), awards),),
        digits=(0, None),
        whole_x=True,
    )


def _examples(scheme: Scheme, examples: Sequence[Example]) -> Section:
    event = _example_event()
    steps = scheme.explain(event, scheme.score(event), "6")
    working = Working(
        _("The sixth of a pool of %(pairs)s and %(boards)s, step by step") % EXAMPLE_SIZE,
        steps,
    )
    if not examples:
        return Section(_("Worked examples"), [working])
    table = ExampleTable(
        _("The worked examples of the document"), _("Example"), examples, Citation(scheme.code, SUMMARY)
    )
    return Section(_("Worked examples"), [table, working])


def _decimals_of(table: Table) -> int:
    """Return how many decimals (0 to 2) are needed to show every value of the table exactly."""
    exponents = [row.value.normalize().as_tuple().exponent for row in table.rows]
    return min(2, max(0, *(-exponent for exponent in exponents if isinstance(exponent, int))))
