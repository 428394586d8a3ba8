"""The page that explains Swedish silver points."""

from scoring.regulations.context import Context
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
from scoring.regulations.texts import Citation, Text, Words, _, counted, joined, short, verbatim

from .page import (
    DOCUMENT,
    chain_blocks,
    domain_text,
    floor_grid,
    ladder_plot,
    line_text,
    links_grid,
    working,
)
from .page import event_of as sbf_event
from .printed import SILVER_PLACES, SILVER_WINNERS
from .rules import PLACES, SILVER, SILVER_POINTS, SbfEvent
from .tables import SILVER_BOARD, SILVER_PAIRS

LARGEST_DRAWN = 240


def event_of(pairs: int, boards: int, place: int = 1) -> SbfEvent:
    return sbf_event(pairs, SILVER_POINTS.default_decimals, place, boards=boards)


def page(context: Context) -> Page:
    lead = _(
        "The winner gets W points by pairs and boards, each place below three quarters of the place above, "
        "and nobody less than W divided by the place; a quarter of the field earns points, to one decimal."
    )
    return Page(lead, DOCUMENT, (_winner(), _places(), _printed()))


def _winner() -> Section:
    source = Citation(SILVER_POINTS.code, SILVER)
    rows = [
        (domain_text(piece, "n"), f"p = {line_text(piece, 'n')}", short(piece.slope))
        for piece in SILVER_PAIRS
    ]
    columns = (
        Column(_("Pairs")),
        Column("p(n)", formula=True),
        Column(_("Each further pair"), number=True),
    )
    lines = [
        Line(
            verbatim("%(boards)s") % {"boards": counted(boards, "board")},
            [(n, SILVER_POINTS.winner(event_of(n, boards))) for n in (1, *range(10, LARGEST_DRAWN + 1, 10))],
        )
        for boards in (24, 40, 70)
    ]
    desc = _("From 40 pairs on each further pair is worth less; each board is worth %(board)s.") % {
        "board": short(SILVER_BOARD)
    }
    return Section(
        _("W, the points of the winner"),
        [
            Formula(f"W = p(n) + {SILVER_BOARD.numerator}/{SILVER_BOARD.denominator}·m", source),
            Paragraph(_("n is the number of pairs, m the number of boards.")),
            Grid(_("p(n), what the pairs are worth"), columns, rows, source),
            Plot(
                _("W, points of the winner by pairs"),
                desc,
                (_("Pairs"), _("Points")),
                lines,
                digits=(0, 1),
                whole_x=True,
            ),
            ExampleTable(
                _("Every winner that the document prints"),
                _("Pairs and boards"),
                [
                    Example(f"sw-{n}-{m}", _size(n, m), printed, SILVER_POINTS.winner(event_of(n, m)))
                    for (n, m), printed in SILVER_WINNERS.items()
                ],
                source,
            ),
        ],
    )


def _size(pairs: int, boards: int) -> Text:
    return joined([counted(pairs, "pair"), counted(boards, "board")])


def _places() -> Section:
    fields: list[tuple[Words, SbfEvent]] = [
        (_size(n, m), event_of(n, m)) for n, m in ((160, 40), (60, 50), (20, 57))
    ]
    caption = _("160 pairs, 40 boards, place 3, step by step")
    return Section(
        _("The points of a place"),
        [
            Formula("f = 3/4", Citation(SILVER_POINTS.code, SILVER)),
            *chain_blocks(Citation(SILVER_POINTS.code, PLACES)),
            ladder_plot(SILVER_POINTS, _("Silver points by place"), fields, 40),
            floor_grid(SILVER_POINTS, [event_of(n, 40) for n in (20, 40, 60, 160)]),
            links_grid(SILVER_POINTS, event_of(60, 50), 12),
            working(SILVER_POINTS, event_of(160, 40, place=3), caption),
            Paragraph(
                _(
                    "Here the halves decide: 38.25 goes up to 38.3, as printed; rounding to the even digit "
                    "would give 38.2."
                )
            ),
            Paragraph(
                _(
                    "The document shows the first three places only. The floor W/k and the rounding of "
                    "every link are those of bronze."
                ),
                note=True,
            ),
        ],
    )


def _printed() -> Section:
    examples = []
    for (n, m), cells in SILVER_PLACES.items():
        ladder = SILVER_POINTS.ladder(event_of(n, m))
        for place, printed in enumerate(cells, start=1):
            label = _("%(size)s, place %(place)s") % {"size": _size(n, m), "place": place}
            # The document prints whole numbers without a decimal.
            cell = printed if "." in printed else f"{printed}.0"
            examples.append(Example(f"sd-{n}-{m}-{place}", label, cell, ladder.at(place)))
    return Section(
        _("Worked examples: every printed award"),
        [
            ExampleTable(
                _("The first three places, damped from 40 pairs on"),
                _("Field and place"),
                examples,
                Citation(SILVER_POINTS.code, SILVER),
            )
        ],
    )
