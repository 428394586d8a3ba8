"""The Go rating as revised in 2021.

A rating is converted to a strength, β, which grows without bound as the rating approaches 3300. The
difference of two players' strengths gives the expected score. Every game adds a bonus to both ratings, so
that ratings do not fall over the years.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from math import exp, log, log1p
from typing import TYPE_CHECKING

from scoring.regulations.egf.receipt import shown
from scoring.regulations.egf.system import RatingSystem
from scoring.regulations.egf.types import Tournament
from scoring.regulations.labels import gettext_noop

if TYPE_CHECKING:
    from numpy import ndarray

POLE = 3300
STEEPNESS = 7
# Handicap points can lift a strong player to 3300 or above, where β is undefined. So `beta` takes this number
# for any higher rating.
MOST_IN_BETA = 3299
CON_SCALE, CON_POWER = 200, 1.6
BONUS_ZERO, BONUS_SCALE, BONUS_DIVISOR = 2300, 80, 5


def beta(rating: float) -> float:
    """Return the strength, β, that corresponds to a rating."""
    return -STEEPNESS * log(POLE - min(rating, MOST_IN_BETA))


class Egf2021(RatingSystem):
    """The rating system since 2021."""

    code = "egf-2021"
    title = gettext_noop("EGF rating 2021")
    valid_from = date(2021, 1, 1)
    floor = -900
    highest = Decimal(POLE)
    # con is undefined at the pole (3300), so no rating may reach it.
    ceiling = 3299.99

    def con(self, rating: float) -> float:
        return ((POLE - rating) / CON_SCALE) ** CON_POWER

    def bonus(self, rating: float) -> float:
        x = (BONUS_ZERO - rating) / BONUS_SCALE
        # This is ln(1 + e^x), written so that it overflows neither for large positive nor large negative x.
        return (max(x, 0.0) + log1p(exp(-abs(x)))) / BONUS_DIVISOR

    def epsilon_of(self, tournament: Tournament) -> float:
        return 0.0

    def expected(self, own: float, opponent: float, epsilon: float) -> float:
        return 1 / (1 + exp(beta(opponent) - beta(own)))

    def con_text(self, rating: float) -> tuple[str, str]:
        working = f"con = (({POLE} − {shown(rating)})/{CON_SCALE})^{CON_POWER} = {shown(self.con(rating))}"
        return "con = ((3300 − R)/200)^1.6", working

    def bonus_text(self, rating: float) -> tuple[str, str]:
        exponent = f"({BONUS_ZERO} − {shown(rating)})/{BONUS_SCALE}"
        working = f"bonus = ln(1 + e^({exponent}))/{BONUS_DIVISOR} = {shown(self.bonus(rating))}"
        return "bonus = ln(1 + e^((2300 − R)/80))/5", working

    def expected_steps(
        self, own: float, opponent: float, epsilon: float
    ) -> tuple[tuple[str, str, float], ...]:
        first, second, value = beta(own), beta(opponent), self.expected(own, opponent, epsilon)
        return (
            ("β₁ = −7·ln(3300 − R₁)", f"β₁ = {_beta_text(own)} = {shown(first)}", first),
            ("β₂ = −7·ln(3300 − R₂)", f"β₂ = {_beta_text(opponent)} = {shown(second)}", second),
            (
                "SE = 1/(1 + e^(β₂ − β₁))",
                f"SE = 1/(1 + e^({shown(second)} + {shown(-first)})) = {shown(value)}",
                value,
            ),
        )

    def batch(
        self, ratings: ndarray, helped: ndarray | None, epsilon: ndarray
    ) -> tuple[ndarray, ndarray, ndarray | None]:
        import numpy as np

        gaps = POLE - ratings
        stakes = (gaps / CON_SCALE) ** CON_POWER
        if helped is not None:
            gaps[1] -= helped
        np.maximum(gaps, POLE - MOST_IN_BETA, out=gaps)
        # e^(β₂ − β₁) is the seventh power of a ratio, so no logarithm needs to be computed.
        ratio = gaps[0] / gaps[1]
        square = ratio * ratio
        expected = np.empty_like(ratings)
        expected[0] = 1 / (1 + square * square * square * ratio)
        expected[1] = 1 - expected[0]
        # No accepted rating is so low that this exponential overflows.
        bonus = np.log1p(np.exp((BONUS_ZERO - ratings) / BONUS_SCALE))
        bonus /= BONUS_DIVISOR
        return expected, stakes, bonus


def _beta_text(rating: float) -> str:
    return f"−{STEEPNESS}·ln({POLE} − {shown(min(rating, MOST_IN_BETA))})"


REGULATION = Egf2021()
