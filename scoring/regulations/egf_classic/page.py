"""The page that explains the classic Go rating."""

from decimal import Decimal

from scoring.regulations.context import Context
from scoring.regulations.egf import article
from scoring.regulations.egf import page as egf
from scoring.regulations.page import (
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
)
from scoring.regulations.texts import Citation, _, fixed, short, verbatim, whole

from . import tables
from .rules import REGULATION as CLASSIC
from .rules import spread, underdog

DOCUMENT = "Sistema de puntuación EGF: Cómo calcular tus puntos"
DRAWN_FROM, DRAWN_TO = 0, 2900
STRONGER, WEAKER = 1600, 1500  # any two ratings will do, as only the formulas are used


def page(context: Context) -> Page:
    lead = _(
        "A game changes a rating by con times the result less the expected one; con falls with the own "
        "rating, and the weaker player’s rating says how much a difference decides."
    )
    text = _("The receiver of H stones counts with so many points more, in the expected score only.")
    sections = (
        _expected(),
        _con(),
        egf.new_rating(CLASSIC, "R' = R + w·Σ con·(S − SE)"),
        egf.handicap(CLASSIC, text),
        egf.grades(CLASSIC),
        article.section(context),
        egf.same_games(context),
        _printed(),
    )
    return Page(lead, DOCUMENT, sections, egf.COMPARISON)


def _expected() -> Section:
    weaker = CLASSIC.expected_steps(WEAKER, STRONGER, 0.0)
    stronger = CLASSIC.expected_steps(STRONGER, WEAKER, 0.0)
    *formulas, weaker_formula = [formula for formula, _working, _value in weaker]
    stronger_formula = stronger[-1][0]
    return Section(
        _("The expected score"),
        [
            *egf.formulas(CLASSIC, formulas, "expected"),
            Paragraph(_("R is the weaker player’s rating. The weaker player’s expected score is")),
            Formula(weaker_formula, Citation(CLASSIC.code, "expected")),
            Paragraph(_("and the stronger player’s")),
            Formula(stronger_formula, Citation(CLASSIC.code, "expected")),
            Paragraph(
                _(
                    "ε = %(epsilon)s makes both expected scores add up to a little less than 1, so that "
                    "ratings as a whole rise slowly and newcomers who improve do not pull the others down."
                )
                % {"epsilon": short(Decimal(tables.EPSILON))}
            ),
            egf.expected_plot(CLASSIC, (600, 1600, 2600)),
        ],
    )


def _con() -> Section:
    source = Citation(CLASSIC.code, "con")
    rows = [
        (
            whole(rating),
            short(CLASSIC.con(rating)),
            short(spread(rating)),
            fixed(100 * CLASSIC.expected(rating, rating + 100, 0.0), 1),
        )
        for rating in range(tables.FIRST, tables.LAST + 1, tables.STEP)
    ]
    columns = (
        Column(_("Rating"), number=True),
        Column("con", number=True),
        Column("a", number=True),
        Column("SE(100) %", number=True),
    )
    values = [(r, CLASSIC.con(r)) for r in range(DRAWN_FROM, DRAWN_TO + 1, 50)]
    desc = _("From %(most)s up to 100 down to %(least)s from 2,700 on.") % {
        "most": tables.CON[0],
        "least": tables.CON[-1],
    }
    return Section(
        _("con, what is at stake"),
        [
            Formula(CLASSIC.con_text(STRONGER)[0], source),
            Paragraph(_("Between two rows of the table con follows the straight line; outside it is level.")),
            Plot(
                _("con by rating"),
                desc,
                (_("Rating"), "con"),
                [Line("con", values, in_table=False)],
                whole_x=True,
            ),
            Grid(
                _("con, a, and the expected score against 100 points more, without ε"),
                columns,
                rows,
                source,
                "narrow stays",
            ),
        ],
    )


def _printed() -> Section:
    return Section(
        _("Worked examples"),
        [
            ExampleTable(_("The federation’s official examples"), _("Example"), _official()),
            ExampleTable(_("The article, step by step from its own rounded numbers"), _("Step"), _steps()),
        ],
    )


