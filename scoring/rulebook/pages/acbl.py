"""Sections shared by the ACBL pages: office factors, colours, the curve of places, banker's rounding."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from fractions import Fraction

from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from scoring.engine.placed import PlacedEvent
from scoring.engine.types import Contestant
from scoring.ledger.forms import factor_name
from scoring.ledger.place_wording import PIGMENTS
from scoring.ledger.queries.factors import factors_in_force
from scoring.ledger.receipts import receipt_line
from scoring.regulations.acbl.pigments import pigment
from scoring.regulations.acbl.shared import ROUNDING
from scoring.regulations.places.scheme import PlaceScheme
from ui.formatting import format_date
from ui.plots import Series

from .blocks import Column, Grid, Paragraph, Plot, Section, Working
from .figures import fixed, plot, points, printed, short, whole

# Events with the arguments of `pigment`: kind, venue, rating and limit.
EVENTS = (
    (gettext_lazy("National without a limit"), ("overall", "in_person", "national", "")),
    (gettext_lazy("National with a limit of 750 or more"), ("overall", "in_person", "national", "750")),
    (gettext_lazy("National with a lower limit"), ("overall", "in_person", "national", "500")),
    (gettext_lazy("Regional"), ("overall", "in_person", "regional", "")),
    (gettext_lazy("Sectional"), ("overall", "in_person", "sectional", "")),
    (gettext_lazy("Unit championship"), ("overall", "in_person", "unit", "")),
    (gettext_lazy("Club game"), ("club", "in_person", "", "")),
    (gettext_lazy("Anything online"), ("club", "online", "", "")),
)
# Halves, which go to the even digit.
HALVES = ("0.005", "0.015", "0.025", "1.165", "1.175")


def colours() -> Section:
    """Return the section on the colour of points by event."""
    rows = [(event, PIGMENTS[pigment(*arguments)]) for event, arguments in EVENTS]
    text = _(
        "The colour tells where points were won; it has no part in how many they are. Red is what a regional "
        "gives besides its overall awards and section tops, which none of these formulas award."
    )
    grid = Grid(_("Colours of masterpoints"), (Column(_("Event")), Column(_("Colour"))), rows)
    return Section(_("Colours"), [Paragraph(text), grid])


def rounding() -> Section:
    """Return the section on rounding half to even, with examples."""
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


def office_grid(regulation: str, names: tuple[str, ...], day: date, defaults: dict[str, str]) -> Grid:
    """Return the table of the office's factors in force on the day, with value and source. One query.

    ``defaults`` are the texts for factors that have a value without the office.
    """
    in_force = factors_in_force(regulation, day)
    lang = get_language() or ""
    rows = []
    for name in names:
        factors = [factor for factor in in_force if factor.name == name]
        for factor in factors:
            label = f"{factor_name(name)} ({factor.case})" if factor.case else factor_name(name)
            since = _("%(source)s; from %(day)s on") % {
                "source": factor.source,
                "day": format_date(factor.valid_from, lang),
            }
            rows.append((label, short(factor.value), since))
        if not factors:
            missing = _("not sourced: without it the calculation refuses and names it")
            rows.append((factor_name(name), "—", defaults.get(name, missing)))
    columns = (Column(_("Factor")), Column(_("Value"), number=True), Column(_("Source")))
    return Grid(_("Entered by the office"), columns, rows, look="narrow prose")


def curve_plot(curve: Callable[[int], Fraction], title: str, desc: str, parts: list[Series]) -> Plot:
    """Return the chart of the shares of places 1 to 16, with the curves that c(k) is composed of."""
    values = [(k, curve(k)) for k in range(1, 17)]
    series = [Series("c(k)", values), *parts]
    return plot(title, desc, (_("Place"), _("Share of W")), series, (0, 4), whole_x=True)


def shares_grid(curve: Callable[[int], Fraction], rule: Callable[[int], str], last: int, source: str) -> Grid:
    """Return the table of c(k) up to place ``last``, as a rule and as a number."""
    rows = [(whole(k), rule(k), short(curve(k))) for k in range(1, last + 1)]
    columns = (
        Column(_("Place"), number=True),
        Column("c(k)", formula=True),
        Column(_("Share of W"), number=True),
    )
    return Grid(_("c(k), the share of each place"), columns, rows, source, "narrow stays")


def ladder_grid(scheme: PlaceScheme, event: PlacedEvent, caption: str) -> Grid:
    """Return the table of an example's paid places."""
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


def working(scheme: PlaceScheme, event: PlacedEvent, caption: str) -> Working:
    """Return the engine's receipt of the event's first contestant."""
    lang = get_language() or ""
    steps = scheme.explain(event, scheme.score(event), event.contestants[0].id)
    lines = [receipt_line(step, scheme.code, lang) for step in steps]
    chosen = _("Chosen for this example.")  # a receipt would name the office's source here
    return Working(
        caption,
        [
            replace(line, sentence=chosen) if step.code == "given" else line
            for step, line in zip(steps, lines, strict=True)
        ],
    )


def at_place(place: int) -> tuple[Contestant, ...]:
    """Return a ranking that lists only the contestant at this place."""
    return (Contestant("1", place=place),)
