"""The page that explains the Go rating as revised in 2021."""

from collections.abc import Callable

from scoring.regulations.context import Context
from scoring.regulations.egf import article
from scoring.regulations.egf import page as egf
from scoring.regulations.page import (
    Column,
    Example,
    ExampleTable,
    Grid,
    Line,
    Page,
    Paragraph,
    Plot,
    Section,
)
from scoring.regulations.texts import Number, Text, Words, _, fixed, verbatim, whole

from .rules import MOST_IN_BETA, POLE, beta
from .rules import REGULATION as REVISED

DOCUMENT = "European Go Federation, 2021"
TABLE = (-900, -500, 0, 500, 1000, 1500, 2000, 2300, 2500, 2700, 2900, 3100)
ANY = 2000  # any rating will do, as only the formulas are used


def page(context: Context) -> Page:
    lead = _(
        "A game changes a rating by con times the result less the expected one, plus a bonus; strength grows "
        "without end towards %(pole)s."
    ) % {"pole": whole(POLE)}
    text = _(
        "The receiver of H stones counts with so many points more inside β, and there with %(most)s at most."
    ) % {"most": whole(MOST_IN_BETA)}
    sections = (
        _expected(),
        _con(),
        _bonus(),
        egf.new_rating(REVISED, "R' = R + w·Σ (con·(S − SE) + bonus)"),
        _bounds(),
        egf.handicap(REVISED, text),
        egf.grades(REVISED),
        _example(),
        egf.same_games(context),
        _printed(),
    )
    return Page(lead, DOCUMENT, sections, egf.COMPARISON)


def _curve_plot(title: Text, desc: Text, name: Words, function: Callable[[float], float]) -> Plot:
    values = [(r, function(r)) for r in range(REVISED.floor, POLE - 50, 50)]
    lines = [Line(name, values, in_table=False)]
    return Plot(title, desc, (_("Rating"), name), lines, whole_x=True)


def _expected() -> Section:
    formulas = [formula for formula, _working, _value in REVISED.expected_steps(ANY, ANY, 0.0)]
    text = _(
        "β turns a rating into strength. Both expected scores of a game add up to 1: there is no ε, and the "
        "bonus takes its part."
    )
    return Section(
        _("The expected score"),
        [
            *egf.formulas(REVISED, formulas, "expected"),
            Paragraph(text),
            egf.expected_plot(REVISED, (600, 1600, 2600)),
        ],
    )


def _con() -> Section:
    desc = _("From %(most)s at %(floor)s down to nothing at %(pole)s.") % {
        "most": fixed(REVISED.con(REVISED.floor), 1),
        "floor": whole(REVISED.floor),
        "pole": whole(POLE),
    }
    rows = [
        (whole(r), fixed(beta(r), 3), fixed(REVISED.con(r), 3), fixed(REVISED.bonus(r), 3)) for r in TABLE
    ]
    columns = (
        Column(_("Rating"), number=True),
        Column("β", number=True),
        Column("con", number=True),
        Column("bonus", number=True),
    )
    return Section(
        _("con, what is at stake"),
        [
            *egf.formulas(REVISED, [REVISED.con_text(ANY)[0]], "con"),
            _curve_plot(_("con by rating"), desc, "con", REVISED.con),
            Grid(_("β, con and bonus of some ratings"), columns, rows, look="narrow stays"),
        ],
    )


def _bonus() -> Section:
    desc = _("Large for beginners, next to nothing from 2,700 on.")
    text = _(
        "Every game adds the bonus, won or lost: players who improve take points from the others, and the "
        "bonus gives them back."
    )
    return Section(
        _("The bonus"),
        [
            *egf.formulas(REVISED, [REVISED.bonus_text(ANY)[0]], "bonus"),
            Paragraph(text),
            _curve_plot(_("Bonus by rating"), desc, _("Bonus"), REVISED.bonus),
        ],
    )


def _bounds() -> Section:
    values = {
        "pole": whole(POLE),
        "ceiling": fixed(REVISED.ceiling, 2),
        "floor": whole(REVISED.floor),
    }
    text = _(
        "Ratings lie below %(pole)s, where the formula has no value: no result exceeds %(ceiling)s. None "
        "falls below %(floor)s, the rating of 30 kyu."
    )
    return Section(_("Bounds"), [Paragraph(text % values)])


def _example() -> Section:
    caption = _("The four games of the article about the classic rating, by this formula")
    return Section(_("Worked example"), [egf.working(REVISED, article.tournament(), article.AUTHOR, caption)])


def _printed() -> Section:
    caption = _("Results of other programs for the same formula")
    text = _("They test that the formula is computed alike, not that it is the right one.")
    return Section(
        _("Checked against others"), [Paragraph(text), ExampleTable(caption, _("Quantity"), _vectors())]
    )


def _rating(rating: float) -> Number:
    return fixed(rating, 3) if rating % 1 else whole(int(rating))


def _vectors() -> list[Example]:
    stronger, weaker = 2073.715, 2056.795
    rating = fixed(stronger, 3)
    examples = [
        Example(
            "e-2",
            verbatim("SE, %(own)s: %(other)s") % {"own": rating, "other": fixed(weaker, 3)},
            "0.524",
            REVISED.expected(stronger, weaker, 0.0),
        ),
        Example("e-3", verbatim("con, %(rating)s") % {"rating": rating}, "18.201", REVISED.con(stronger)),
        Example("e-4", _("bonus of %(rating)s") % {"rating": rating}, "0.577", REVISED.bonus(stronger)),
        Example("e-5", verbatim("β, %(rating)s") % {"rating": rating}, "-49.782", beta(stronger)),
        Example("s-1", "SE, 1000: 1300", "0.273", REVISED.expected(1000, 1300, 0.0)),
    ]
    cases = (
        ("e-1", stronger, weaker, 1.0, "2082.957"), ("e-6", 2674.564, 2611.051, 0.0, "2670.456"),
        ("h-1", 2100, 2100, 1.0, "2109.306"), ("h-2", 2100, 2100, 0.0, "2091.725"),
        ("s-4", 240, 240, 1.0, "284.458"), ("s-5", 240, 240, 0.0, "205.842"),
    )  # fmt: skip
    for row, own, opponent, score, text in cases:
        label = _("%(own)s against %(other)s, %(result)s") % {
            "own": _rating(own),
            "other": _rating(opponent),
            "result": egf.RESULT[score],
        }
        examples.append(Example(row, label, text, egf.change_by_game(REVISED, own, opponent, score).after))
    return examples
