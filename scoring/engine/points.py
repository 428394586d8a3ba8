"""Exact arithmetic for points, and the AEB's curve of points by position.

Numbers are computed with 60 digits in a decimal context of this module, so the caller's context does not
matter. Results are then rounded to 40 decimals ("snapped"). Points reach a few hundred, so the error before
snapping is below 1e-50. Snapping therefore makes rational results with few decimals exact, and a result that
lies exactly half-way between two hundredths is always rounded as such.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import (
    ROUND_HALF_EVEN,
    ROUND_HALF_UP,
    Context,
    Decimal,
    DivisionByZero,
    InvalidOperation,
    Overflow,
)
from functools import lru_cache

EXACT = Context(prec=60, rounding=ROUND_HALF_EVEN, traps=[InvalidOperation, DivisionByZero, Overflow])
ZERO = Decimal(0)
ONE = Decimal(1)
HUNDRED = Decimal(100)
_GRID = Decimal(1).scaleb(-40)


def snap(value: Decimal) -> Decimal:
    """Round to 40 decimals. Computing with 60 digits leaves errors in the last digits; this removes them."""
    return value.quantize(_GRID, context=EXACT)


def product(factors: Iterable[Decimal]) -> Decimal:
    """Return the product of the factors to 60 digits, not rounded by `snap`."""
    result = ONE
    for factor in factors:
        result = EXACT.multiply(result, factor)
    return result


@lru_cache(maxsize=16384)
def root(x: Decimal, degree: int) -> Decimal:
    """Return the square root (degree 2) or fourth root (degree 4) of x >= 0, to 60 digits.

    The decimal module rounds square roots correctly, so roots of perfect powers are exact.
    """
    if degree not in (2, 4):
        raise ValueError(f"no root of degree {degree}")
    result = x.sqrt(EXACT)
    return result if degree == 2 else result.sqrt(EXACT)


def hundredths(exact: Decimal) -> int:
    """Round points half up to two decimals and return integer hundredths (1.125 -> 113)."""
    return int(snap(exact).scaleb(2, EXACT).quantize(ONE, rounding=ROUND_HALF_UP, context=EXACT))


def mean(values: list[Decimal]) -> Decimal:
    """Return the arithmetic mean of at least one value.

    The mean has 60 digits: `snap` has not rounded it to 40 decimals yet.
    """
    total = ZERO
    for value in values:
        total = EXACT.add(total, value)
    return EXACT.divide(total, Decimal(len(values)))


@dataclass(frozen=True, slots=True)
class Curve:
    """The AEB's curve of points, P(i), where i is the position in a ranking of n pairs (formula 1).

    The points fall with the fourth root of i, from ``p_max`` at i = 1 to ``p_min`` at i = n.
    """

    n: Decimal
    p_max: Decimal
    p_min: Decimal
    _spread: Decimal = field(init=False, repr=False)
    _span: Decimal = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_spread", EXACT.subtract(self.p_max, self.p_min))
        object.__setattr__(self, "_span", EXACT.subtract(root(self.n, 4), ONE))

    def bare(self, i: Decimal) -> Decimal:
        """Return the formula's value at position i, which may lie outside 1 to n. n must not be 1.

        The value is not rounded by `snap`.
        """
        rise = EXACT.subtract(root(i, 4), ONE)
        loss = EXACT.divide(EXACT.multiply(self._spread, rise), self._span)
        return EXACT.subtract(self.p_max, loss)

    def unsnapped(self, i: Decimal) -> Decimal:
        """Return the points at position i, as `at` does, but without rounding them by `snap`.

        A mean of several points is computed from these values, so that it is rounded only once.
        """
        if self.n <= 1:
            return self.p_max
        if i >= self.n:
            return self.p_min
        return self.bare(i)

    def at(self, i: Decimal) -> Decimal:
        """Return the points at position i, which is at least 1.

        The points are ``p_max`` at every position if n <= 1, and ``p_min`` from i = n on.
        """
        return snap(self.unsnapped(i))


def plain(value: Decimal, digits: int = 30) -> str:
    """Format a number without exponent or trailing zeros, rounded to ``digits`` significant digits."""
    context = EXACT.copy()
    context.prec = digits
    text = format(context.plus(value), "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text


def fixed(points: int) -> str:
    """Format points, given in hundredths, with two decimals (2062 -> '20.62')."""
    return f"{points // 100}.{points % 100:02d}"


def short(value: Decimal) -> str:
    """Format a number for a formula: rounded half up to six decimals, without trailing zeros."""
    return plain(value.quantize(Decimal("0.000001"), rounding=ROUND_HALF_UP, context=EXACT), digits=60)
