"""Compare two rankings to decide whether they are of the same tournament. No database access."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain

# Scoring programs round percentages to one, two or more decimals.
PERCENTAGE_TOLERANCE = Decimal("0.05")
SAME_PEOPLE_PERCENT = 70  # of the lines of the shorter ranking, which may be one section of the other
# If some lines cannot be compared, this many equal lines are needed to call two rankings the same. Equal
# places are a coincidence more often than equal scores.
MIN_SAME_PLACES = 3
MIN_SAME_SCORES = 2
MAX_NAMESAKES = 50  # a word of a name that occurs in more lines than this is not looked up


@dataclass(frozen=True, slots=True)
class Line:
    """The data of one contestant that comparisons use.

    players: ids of the contestant's registered players; a merged player counts as the surviving one
    guests: number of the contestant's people who are not registered players
    words: the words of all their names, without case and accents
    """

    players: frozenset[int]
    guests: int
    field: str
    place: int
    score: Decimal | None = None
    percentage: Decimal | None = None
    words: frozenset[str] = frozenset()


Pair = tuple[Line, Line]


@dataclass(frozen=True, slots=True)
class Likeness:
    """How similar two rankings are.

    same: number of contestants with the same people and the same result in both rankings
    total: number of contestants of the shorter ranking that can be recognised, by number or by name
    is_same: whether both are rankings of the same tournament
    """

    same: int = 0
    total: int = 0
    is_same: bool = False


def compare(first: Sequence[Line], second: Sequence[Line]) -> Likeness:
    """Return how similar two rankings are.

    They are the same if at least half of the lines of the shorter one are also in the other. A line of guests
    without names cannot be compared, nor can lines of guests that have the same names. Such lines are left
    out. If there are any, a few equal lines are required as well (MIN_SAME_PLACES or MIN_SAME_SCORES).
    """
    known, other = _with_known_people(first), _with_known_people(second)
    pairs = same_lines(known, other)
    same, total = len(pairs), min(len(known), len(other))
    enough = True
    if len(known) < len(first) or len(other) < len(second):
        scored = sum(_same_score(left, right) is not None for left, right in pairs)
        enough = same >= MIN_SAME_PLACES or scored >= MIN_SAME_SCORES
    return Likeness(same, total, enough and is_half_of_shorter(same, len(known), len(other)))


def same_lines(first: Sequence[Line], second: Sequence[Line]) -> list[Pair]:
    """Return each line of `first` with the line of `second` that has the same people and the same result."""
    return [(left, right) for left, right in same_people(first, second) if _same_result(left, right)]


def _with_known_people(lines: Sequence[Line]) -> list[Line]:
    """Return the lines whose people can be recognised.

    Such a line has a registered player, or guests with names that no other line of guests has.
    """
    names = Counter(line.words for line in lines if not line.players)
    return [line for line in lines if line.players or (line.words and names[line.words] == 1)]


def same_people(first: Sequence[Line], second: Sequence[Line]) -> Iterator[Pair]:
    """Yield each line of `first` with the line of `second` that has the same people.

    Registered players are compared by number, guests by name. A player whose number is only in one of the
    rankings may be a guest in the other.
    """
    left_over, right_over = dict.fromkeys(first), dict.fromkeys(second)
    for left, right in _same_players(first, second):
        left_over.pop(left, None)
        right_over.pop(right, None)
        yield left, right
    yield from _same_names(left_over, right_over)


def _same_players(first: Iterable[Line], second: Iterable[Line]) -> Iterator[Pair]:
    line_of = {player: line for line in second for player in line.players}
    for left in first:
        matches = {line_of[player] for player in left.players if player in line_of}
        if len(matches) == 1 and _may_be_same(left, right := matches.pop()):
            yield left, right


def _same_names(first: Iterable[Line], second: Iterable[Line]) -> Iterator[Pair]:
    """Yield each line of `first` with the line of `second` that shares most words of the names.

    A line is used at most once.
    """
    by_word: dict[str, list[Line]] = defaultdict(list)
    for line in second:
        for word in line.words:
            by_word[word].append(line)
    taken: set[Line] = set()
    for left in first:
        rare = (lines for word in sorted(left.words) if len(lines := by_word[word]) <= MAX_NAMESAKES)
        near = [line for line in dict.fromkeys(chain.from_iterable(rare)) if line not in taken]
        near = [line for line in near if _may_be_same(left, line) and _have_same_names(left, line)]
        if near:
            right = max(near, key=lambda line: len(left.words & line.words))  # noqa: B023
            taken.add(right)
            yield left, right


def _may_be_same(left: Line, right: Line) -> bool:
    """Return whether the two lines can be of the same people.

    A registered player who is in only one of the lines must be a guest in the other line.
    """
    return (
        len(left.players - right.players) <= right.guests and len(right.players - left.players) <= left.guests
    )


def _have_same_names(left: Line, right: Line) -> bool:
    return 2 * len(left.words & right.words) > min(len(left.words), len(right.words))


def _same_result(left: Line, right: Line) -> bool:
    """Return whether two lines have the same percentage or score; without either, the same place."""
    same = _same_score(left, right)
    return (left.field, left.place) == (right.field, right.place) if same is None else same


def _same_score(left: Line, right: Line) -> bool | None:
    """Return whether two lines have the same percentage or score; None if neither can be compared."""
    if left.percentage is not None and right.percentage is not None:
        return abs(left.percentage - right.percentage) < PERCENTAGE_TOLERANCE
    if left.score is not None and right.score is not None:
        return left.score == right.score
    return None


def is_half_of_shorter(same: int, first: int, second: int) -> bool:
    """Return whether `same` is at least half of the smaller of two numbers of lines, and not zero.

    same: number of lines that two rankings have in common
    first, second: number of lines of each ranking
    """
    return same > 0 and 2 * same >= min(first, second)


def is_most_of_smaller(same: int, first: int, second: int) -> bool:
    """Return whether `same` is at least SAME_PEOPLE_PERCENT of the smaller of two numbers of people.

    same: number of people that two groups have in common
    first, second: number of people in each group
    """
    return same > 0 and 100 * same >= SAME_PEOPLE_PERCENT * min(first, second)
