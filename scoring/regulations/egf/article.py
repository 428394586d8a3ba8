"""The worked example of the article that explains the classic rating: four games of the article's author.

The author computed the change of his rating in three ways, as −3, 0 and +1.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

from scoring.regulations.context import Context
from scoring.regulations.page import Column, Grid, Paragraph, Section
from scoring.regulations.texts import Words, _, fixed, signed, whole

from . import page as egf
from .system import RatingSystem
from .types import Change, Game, Player, Tournament

AUTHOR = "author"
# The third opponent declares a grade two above the highest grade declared before. So the rating is reset
# to 1600 before the games.
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


def tournament(reset: bool = True, **options: Any) -> Tournament:
    """Return the article's example tournament.

    reset: whether the third opponent's rating is to be reset; if not, it stays at 1533
    """
    players = tuple(player if reset else replace(player, highest_declared=None) for player in PLAYERS)
    return Tournament(players=players, games=GAMES, **options)


def author_change(system: RatingSystem, reset: bool = True, **options: Any) -> Change:
    """Return the effect of the example tournament on the rating of the article's author, who played in it."""
    return system.rate(tournament(reset, **options)).changes[0]


def gain(change: Change) -> float:
    """Return by how much the tournament changed the rating, unrounded."""
    return change.after - change.before


def gain_with_rounded_games(change: Change) -> int:
    """Return the sum of the games' rating changes, each rounded to a whole point as the author did."""
    return sum(round(game.change) for game in change.games)


def section(context: Context) -> Section:
    """Return the page section on the article's example.

    It states the games and the change of the author's rating, computed in several ways.
    """
    classic, revised = egf.both(context)
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
            _games(classic, revised),
            _variants(classic, revised),
            Paragraph(
                _(
                    "The −3 and the 0 come from rounding on the way: con to 38, and then every game, so that "
                    "the fourth gives 11 and not 12. The −3 also overlooks the reset. With the reset and "
                    "rounded once it is +1, as the author found at last. ε, which he leaves out, adds a "
                    "little in each game: %(a)s in class A, and %(c)s in class C, which the list would have "
                    "shown as +1 as well."
                )
                % {
                    letter.lower(): signed(gain(author_change(classic, tournament_class=letter)), 2)
                    for letter in "AC"
                }
            ),
            egf.working(classic, tournament(), AUTHOR, _("The author’s four games in class A, step by step")),
        ],
    )


def _ratings() -> dict[str, Words]:
    """Return the players' ratings before the tournament, by player id, as texts for a page."""
    return {player.id: whole(int(player.rating)) for player in PLAYERS if player.rating is not None}


def _games(classic: RatingSystem, revised: RatingSystem) -> Grid:
    by_classic, by_revised = author_change(classic, epsilon=NO_EPSILON), author_change(revised)
    rows: list[tuple[Words, ...]] = []
    starts = _ratings()
    (to,) = (change.reset_to for change in classic.rate(tournament()).changes if change.reset_to)
    starts["5k"] = _("%(before)s, reset to %(to)s") % {"before": starts["5k"], "to": whole(to)}
    for game, revised_game in zip(by_classic.games, by_revised.games, strict=True):
        rows.append(
            (
                starts[game.opponent],
                egf.RESULT[game.score],
                fixed(game.expected, 3),
                signed(game.change, 2),
                "—" if game.score else signed(game.if_won, 2),
                fixed(revised_game.expected, 3),
                signed(revised_game.change, 2),
            )
        )
    columns = (
        Column(_("Opponent")),
        Column(_("Result")),
        Column(_("Expected, classic"), number=True),
        Column(_("Change, classic"), number=True),
        Column(_("Had he won"), number=True),
        Column(_("Expected, 2021"), number=True),
        Column(_("Change, 2021"), number=True),
    )
    return Grid(_("The four games, classic without ε and by the revision"), columns, rows, look="")


def _variants(classic: RatingSystem, revised: RatingSystem) -> Grid:
    without_reset = author_change(classic, reset=False, epsilon=NO_EPSILON)
    with_reset = author_change(classic, epsilon=NO_EPSILON)
    rows: list[tuple[Words, ...]] = [
        (_("without reset and ε, each game rounded"), "−3", _rounded_games(without_reset)),
        (_("without reset and ε"), "—", signed(gain(without_reset), 2)),
        (_("without ε, each game rounded"), "0", _rounded_games(with_reset)),
        (_("without ε, rounded once"), "+1", signed(gain(with_reset), 2)),
        *(
            (
                _("as it is rated, class %(class)s") % {"class": letter},
                "—",
                signed(gain(author_change(classic, tournament_class=letter)), 2),
            )
            for letter in "ABC"
        ),
        (_("the same games by the revision of 2021"), "—", signed(gain(author_change(revised)), 2)),
    ]
    columns = (
        Column(_("Computed")),
        Column(_("The article"), number=True),
        Column(_("By the rule"), number=True),
    )
    return Grid(_("Change of the author’s rating, computed in every way"), columns, rows)


def _rounded_games(change: Change) -> Words:
    """Return as text the sum of the changes of all games, each rounded to a whole point.

    The text is a number with its sign, or "0".
    """
    total = gain_with_rounded_games(change)
    return signed(total, 0) if total else "0"
