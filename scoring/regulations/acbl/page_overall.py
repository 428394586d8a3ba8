"""The page that explains the ACBL's overall awards."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

from scoring.regulations.context import Context
from scoring.regulations.page import (
    Bullets,
    Column,
    Example,
    ExampleTable,
    Formula,
    Grid,
    Line,
    OfficeFactors,
    Page,
    Paragraph,
    Plot,
    Section,
)
from scoring.regulations.texts import Citation, Text, Words, _, counted, fixed, short, verbatim, whole

from . import tables
from .labels import RATINGS, RESTRICTIONS
from .overall import FORMULA, OVERALL, PLACES, SIZE, OverallEvent, curve, size_factor
from .page import at_place, colours, curve_plot, ladder_grid, rounding, shares_grid, working

DOCUMENT = "ACBL, MPBOOK.041, 2003"
LARGEST_TABLE = 250  # tables: the last row of the printed table of the factor B
# No source gives values for M, T and depth. The page says that those of the example are made up.
CHOSEN = {"M": Decimal(1), "T": Decimal(1), "depth": Decimal("0.25")}


def page(context: Context) -> Page:
    lead = _(
        "The winner gets B·R·S·M·P·T points, the places two to eight three quarters of the place above, and "
        "all further paid places the winner’s points divided by the place."
    )
    sections = (
        _winner(),
        _size(),
        _listed(),
        _places(),
        rounding(),
        colours(),
        _example(),
        _printed(),
    )
    return Page(lead, DOCUMENT, sections)


def event_of(place: int = 1, **values: Any) -> OverallEvent:
    """Return an example event: a regional of 20 tables and two sessions, with one contestant at ``place``.

    values: fields of the event to replace, by name
    """
    defaults: dict[str, Any] = {
        "contestants": at_place(place),
        "contestant_count": 40,
        "tables": Decimal(20),
        "rating": "regional",
        "sessions": 2,
        "factors": CHOSEN,
    }
    return OverallEvent(**{**defaults, **values})


def _winner() -> Section:
    default = _("the values of 2003, below, hold until the office enters others")
    return Section(
        _("The winner’s points"),
        [
            Formula("W = B·R·S·M·P·T", Citation(OVERALL.code, FORMULA)),
            Bullets(
                [
                    _("B is the size of the field, R the rating of the tournament, S its sessions."),
                    _("P belongs to fields restricted by gender or age."),
                    _("M is the masterpoint limit of the event, T its type: pairs, teams, individual."),
                    _("After every factor from R on the product is rounded to two decimals."),
                ]
            ),
            Paragraph(
                _(
                    "For M, T, the depth and the values of R after 2003 no source was found. They are not in "
                    "the program: the office enters them, each with where it has it from."
                ),
                note=True,
            ),
            OfficeFactors(tables.OVERALL_ENTERED, {"R": default}),
        ],
    )


def _size() -> Section:
    source = Citation(OVERALL.code, SIZE)
    end = tables.LINE_ENDS
    line = [(t, size_factor(t)) for t in (1, *range(5, end + 1, 5))]
    curved = [(t, size_factor(t)) for t in (end + 1, *range(70, LARGEST_TABLE + 1, 10))]
    values: dict[str, Words] = {
        "last": short(line[-1][1]),
        "next": short(curved[0][1]),
        "end": end,
        "after": end + 1,
        "largest": LARGEST_TABLE,
    }
    return Section(
        _("B, the size of the field"),
        [
            Formula(f"t ≤ {end}: B = (t + 10)/60", source),
            Formula(f"t > {end}: B = log₁₀(t/4)", source),
            Paragraph(
                _(
                    "t are the tables; a half table counts as a whole one. From t = %(end)s to t = %(after)s "
                    "B jumps from %(last)s to %(next)s; beyond %(largest)s, where the printed table "
                    "ends, the formula goes on."
                )
                % values
            ),
            _size_plot(line, curved),
        ],
    )


def _size_plot(line: list[tuple[int, Fraction]], curved: list[tuple[int, Fraction]]) -> Plot:
    desc = _("A straight line up to %(end)s, then a logarithm: %(largest)s at %(tables)s.") % {
        "end": counted(line[-1][0], "table"),
        "largest": short(curved[-1][1]),
        "tables": counted(curved[-1][0], "table"),
    }
    up_to = _("up to %(end)s") % {"end": counted(line[-1][0], "table")}
    lines = [Line(up_to, line), Line(_("beyond"), curved)]
    return Plot(_("B by tables"), desc, (_("Tables"), "B"), lines, digits=(0, 4), whole_x=True)


def _listed() -> Section:
    source = Citation(OVERALL.code, FORMULA)
    ratings = [(_(RATINGS[code]), fixed(value, 1)) for code, value in tables.RATINGS.items()]
    sessions = [
        (whole(s), short(OVERALL.factors(event_of(sessions=s))["S"]))
        for s in range(1, tables.MOST_SESSIONS + 1)
    ]
    restrictions = [(_(RESTRICTIONS[code]), fixed(value, 1)) for code, value in tables.RESTRICTIONS.items()]
    return Section(
        _("R, S and P"),
        [
            Grid(
                _("R, rating of the tournament, values of 2003"),
                (Column(_("Tournament")), Column("R", number=True)),
                ratings,
                source,
                "narrow stays",
            ),
            Formula("S = (s + 1)/2", source),
            Grid(
                _("S, sessions"),
                (Column(_("Sessions"), number=True), Column("S", number=True)),
                sessions,
                source,
                "narrow stays",
            ),
            Grid(
                _("P, restricted field"),
                (Column(_("Field")), Column("P", number=True)),
                restrictions,
                source,
                "narrow stays",
            ),
        ],
    )


def _rule(place: int) -> str:
    if place == 1:
        return "1"
    return f"0.75^{place - 1}" if place <= tables.OVERALL_STEPS_END else f"1/{place}"


def _places() -> Section:
    source = Citation(OVERALL.code, PLACES)
    geometric = [(k, tables.OVERALL_STEP ** (k - 1)) for k in range(1, 17)]
    harmonic = [(k, Fraction(1, k)) for k in range(1, 17)]
    parts = [
        Line("0.75^(k−1)", geometric, "dotted", in_table=False),
        Line("1/k", harmonic, "dotted", in_table=False),
    ]
    desc = _("The larger of two curves, which cross between places 8 and 9.")
    return Section(
        _("The points of a place"),
        [
            Formula("A(k) = W·c(k)", source),
            Formula("c(k) = max(0.75^(k − 1), 1/k)", source),
            Formula("K = d·n", source),
            Paragraph(
                _(
                    "d is the depth, n the contestants, K the places that earn points; a half rounds up. "
                    "Three quarters of the place above, up to the eighth, and W/k from the ninth on are one "
                    "rule: the larger of both curves."
                )
            ),
            curve_plot(curve, _("c(k) by place"), desc, parts),
            shares_grid(curve, _rule, 12, source),
        ],
    )


def _example() -> Section:
    event = event_of(place=2)
    text = _(
        "20 tables of a regional with two sessions, 40 pairs. M = 1, T = 1 and a depth of 0.25 are chosen "
        "for the example; no source gives them."
    )
    return Section(
        _("Worked example"),
        [
            Paragraph(text),
            working(OVERALL, event, _("The second, step by step")),
            ladder_grid(OVERALL, event, _("Every paid place of the example")),
        ],
    )


def _factor(name: str, **values: Any) -> Fraction:
    return OVERALL.factors(event_of(**values))[name]


def _named(symbol: str, label: str) -> Text:
    return verbatim("%(symbol)s: %(label)s") % {"symbol": symbol, "label": _(label)}


def _printed() -> Section:
    ratings = zip(range(1, 5), ("unit", "sectional", "regional", "national"), strict=True)
    printed = {"unit": "8.50", "sectional": "10.00", "regional": "14.00", "national": "22.50"}
    examples = [
        *(
            Example(f"R-{k}", _named("R", RATINGS[code]), printed[code], _factor("R", rating=code))
            for k, code in ratings
        ),
        *(
            Example(f"S-{s}", f"S, s = {s}", text, _factor("S", sessions=s))
            for s, text in enumerate(("1.00", "1.50", "2.00", "2.50", "3.00"), start=1)
        ),
        Example("P-1", _named("P", RESTRICTIONS["one"]), "0.80", _factor("P", restriction="one")),
        Example("P-2", _named("P", RESTRICTIONS["two"]), "0.70", _factor("P", restriction="two")),
        Example("B-1", "B, t = 60", "1.1667", _factor("B", tables=Decimal(60))),
        Example("B-2", "B, t = 61", "1.1833", _factor("B", tables=Decimal(61))),
        Example("B-3", "B, t = 250", "1.7959", _factor("B", tables=Decimal(250))),
        Example("O-1", "c(2)", "0.7500", curve(2)),
        Example("O-2", "c(8)", "0.1335", curve(8)),
        Example("O-3", "c(9)", "0.1111", curve(9)),
    ]
    caption = _("Every number of the sources")
    return Section(
        _("Printed numbers"), [ExampleTable(caption, _("Factor"), examples, Citation(OVERALL.code, FORMULA))]
    )
