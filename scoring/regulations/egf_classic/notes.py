"""Rulings on the classic Go rating, and misprints of the published article that explains this rating."""

from scoring.regulations.egf.notes import RULINGS as SHARED
from scoring.regulations.page import Erratum
from scoring.regulations.texts import _

RULINGS = (
    *SHARED,
    _("It holds from 1 January 1996, where the federation’s database of games begins, to 2020."),
    _("ε is 0.016 unless the tournament gives another; in early years it was 0.014."),
    _("A rating below 100 is used as it stands; any game lifts the result to 100."),
    _("a is not rounded to a whole number."),
)

ERRATA = (
    Erratum(_("First display of the expected score, denominator"), "e^(D/a) − 1", "e^(D/a) + 1"),
    Erratum(_("a of the author"), "200 − (100 − 1721)/20", "200 − (1721 − 100)/20"),
    Erratum(_("Third game: 38 times 0.813"), "30.862", "30.894"),
    Erratum(_("e to the power 0.826"), "2.285", "2.284"),
    Erratum(_("Name of the curve"), _("Gaussian"), _("logistic")),
    Erratum(_("Change of the author's rating"), "−3 · 0 · +1", "−2.03 · +1.31 · +2.53"),
)
