"""Rulings on the adjustment for strength, and misprints of the article that proposes it."""

from scoring.regulations.page import Erratum
from scoring.regulations.texts import Text, _

_SHARED_RULINGS: tuple[Text, ...] = (
    _("The adjustment is for information only: it changes nobody's points or place."),
    _("Artificial scores count in the official result and say nothing of strength: they are left out."),
    _("Whoever has artificial scores only belongs to no group and has no adjusted result."),
    _("Where a board's scores do not add up, the surplus is taken off everybody of the group alike."),
    _("Places compare within a group only: who never met, even through others, cannot be compared."),
    _("Adjusted results closer than a billionth share a place."),
    _("The formula for boards with unequal numbers of results is another correction and comes before."),
)

MATCHPOINT_RULINGS = (
    *_SHARED_RULINGS,
    _("A missing East-West score is what North-South left of 100 per cent."),
)
IMP_RULINGS = (*_SHARED_RULINGS, _("A missing East-West score is North-South's with the other sign."))

MATCHPOINT_ERRATA = (
    Erratum(
        _("Formula of a board's adjusted score x, s the score and r the opponent's result"),
        "x = s − 100 − r",
        "x = s − (100 − r)",
    ),
    Erratum(_("The example of 52 against 58 by the formula as printed"), "+8", "−108"),
    # By the rule, the changes of every iteration have the same sum.
    Erratum(_("Sum of the changes of the second iteration"), "−0.23", "−4.78"),
    Erratum(_("“One iteration is enough”"), _("practically the final result"), _("not shown by the table")),
)
IMP_ERRATA = (
    Erratum(_("Rows of the table"), _("12, the last column cut"), "24"),
    Erratum(_("The table at the fifth iteration"), _("settled"), _("still moving by up to 2.04")),
)
