"""Round exact fractions to a number of decimals, and convert fractions to decimals."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import floor

from .points import EXACT, snap

HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Rounding:
    """A rule of rounding: to ``decimals`` decimals, with halves rounded ``up`` or to the ``even`` digit."""

    decimals: int
    half: str

    def __post_init__(self) -> None:
        if self.half not in ("up", "even"):
            raise ValueError(f"halves go up or to the even digit, not {self.half!r}")

    def units(self, value: Fraction) -> int:
        """Return the rounded value as an integer in units of the last decimal (1.25 -> 125)."""
        scaled = value * 10**self.decimals
        # Python's round() on a Fraction is exact and rounds halves to the even integer.
        return floor(scaled + HALF) if self.half == "up" else round(scaled)

    def __call__(self, value: Fraction) -> Fraction:
        """Return the rounded value."""
        return Fraction(self.units(value), 10**self.decimals)


def half_up(value: Fraction) -> int:
    """Round to the nearest integer, halves up."""
    return floor(value + HALF)


def decimal_of(value: Fraction) -> Decimal:
    """Convert a fraction to a decimal, rounded to 40 decimals."""
    return snap(EXACT.divide(Decimal(value.numerator), Decimal(value.denominator)))
