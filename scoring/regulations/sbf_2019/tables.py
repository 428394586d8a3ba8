"""The numbers of SBF 2019: breakpoints as printed, slopes and values as exact fractions."""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Piece:
    """One stretch of a rule: up to ``last`` (None: without end) it is ``start + slope · (x − first)``.

    ``first`` is where the stretch before it ends, so neighbouring stretches meet.
    """

    first: int
    last: int | None
    start: Fraction
    slope: Fraction

    def at(self, x: int) -> Fraction:
        return self.start + self.slope * (x - self.first)


def pieces(breaks: list[tuple[int, str]], beyond: str) -> tuple[Piece, ...]:
    """Stretches from (end, value at the end) and the slope beyond the last; before the first it is level."""
    (first, value), *rest = breaks
    made = [Piece(0, first, Fraction(value), Fraction(0))]
    for (low, start), (high, end) in zip(breaks, rest, strict=False):
        slope = (Fraction(end) - Fraction(start)) / (high - low)
        made.append(Piece(low, high, Fraction(start), slope))
    last, end = breaks[-1]
    return (*made, Piece(last, None, Fraction(end), Fraction(beyond)))


def slopes(steps: list[tuple[int | None, str]]) -> tuple[Piece, ...]:
    """Stretches that start at nothing and grow by so much a unit up to each end."""
    made, low, start = [], 0, Fraction(0)
    for high, slope in steps:
        made.append(Piece(low, high, start, Fraction(slope)))
        if high is not None:
            low, start = high, made[-1].at(high)
    return tuple(made)


def piece_of(table: tuple[Piece, ...], x: int) -> Piece:
    """The stretch that x lies on."""
    return next(piece for piece in table if piece.last is None or x <= piece.last)


# The winner of a bronze event: 2 a pair up to 50, then less and less.
BRONZE_WINNER = slopes([(50, "2"), (250, "1"), (500, "1/2"), (1000, "1/4"), (None, "1/10")])

# The factor from one place to the next in table AY, straight between the sizes printed.
AY_FACTOR = pieces(
    [(50, "3/4"), (150, "4/5"), (250, "5/6"), (500, "6/7"), (1000, "7/8"), (1500, "8/9")], beyond="0"
)
A_FACTOR = Fraction(3, 4)
PLACES_TABLES = ("AY", "A")

# The winner of a silver event: by pairs, damped from 40 on, and 0.3 for every board.
SILVER_PAIRS = slopes([(40, "1/2"), (80, "2/5"), (120, "3/10"), (160, "1/5"), (None, "1/10")])
SILVER_BOARD = Fraction(3, 10)

# One contestant in four is paid, rounded upwards.
PAID_ONE_IN = 4
