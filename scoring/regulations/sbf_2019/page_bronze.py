"""The page that explains Swedish bronze points."""

from fractions import Fraction

from scoring.regulations.context import Context
from scoring.regulations.page import (
    Block,
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
from scoring.regulations.texts import Citation, Day, Words, _, counted, short, verbatim, whole

from .page import (
    DOCUMENT,
    chain_blocks,
    decimals_grid,
    domain_text,
    floor_grid,
    ladder_plot,
    line_text,
    quotient_text,
    working,
)
from .page import event_of as sbf_event
from .printed import FACTORS, MISPRINTS, OLD, PAID, TOTALS, WINNERS
from .printed import PLACES as PRINTED
from .rules import BRONZE, PLACES, WINNER, SbfEvent
from .tables import AY_FACTOR, BRONZE_WINNER, DECIMALS_SINCE

LARGEST_DRAWN = 1600
ROW_NAMES = {("A", 20): "a20", ("A", 30): "a30", ("A", 525): "a525", ("AY", 525): "ay525"}


def event_of(pairs: int, table: str = "AY", place: int = 1, decimals: int = 0) -> SbfEvent:
    return sbf_event(pairs, decimals, place, places_table=table)


def page(context: Context) -> Page:
    lead = _(
        "The winner gets W points by the size of the field, each place below f times the place above, "
        "and nobody less than W divided by the place; a quarter of the field earns points."
    )
    decimals = _decimals(context.bronze_decimals)
    sections = (_winner(), _factor(), _places(), decimals, *_printed(), _old())
    return Page(lead, DOCUMENT, sections)


def _winner() -> Section:
    source = Citation(BRONZE.code, WINNER)
    rows = [(domain_text(piece, "n"), f"W = {line_text(piece, 'n')}") for piece in BRONZE_WINNER]
    columns = (Column(_("Pairs")), Column("W(n)", formula=True))
    return Section(
        _("W, the points of the winner"),
        [
            Grid(_("W by the number of pairs n"), columns, rows, source),
            _winner_plot(),
            ExampleTable(
                _("Every size that the document prints"),
                _("Pairs"),
                [
                    Example(f"bw-{n}", whole(n), str(printed), BRONZE.winner(event_of(n)))
                    for n, printed in WINNERS.items()
                ],
                source,
            ),
        ],
    )


def _winner_plot() -> Plot:
    sizes = sorted({*range(0, LARGEST_DRAWN + 1, 50), 1} - {0})
    values = [(n, BRONZE.winner(event_of(n))) for n in sizes]
    desc = _("It rises by 2 a pair up to 50 pairs, then ever more slowly: %(last)s at %(pairs)s.") % {
        "last": short(values[-1][1]),
        "pairs": counted(values[-1][0], "pair"),
    }
    title = _("W(n), points of the winner by pairs")
    return Plot(title, desc, (_("Pairs"), _("Points")), [Line("W(n)", values)], whole_x=True)


def _factor() -> Section:
    source = Citation(BRONZE.code, PLACES)
    rows = [(domain_text(piece, "n"), f"f = {quotient_text(piece, 'n')}") for piece in AY_FACTOR]
    columns = (Column(_("Pairs")), Column("f(n)", formula=True))
    sizes = sorted({*range(0, LARGEST_DRAWN + 1, 50), 1} - {0})
    values = [(n, BRONZE.factor(event_of(n))) for n in sizes]
    desc = _("From 3/4 up to 50 pairs to 8/9 from 1,500 on, straight between the sizes of the table.")
    return Section(
        _("f, the factor from one place to the next"),
        [
            Paragraph(
                _("Table A keeps f = 3/4 for every size. Table AY, the one in use, lets f grow with it:")
            ),
            Grid(_("f by the number of pairs n, table AY"), columns, rows, source),
            Plot(
                _("f(n) by pairs, table AY"),
                desc,
                (_("Pairs"), "f"),
                [Line("f(n)", values)],
                digits=(0, 4),
                whole_x=True,
                y_from_zero=False,
            ),
            ExampleTable(
                _("The sizes of the table, and the examples between them"),
                _("Pairs"),
                [
                    Example(f"f-{n}", whole(n), printed, BRONZE.factor(event_of(n)))
                    for n, printed in FACTORS.items()
                ],
                source,
            ),
        ],
    )


def _places() -> Section:
    source = Citation(BRONZE.code, PLACES)
    fields: list[tuple[Words, SbfEvent]] = [
        (_("%(pairs)s, table %(table)s") % {"pairs": counted(n, "pair"), "table": table}, event_of(n, table))
        for n, table in ((525, "AY"), (525, "A"), (100, "AY"))
    ]
    caption = _("525 pairs, table AY, place 3, step by step")
    return Section(
        _("The points of a place"),
        [
            *chain_blocks(source),
            ladder_plot(BRONZE, _("Bronze points by place"), fields, 40),
            floor_grid(BRONZE, [event_of(n) for n in (20, 50, 500, 525, 1500)]),
            working(BRONZE, event_of(525, place=3), caption),
            Paragraph(
                _(
                    "Rounding each link decides this very cell: the chain at full length would give 317.497 "
                    "and so 317, where the document prints 318."
                )
            ),
        ],
    )


def _decimals(decimals: int) -> Section:
    text = _(
        "The document awards whole points. From %(day)s on the Swedish federation gave decimals, without our "
        "finding how many: here tournaments from that day on have %(decimals)s, unless the tournament says "
        "otherwise."
    ) % {"day": Day(DECIMALS_SINCE), "decimals": decimals}
    return Section(_("Decimals"), [Paragraph(text), decimals_grid(BRONZE, 20)])


def _printed() -> list[Section]:
    source = Citation(BRONZE.code, PLACES)
    blocks: list[Block] = []
    for (table, pairs), cells in PRINTED.items():
        ladder = BRONZE.ladder(event_of(pairs, table))
        name = ROW_NAMES.get((table, pairs), f"ay-{pairs}")
        examples = [
            Example(
                f"{name}-{place}",
                _("Place %(place)s") % {"place": place},
                str(cell),
                ladder.at(place),
                MISPRINTS.get((table, pairs, place), ""),
            )
            for place, cell in cells.items()
        ]
        if table == "A":
            examples += _totals(name, pairs)
        caption = _("Table %(table)s, %(pairs)s") % {"table": table, "pairs": counted(pairs, "pair")}
        blocks.append(ExampleTable(caption, _("Place"), examples, source))
    return [Section(_("Worked examples: every printed table"), blocks)]


def _totals(name: str, pairs: int) -> list[Example]:
    ladder = BRONZE.ladder(event_of(pairs, "A"))
    paid = Example(f"{name}-depth", _("Places paid"), str(PAID[pairs]), Fraction(ladder.paid))
    if pairs not in TOTALS:
        return [paid]
    total = sum(ladder.points(ladder.at(k)) for k in range(1, ladder.paid + 1))
    return [Example(f"{name}-sum", _("Total"), str(TOTALS[pairs]), Fraction(total, 100)), paid]


def _old() -> Section:
    places = sorted({place for cells in OLD.values() for place in cells})
    rows = [
        (whole(place), *(whole(cells[place]) if place in cells else "—" for cells in OLD.values()))
        for place in places
    ]
    columns = (
        Column(_("Place"), number=True),
        *(Column(verbatim("%(pairs)s") % {"pairs": counted(pairs, "pair")}, number=True) for pairs in OLD),
    )
    text = _(
        "The document prints awards of the tables before 2020 for comparison, without a formula. They are "
        "kept as numbers; nothing is computed from them, and no tournament can be scored by them."
    )
    return Section(
        _("The old tables"),
        [Paragraph(text), Grid(_("Old bronze points, as printed"), columns, rows, look="narrow stays")],
    )
