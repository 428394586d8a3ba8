"""Compare two rankings to find out whether they are of one event. No database access."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal

# Scoring programs round percentages to one, two or more decimals.
PERCENTAGE_TOLERANCE = Decimal("0.05")
SAME_PEOPLE_PERCENT = 70  # of the shorter ranking, which may be one section of the other


@dataclass(frozen=True, slots=True)
class Line:
    """The data of a contestant that is compared. `players` are ids of surviving players."""

    players: frozenset[int]
    guests: int
    field: str
    place: int
    score: Decimal | None = None
    percentage: Decimal | None = None


def same_lines(first: Iterable[Line], second: Iterable[Line]) -> list[tuple[Line, Line]]:
    """Return the pairs of lines with the same people and the same result."""
    return [(left, right) for left, right in same_people(first, second) if _same_result(left, right)]


def same_people(first: Iterable[Line], second: Iterable[Line]) -> Iterator[tuple[Line, Line]]:
    """Yield the pairs of lines with the same people.

    A player of one ranking may be a guest in the other if their number was not known there.
    """
    line_of = {player: line for line in second for player in line.players}
    for left in first:
        matches = {line_of[player] for player in left.players if player in line_of}
        if len(matches) != 1:
            continue
        right = matches.pop()
        if (
            len(left.players - right.players) <= right.guests
            and len(right.players - left.players) <= left.guests
        ):
            yield left, right


def _same_result(left: Line, right: Line) -> bool:
    """Whether both have the same percentage or score; if they cannot be compared, the same place."""
    if left.percentage is not None and right.percentage is not None:
        return abs(left.percentage - right.percentage) < PERCENTAGE_TOLERANCE
    if left.score is not None and right.score is not None:
        return left.score == right.score
    return (left.field, left.place) == (right.field, right.place)


def is_half_of_shorter(same: int, first: int, second: int) -> bool:
    """Whether `same` lines are at least half of the shorter of two rankings of these lengths."""
    return same > 0 and 2 * same >= min(first, second)


def is_most_of_smaller(same: int, first: int, second: int) -> bool:
    """Whether `same` people are most of the smaller of two groups of these sizes."""
    return same > 0 and 100 * same >= SAME_PEOPLE_PERCENT * min(first, second)
