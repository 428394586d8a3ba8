"""The numbers of SBF 2019: breakpoints as printed, values and slopes as exact fractions."""

from dataclasses import dataclass
from datetime import date
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a piecewise linear function: ``start + slope · (x − first)`` up to ``last`` (None: no end).

    ``first`` is the ``last`` of the piece before, so the function is continuous.
    """

    first: int
    last: int | None
    start: Fraction
    slope: Fraction

    def at(self, x: int) -> Fraction:
        return self.start + self.slope * (x - self.first)


def from_breakpoints(breaks: list[tuple[int, str]], beyond: str) -> tuple[Piece, ...]:
    """Return the pieces between breakpoints (x, value), which are in ascending order.

    The function is constant before the first breakpoint and has the slope ``beyond`` after the last.
    """
    (first, value), *rest = breaks
    pieces = [Piece(0, first, Fraction(value), Fraction(0))]
    for (low, start), (high, end) in zip(breaks, rest, strict=False):
        slope = (Fraction(end) - Fraction(start)) / (high - low)
        pieces.append(Piece(low, high, Fraction(start), slope))
    last, end = breaks[-1]
    return (*pieces, Piece(last, None, Fraction(end), Fraction(beyond)))


def from_slopes(steps: list[tuple[int | None, str]]) -> tuple[Piece, ...]:
    """Return the pieces of a function that starts at 0, given the end and the slope of each."""
    pieces, low, start = [], 0, Fraction(0)
    for high, slope in steps:
        pieces.append(Piece(low, high, start, Fraction(slope)))
        if high is not None:
            low, start = high, pieces[-1].at(high)
    return tuple(pieces)


def piece_of(table: tuple[Piece, ...], x: int) -> Piece:
    """Return the piece that x lies on."""
    return next(piece for piece in table if piece.last is None or x <= piece.last)


# The winner of a bronze event: 2 points per pair up to 50 pairs, then ever less.
BRONZE_WINNER = from_slopes([(50, "2"), (250, "1"), (500, "1/2"), (1000, "1/4"), (None, "1/10")])

# The factor from a place to the next in table AY, linear between the printed sizes.
AY_FACTOR = from_breakpoints(
    [(50, "3/4"), (150, "4/5"), (250, "5/6"), (500, "6/7"), (1000, "7/8"), (1500, "8/9")], beyond="0"
)
A_FACTOR = Fraction(3, 4)
PLACES_TABLES = ("AY", "A")

# The winner of a silver event: by pairs, ever less per pair from 40 on, plus 0.3 for every board.
SILVER_PAIRS = from_slopes([(40, "1/2"), (80, "2/5"), (120, "3/10"), (160, "1/5"), (None, "1/10")])
SILVER_BOARD = Fraction(3, 10)

# From this day on the Swedish federation has awarded decimals. No source says how many.
DECIMALS_SINCE = date(2020, 9, 1)


def decimals_on(day: date, setting: int) -> int:
    """Return the number of decimals of bronze points: ``setting`` from DECIMALS_SINCE on, 0 before."""
    return setting if day >= DECIMALS_SINCE else 0


# One contestant in four is paid, rounded up.
PAID_ONE_IN = 4
