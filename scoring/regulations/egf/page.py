"""Sections shared by the pages that explain the classic and the revised Go rating."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import chain
from typing import Any

from scoring.regulations.context import Context
from scoring.regulations.page import (
    Block,
    Column,
    Formula,
    Grid,
    Line,
    Paragraph,
    Plot,
    Section,
    Working,
)
from scoring.regulations.texts import Citation, Name, Text, Words, _, fixed, short, signed, verbatim, whole

from .grades import nominal
from .handicap import advantage
from .system import RatingSystem
from .types import CLASSES, MOST_STONES, Change, Game, Player, Tournament

GRADES = ("30k", "25k", "20k", "15k", "10k", "5k", "1k", "1d", "3d", "5d", "7d", "9d")
# Games that the page compares: the player's rating, the opponent's rating and the player's score.
SAME_GAMES = (
    (600, 700, 1.0), (1533, 1721, 1.0), (1721, 2073, 0.0), (2100, 2100, 1.0), (2100, 2100, 0.0),
    (2600, 2500, 1.0), (2600, 2500, 0.0),
)  # fmt: skip
RESULT = {1.0: _("won"), 0.0: _("lost"), 0.5: _("tied")}


def change_by_game(
    system: RatingSystem, own: float, opponent: float, score: float, handicap: int = 0, **options: Any
) -> Change:
    """Return the effect of a single game on the player rated ``own``.

    score: the score of that player: 1, 0.5 or 0
    handicap: the stones that this player receives; negative if the opponent receives them
    options: further fields of the `Tournament`
    """
    first, second = ("opponent", "own") if handicap > 0 else ("own", "opponent")
    first_score = score if first == "own" else 1 - score
    players = (Player("own", Decimal(str(own))), Player("opponent", Decimal(str(opponent))))
    game = Game(1, first, second, first_score, abs(handicap))
    return system.rate(Tournament(players=players, games=(game,), **options)).changes[0]


def expected_plot(system: RatingSystem, ratings: Sequence[int]) -> Plot:
    """Return the chart of the expected score by rating difference, with one curve per rating of the player.

    The expected scores do not include the deduction ε.
    """
    lines = [
        Line(
            verbatim("R = %(rating)s") % {"rating": whole(rating)},
            [(d, system.expected(rating, rating + d, 0.0)) for d in range(-500, 501, 25)],
        )
        for rating in ratings
    ]
    desc = _("One half against an equal; the stronger the players, the more a difference of ratings decides.")
    axes = (_("Difference of ratings"), _("Expected score"))
    title = _("Expected score by difference of ratings")
    return Plot(title, desc, axes, lines, digits=(0, 3), whole_x=True)


def new_rating(system: RatingSystem, formula: str) -> Section:
    """Return the section on how the new rating is computed from the games.

    It explains the sum over the games, the weights of the tournament classes, and the lowest possible rating.
    """
    rows = [(letter, short(weight)) for letter, weight in CLASSES.items()]
    columns = (Column(_("Class")), Column("w", number=True))
    text = _("S is 1 for a win, 0.5 for a tie and 0 for a loss. No result falls below %(floor)s.") % {
        "floor": whole(system.floor)
    }
    source = Citation(system.code, "rating")
    return Section(
        _("The new rating"),
        [
            Formula(formula, source),
            Paragraph(text),
            Grid(_("w, the weight of the tournament’s class"), columns, rows, source, "narrow stays"),
        ],
    )


def handicap(system: RatingSystem, text: Text) -> Section:
    """Return the section on the value of handicap stones."""
    rows = [(whole(stones), whole(round(advantage(stones)))) for stones in range(1, MOST_STONES + 1)]
    columns = (Column(_("Stones"), number=True), Column(_("Points"), number=True))
    source = Citation(system.code, "expected")
    return Section(
        _("Handicap"),
        [
            Formula("R + 100·(H − 0.5)", source),
            Paragraph(text),
            Grid(_("What H stones are worth"), columns, rows, source, "narrow stays"),
        ],
    )


def grades(system: RatingSystem) -> Section:
    """Return the section on declared grades: the rating of new players, and when a rating is reset."""
    rows = [(grade, whole(nominal(grade, system.floor, "declared"))) for grade in GRADES]
    columns = (Column(_("Grade")), Column(_("Nominal rating"), number=True))
    return Section(
        _("Newcomers and resets"),
        [
            Paragraph(
                _(
                    "A newcomer starts at the nominal rating of the grade declared. Whoever declares more "
                    "than one grade above the highest declared before is set to the nominal rating of the "
                    "new grade before the games, if that is more."
                )
            ),
            Grid(_("Nominal ratings"), columns, rows, Citation(system.code, "reset"), "narrow stays"),
        ],
    )


def same_games(context: Context) -> Section:
    """Return the section that compares the rating changes of the same games under both systems."""
    systems = both(context)
    rows: list[tuple[Words, ...]] = []
    for own, opponent, score in SAME_GAMES:
        games = [change_by_game(system, own, opponent, score).games[0] for system in systems]
        label = _("%(own)s against %(other)s, %(result)s") % {
            "own": whole(own),
            "other": whole(opponent),
            "result": RESULT[score],
        }
        figures = [(fixed(game.expected, 3), signed(game.change, 2)) for game in games]
        rows.append((label, *chain.from_iterable(figures)))
    columns = (
        Column(_("Game")),
        Column(_("Expected, classic"), number=True),
        Column(_("Change, classic"), number=True),
        Column(_("Expected, 2021"), number=True),
        Column(_("Change, 2021"), number=True),
    )
    caption = _("Games of class A")
    return Section(
        _("The same game under both systems"), [Grid(caption, columns, rows, look=""), _wins_plot(systems)]
    )


def _wins_plot(systems: Iterable[RatingSystem]) -> Plot:
    own = 1700
    lines = [
        Line(
            Name(system.code),
            [
                (opponent, change_by_game(system, own, opponent, 1.0).games[0].change)
                for opponent in range(1000, 2501, 50)
            ],
        )
        for system in systems
    ]
    title = _("What a win changes for a player of %(rating)s") % {"rating": whole(own)}
    desc = _("The stronger the opponent, the more a win brings; since 2021 it always brings the bonus.")
    return Plot(title, desc, (_("Opponent’s rating"), _("Change")), lines, whole_x=True)


def both(context: Context) -> tuple[RatingSystem, RatingSystem]:
    """Return the classic rating system and the revised one of 2021."""
    classic, revised = (system for system in context.family if system.code in ("egf-classic", "egf-2021"))
    return classic, revised


COMPARISON = _("Compare with %(regulation)s, side by side for the same games")


def working(system: RatingSystem, tournament: Tournament, player: str, caption: Text) -> Working:
    """Return the page block that shows one player's receipt.

    player: the player's id
    """
    return Working(caption, system.explain(tournament, system.rate(tournament), player))


def formulas(system: RatingSystem, texts: Sequence[str], article: str) -> list[Block]:
    """Return a page block for each formula in ``texts``, with the source of the formulas.

    article: the code of the rule that is the source, such as "con"
    """
    return [Formula(text, Citation(system.code, article)) for text in texts]
