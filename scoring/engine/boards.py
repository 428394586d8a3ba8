"""From what was scored at the tables to results per board: matchpoints, Neuberg's formula, IMPs.

Exact: everything is a Fraction. A board is compared within one field; whoever calls says which lines belong
together by giving them the same ``board``.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

TOLERANCE = Fraction(5, 100)
HALF = Fraction(50)
# Laws of Duplicate Bridge 2017, law 78B: the smallest difference in points that is worth 1, 2, … IMPs.
IMP_STEPS = (
    20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750, 2000, 2250,
    2500, 3000, 3500, 4000,
)  # fmt: skip
# The same laws, 86: average plus is 3 IMPs where matchpoints give 60 percent.
IMPS_PER_PERCENT = Fraction(3, 10)


@dataclass(frozen=True, slots=True)
class Line:
    """One result of a board: the score in points from North-South's side, or an artificial one in percent.

    ``stated`` are the IMPs that the file gives each side, None where it gives none.
    """

    board: Hashable
    score: int | None = None
    adjusted: tuple[Fraction, Fraction] | None = None
    stated: tuple[Fraction | None, Fraction | None] = (None, None)


@dataclass(frozen=True, slots=True)
class Earned:
    """What a line is worth to each side, in percent or in IMPs; ``artificial`` when it was not played."""

    ns: Fraction
    ew: Fraction
    artificial: bool = False


def matchpoints(scores: Sequence[int]) -> list[int]:
    """North-South's matchpoints: 2 for each result beaten, 1 for each equal. East-West's are the rest of
    2·(n − 1)."""
    order = sorted(scores)
    # Counting itself among its equals, every result ties once too often.
    return [bisect_left(order, score) + bisect_right(order, score) - 1 for score in scores]


@lru_cache(maxsize=4096)  # the boards of a session have the same few results over and over
def neuberg(points: int, results: int, field: int) -> Fraction:
    """Matchpoints on a board with ``results`` of the ``field`` possible results, as percent of the top.

    Neuberg's formula spreads them over the whole field: ((M + 1)·N/n − 1)/(2·(N − 1)). With n = N these are
    plain percentages. A board that nobody else could play is worth half.
    """
    if field < 2:
        return HALF
    return (Fraction(points + 1) * field / results - 1) * 100 / (2 * (field - 1))


def percentages(lines: Iterable[Line]) -> list[Earned | None]:
    """Each line in percent; None for one without any score. The field is the most lines a board has."""
    lines = list(lines)
    boards = _by_board(lines)
    field = max((len(members) for members in boards.values()), default=0)
    found = [_artificial(line) for line in lines]
    for members in boards.values():
        played = [k for k in members if lines[k].score is not None and lines[k].adjusted is None]
        points = matchpoints([_score(lines[k]) for k in played])
        for k, mine in zip(played, points, strict=True):
            share = neuberg(mine, len(played), field)
            found[k] = Earned(share, 100 - share)
    return found


def imps(difference: int) -> int:
    """The IMPs of a difference in points, with its sign."""
    worth = bisect_right(IMP_STEPS, abs(difference))
    return worth if difference > 0 else -worth


def cross_imps(scores: Sequence[int]) -> list[Fraction]:
    """North-South's mean IMPs against each other result of the board; 0 where there is no other."""
    if len(scores) < 2:
        return [Fraction(0)] * len(scores)
    counts = Counter(scores)
    worth = {
        score: Fraction(sum(imps(score - other) * times for other, times in counts.items()), len(scores) - 1)
        for score in counts
    }
    return [worth[score] for score in scores]


def imp_results(lines: Iterable[Line]) -> list[Earned | None]:
    """Each line in IMPs; None for one without any score.

    As the file states them where it states every one, because datum and averaging differ between programs;
    else as cross-IMPs, one comparison on average.
    """
    lines = list(lines)
    real = [line for line in lines if line.adjusted is None]
    if real and all(line.stated != (None, None) for line in real):
        return [_stated(line) for line in lines]
    found = [_artificial(line, IMPS_PER_PERCENT, HALF) for line in lines]
    for members in _by_board(lines).values():
        played = [k for k in members if lines[k].score is not None and lines[k].adjusted is None]
        for k, mine in zip(played, cross_imps([_score(lines[k]) for k in played]), strict=True):
            found[k] = Earned(mine, -mine)
    return found


def means(sides: Iterable[tuple[Hashable, Fraction]]) -> dict[Hashable, Fraction]:
    """The mean per board of everybody, from (contestant, result of one board)."""
    total: dict[Hashable, Fraction] = defaultdict(Fraction)
    count: Counter[Hashable] = Counter()
    for who, result in sides:
        total[who] += result
        count[who] += 1
    return {who: total[who] / count[who] for who in total}


def differing(
    stated: Mapping[Hashable, Fraction],
    computed: Mapping[Hashable, Fraction],
    tolerance: Fraction = TOLERANCE,
) -> dict[Hashable, Fraction]:
    """Computed less stated, for those of both whose figures are more than ``tolerance`` apart."""
    gaps = {who: computed[who] - value for who, value in stated.items() if who in computed}
    return {who: gap for who, gap in gaps.items() if abs(gap) > tolerance}


def _by_board(lines: Sequence[Line]) -> dict[Hashable, list[int]]:
    boards: dict[Hashable, list[int]] = defaultdict(list)
    for k, line in enumerate(lines):
        # A line without any score was not played: it is no part of the field either.
        if line.score is not None or line.adjusted is not None:
            boards[line.board].append(k)
    return boards


def _score(line: Line) -> int:
    assert line.score is not None
    return line.score


def _artificial(line: Line, scale: Fraction = Fraction(1), zero: Fraction = Fraction(0)) -> Earned | None:
    if line.adjusted is None:
        return None
    ns, ew = line.adjusted
    return Earned((ns - zero) * scale, (ew - zero) * scale, True)


def _stated(line: Line) -> Earned | None:
    ns, ew = line.stated
    if ns is None and ew is None:
        return _artificial(line, IMPS_PER_PERCENT, HALF)
    ns = -ew if ns is None else ns
    return Earned(ns, -ns if ew is None else ew, line.adjusted is not None)
