"""Compute what a change of single boards does to the results and places of a ranking.

A printed result may differ from that of the boards, because of a penalty or a handicap. A change of a board
leaves this difference as it is: only the difference that the board makes is added to the printed result.

Figures computed from the boards are exact Fractions. Printed ones are Decimals. New ones are Decimals with as
many decimals as the printed ones.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from operator import itemgetter

from .boards import (
    SideResults,
    TravellerLine,
    apart,
    butler_results,
    discrepancies,
    equal_percentages,
    imp_results,
    in_matchpoints,
    match_results,
    percentages,
    tenths_percentages,
    victory_points,
    weighted_percentages,
)
from .printed import HUNDREDTH, LEAST_DECIMALS, Printing, decimals_of, exact_keys, is_near, printing_of

# The contestants who sat North-South, and those who sat East-West, on a traveller line.
Sides = tuple[tuple[Hashable, ...], tuple[Hashable, ...]]
HUNDRED = Fraction(100)

# Computes the result of every traveller line from its score. Only that of teams uses who sat at it.
Results = Callable[[Sequence[TravellerLine], Sequence[Sides]], list[SideResults | None]]
# Computes the figures of the contestants from the results of the lines.
Gather = Callable[[Sequence[SideResults | None], Sequence[Sides]], dict[Hashable, Fraction]]


@dataclass(frozen=True, slots=True)
class Way:
    """A way to score a session.

    keeps_stated: whether IMPs that are stated on a line, usually rounded, count instead of those of its score
    """

    compute: Results
    gather: Gather
    keeps_stated: bool = False

    def results(self, lines: Sequence[TravellerLine], sides: Sequence[Sides]) -> list[SideResults | None]:
        """Return the result of every traveller line."""
        return self.with_stated(self.compute(bare(lines), sides), lines)

    def with_stated(
        self, computed: Sequence[SideResults | None], lines: Sequence[TravellerLine]
    ) -> list[SideResults | None]:
        """Return the results of the lines.

        computed: those that follow from the scores
        """
        if not self.keeps_stated:
            return list(computed)
        return [
            result if line.stated == (None, None) else _stated(line)
            for line, result in zip(lines, computed, strict=True)
        ]

    def figures(self, lines: Sequence[TravellerLine], sides: Sequence[Sides]) -> dict[Hashable, Fraction]:
        """Return {contestant: figure} computed from all lines."""
        return self.gather(self.results(lines, sides), sides)

    def changed_results(
        self, before: Sequence[TravellerLine], after: Sequence[TravellerLine], sides: Sequence[Sides]
    ) -> list[SideResults | None]:
        """Return the result of every line after a change of the scores of some.

        Lines whose IMPs the change does not move keep those that they state. Others get theirs rounded like
        the stated ones; if a line states other IMPs than those of its score, it keeps the difference.

        before, after: the same lines before and after the change; only the stated IMPs of `before` count
        sides: after the change
        """
        new = self.compute(bare(after), sides)
        if not self.keeps_stated:
            return new
        old = self.compute(bare(before), sides)
        printing = _printing_on_lines(before, old)
        return [
            _changed(line, other, (mine, moved), printing)
            for line, other, mine, moved in zip(before, after, old, new, strict=True)
        ]


def _printing_on_lines(lines: Sequence[TravellerLine], computed: Sequence[SideResults | None]) -> Printing:
    """Return how the IMPs that lines state are printed.

    computed: the results that follow from the scores
    """
    stated: dict[Hashable, Decimal] = {}
    for k, line in enumerate(lines):
        if line.stated != (None, None):
            ns = _stated(line).ns
            stated[k] = Decimal(ns.numerator) / ns.denominator
    own: dict[Hashable, Fraction] = {k: result.ns for k, result in enumerate(computed) if result is not None}
    return printing_of(stated, own)


def _changed(
    before: TravellerLine,
    after: TravellerLine,
    computed: tuple[SideResults | None, SideResults | None],
    printing: Printing,
) -> SideResults | None:
    """Return the result of a line after a change of its board.

    computed: what follows from the scores before and after the change
    """
    old, new = computed
    if before.stated == (None, None) or old is None or new is None:
        return new
    stated = _stated(before)
    is_same = (before.score, before.adjusted) == (after.score, after.adjusted)
    if is_same and old == new:
        return stated
    if is_same and printing.printed(old.ns) != stated.ns and abs(stated.ns - old.ns) >= HUNDREDTH:
        return SideResults(stated.ns + new.ns - old.ns, stated.ew + new.ew - old.ew, new.artificial)
    ns, ew = (Fraction(printing.printed(value)) for value in (new.ns, new.ew))
    return SideResults(ns, ew, new.artificial)


def bare(lines: Sequence[TravellerLine]) -> list[TravellerLine]:
    """Return traveller lines without the IMPs that they state."""
    return [TravellerLine(line.board, line.score, line.adjusted) for line in lines]


def figures_of(
    results: Sequence[SideResults | None], sides: Sequence[Sides], is_total: bool
) -> dict[Hashable, Fraction]:
    """Return {contestant: sum or weighted mean of its results}.

    Contestants without a result, or all of whose results have weight 0, are left out.
    """
    total: dict[Hashable, Fraction] = defaultdict(Fraction)
    weights: Counter[Hashable] = Counter()
    for result, (ns, ew) in zip(results, sides, strict=True):
        if result is None:
            continue
        weight = 1 if is_total else result.weight
        for contestants, share in ((ns, result.ns), (ew, result.ew)):
            for contestant in contestants:
                total[contestant] += share if weight == 1 else share * weight
                weights[contestant] += weight
    if is_total:
        return dict(total)
    return {contestant: total[contestant] / weight for contestant, weight in weights.items() if weight}


def _pairs(function: Callable[[Sequence[TravellerLine]], list[SideResults | None]]) -> Results:
    return lambda lines, sides: function(lines)


def _stated(line: TravellerLine) -> SideResults:
    ns, ew = line.stated
    if ns is None:
        ns = -(ew or Fraction(0))
    return SideResults(ns, -ns if ew is None else ew, line.adjusted is not None)


def mean_of(results: Sequence[SideResults | None], sides: Sequence[Sides]) -> dict[Hashable, Fraction]:
    """Return {contestant: mean result per board}."""
    return figures_of(results, sides, is_total=False)


def total_of(results: Sequence[SideResults | None], sides: Sequence[Sides]) -> dict[Hashable, Fraction]:
    """Return {contestant: sum of its results}."""
    return figures_of(results, sides, is_total=True)


def matchpoints_of(results: Sequence[SideResults | None], sides: Sequence[Sides]) -> dict[Hashable, Fraction]:
    """Return {contestant: sum of its matchpoints}.

    results: as for `in_matchpoints`
    """
    return total_of(in_matchpoints(results), sides)


def hundredths_of(results: Sequence[SideResults | None], sides: Sequence[Sides]) -> dict[Hashable, Fraction]:
    """Return {contestant: percentage from its sum of matchpoints, which is rounded to hundredths}.

    PairsScorer computes percentages in this way.

    results: as for `in_matchpoints`
    """
    most = matchpoints_of([result and replace(result, ns=HUNDRED, ew=HUNDRED) for result in results], sides)
    return {
        contestant: 100 * Fraction(Printing(2).printed(points)) / most[contestant]
        for contestant, points in matchpoints_of(results, sides).items()
        if most[contestant]
    }


def scaled_total_of(
    results: Sequence[SideResults | None], sides: Sequence[Sides]
) -> dict[Hashable, Fraction]:
    """Return {contestant: sum of its results, scaled to the most boards that a contestant played}.

    Pianola prints sums of IMPs in this way, so that contestants who sat out are comparable. It rounds the
    sums to hundredths before.
    """
    seated = [ns + ew for result, (ns, ew) in zip(results, sides, strict=True) if result is not None]
    counts = Counter(contestant for own in seated for contestant in own)
    most = max(counts.values(), default=0)
    return {
        contestant: Fraction(Printing(2).printed(value)) * most / counts[contestant]
        for contestant, value in total_of(results, sides).items()
    }


def victory_points_of(
    results: Sequence[SideResults | None], sides: Sequence[Sides]
) -> dict[Hashable, Fraction]:
    """Return {team: sum of the victory points of its matches}.

    All boards that two teams played against each other are one match.

    results: those of `match_results`
    """
    margins: dict[tuple[Hashable, Hashable], Fraction] = defaultdict(Fraction)
    rooms: dict[tuple[Hashable, Hashable], Fraction] = defaultdict(Fraction)
    for result, (ns, ew) in zip(results, sides, strict=True):
        if result is not None and ns and ew:
            for match, share in (((ns[0], ew[0]), result.ns), ((ew[0], ns[0]), result.ew)):
                margins[match] += share
                # An artificial result stands for both rooms.
                rooms[match] += 1 if result.artificial else Fraction(1, 2)
    total: dict[Hashable, Fraction] = defaultdict(Fraction)
    for (team, _opponents), margin in margins.items():
        boards = int(rooms[team, _opponents])
        total[team] += Fraction(victory_points(margin, boards)) if boards else 0
    return dict(total)


MATCHPOINT_WAYS = (
    Way(_pairs(percentages), mean_of),
    Way(_pairs(weighted_percentages), mean_of),
    Way(_pairs(tenths_percentages), mean_of),
    Way(_pairs(equal_percentages), hundredths_of),
)
# Files print sums of matchpoints beside percentages.
MATCHPOINT_SUM_WAYS = tuple(
    Way(_pairs(compute), matchpoints_of)
    for compute in (equal_percentages, weighted_percentages, tenths_percentages)
)
_IMPS = (
    _pairs(imp_results),
    _pairs(butler_results),
    # Compscore leaves out the highest and the lowest of four scores already.
    _pairs(partial(butler_results, trimmed=4)),
)
# Programs add up the IMPs that they print, or unrounded ones.
IMP_WAYS = tuple(
    Way(compute, gather, keeps_stated)
    for keeps_stated in (True, False)
    for gather in (mean_of, total_of, scaled_total_of)
    for compute in _IMPS
)
TEAM_WAYS = (Way(match_results, total_of), Way(match_results, victory_points_of))


def best_way(
    ways: Sequence[Way],
    lines: Sequence[TravellerLine],
    sides: Sequence[Sides],
    printed: Mapping[Hashable, Decimal],
    tolerance: Fraction = HUNDREDTH,
) -> Way | None:
    """Return the way that gives the most contestants their printed figure; the first of several such ways.

    If several do, first comes the one that gives the most figures to the last decimal, then the one that
    gives the most lines their stated IMPs, because a changed board is scored like the others. Return None if
    no way gives half of the contestants their figure.

    tolerance: a difference that still counts for that half
    """
    scored, decimals = bare(lines), decimals_of(printed.values())
    computed: dict[Results, list[SideResults | None]] = {}
    best, best_fit = None, (-1, -1, -1, -1)
    for way in ways:
        if way.compute not in computed:
            computed[way.compute] = way.compute(scored, sides)
        results = computed[way.compute]
        figures = way.gather(way.with_stated(results, lines), sides)
        exact = exact_keys(printed, figures, printing_of(printed, figures))
        gaps = [(value, figures.get(key)) for key, value in printed.items() if key not in exact]
        fit = (
            len(exact) + sum(is_near(value, figure, decimals) for value, figure in gaps),
            len(exact),
            _alike(lines, results),
            len(exact) + sum(is_near(value, figure, 0, tolerance) for value, figure in gaps),
        )
        if fit > best_fit:
            best, best_fit = way, fit
    return best if 2 * best_fit[-1] >= len(printed) else None


def likely_percentages(
    lines: Sequence[TravellerLine],
    sides: Sequence[Sides],
    printed: Mapping[Hashable, Decimal],
    groups: Sequence[Hashable] | None = None,
) -> tuple[list[SideResults | None], dict[Hashable, Fraction]]:
    """Return the results in percent of all lines, and {contestant: percentage}, as the program computed them.

    That is with Neuberg's formula, unless more of the printed percentages are those without it.

    groups: the group of every line if only lines of one group are compared, such as its section
    """
    stated = {key: Fraction(value) for key, value in printed.items()}
    candidates = []
    for compute in (percentages, weighted_percentages):
        results = compute(lines) if groups is None else apart(compute, lines, groups)
        figures = mean_of(results, sides)
        if not (differing := discrepancies(stated, figures)):
            return results, figures
        candidates.append((len(differing), results, figures))
    _least, results, figures = min(candidates, key=itemgetter(0))
    return results, figures


def _alike(lines: Sequence[TravellerLine], results: Sequence[SideResults | None]) -> int:
    """Return how many lines state the IMPs that follow from their scores."""
    return sum(
        line.stated != (None, None) and mine is not None and abs(mine.ns - _stated(line).ns) <= HUNDREDTH
        for line, mine in zip(lines, results, strict=True)
    )


def carried_over(
    printed: Mapping[Hashable, Decimal],
    before: Mapping[Hashable, Fraction],
    after: Mapping[Hashable, Fraction],
) -> tuple[dict[Hashable, Decimal], set[Hashable]]:
    """Return the new figures, and the contestants whose printed figure differs from that of their boards.

    * A figure that the change does not move stays as it is printed.
    * A figure that is that of its boards becomes the figure of the changed boards, printed like it.
    * To any other figure the difference that the change makes is added.

    printed: the figures in the ranking before the change
    before, after: the figures computed from the boards before and after the change; a contestant who has none
        before or after keeps the printed figure
    """
    printing = printing_of(printed, before)
    exact = exact_keys(printed, before, printing)
    unlike = {
        key
        for key, value in printed.items()
        if key not in exact and not is_near(value, before.get(key), printing.decimals)
    }
    if printing.decimals == 0 and all(before[key].denominator == 1 for key in exact):
        printing = replace(printing, decimals=LEAST_DECIMALS)
    new = dict(printed)
    for key, value in printed.items():
        old, moved = before.get(key), after.get(key)
        if old is not None and moved is not None and old != moved:
            new[key] = printing.printed(moved if key in exact else Fraction(value) + moved - old)
    return new, unlike


def new_places(
    before: Mapping[Hashable, tuple[int, Decimal]], after: Mapping[Hashable, Decimal]
) -> dict[Hashable, int]:
    """Return the places by the new figures. The highest figure is first; equal figures share a place.

    Contestants with equal figures whose tie was broken before, and none of whose figures has changed, keep
    their order.

    before: {contestant: (place, figure)} of the ranking before the change
    after: {contestant: figure}
    """

    tied: dict[Decimal, list[Hashable]] = defaultdict(list)
    for key, figure in after.items():
        tied[figure].append(key)
    was_tied = {
        figure: all(before[key][1] == before[keys[0]][1] == figure for key in keys)
        for figure, keys in tied.items()
    }
    groups: dict[tuple[Decimal, int], list[Hashable]] = defaultdict(list)
    for key, figure in after.items():
        groups[-figure, before[key][0] if was_tied[figure] else 0].append(key)
    places: dict[Hashable, int] = {}
    for group in sorted(groups):
        places.update(dict.fromkeys(groups[group], len(places) + 1))
    return places


def follows_figures(before: Iterable[tuple[int, Decimal]]) -> bool:
    """Return whether no contestant with a lower figure has a better place.

    before: (place, figure) of every contestant
    """
    figures = [figure for _place, figure in sorted(before, key=lambda row: (row[0], -row[1]))]
    return figures == sorted(figures, reverse=True)
