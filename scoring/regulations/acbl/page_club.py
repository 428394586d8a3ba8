"""The page that explains the ACBL's club awards."""

from fractions import Fraction

from scoring.regulations.context import Context
from scoring.regulations.page import (
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
from scoring.regulations.places.receipt import exact_text
from scoring.regulations.texts import Citation, Words, _, counted, short, whole

from . import tables
from .club import CLUB, CLUB_AWARDS, ClubEvent, curve, winner_of
from .page import at_place, colours, curve_plot, ladder_grid, rounding, shares_grid, working

DOCUMENT = "ACBL Handbook, “Calculating the awards”"
DRAWN = 25


def page(context: Context) -> Page:
    lead = _(
        "The winner gets a tenth of a point for every contestant, at most %(most)s; the next places fixed "
        "shares of it, and from the fifth on the winner’s points divided by the place."
    ) % {"most": short(tables.CLUB_MOST)}
    sections = (_winner(), _places(), rounding(), colours(), _example(), _printed())
    return Page(lead, DOCUMENT, sections)


def event_of(contestants: int, place: int = 1) -> ClubEvent:
    return ClubEvent(contestants=at_place(place), contestant_count=contestants)


def _winner() -> Section:
    values = [(n, winner_of(n)) for n in range(1, DRAWN + 1)]
    capped = next(n for n, value in values if value == tables.CLUB_MOST)
    desc = _("It rises to %(most)s at %(contestants)s and stays there.") % {
        "most": short(tables.CLUB_MOST),
        "contestants": counted(capped, "contestant"),
    }
    return Section(
        _("The winner’s points"),
        [
            Formula("W = min(0.1·n, 1.5)", Citation(CLUB_AWARDS.code, CLUB)),
            Plot(
                _("W by contestants"),
                desc,
                (_("Contestants"), _("Points")),
                [Line("W(n)", values)],
                whole_x=True,
            ),
        ],
    )


def _rule(place: int) -> str:
    return exact_text(curve(place)) if place <= len(tables.CLUB_STEPS) else f"1/{place}"


def _depth_grid(source: Words) -> Grid:
    rows = [
        (whole(n), short(tables.CLUB_DEPTH * n), whole(CLUB_AWARDS.ladder(event_of(n)).paid))
        for n in (1, 2, 5, 10, 11, 14, 20)
    ]
    columns = (
        Column(_("Contestants"), number=True),
        Column("d·n", number=True),
        Column(_("Places paid"), number=True),
    )
    return Grid(_("Places that earn points"), columns, rows, source, "narrow stays")


def _places() -> Section:
    source = Citation(CLUB_AWARDS.code, CLUB)
    desc = _("Four steps, then 1/k.")
    default = _("%(depth)s of the handbook, unless the office enters another") % {
        "depth": short(tables.CLUB_DEPTH)
    }
    return Section(
        _("The points of a place"),
        [
            Formula("A(k) = W·c(k)", source),
            Formula("K = d·n", source),
            Paragraph(
                _("d is the depth, %(depth)s; a half place rounds up. There may be no paid place at all.")
                % {"depth": short(tables.CLUB_DEPTH)}
            ),
            curve_plot(curve, _("c(k) by place"), desc, []),
            shares_grid(curve, _rule, 8, source),
            _depth_grid(source),
            OfficeFactors(tables.CLUB_ENTERED, {"depth": default}),
        ],
    )


def _example() -> Section:
    event = event_of(14, place=3)
    return Section(
        _("Worked example"),
        [
            Paragraph(_("A club game of 14 pairs.")),
            working(CLUB_AWARDS, event, _("The third, step by step")),
            ladder_grid(CLUB_AWARDS, event, _("Every paid place of the example")),
        ],
    )


def _printed() -> Section:
    steps = ("1.00", "0.70", "0.50", "0.35", "0.20", "0.1667")
    paid = ((7, 10, "4"), (8, 11, "4"), (9, 14, "6"))
    examples = [
        *(Example(f"C-{k}", f"c({k})", text, curve(k)) for k, text in enumerate(steps, start=1)),
        *(
            Example(
                f"C-{row}",
                _("Places paid of %(contestants)s") % {"contestants": n},
                text,
                Fraction(CLUB_AWARDS.ladder(event_of(n)).paid),
            )
            for row, n, text in paid
        ),
    ]
    caption = _("Every number of the handbook")
    return Section(
        _("Printed numbers"),
        [ExampleTable(caption, _("Number"), examples, Citation(CLUB_AWARDS.code, CLUB))],
    )
