"""Rulings on the ratings of Go, and misprints of the article that explains the classic one."""

from django.utils.translation import gettext_lazy as _

from .shapes import Erratum, Text

_SHARED_RULINGS: tuple[Text, ...] = (
    _("A reset needs the declared grade and the highest before, only raises, and comes before all games."),
    _("A newcomer starts at the nominal rating of the grade declared: 2100 for 1 dan, 100 a grade."),
    _("All games of a tournament are rated with the ratings before it; the same two meet once in a round."),
    _("Forfeits and games that were not played are not rated."),
    _("No rating is rounded; pages show fewer decimals than are stored."),
)

RULINGS: dict[str, tuple[Text, ...]] = {
    "egf-classic": (
        *_SHARED_RULINGS,
        _("It holds from 1 January 1996, where the federation’s database of games begins, to 2020."),
        _("ε is 0.016 unless the tournament gives another; in early years it was 0.014."),
        _("A rating below 100 is used as it stands; any game lifts the result to 100."),
        _("a is not rounded to a whole number."),
    ),
    "egf-2021": (
        *_SHARED_RULINGS,
        _("It holds from 1 January 2021; older tournaments keep the classic rating."),
        _("A rating of 3300 or more is refused: the formula has no value there. No result exceeds 3299.99."),
        _("With handicap a rating counts as 3299 at most inside β."),
        _("A rating below −900 is used as it stands; any game lifts the result to −900."),
        _("There is no ε: giving one is an error."),
    ),
}

ERRATA: dict[str, tuple[Erratum, ...]] = {
    "egf-classic": (
        Erratum(_("First display of the expected score, denominator"), "e^(D/a) − 1", "e^(D/a) + 1"),
        Erratum(_("a of the author"), "200 − (100 − 1721)/20", "200 − (1721 − 100)/20"),
        Erratum(_("Third game: 38 times 0.813"), "30.862", "30.894"),
        Erratum(_("e to the power 0.826"), "2.285", "2.284"),
        Erratum(_("Name of the curve"), _("Gaussian"), _("logistic")),
        Erratum(_("Change of the author's rating"), "−3 · 0 · +1", "−2.03 · +1.31 · +2.53"),
    ),
}
