"""What the pages of ACBL awards share: the office's factors, colours, the place curve, banker's rounding."""

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

# Events and what decides the colour of their points: kind, venue, rating and limit.
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
# What halves become: the digit before decides.
HALVES = ("0.005", "0.015", "0.025", "1.165", "1.175")


def colours() -> Section:
    """Which event gives points of which colour."""
    rows = [(event, PIGMENTS[pigment(*given)]) for event, given in EVENTS]
    said = _(
        "The colour tells where points were won; it has no part in how many they are. Red is what a regional "
        "gives besides its overall awards and section tops, which none of these formulas award."
    )
    grid = Grid(_("Colours of masterpoints"), (Column(_("Event")), Column(_("Colour"))), rows)
    return Section(_("Colours"), [Paragraph(said), grid])


def rounding() -> Section:
    """Half to even, on numbers that show it."""
    rows = [(printed(text), fixed(ROUNDING(Fraction(text)), 2)) for text in HALVES]
    columns = (Column(_("Unrounded"), number=True), Column(_("Rounded"), number=True))
    said = _(
        "Two decimals, and a half goes to the even digit, as the league’s own program does: up as often as "
        "down, so that many roundings one after another do not drift. The Swedish and the Spanish points "
        "round a half up instead."
    )
    return Section(
        _("Banker’s rounding"),
        [Paragraph(said), Grid(_("What a half becomes"), columns, rows, look="narrow stays")],
    )


def office_grid(regulation: str, names: tuple[str, ...], day: date, sourced: dict[str, str]) -> Grid:
    """The factors that the office fills in: today's value with its source, or what happens without one.

    ``sourced`` says what holds for a factor of which the office has entered nothing. One query.
    """
    entered = factors_in_force(regulation, day)
    lang = get_language() or ""
    rows = []
    for name in names:
        found = [each for each in entered if each.name == name]
        for each in found:
            label = f"{factor_name(name)} ({each.case})" if each.case else factor_name(name)
            since = _("%(source)s; from %(day)s on") % {
                "source": each.source, "day": format_date(each.valid_from, lang)
            }  # fmt: skip
            rows.append((label, short(each.value), since))
        if not found:
            missing = _("not sourced: without it the calculation refuses and names it")
            rows.append((factor_name(name), "—", sourced.get(name, missing)))
    columns = (Column(_("Factor")), Column(_("Value"), number=True), Column(_("Source")))
    return Grid(_("Entered by the office"), columns, rows, look="narrow prose")


def curve_plot(curve: Callable[[int], Fraction], title: str, desc: str, others: list[Series]) -> Plot:
    """Shares by place, 1 to 16, with the lines that they are made of."""
    values = [(k, curve(k)) for k in range(1, 17)]
    series = [Series("c(k)", values), *others]
    return plot(title, desc, (_("Place"), _("Share of W")), series, (0, 4), whole_x=True)


def shares_grid(curve: Callable[[int], Fraction], rule: Callable[[int], str], last: int, source: str) -> Grid:
    """The share of each place in words and figures."""
    rows = [(whole(k), rule(k), short(curve(k))) for k in range(1, last + 1)]
    columns = (
        Column(_("Place"), number=True),
        Column("c(k)", formula=True),
        Column(_("Share of W"), number=True),
    )
    return Grid(_("c(k), the share of each place"), columns, rows, source, "narrow stays")


def ladder_grid(scheme: PlaceScheme, event: PlacedEvent, caption: str) -> Grid:
    """Every paid place of an example."""
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
    """The engine's receipt of the first listed contestant."""
    lang = get_language() or ""
    steps = scheme.explain(event, scheme.score(event), event.contestants[0].id)
    lines = [receipt_line(step, scheme.code, lang) for step in steps]
    chosen = _("Chosen for this example.")  # what a receipt would call the office's value
    return Working(
        caption,
        [
            replace(line, sentence=chosen) if step.code == "given" else line
            for step, line in zip(steps, lines, strict=True)
        ],
    )


def at_place(place: int) -> tuple[Contestant, ...]:
    """Nobody but the contestant on the place looked at."""
    return (Contestant("1", place=place),)
