"""The classic Go rating system, of 1996 to 2020.

The factor con comes from a table. The expected score depends on the rating difference and on the weaker
player's rating. Half of ε is subtracted from each player's expected score.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from functools import cache
from math import exp, floor
from typing import TYPE_CHECKING

from scoring.regulations.egf.receipt import shown
from scoring.regulations.egf.system import RatingSystem
from scoring.regulations.egf.types import Tournament
from scoring.regulations.labels import gettext_noop

from . import tables

if TYPE_CHECKING:
    from numpy import ndarray


def spread(weaker: float) -> float:
    """Return the number a by which the formula of the expected score divides a rating difference.

    weaker: the weaker player's rating, including any handicap points
    """
    a = tables.A_MOST - (weaker - tables.FIRST) / tables.A_DIVISOR
    return min(max(a, tables.A_LEAST), tables.A_MOST)


def underdog(difference: float, a: float) -> float:
    """Return the expected score of the weaker player, from 0 to 0.5, without subtracting half of ε.

    difference: by how many rating points that player is weaker, at least 0
    a: the number that `spread` returns
    """
    # The exponent is negative, so that no difference can cause an overflow.
    falling = exp(-difference / a)
    return falling / (1 + falling)


class Classic(RatingSystem):
    """The rating system of 1996 to 2020."""

    code = "egf-classic"
    title = gettext_noop("EGF rating, classic")
    # The database of games of the European Go Federation begins in 1996. The revision applies from 2021.
    valid_from = date(1996, 1, 1)
    own_fields = ("epsilon",)
    floor = tables.FLOOR
    highest = Decimal(10_000)
    ceiling = float("inf")

    def con(self, rating: float) -> float:
        return _con(rating)

    def bonus(self, rating: float) -> float:
        return 0.0

    def epsilon_of(self, tournament: Tournament) -> float:
        return float(tables.EPSILON if tournament.epsilon is None else tournament.epsilon)

    def expected(self, own: float, opponent: float, epsilon: float) -> float:
        weaker = underdog(abs(own - opponent), spread(min(own, opponent)))
        return (weaker if own <= opponent else 1 - weaker) - epsilon / 2

    def con_text(self, rating: float) -> tuple[str, str]:
        value = shown(self.con(rating))
        if rating <= tables.FIRST:
            return f"R ≤ {tables.FIRST}: con = {value}", f"con = {value}"
        if rating >= tables.LAST:
            return f"R ≥ {tables.LAST}: con = {value}", f"con = {value}"
        row = floor((rating - tables.FIRST) / tables.STEP)
        low, start, end = tables.FIRST + row * tables.STEP, tables.CON[row], tables.CON[row + 1]
        working = f"con = {start} + ({end} − {start})·({shown(rating)} − {low})/{tables.STEP} = {value}"
        return "con = c₀ + (c₁ − c₀)·(R − R₀)/100", working

    def bonus_text(self, rating: float) -> None:
        return None

    def expected_steps(
        self, own: float, opponent: float, epsilon: float
    ) -> tuple[tuple[str, str, float], ...]:
        weaker, difference = min(own, opponent), abs(own - opponent)
        a, value = spread(weaker), self.expected(own, opponent, epsilon)
        bare = f"1/(e^({shown(difference)}/{shown(a)}) + 1)"
        formula = "1/(e^(D/a) + 1) − ε/2"
        if own > opponent:
            bare, formula = f"1 − {bare}", f"1 − {formula}"
        spread_text = f"a = {tables.A_MOST} − ({shown(weaker)} − {tables.FIRST})/{tables.A_DIVISOR}"
        return (
            ("D = |R₁ − R₂|", f"D = |{shown(own)} − {shown(opponent)}| = {shown(difference)}", difference),
            ("a = 200 − (R − 100)/20, 70 ≤ a ≤ 200", f"{spread_text} → {shown(a)}", a),
            (f"SE = {formula}", f"SE = {bare} − {shown(epsilon)}/2 = {shown(value)}", value),
        )

    def batch(
        self, ratings: ndarray, helped: ndarray | None, epsilon: ndarray
    ) -> tuple[ndarray, ndarray, ndarray | None]:
        import numpy as np

        first, second = ratings if helped is None else (ratings[0], ratings[1] + helped)
        a = tables.A_MOST - (np.minimum(first, second) - tables.FIRST) / tables.A_DIVISOR
        np.maximum(a, tables.A_LEAST, out=a)
        np.minimum(a, tables.A_MOST, out=a)
        falling = np.exp(-np.abs(first - second) / a)
        low = falling / (1 + falling)
        expected = np.empty_like(ratings)
        expected[0] = np.where(first <= second, low, 1 - low)
        expected[1] = 1 - expected[0]
        expected -= epsilon / 2
        return expected, np.interp(ratings, _grid(), tables.CON), None


@cache
def _grid() -> ndarray:
    import numpy as np

    return np.arange(tables.FIRST, tables.LAST + 1, tables.STEP, dtype=float)


def _con(rating: float) -> float:
    """Return con for a rating, interpolated linearly between the table's rows and constant outside them."""
    if rating <= tables.FIRST:
        return float(tables.CON[0])
    if rating >= tables.LAST:
        return float(tables.CON[-1])
    row = floor((rating - tables.FIRST) / tables.STEP)
    low = tables.FIRST + row * tables.STEP
    return tables.CON[row] + (tables.CON[row + 1] - tables.CON[row]) * (rating - low) / tables.STEP


REGULATION = Classic()
