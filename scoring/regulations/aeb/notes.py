"""Rulings on all regulations of the AEB. Rulings on a single regulation are in its folder."""

from scoring.regulations.texts import Text, _

RULINGS: tuple[Text, ...] = (
    _("The regulation is that of the tournament's last day; the documents name no day from which they hold."),
    _("Whoever shares a place gets the mean of the unrounded points of the places shared."),
    _("A single pair, or two players of an individual, get Pmax: for them the formula has no value."),
    _("The last player of an individual lies beyond the curve and gets Pmin, never less."),
    _("Players without a category are left out of C4; if nobody has one, C4 is the lowest of its table."),
    _("Guests without a federation number keep their place and count in n; nothing is stored for them."),
    _(
        "A simultaneous event of many clubs is one tournament with one ranking: n and the coefficients are "
        "those of the whole field, and the place in one's own club gives no points."
    ),
    _("Whoever withdrew and is not in the final ranking did not play: no points, and not counted in n."),
    _("Substitutes listed with a pair or team earn its points in full; whoever is not listed earns none."),
    _(
        "Everybody in the ranking earns points, however few boards they played, unless the federation sets a "
        "minimum share; whoever played less then keeps the place, counts in n and C4 and earns nothing."
    ),
    _("At the ends of C2 and C3 the printed values hold, although the formulas miss them."),
)
