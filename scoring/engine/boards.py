"""Compute the results of each board from the scores in points: in percent (matchpoints) or in IMPs.

All results are exact Fractions. Results are compared with each other if they have the same ``board``. So
callers must use different values of ``board`` for the same deal in separate fields.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache

TOLERANCE = Fraction(5, 100)
HALF = Fraction(50)
# Laws of Duplicate Bridge 2017, law 78B: the smallest point difference that is worth 1, 2, … IMPs.
IMP_STEPS = (
    20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750, 2000, 2250,
    2500, 3000, 3500, 4000,
)  # fmt: skip
# Law 86: the adjusted score "average plus" is 3 IMPs, or 60 percent at matchpoints.
IMPS_PER_PERCENT = Fraction(3, 10)
# From this number of results on, the datum of a board leaves out the highest and the lowest score.
BUTLER_TRIMMED = 5


@dataclass(frozen=True, slots=True)
class TravellerLine:
    """One result on a board, as a line of a traveller states it.

    board: identifies the board; only results with the same value are compared
    score: North-South's score in points; None if the board was not played
    adjusted: artificial scores that the director gave North-South and East-West, in percent; or None
    stated: the IMPs that the file gives for North-South and East-West, or None for a side without IMPs
    """

    board: Hashable
    score: int | None = None
    adjusted: tuple[Fraction, Fraction] | None = None
    stated: tuple[Fraction | None, Fraction | None] = (None, None)


@dataclass(frozen=True, slots=True)
class SideResults:
    """The results of North-South (``ns``) and East-West (``ew``) on one board, in percent or in IMPs.

    artificial: whether the director assigned the results
    weight: how much the board counts in a mean of the results of several boards; of some results in percent,
        how many matchpoints 100 percent are
    """

    ns: Fraction
    ew: Fraction
    artificial: bool = False
    weight: int = 1


def matchpoints(scores: Sequence[int]) -> list[int]:
    """Return North-South's matchpoints for each score on a board.

    A score earns 2 for every lower score on the board and 1 for every other equal score. East-West's
    matchpoints are 2·(n − 1) minus North-South's, where n is the number of scores.
    """
    order = sorted(scores)
    # Subtract 1 because every result also ties with itself.
    return [bisect_left(order, score) + bisect_right(order, score) - 1 for score in scores]


@lru_cache(maxsize=4096)  # few different arguments occur in a session
def neuberg(points: int, results: int, field: int) -> Fraction:
    """Return a result in percent, computed from matchpoints with Neuberg's formula.

    The formula, ((M + 1)·N/n − 1)/(2·(N − 1)), makes boards with fewer results comparable. If n = N, it gives
    the plain percentage. If N is less than 2, nothing can be compared, and the result is 50 percent.

    points: the matchpoints M
    results: the number n of results on the board
    field: the number N of results on the board that has the most
    """
    if field < 2:
        return HALF
    return (Fraction(points + 1) * field / results - 1) * 100 / (2 * (field - 1))


def percentages(lines: Iterable[TravellerLine]) -> list[SideResults | None]:
    """Return the result in percent of every traveller line, or None for a line without a score.

    Percentages are computed by `neuberg`, so that boards with different numbers of results are comparable.
    """
    lines = list(lines)
    boards = _by_board(lines)
    field = max((len(members) for members in boards.values()), default=0)
    results = [_artificial(line) for line in lines]
    for members in boards.values():
        played = [k for k in members if lines[k].score is not None and lines[k].adjusted is None]
        points = matchpoints([_score(lines[k]) for k in played])
        for k, mine in zip(played, points, strict=True):
            share = neuberg(mine, len(played), field)
            results[k] = SideResults(share, 100 - share)
    return results


def weighted_percentages(lines: Iterable[TravellerLine]) -> list[SideResults | None]:
    """Return the result in percent of every traveller line, or None for a line without a score.

    Without Neuberg's formula: the most matchpoints that a board could give are the weight of its results. So
    their weighted mean is the sum of a contestant's matchpoints, divided by the most that it could have.
    """
    lines = list(lines)
    results = [_artificial(line) for line in lines]
    for members in _by_board(lines).values():
        played = [k for k in members if lines[k].score is not None and lines[k].adjusted is None]
        weight = max(0, 2 * (len(played) - 1))
        points = dict(zip(played, matchpoints([_score(lines[k]) for k in played]), strict=True))
        for k in members:
            result = results[k]
            if result is None:
                share = neuberg(points[k], len(played), len(played))
                result = SideResults(share, 100 - share)
            results[k] = replace(result, weight=weight)
    return results


def most_matchpoints(lines: Sequence[TravellerLine]) -> int:
    """Return the most matchpoints that the board with the most results can give."""
    return max(0, 2 * (max((len(members) for members in _by_board(lines).values()), default=0) - 1))


def equal_percentages(lines: Iterable[TravellerLine]) -> list[SideResults | None]:
    """Return what `percentages` does, with the most matchpoints that a board can give as the weights."""
    lines = list(lines)
    most = most_matchpoints(lines)
    return [result and replace(result, weight=most) for result in percentages(lines)]


def in_matchpoints(results: Iterable[SideResults | None]) -> list[SideResults | None]:
    """Convert results in percent to matchpoints.

    results: with the matchpoints that 100 percent are as their weight
    """
    return [
        result and replace(result, ns=result.ns * result.weight / 100, ew=result.ew * result.weight / 100)
        for result in results
    ]


def tenths_percentages(lines: Iterable[TravellerLine]) -> list[SideResults | None]:
    """Return the result in percent of every traveller line, or None for a line without a score.

    As Magic Contest computes them: like `equal_percentages`, but with matchpoints rounded to one decimal on
    each line.
    """
    lines = list(lines)
    most = most_matchpoints(lines)
    return [
        replace(result, ns=_tenths(result.ns, most), ew=100 - _tenths(result.ns, most))
        if most and result is not None and not result.artificial
        else result
        for result in equal_percentages(lines)
    ]


def _tenths(share: Fraction, most: int) -> Fraction:
    """Round the matchpoints of a result in percent to one decimal, half up. Return the result in percent.

    most: the most matchpoints that a board can give
    """
    return Fraction(int(share * most / 10 + Fraction(1, 2)), 10) * 100 / most


def imps(difference: int) -> int:
    """Convert a difference of scores in points to IMPs, with the same sign."""
    worth = bisect_right(IMP_STEPS, abs(difference))
    return worth if difference > 0 else -worth


def cross_imps(scores: Sequence[int]) -> list[Fraction]:
    """Return North-South's result in IMPs for each score on a board.

    The score is compared with every other score, and the result is the mean of the IMPs. It is 0 if there is
    no other score.
    """
    if len(scores) < 2:
        return [Fraction(0)] * len(scores)
    counts = Counter(scores)
    worth = {
        score: Fraction(sum(imps(score - rival) * count for rival, count in counts.items()), len(scores) - 1)
        for score in counts
    }
    return [worth[score] for score in scores]


def imp_results(lines: Iterable[TravellerLine]) -> list[SideResults | None]:
    """Return the result in IMPs of every traveller line, or None for a line without a score.

    If the file gives IMPs for every line without an artificial score, return those, because scoring programs
    compute IMPs in different ways. Otherwise compare every score with all other scores on the board and take
    the mean IMPs.
    """
    lines = list(lines)
    real = [line for line in lines if line.adjusted is None]
    if real and all(line.stated != (None, None) for line in real):
        return [_stated(line) for line in lines]
    results = [_artificial(line, IMPS_PER_PERCENT, HALF) for line in lines]
    for members in _by_board(lines).values():
        played = [k for k in members if lines[k].score is not None and lines[k].adjusted is None]
        for k, mine in zip(played, cross_imps([_score(lines[k]) for k in played]), strict=True):
            results[k] = SideResults(mine, -mine)
    return results


def butler(scores: Sequence[int], trimmed: int = BUTLER_TRIMMED) -> list[int]:
    """Return North-South's result in IMPs for each score on a board, compared with the datum.

    The datum is the mean of the scores, rounded to the nearest ten (half away from zero). The highest and the
    lowest score are left out of the mean if there are enough results. The result is 0 if there is no other
    score.

    trimmed: the number of results from which on the highest and the lowest are left out, at least 3
    """
    if len(scores) < 2:
        return [0] * len(scores)
    kept = sorted(scores)[1:-1] if len(scores) >= trimmed else scores
    mean = Fraction(sum(kept), 10 * len(kept))
    datum = 10 * int(abs(mean) + Fraction(1, 2)) * (1 if mean > 0 else -1)
    return [imps(score - datum) for score in scores]


def butler_results(lines: Iterable[TravellerLine], trimmed: int = BUTLER_TRIMMED) -> list[SideResults | None]:
    """Return the result in IMPs of every traveller line, or None for a line without a score.

    The scores of a board are compared with their mean, the datum, as `butler` does.

    trimmed: as for `butler`
    """
    lines = list(lines)
    results = [_artificial(line, IMPS_PER_PERCENT, HALF) for line in lines]
    for members in _by_board(lines).values():
        played = [k for k in members if lines[k].score is not None and lines[k].adjusted is None]
        for k, mine in zip(played, butler([_score(lines[k]) for k in played], trimmed), strict=True):
            results[k] = SideResults(Fraction(mine), Fraction(-mine))
    return results


def match_results(
    lines: Sequence[TravellerLine],
    teams: Sequence[tuple[Hashable, Hashable]],
    rounds: Sequence[Hashable] | None = None,
) -> list[SideResults | None]:
    """Return the result in IMPs of every traveller line of a tournament of teams.

    Two teams play a board at two tables, called rooms, so the board has two lines. Both scores together give
    one result in IMPs. The second line gets this result and the first gets 0, so that the board counts once.

    If a line has an artificial score, it gets the IMPs of that score, and the line of the other room gets
    None. If the line of the other room is missing, a line without an artificial score gets None.

    teams: (team North-South, team East-West) of every line
    rounds: the round of every line. It tells apart two matches of the same teams with the same boards
    """
    results: list[SideResults | None] = [None] * len(lines)
    for members in _rooms(lines, teams, rounds):
        adjusted = [k for k in members if lines[k].adjusted is not None]
        if adjusted:
            results[adjusted[0]] = _artificial(lines[adjusted[0]], IMPS_PER_PERCENT, HALF)
        elif len(members) == 2 and teams[members[0]] == teams[members[1]][::-1]:
            first, second = members
            mine = Fraction(imps(_score(lines[second]) - _score(lines[first])))
            results[first] = SideResults(Fraction(0), Fraction(0))
            results[second] = SideResults(mine, -mine)
    return results


def apart(
    function: Callable[[Sequence[TravellerLine]], list[SideResults | None]],
    lines: Sequence[TravellerLine],
    groups: Sequence[Hashable],
) -> list[SideResults | None]:
    """Return the results of traveller lines of which only those of one group are compared with each other.

    function: computes the results of the lines of a group
    groups: the group of every line, such as its section
    """
    members: dict[Hashable, list[int]] = defaultdict(list)
    for k, group in enumerate(groups):
        members[group].append(k)
    results: list[SideResults | None] = [None] * len(lines)
    for own in members.values():
        for k, result in zip(own, function([lines[k] for k in own]), strict=True):
            results[k] = result
    return results


def victory_points(margin: Fraction | int, boards: int) -> Decimal:
    """Return the victory points, from 0 to 20, of a team that won a match by a number of IMPs.

    This is the continuous scale of the World Bridge Federation (2013). With N boards, R = (√5 − 1)/2 and
    B = 15·√N, a margin of M IMPs, at most B, gives the winner 10 + 10·(1 − R^(3M/B))/(1 − R³), rounded to two
    decimals. The loser gets the rest of 20.

    margin: negative if the team lost
    boards: the number of boards of the match, at least 1
    """
    with localcontext() as context:
        context.prec = 50
        ratio = (Decimal(5).sqrt() - 1) / 2
        blitz = 15 * Decimal(boards).sqrt()
        exact = abs(Fraction(margin))
        size = min(Decimal(exact.numerator) / exact.denominator, blitz)
        won = 10 + 10 * (1 - ratio ** (3 * size / blitz)) / (1 - ratio**3)
        won = won.quantize(Decimal("0.01"), ROUND_HALF_UP)
    return won if margin >= 0 else 20 - won


def both_rooms(
    lines: Sequence[TravellerLine],
    teams: Sequence[tuple[Hashable, Hashable]],
    rounds: Sequence[Hashable] | None = None,
) -> list[SideResults | None]:
    """Return for every line of a tournament of teams what its board gave the teams in both rooms together.

    So both lines of a board have the same result, seen from the team that sat North-South. The arguments are
    those of `match_results`.
    """
    results = match_results(lines, teams, rounds)
    for members in _rooms(lines, teams, rounds):
        first = members[0]
        for other in members[1:]:
            if results[first] is not None and results[other] is not None:
                results[first] = _turned(results[other], teams[first] != teams[other])
            else:
                known = results[first] or results[other]
                source = first if results[first] else other
                results[first] = _turned(known, teams[first] != teams[source])
                results[other] = _turned(known, teams[other] != teams[source])
    return results


def _turned(result: SideResults | None, is_turned: bool) -> SideResults | None:
    if result is None or not is_turned:
        return result
    return SideResults(result.ew, result.ns, result.artificial)


def _rooms(
    lines: Sequence[TravellerLine],
    teams: Sequence[tuple[Hashable, Hashable]],
    rounds: Sequence[Hashable] | None,
) -> list[list[int]]:
    """Return the indexes of the lines of each board of each match.

    The rooms of a match may play a board in different rounds, so rounds count only where a board has more
    than two results of the same two teams.
    """
    boards: dict[Hashable, list[int]] = defaultdict(list)
    for k, line in enumerate(lines):
        if line.score is not None or line.adjusted is not None:
            boards[line.board, frozenset(teams[k])].append(k)
    rooms: list[list[int]] = []
    for members in boards.values():
        parts: dict[Hashable, list[int]] = defaultdict(list)
        for k in members:
            parts[rounds[k] if rounds and len(members) > 2 else None].append(k)
        rooms += parts.values()
    return rooms


def discrepancies(
    stated: Mapping[Hashable, Fraction],
    computed: Mapping[Hashable, Fraction],
    tolerance: Fraction = TOLERANCE,
) -> dict[Hashable, Fraction]:
    """Return {key: computed value minus stated value}, where the two differ by more than ``tolerance``.

    Keys that are missing in one of the mappings are left out.
    """
    gaps = {key: computed[key] - value for key, value in stated.items() if key in computed}
    return {key: gap for key, gap in gaps.items() if abs(gap) > tolerance}


def _by_board(lines: Sequence[TravellerLine]) -> dict[Hashable, list[int]]:
    boards: dict[Hashable, list[int]] = defaultdict(list)
    for k, line in enumerate(lines):
        # A line without a score was not played, so it is not a result of the board.
        if line.score is not None or line.adjusted is not None:
            boards[line.board].append(k)
    return boards


def _score(line: TravellerLine) -> int:
    assert line.score is not None
    return line.score


def _artificial(
    line: TravellerLine, scale: Fraction = Fraction(1), zero: Fraction = Fraction(0)
) -> SideResults | None:
    if line.adjusted is None:
        return None
    ns, ew = line.adjusted
    return SideResults((ns - zero) * scale, (ew - zero) * scale, True)


def _stated(line: TravellerLine) -> SideResults | None:
    ns, ew = line.stated
    if ns is None:
        if ew is None:
            return _artificial(line, IMPS_PER_PERCENT, HALF)
        ns = -ew
    return SideResults(ns, -ns if ew is None else ew, line.adjusted is not None)
