"""Compute what a change of single boards does to the results and places of a ranking.

A printed result may differ from that of the boards, because of a penalty or a handicap. A change of a board
leaves this difference as it is: only the difference that the board makes is added to the printed result.

Figures computed from the boards are exact Fractions. Printed ones are Decimals. New ones are Decimals with as
many decimals as the printed ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

from .boards import (
    SideResults,
    TravellerLine,
    butler_results,
    imp_results,
    match_results,
    means,
    percentages,
    victory_points,
)

# The contestants who sat North-South, and those who sat East-West, on a traveller line.
Sides = tuple[tuple[Hashable, ...], tuple[Hashable, ...]]
# Decimals of new results if all printed results are whole numbers.
LEAST_DECIMALS = 2
HUNDREDTH = Fraction(1, 100)


@dataclass(frozen=True, slots=True)
class Way:
    """A way to score a session.

    results: computes the result of every traveller line. Only ways of teams use who sat at it
    gather: computes the figures of the contestants from these results
    """

    results: Callable[[Sequence[TravellerLine], Sequence[Sides]], list[SideResults | None]]
    gather: Callable[[Sequence[SideResults | None], Sequence[Sides]], dict[Hashable, Fraction]]

    def figures(self, lines: Sequence[TravellerLine], sides: Sequence[Sides]) -> dict[Hashable, Fraction]:
        """Return {contestant: figure} computed from all lines."""
        return self.gather(self.results(lines, sides), sides)


def figures_of(
    results: Sequence[SideResults | None], sides: Sequence[Sides], is_total: bool
) -> dict[Hashable, Fraction]:
    """Return {contestant: sum or mean of its results}. Contestants without a result are left out."""
    own = [
        (contestant, share)
        for result, (ns, ew) in zip(results, sides, strict=True)
        if result is not None
        for contestants, share in ((ns, result.ns), (ew, result.ew))
        for contestant in contestants
    ]
    if not is_total:
        return means(own)
    total: dict[Hashable, Fraction] = defaultdict(Fraction)
    for contestant, share in own:
        total[contestant] += share
    return dict(total)


def _pairs(
    function: Callable[[Sequence[TravellerLine]], list[SideResults | None]],
) -> Callable[[Sequence[TravellerLine], Sequence[Sides]], list[SideResults | None]]:
    return lambda lines, sides: function(lines)


def _stated_or(
    function: Callable[[Sequence[TravellerLine]], list[SideResults | None]],
) -> Callable[[Sequence[TravellerLine], Sequence[Sides]], list[SideResults | None]]:
    """Return a function that takes the IMPs stated on a line, and computes those of the other lines."""

    def results(lines: Sequence[TravellerLine], sides: Sequence[Sides]) -> list[SideResults | None]:
        bare = [TravellerLine(line.board, line.score, line.adjusted) for line in lines]
        return [
            computed if line.stated == (None, None) else _stated(line)
            for line, computed in zip(lines, function(bare), strict=True)
        ]

    return results


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


MATCHPOINT_WAYS = (Way(_pairs(percentages), mean_of),)
IMP_WAYS = tuple(
    Way(_stated_or(function), gather)
    for gather in (mean_of, total_of)
    for function in (imp_results, butler_results)
)
TEAM_WAYS = (Way(match_results, total_of), Way(match_results, victory_points_of))


def best_way(
    ways: Sequence[Way],
    lines: Sequence[TravellerLine],
    sides: Sequence[Sides],
    printed: Mapping[Hashable, Decimal],
) -> Way | None:
    """Return the way that gives the most contestants their printed figure; the first of several such ways.

    Lines whose stated IMPs a way cannot reproduce count against it, because it could not score a changed
    board like the others. Return None if no way gives half of the contestants their figure.
    """

    def fitting(way: Way) -> tuple[int, int]:
        bare = [TravellerLine(line.board, line.score, line.adjusted) for line in lines]
        alike = sum(
            line.stated != (None, None) and mine is not None and abs(mine.ns - _stated(line).ns) <= HUNDREDTH
            for line, mine in zip(lines, way.results(bare, sides), strict=True)
        )
        figures, unit = way.figures(lines, sides), unit_of(printed.values())
        agreeing = sum(agrees(value, figures.get(key), unit) for key, value in printed.items())
        return agreeing, alike

    best = max(ways, key=fitting)
    return best if 2 * fitting(best)[0] >= len(printed) else None


def decimals_of(printed: Iterable[Decimal]) -> int:
    """Return the largest number of decimals of some numbers, without zeros at their end."""
    return max((-min(0, int(value.normalize().as_tuple().exponent)) for value in printed), default=0)


def unit_of(printed: Iterable[Decimal]) -> Fraction:
    """Return the unit of the last decimal of some printed figures."""
    return Fraction(1, 10 ** decimals_of(printed))


def agrees(printed: Decimal, computed: Fraction | None, unit: Fraction) -> bool:
    """Return whether rounding explains the difference between a printed and a computed figure.

    A whole unit of the last decimal is allowed, because some programs cut figures off instead of rounding.
    """
    return computed is not None and abs(Fraction(printed) - computed) < unit


def carried_over(
    printed: Mapping[Hashable, Decimal],
    before: Mapping[Hashable, Fraction],
    after: Mapping[Hashable, Fraction],
) -> tuple[dict[Hashable, Decimal], set[Hashable]]:
    """Return the new figures, and the contestants whose printed figure differs from that of their boards.

    * A figure that the change does not move stays as it is printed.
    * A figure that agrees with its boards becomes the figure of the changed boards.
    * To any other figure the difference that the change makes is added.

    printed: the figures in the ranking before the change
    before, after: the figures computed from the boards before and after the change; a contestant who has none
        before or after keeps the printed figure
    """
    unit = unit_of(printed.values())
    step = Decimal(1).scaleb(-(decimals_of(printed.values()) or LEAST_DECIMALS))
    new, unlike = dict(printed), set()
    for key, value in printed.items():
        old, moved = before.get(key), after.get(key)
        if not agrees(value, old, unit):
            unlike.add(key)
        if old is None or moved is None or old == moved:
            continue
        new[key] = _rounded(Fraction(value) + moved - old if key in unlike else moved, step)
    return new, unlike


def _rounded(value: Fraction, step: Decimal) -> Decimal:
    """Round to a multiple of `step`, half away from zero, without rounding twice.

    Cut off instead if the step is less than a hundredth: pages round such numbers to hundredths.
    """
    scaled = value / Fraction(step)
    whole = int(abs(scaled) + (Fraction(1, 2) if Fraction(step) >= HUNDREDTH else 0))
    return (Decimal(whole if scaled >= 0 else -whole) * step).quantize(step, ROUND_HALF_UP)


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
