"""The page that explains the adjustment for strength of opponents."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from statistics import stdev

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
from scoring.regulations.texts import Text, Words, _, fixed, printed, short, signed, verbatim, whole

from .printed import IMPS, MATCHPOINTS, column, moved
from .scheme import Adjustment
from .sessions import SEPARATE_GROUPS, SESSION, TWO_LINES, session_of, strengths_after_a_step
from .types import BoardSession, RankedValue, StrengthResult

DOCUMENT = "Turniej z wyrównaniem z wyniku, 2014"
STEPS, SWINGS = 4, 8
STEP_NAMES = {
    "official": _("Official result"),
    "estimate": _("s, the own mean without artificial scores"),
    "opponents": _("r, the opponents’ mean"),
    "adjusted": _("A, the adjusted result"),
}


def page(scheme: Adjustment, context: Context) -> Page:
    percent = bool(scheme.mean)
    lead = (
        _("Everybody’s percentage as it would be if all had met equally strong opponents, board by board.")
        if percent
        else _("Everybody’s IMPs per board as they would be if all had met equally strong opponents.")
    )
    sections = (
        _method(scheme),
        _fixed_point(),
        _example(scheme),
        _two_lines(scheme),
        _separate_groups(scheme),
        _matchpoint_tables() if percent else _imp_table(),
    )
    return Page(lead, DOCUMENT, sections)


def _figure(value: float | None) -> Words:
    return "—" if value is None else fixed(value, 3)


def _method(scheme: Adjustment) -> Section:
    mean = scheme.mean
    board = "x = s − (100 − r)" if mean else "x = s + r"
    text = _(
        "A board against a strong pair is worth more than its score says. x compares the score s of a board "
        "with what the opponent, whose result is r, concedes on average; the mean of x over the boards, on "
        "top of the mean of a board, is the adjusted result. The opponents’ results are adjusted in the same "
        "way, so it is done again with theirs: each step starts from the last one."
    )
    return Section(
        _("The method"),
        [
            Paragraph(text),
            Formula(board, DOCUMENT),
            Formula(f"A = s + r − {mean}" if mean else "A = s + r", DOCUMENT),
            Formula("r = (b₁·A₁ + … + bₖ·Aₖ)/b", DOCUMENT),
            Bullets(
                [
                    _("s: the own mean over the boards that were really played;"),
                    _(
                        "A₁ to Aₖ: the opponents’ results in the step before, each with the boards b₁ to bₖ "
                        "against them, b together."
                    ),
                ]
            ),
        ],
    )


def _fixed_point() -> Section:
    system = _(
        "The adjusted result is where the steps lead: figures that a further step leaves as they are. With ρ "
        "and σ for A and s as distances from the mean of a board, D for the boards of each pair and B for "
        "those between two, it is one system of linear equations, which is solved directly:"
    )
    constant = _(
        "One number per group is free; it is chosen so that the mean of all adjusted results, weighted by "
        "boards, is the mean of a board. This is Massey’s method of least squares."
    )
    return Section(
        _("The fixed point"),
        [Paragraph(system), Formula("(D − B)·ρ = D·σ", _("our ruling")), Paragraph(constant)],
    )


def _results_grid(scheme: Adjustment, session: BoardSession, caption: Text) -> Grid:
    rows: list[tuple[Words, ...]] = []
    for result in session.results:
        ns, ew = scheme.scores(result)
        rows.append((result.board, f"{result.ns} – {result.ew}", _both(short(ns), short(ew))))
    columns = (
        Column(_("Board"), number=True),
        Column(_("Pairs")),
        Column(_("Scores of both"), number=True),
    )
    return Grid(caption, columns, rows, look="narrow stays")


def _both(ns: Words, ew: Words) -> Text:
    return verbatim("%(ns)s – %(ew)s") % {"ns": ns, "ew": ew}


def _steps_grid(result: StrengthResult, caption: Text, steps: int) -> Grid:
    """Return the table of an adjustment, with a row per pair.

    The columns are the number of boards, the pair's result after each iteration from 0 to ``steps``, and the
    fixed point. The fixed point is the result that another iteration would not change. Each result is
    followed by the pair's place in parentheses.
    """
    rows: list[tuple[Words, ...]] = [
        (
            pair.id,
            whole(pair.boards),
            *(_with_place(step) for step in pair.steps[: steps + 1]),
            _with_place(pair.adjusted),
        )
        for pair in result.contestants
    ]
    columns = (
        Column(_("Pair")),
        Column(_("Boards"), number=True),
        *(Column(_("Step %(number)s") % {"number": number}, number=True) for number in range(steps + 1)),
        Column(_("Fixed point"), number=True),
    )
    return Grid(caption, columns, rows, look="crowded")


def _with_place(ranked: RankedValue) -> Text:
    return verbatim("%(figure)s (%(place)s)") % {"figure": _figure(ranked.value), "place": str(ranked.place)}


def _example(scheme: Adjustment) -> Section:
    session = session_of(scheme, SESSION, STEPS)
    result = scheme.adjust(session)
    text = _("B and D never met. Step 0 is the official result. In brackets stands the place.")
    return Section(
        _("Worked example: four pairs"),
        [
            _results_grid(scheme, session, _("The boards of the example")),
            Paragraph(text),
            _steps_grid(result, _("Step by step to the fixed point"), STEPS),
            _steps_plot(
                result, _("The steps of the example"), _("Each step comes nearer to the fixed point.")
            ),
            _working(scheme, session, result, "D"),
        ],
    )


def _steps_plot(result: StrengthResult, title: Text, desc: Text) -> Plot:
    lines = [
        Line(
            pair.id,
            [(number, step.value) for number, step in enumerate(pair.steps) if step.value is not None],
        )
        for pair in result.contestants
        if pair.id in ("A", "C", "D")  # the reader could not tell more curves apart
    ]
    axes = (_("Step"), _("Result"))
    return Plot(title, desc, axes, lines, digits=(0, 3), whole_x=True, y_from_zero=False)


def _working(scheme: Adjustment, session: BoardSession, result: StrengthResult, pair: str) -> Working:
    return Working(
        _("The adjusted result of %(pair)s, checked against the others") % {"pair": pair},
        scheme.explain(session, result, pair),
        names=STEP_NAMES,
        source=DOCUMENT,
    )


def _two_lines(scheme: Adjustment) -> Section:
    """Return the section on sessions in which all pairs stay North-South or East-West."""
    session = session_of(scheme, TWO_LINES, SWINGS)
    result = scheme.adjust(session)
    text = _(
        "In a movement without arrow switch North-South never meet North-South. Then the steps may swing to "
        "and fro for ever. The fixed point exists all the same and is what counts; how strong one line is "
        "against the other cannot be known, and both count as equally strong on average."
    )
    return Section(
        _("Two lines"),
        [
            Paragraph(text),
            _results_grid(scheme, session, _("Two pairs North-South, A and B, and two East-West, C and D")),
            _steps_grid(result, _("The steps swing, the fixed point stands"), STEPS),
            _steps_plot(result, _("The steps of two lines"), _("They swing to and fro and do not settle.")),
        ],
    )


def _separate_groups(scheme: Adjustment) -> Section:
    """Return the section on sessions whose pairs form several groups, with no meetings between groups."""
    result = scheme.adjust(session_of(scheme, SEPARATE_GROUPS, 1))
    rows: list[tuple[Words, ...]] = [
        (pair.id, str(pair.component), _figure(pair.adjusted.value), str(pair.adjusted.place))
        for pair in result.contestants
    ]
    columns = (
        Column(_("Pair")),
        Column(_("Group"), number=True),
        Column(_("Fixed point"), number=True),
        Column(_("Place in the group"), number=True),
    )
    text = _(
        "Pairs that never met, not even through others, cannot be compared. Each group has a mean and places "
        "of its own, and the page of the tournament says so."
    )
    return Section(
        _("Groups that never met"),
        [
            Paragraph(text),
            Grid(_("A met B, C met D"), columns, rows, look="narrow stays"),
        ],
    )


def _matchpoint_tables() -> Section:
    text = _(
        "The article adjusts one tournament of 24 pairs. It does not print who met whom, so its iterations "
        "cannot be computed again; what can be checked is whether the columns agree with each other."
    )
    sums = [sum(column(later)) - sum(column(earlier)) for earlier, later in ((1, 3), (3, 6))]
    contradiction = _(
        "With as many boards for everybody a step keeps the sum of the changes. The first iteration adds up "
        "to %(first)s, the second to %(second)s: the second column does not follow from the rule."
    ) % {"first": signed(sums[0], 2), "second": signed(sums[1], 2)}
    return Section(
        _("The article’s tables, checked"),
        [
            Paragraph(text),
            ExampleTable(_("What the text says of its table"), _("Quantity"), _checks()),
            Paragraph(contradiction, note=True),
            _printed_grid(MATCHPOINTS, 2, _("The matchpoint table, as printed")),
        ],
    )


def _checks() -> list[Example]:
    first, second = column(5), column(8)
    first_strength, second_strength = strengths_after_a_step()
    places = _("Pairs that moved by %(places)s")
    return [
        Example("m-1", _("Greatest change, first iteration"), "3.26", max(first)),
        Example("m-2", _("Least change, first iteration"), "0.04", min(first)),
        Example("m-3", _("Sample standard deviation of the changes, first iteration"), "0.86", stdev(first)),
        Example("m-4", _("Greatest change, second iteration"), "0.02", max(second)),
        Example(
            "m-5", _("Sample standard deviation of the changes, second iteration"), "0.01", stdev(second)
        ),
        *(
            Example(f"m-{row}", places % {"places": by}, text, Decimal(moved(by)))
            for row, by, text in ((6, 3, "1"), (7, 2, "2"), (8, 1, "7"))
        ),
        Example("m-9", _("Pairs that moved"), "10", Decimal(sum(moved(by) for by in range(1, 24)))),
        Example("m-11", _("A board of 50, 52 against 58: adjusted for the first"), "8", first_strength),
        Example("m-12", _("and for the second"), "2", second_strength),
    ]


def _printed_grid(rows: Sequence[Sequence[str]], iterations: int, caption: Text) -> Grid:
    numbers = ("I", "II", "V")[:iterations]
    columns = [
        Column(_("Pair"), number=True),
        Column(_("Result"), number=True),
        Column(_("Place"), number=True),
    ]
    for number in numbers:
        columns += [
            Column(number, number=True),
            Column(_("Place %(iteration)s") % {"iteration": number}, number=True),
            Column(_("Change %(iteration)s") % {"iteration": number}, number=True),
        ]
    return Grid(caption, columns, [[printed(cell) for cell in row] for row in rows], look="crowded")


def _imp_table() -> Section:
    text = _(
        "The article prints 12 of 24 rows. Each pair met seven others once, so a first change is a multiple "
        "of 1/7 and a second of 1/49: all printed rows are. At the fifth iteration figures still move by up "
        "to 2.04; the fixed point needs no such question."
    )
    blocks: list[Block] = [Paragraph(text), _printed_grid(IMPS, 3, _("The IMP table, as printed"))]
    return Section(_("The article’s table, checked"), blocks)
