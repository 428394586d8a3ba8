"""Recognise how a scoring program printed the figures of a ranking: its decimals, and how it rounded.

Printed figures are Decimals. Figures computed from the boards are exact Fractions.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

# Decimals of new figures if all printed ones are whole numbers, and none of them was rounded.
LEAST_DECIMALS = 2
HUNDREDTH = Fraction(1, 100)


@dataclass(frozen=True, slots=True)
class Printing:
    """A way to print figures.

    cuts: whether figures are cut off instead of rounded half away from zero
    """

    decimals: int
    cuts: bool = False

    def printed(self, value: Fraction) -> Decimal:
        """Return a figure as it is printed."""
        scale = 10**self.decimals
        # Twice the figure in units of the last decimal, in whole numbers: much faster than Fractions.
        doubled, divisor = 2 * scale * abs(value.numerator), 2 * value.denominator
        whole = (doubled if self.cuts else doubled + value.denominator) // divisor
        return Decimal(whole if value >= 0 else -whole).scaleb(-self.decimals)


def decimals_of(printed: Iterable[Decimal]) -> int:
    """Return the largest number of decimals of some numbers, without zeros at their end."""
    return max((-min(0, int(value.normalize().as_tuple().exponent)) for value in printed), default=0)


def printing_of(printed: Mapping[Hashable, Decimal], computed: Mapping[Hashable, Fraction]) -> Printing:
    """Return the printing that gives the most printed figures.

    Figures with more than two decimals are cut off if nothing else is known: as this project stores and
    prints its own, and pages round them to two.

    computed: the figures that follow from the boards; other keys than those of `printed` are ignored
    """
    decimals = decimals_of(printed.values())
    candidates = [Printing(decimals), Printing(decimals, cuts=True)]
    if decimals > LEAST_DECIMALS:
        candidates.reverse()
    return max(candidates, key=lambda printing: len(exact_keys(printed, computed, printing)))


def exact_keys(
    printed: Mapping[Hashable, Decimal], computed: Mapping[Hashable, Fraction], printing: Printing
) -> set[Hashable]:
    """Return the keys of the printed figures that are exactly those computed."""
    return {
        key for key, value in printed.items() if key in computed and printing.printed(computed[key]) == value
    }


def is_near(
    printed: Decimal, computed: Fraction | None, decimals: int, tolerance: Fraction = HUNDREDTH
) -> bool:
    """Return whether a printed and a computed figure differ by less than the last decimal and a tolerance.

    The results of the boards that a program added up may have been rounded.
    """
    least = min(Fraction(1, 10**decimals), tolerance)
    return computed is not None and abs(Fraction(printed) - computed) < least
