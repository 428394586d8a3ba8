"""Rulings on the rating since 2021."""

from scoring.regulations.egf.notes import RULINGS as SHARED
from scoring.regulations.texts import _

RULINGS = (
    *SHARED,
    _(
        "It holds from 1 January 2021; older tournaments keep the classic rating, although the federation "
        "calculated its whole history again."
    ),
    _("A rating of 3300 or more is refused: the formula has no value there. No result exceeds 3299.99."),
    _("A rating that the classic system left at 3300 or more enters the first tournament at 3299.99."),
    _("With handicap a rating counts as 3299 at most inside β."),
    _("A rating below −900 is used as it stands; any game lifts the result to −900."),
    _("There is no ε: giving one is an error."),
)
