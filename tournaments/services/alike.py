"""Whether two rankings are of one event: the same people with the same results. No database."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal

# Programs round percentages to one, two or more decimals.
PERCENTAGE_TOLERANCE = Decimal("0.05")
# Of the shorter ranking: a section alone, or a longer list of the same event, is the same event.
SAME_PEOPLE_PERCENT = 70


@dataclass(frozen=True, slots=True)
class Line:
    """A contestant as far as it is compared. `players` are ids, of merged numbers those kept."""

    players: frozenset[int]
    guests: int
    field: str
    place: int
    score: Decimal | None = None
    percentage: Decimal | None = None


def same_lines(these: Iterable[Line], those: Iterable[Line]) -> list[tuple[Line, Line]]:
    """Pairs of lines with the same people and the same result."""
    return [(one, other) for one, other in same_people(these, those) if _same_result(one, other)]


def same_people(these: Iterable[Line], those: Iterable[Line]) -> Iterator[tuple[Line, Line]]:
    """Pairs of lines with the same people.

    Who has a number in one ranking may be a guest in the other, where the number was not known.
    """
    seated = {player: line for line in those for player in line.players}
    for line in these:
        met = {seated[player] for player in line.players if player in seated}
        if len(met) != 1:
            continue
        other = met.pop()
        if (
            len(line.players - other.players) <= other.guests
            and len(other.players - line.players) <= line.guests
        ):
            yield line, other


def _same_result(one: Line, other: Line) -> bool:
    """The same percentage or score; the same place where only one of them, or neither, has any."""
    if one.percentage is not None and other.percentage is not None:
        return abs(one.percentage - other.percentage) < PERCENTAGE_TOLERANCE
    if one.score is not None and other.score is not None:
        return one.score == other.score
    return (one.field, one.place) == (other.field, other.place)


def is_half(same: int, one: int, other: int) -> bool:
    """Whether `same` lines are at least half of the shorter of two rankings of these lengths."""
    return same > 0 and 2 * same >= min(one, other)


def are_mostly(same: int, one: int, other: int) -> bool:
    """Whether `same` people are most of the smaller of two groups of these sizes."""
    return same > 0 and 100 * same >= SAME_PEOPLE_PERCENT * min(one, other)
