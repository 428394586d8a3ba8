"""The numbers of SBF 2019: the printed breakpoints of its piecewise formulas, with values as fractions."""

from dataclasses import dataclass
from datetime import date
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a piecewise linear function, which applies from ``first`` to ``last``.

    Its value at x is ``start + slope · (x − first)``. ``first`` is the ``last`` of the piece before. ``last``
    is None if the piece has no end.
    """

    first: int
    last: int | None
    start: Fraction
    slope: Fraction

    def at(self, x: int) -> Fraction:
        return self.start + self.slope * (x - self.first)


def from_breakpoints(breaks: list[tuple[int, str]], beyond: str) -> tuple[Piece, ...]:
    """Return the pieces of a function that is linear between breakpoints.

    The function is constant before the first breakpoint and has the slope ``beyond`` after the last.

    breaks: the breakpoints (x, value) in ascending order
    """
    (first, value), *rest = breaks
    pieces = [Piece(0, first, Fraction(value), Fraction(0))]
    for (low, start), (high, end) in zip(breaks, rest, strict=False):
        slope = (Fraction(end) - Fraction(start)) / (high - low)
        pieces.append(Piece(low, high, Fraction(start), slope))
    last, end = breaks[-1]
    return (*pieces, Piece(last, None, Fraction(end), Fraction(beyond)))


def from_slopes(steps: list[tuple[int | None, str]]) -> tuple[Piece, ...]:
    """Return the pieces of a continuous piecewise linear function whose value at 0 is 0.

    steps: (end, slope) of each piece, in ascending order; the end of the last piece is None
    """
    pieces, low, start = [], 0, Fraction(0)
    for high, slope in steps:
        pieces.append(Piece(low, high, start, Fraction(slope)))
        if high is not None:
            low, start = high, pieces[-1].at(high)
    return tuple(pieces)


def piece_of(table: tuple[Piece, ...], x: int) -> Piece:
    """Return the piece that applies at x."""
    return next(piece for piece in table if piece.last is None or x <= piece.last)


# The winner's bronze points by number of pairs: 2 points per pair up to 50 pairs, less for every further
# pair.
BRONZE_WINNER = from_slopes([(50, "2"), (250, "1"), (500, "1/2"), (1000, "1/4"), (None, "1/10")])

# The factor from one place's award to the next place's in table AY, linear between the printed numbers of
# pairs.
AY_FACTOR = from_breakpoints(
    [(50, "3/4"), (150, "4/5"), (250, "5/6"), (500, "6/7"), (1000, "7/8"), (1500, "8/9")], beyond="0"
)
A_FACTOR = Fraction(3, 4)
PLACES_TABLES = ("AY", "A")

# The winner's silver points: a part that depends on the number of pairs, plus 0.3 for every board.
SILVER_PAIRS = from_slopes([(40, "1/2"), (80, "2/5"), (120, "3/10"), (160, "1/5"), (None, "1/10")])
SILVER_BOARD = Fraction(3, 10)

# From this day on, the Swedish federation awards bronze points with decimals. No source says with how many.
DECIMALS_SINCE = date(2020, 9, 1)


def decimals_on(day: date, setting: int) -> int:
    """Return the number of decimals that bronze points have on a day.

    It is 0 before DECIMALS_SINCE and ``setting`` from then on.
    """
    return setting if day >= DECIMALS_SINCE else 0


# One contestant in four is paid; the number is rounded up.
PAID_ONE_IN = 4
