"""Sections shared by the pages of the ACBL's regulations.

They explain the colours of masterpoints (gold, silver, black …), rounding, and the share of the winner's
award that each place gets.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from scoring.engine.types import Contestant
from scoring.regulations.page import Column, Grid, Line, Paragraph, Plot, Section, Working
from scoring.regulations.places.scheme import EventType, PlaceScheme
from scoring.regulations.texts import Text, Words, _, fixed, points, printed, short, whole

from .labels import PIGMENTS
from .pigments import pigment
from .shared import ROUNDING

# Names of events, each with the arguments for `pigment`: kind, venue, rating and limit.
EVENTS = (
    (_("National without a limit"), ("overall", "in_person", "national", "")),
    (_("National with a limit of 750 or more"), ("overall", "in_person", "national", "750")),
    (_("National with a lower limit"), ("overall", "in_person", "national", "500")),
    (_("Regional"), ("overall", "in_person", "regional", "")),
    (_("Sectional"), ("overall", "in_person", "sectional", "")),
    (_("Unit championship"), ("overall", "in_person", "unit", "")),
    (_("Club game"), ("club", "in_person", "", "")),
    (_("Anything online"), ("club", "online", "", "")),
)
# Numbers half-way between two hundredths, which show rounding half to even.
HALVES = ("0.005", "0.015", "0.025", "1.165", "1.175")


def colours() -> Section:
    """Return the page section that lists the colour of the masterpoints that each kind of event gives.

    The ACBL gives masterpoints a colour, for example gold, which tells in what kind of event they were won.
    """
    rows = [(event, _(PIGMENTS[pigment(*arguments)])) for event, arguments in EVENTS]
    text = _(
        "The colour tells where points were won; it has no part in how many they are. Red is what a regional "
        "gives besides its overall awards and section tops, which none of these formulas award."
    )
    grid = Grid(_("Colours of masterpoints"), (Column(_("Event")), Column(_("Colour"))), rows)
    return Section(_("Colours"), [Paragraph(text), grid])


def rounding() -> Section:
    """Return the page section that explains rounding half to even, with examples."""
    rows = [(printed(half), fixed(ROUNDING(Fraction(half)), 2)) for half in HALVES]
    columns = (Column(_("Unrounded"), number=True), Column(_("Rounded"), number=True))
    text = _(
        "Two decimals, and a half goes to the even digit, as the league’s own program does: up as often as "
        "down, so that many roundings one after another do not drift. The Swedish and the Spanish points "
        "round a half up instead."
    )
    return Section(
        _("Banker’s rounding"),
        [Paragraph(text), Grid(_("What a half becomes"), columns, rows, look="narrow stays")],
    )


def curve_plot(curve: Callable[[int], Fraction], title: Text, desc: Text, parts: list[Line]) -> Plot:
    """Return the chart of the share of the winner's award, c(k), that places 1 to 16 get.

    parts: the curves that c(k) is composed of, drawn beside it
    """
    values = [(k, curve(k)) for k in range(1, 17)]
    lines = [Line("c(k)", values), *parts]
    return Plot(title, desc, (_("Place"), _("Share of W")), lines, digits=(0, 4), whole_x=True)


def shares_grid(
    curve: Callable[[int], Fraction], rule: Callable[[int], str], last: int, source: Words
) -> Grid:
    """Return the table of the share of the winner's award, c(k), for places 1 to ``last``.

    rule: returns the formula of a place's share
    """
    rows = [(whole(k), rule(k), short(curve(k))) for k in range(1, last + 1)]
    columns = (
        Column(_("Place"), number=True),
        Column("c(k)", formula=True),
        Column(_("Share of W"), number=True),
    )
    return Grid(_("c(k), the share of each place"), columns, rows, source, "narrow stays")


def ladder_grid(scheme: PlaceScheme[EventType], event: EventType, caption: Text) -> Grid:
    """Return the table of the awards of an event's paid places, unrounded and rounded."""
    ladder = scheme.ladder(event)
    rows = [
        (whole(k), short(ladder.at(k), 6), points(ladder.points(ladder.at(k)), 2))
        for k in range(1, ladder.paid + 1)
    ]
    columns = (
        Column(_("Place"), number=True),
        Column(_("Unrounded"), number=True),
        Column(_("Points"), number=True),
    )
    return Grid(caption, columns, rows, look="narrow stays")


def working(scheme: PlaceScheme[EventType], event: EventType, caption: Text) -> Working:
    """Return the page block that shows the receipt of the event's first contestant."""
    steps = scheme.explain(event, scheme.score(event), event.contestants[0].id)
    return Working(caption, steps, chosen=_("Chosen for this example."))


def at_place(place: int) -> tuple[Contestant, ...]:
    """Return the contestants of an example ranking that lists only one contestant, at this place."""
    return (Contestant("1", place=place),)
