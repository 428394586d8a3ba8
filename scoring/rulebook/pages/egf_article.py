"""The article's own example settled: four games that its author computed as −3, then 0, then +1."""

from dataclasses import replace
from decimal import Decimal

from django.utils.translation import gettext as _

from scoring.regulations.egf.types import Change, Game, Player, Tournament

from . import egf
from .blocks import Column, Grid, Paragraph, Section
from .figures import fixed, signed, whole

AUTHOR = "author"
# The third opponent declared two grades more than ever before: his rating is reset to 1600 before the games.
PLAYERS = (
    Player(AUTHOR, Decimal(1721)),
    Player("1d", Decimal(2073)),
    Player("1k", Decimal(1724)),
    Player("5k", Decimal(1533), "5k", "7k"),
    Player("other 5k", Decimal(1617)),
)
GAMES = (
    Game(1, AUTHOR, "1d", 0.0),
    Game(2, AUTHOR, "1k", 1.0),
    Game(3, AUTHOR, "5k", 0.0),
    Game(4, AUTHOR, "other 5k", 1.0),
)
NO_EPSILON = Decimal(0)


def tournament(reset: bool = True, **changes) -> Tournament:
    """The article's tournament; without the reset the third opponent keeps his 1533."""
    players = tuple(each if reset else replace(each, highest_declared=None) for each in PLAYERS)
    return Tournament(players=players, games=GAMES, **changes)


def author(system, reset: bool = True, **changes) -> Change:
    """What the tournament changes for the author."""
    return system.rate(tournament(reset, **changes)).changes[0]


def gain(change: Change) -> float:
    """The whole change, unrounded."""
    return change.after - change.before


def by_games_rounded(change: Change) -> int:
    """What comes of rounding each game to a whole point first, as the article does."""
    return sum(round(game.change) for game in change.games)


def section() -> Section:
    """The games, every way of computing them, and what the list showed."""
    classic, _revised = egf.systems()
    return Section(
        _("The article’s example, settled"),
        [
            Paragraph(
                _(
                    "The author, rated %(author)s, lost to %(1d)s, beat %(1k)s, lost to a player of %(5k)s "
                    "who had declared 5 kyu after 7 kyu, and beat %(other 5k)s. He computed −3, then 0, "
                    "then +1, and the list said +1."
                )
                % _ratings()
            ),
            _games(),
            _variants(),
            Paragraph(
                _(
                    "The −3 and the 0 come from rounding on the way: con to 38, and then every game, so that "
                    "the fourth gives 11 and not 12. The −3 also overlooks the reset. With the reset and "
                    "rounded once it is +1, as the author found at last. ε, which he leaves out, adds a "
                    "little in each game: %(a)s in class A, and %(c)s in class C, which the list would have "
                    "shown as +1 as well."
                )
                % {
                    letter.lower(): signed(gain(author(classic, tournament_class=letter)), 2)
                    for letter in "AC"
                }
            ),
            egf.working(classic, tournament(), AUTHOR, _("The author’s four games in class A, step by step")),
        ],
    )


def _ratings() -> dict[str, str]:
    """Everybody's rating before the tournament."""
    return {each.id: whole(int(each.rating)) for each in PLAYERS}


def _games() -> Grid:
    classic, revised = egf.systems()
    one, two = author(classic, epsilon=NO_EPSILON), author(revised)
    rows = []
    starts = _ratings()
    reset = next(each for each in classic.rate(tournament()).changes if each.player == "5k")
    starts["5k"] = _("%(before)s, reset to %(to)s") % {"before": starts["5k"], "to": whole(reset.reset_to)}
    for game, later in zip(one.games, two.games, strict=True):
        result = egf.RESULT[game.score]
        rows.append(
            (
                starts[game.opponent], str(result), fixed(game.expected, 3), signed(game.change, 2),
                "—" if game.score else signed(game.if_won, 2),
                fixed(later.expected, 3), signed(later.change, 2),
            )
        )  # fmt: skip
    columns = (
        Column(_("Opponent")), Column(_("Result")),
        Column(_("Expected, classic"), number=True), Column(_("Change, classic"), number=True),
        Column(_("Had he won"), number=True),
        Column(_("Expected, 2021"), number=True), Column(_("Change, 2021"), number=True),
    )  # fmt: skip
    return Grid(_("The four games, classic without ε and by the revision"), columns, rows, look="")


def _variants() -> Grid:
    classic, revised = egf.systems()
    bare = author(classic, reset=False, epsilon=NO_EPSILON)
    reset = author(classic, epsilon=NO_EPSILON)
    rows = [
        (_("without reset and ε, each game rounded"), "−3", _rounded(bare)),
        (_("without reset and ε"), "—", signed(gain(bare), 2)),
        (_("without ε, each game rounded"), "0", _rounded(reset)),
        (_("without ε, rounded once"), "+1", signed(gain(reset), 2)),
        *(
            (
                _("as it is rated, class %(class)s") % {"class": letter},
                "—",
                signed(gain(author(classic, tournament_class=letter)), 2),
            )
            for letter in "ABC"
        ),
        (_("the same games by the revision of 2021"), "—", signed(gain(author(revised)), 2)),
    ]
    columns = (
        Column(_("Computed")), Column(_("The article"), number=True), Column(_("By the rule"), number=True),
    )  # fmt: skip
    return Grid(_("Change of the author’s rating, computed in every way"), columns, rows)


def _rounded(change: Change) -> str:
    """The sum of rounded games: the article's way. A sum of 0 has no sign."""
    total = by_games_rounded(change)
    return signed(total, 0) if total else "0"
