"""Rulings on the AEB's regulations, and misprints of its documents."""

from django.utils.translation import gettext_lazy as _

from .shapes import Erratum, Text

_SHARED_RULINGS: tuple[Text, ...] = (
    _("The regulation is that of the tournament's last day; the documents name no day from which they hold."),
    _("Whoever shares a place gets the mean of the unrounded points of the places shared."),
    _("A single pair gets Pmax: for it the formula has no value."),
    _("The last player of an individual lies beyond the curve and gets Pmin, never less."),
    _("Players without a category are left out of C4; if nobody has one, C4 is the lowest of its table."),
    _("Guests without a federation number keep their place and count in n; nothing is stored for them."),
    _("At the ends of C2 and C3 the printed values hold, although the formulas miss them."),
)

RULINGS: dict[str, tuple[Text, ...]] = {
    "aeb-2022": (
        *_SHARED_RULINGS,
        _(
            "Teams and players of an individual sit where the formula of the text has them; tables 3 and 5 "
            "to 7 print other points for the middle and the last."
        ),
    ),
    "aeb-2026": (
        *_SHARED_RULINGS,
        _("C4 is taken from table 2, from 1.10 to 3.77; the text speaks of 1.2 to 3.09."),
        _("MN and MM without a section are read as MN-O and MM-O, as the document's own example does."),
        _("The licence has to be valid on the tournament's last day, and exactly 90 per cent is enough."),
    ),
}

ERRATA: dict[str, tuple[Erratum, ...]] = {
    "aeb-2022": (
        Erratum(_("Table 7, C1 of the team divisions"), "225 · 168.75 · 112.5", "168.75 · 112.5 · 225"),
        Erratum(_("Table 7, C3 of the first and fourth column"), "1.03 · 1.22", "1.22 · 1.03"),
        Erratum(_("Below table 3, C5 of the online pools"), "0.15", "0.25"),
        Erratum(_("Below table 7, pairs of the pairs championships"), "48", "45"),
        Erratum(_("Last sentence, greatest award of the examples"), "384", "389.10"),
        Erratum(_("Example of formula 1, exponent"), "−0.25", "+0.25"),
    ),
    "aeb-2026": (
        Erratum(_("Section 2, range of C4"), "1.2–3.09", "1.10–3.77"),
        Erratum(_("Section 2, greatest award of a pool"), "135.2", "164.9"),
        Erratum(_("Example of formula 1"), "−8.073 · 18.073", "−8.074 · 18.074"),
    ),
}
