"""Rulings on the ACBL's awards, and a published result that contradicts them."""

from scoring.regulations.page import Erratum
from scoring.regulations.texts import Text, _

_SHARED_RULINGS: tuple[Text, ...] = (
    _("They hold from November 2003, the date of the book; no date picks them, the tournament's kind does."),
    _("Ties share the mean of the unrounded awards of the places they take up; an unpaid place counts as 0."),
    _("Knock-outs have formulas of their own, which are not covered."),
    _(
        "A corrected tournament has the colour of its corrected data, also on the receipts of reversed "
        "awards; initial points have no colour."
    ),
)

OVERALL_RULINGS = (
    *_SHARED_RULINGS,
    _("M, T and the depth come from the office; without them the calculation refuses and names them."),
    _("R after 2003 was not found: the values of 2003 hold unless the office enters another."),
    _("The jump of B between 60 and 61 tables stays; beyond 250 tables its formula goes on."),
    _("A half table counts as a whole one."),
    _(
        "A national event without a masterpoint limit counts as unrestricted for the colour, with or without "
        "restrictions by gender or age; the largest number in the name of a limit counts."
    ),
)
CLUB_RULINGS = (
    *_SHARED_RULINGS,
    _("A single contestant earns nothing: four tenths of one round down."),
    _("The depth is 0.4 unless the office enters another."),
)

# The result prints 27.56 for the first and 20.27 for the second.
OVERALL_ERRATA = (
    Erratum(_("A public result of nine tables: the second as a share of the first"), "0.7355", "0.75"),
)
