"""Rulings on the Swedish points of 2019, and misprints of the proposal."""

from scoring.regulations.page import Erratum
from scoring.regulations.texts import Text, _

_SHARED_RULINGS: tuple[Text, ...] = (
    _("The final regulation and the federation’s own calculator were not found: this is the proposal."),
    _("It holds from 1 January 2019, the year of the proposal; the tables before it have no known formula."),
    _("The chain is rounded to two decimals at every link, as announced; the winner’s W is not."),
    _("Ties share the mean of the unrounded awards of the places they take up; an unpaid place counts as 0."),
    _("Bronze and silver are points of their own, never added to each other or to other points."),
)

BRONZE_RULINGS = (
    *_SHARED_RULINGS,
    _("Table AY is used unless the tournament says A."),
    _("A single pair gets 2 points; if everybody ties, all share what the paid quarter earns."),
)
SILVER_RULINGS = (
    *_SHARED_RULINGS,
    _("Silver has one decimal unless the tournament says otherwise."),
    _("Silver keeps the floor W/k and the rounded chain, which the document does not show."),
)

BRONZE_ERRATA = (
    # The printed number starts from a winner's award that is already rounded.
    Erratum(_("Table A, 525 pairs, place 3"), "242", "243"),
    # The printed numbers skip a place.
    Erratum(_("Table AY, 525 pairs, places 11 and 12"), "80 · 69", "93 · 80"),
    # The third places that are printed, 421 and 474, follow from the right numbers.
    Erratum(_("Table AY, 1000 pairs, place 2"), "480", "481"),
    Erratum(_("Table AY, 1500 pairs, place 2"), "530", "533"),
    Erratum(_("Text, the factor of 525 pairs"), "7/8", "961/1120"),
    Erratum(_("Text, the tenth of 525 pairs against the old table"), "0.25", "0.217"),
)
