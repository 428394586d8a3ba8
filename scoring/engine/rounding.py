"""Round exact fractions and convert them to decimals. Each regulation has its own `Rounding` object."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import floor

from .points import EXACT, snap

HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Rounding:
    """Round to ``decimals`` places, halves ``up`` or to the ``even`` digit."""

    decimals: int
    half: str

    def __post_init__(self) -> None:
        if self.half not in ("up", "even"):
            raise ValueError(f"halves go up or to the even digit, not {self.half!r}")

    def units(self, value: Fraction) -> int:
        """Return the rounded value in units of the last decimal kept."""
        scaled = value * 10**self.decimals
        # Python rounds fractions to the even integer, exactly.
        return floor(scaled + HALF) if self.half == "up" else round(scaled)

    def __call__(self, value: Fraction) -> Fraction:
        """Return the rounded value."""
        return Fraction(self.units(value), 10**self.decimals)


def half_up(value: Fraction) -> int:
    """Round a number of places to the nearest integer, halves up."""
    return floor(value + HALF)


def decimal_of(value: Fraction) -> Decimal:
    """Convert a fraction to a decimal on the grid of 1e-40."""
    return snap(EXACT.divide(Decimal(value.numerator), Decimal(value.denominator)))