def _official() -> list[Example]:
    """Return the worked examples of the European Go Federation, which leave out ε."""
    expected = (
        (1, 1820, "0.457"), (2, 1840, "0.414"), (3, 1860, "0.372"), (4, 1880, "0.333"),
    )  # fmt: skip
    examples = []
    for number, opponent, text in expected:
        label = _("SE of 1800 against %(other)s") % {"other": opponent}
        examples.append(Example(f"o-{number}", label, text, CLASSIC.expected(1800, opponent, 0.0)))
    games = (
        (5, 2400, 2400, 1.0, 0, "2407.5"), (6, 2400, 2400, 0.0, 0, "2392.5"), (7, 320, 400, 1.0, 0, "383"),
        (8, 400, 320, 0.0, 0, "340"), (9, 1850, 2400, 1.0, 5, "1875"), (10, 2400, 1850, 0.0, -5, "2389"),
    )  # fmt: skip
    for number, own, opponent, score, handicap, text in games:
        label = _("%(own)s against %(other)s, %(result)s") % {
            "own": whole(own),
            "other": whole(opponent),
            "result": egf.RESULT[score],
        }
        if handicap:
            label = _("%(game)s, handicap %(stones)s") % {"game": label, "stones": abs(handicap)}
        change = egf.change_by_game(CLASSIC, own, opponent, score, handicap, epsilon=Decimal(0))
        examples.append(Example(f"o-{number}", label, text, change.after))
    return examples


def _expected_score(difference: int, a: int) -> float:
    """Return the expected score against an opponent rated ``difference`` points higher, without ε.

    difference: negative if the opponent is rated lower
    a: the number by which the formula divides the rating difference; `spread` computes it
    """
    weaker = underdog(abs(difference), a)
    return weaker if difference >= 0 else 1 - weaker


def _steps() -> list[Example]:
    curve = (
        ("g-03", 100, 121, "0.304"), ("g-08", 352, 119, "0.049"), ("g-09", 3, 119, "0.494"),
        ("g-10", -188, 128, "0.813"), ("g-11", -104, 124, "0.698"), ("g-16", -121, 125, "0.725"),
        ("g-20", -21, 120, "0.544"), ("g-24", 100, 125, "0.310"), ("g-25", 100, 120, "0.303"),
    )  # fmt: skip
    stakes = (
        ("g-12", 38, 0, "0.049", "-1.862"), ("g-13", 38, 1, "0.494", "19.228"),
        ("g-14", 38, 0, "0.813", "-30.862"), ("g-15", 38, 1, "0.698", "11.476"),
        ("g-17", 38, 0, "0.725", "-27.550"), ("g-19", 38, 2, "1.966", "1.292"),
        ("g-21", 38, 0, "0.544", "-20.672"), ("g-23", 40, 2, "1.35", "26"),
    )  # fmt: skip
    slip = _("38 times 0.813 is 30.894")
    return [
        *(
            Example(row, f"a({rating})", text, spread(rating))
            for row, rating, text in (
                ("g-01", 1675, "121.25"),
                ("g-05", 1721, "119"),
                ("g-06", 1617, "124"),
                ("g-07", 1533, "128"),
            )
        ),
        *(
            Example(row, f"con({rating})", text, CLASSIC.con(rating))
            for row, rating, text in (("g-02", 1675, "40"), ("g-04", 1721, "38"))
        ),
        *(
            Example(
                row,
                verbatim("SE, D = %(d)s, a = %(a)s") % {"d": fixed(d, 0), "a": a},
                text,
                _expected_score(d, a),
            )
            for row, d, a, text in curve
        ),
        *(
            Example(
                row,
                verbatim("%(con)s·(%(score)s − %(expected)s)")
                % {"con": con, "score": score, "expected": short(Decimal(expected))},
                text,
                con * (score - Decimal(expected)),
                slip if row == "g-14" else "",
            )
            for row, con, score, expected, text in stakes
        ),
    ]
