"""Rulings on every regulation of the AEB. Those on one document are in its folder."""

from scoring.regulations.texts import Text, _

RULINGS: tuple[Text, ...] = (
    _("The regulation is that of the tournament's last day; the documents name no day from which they hold."),
    _("Whoever shares a place gets the mean of the unrounded points of the places shared."),
    _("A single pair gets Pmax: for it the formula has no value."),
    _("The last player of an individual lies beyond the curve and gets Pmin, never less."),
    _("Players without a category are left out of C4; if nobody has one, C4 is the lowest of its table."),
    _("Guests without a federation number keep their place and count in n; nothing is stored for them."),
    _("At the ends of C2 and C3 the printed values hold, although the formulas miss them."),
)
