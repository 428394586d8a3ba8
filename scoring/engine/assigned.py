"""Recognise results that a director assigned: lines whose matchpoints do not follow from their scores.

Files have no form for weighted scores (Laws of Duplicate Bridge 2017, law 12C1c). Compscore writes such a
line as 50 percent for both sides, with other matchpoints.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from .boards import (
    SideResults,
    TravellerLine,
    equal_percentages,
    in_matchpoints,
    most_matchpoints,
    weighted_percentages,
)

# Rounding explains a smaller difference between stated and computed matchpoints.
LEAST_DIFFERENCE = Fraction(6, 100)
# If more lines differ, the file counts matchpoints in another way.
LARGEST_SHARE = Fraction(1, 10)

# The matchpoints of both sides that a line states.
Points = tuple[Fraction | None, Fraction | None]


def assigned_results(lines: Sequence[TravellerLine], points: Sequence[Points]) -> dict[int, SideResults]:
    """Return {index of a line: its result in percent} of the lines with assigned results.

    Their matchpoints follow from the scores neither with nor without Neuberg's formula.

    points: what each line states
    """
    most = most_matchpoints(lines)
    with_formula = in_matchpoints(equal_percentages(lines))
    without = in_matchpoints(weighted_percentages(lines))
    stated = {k: (ns, ew) for k, (ns, ew) in enumerate(points) if ns is not None and ew is not None}
    assigned = {
        k: SideResults(ns * 100 / most, ew * 100 / most)
        for k, (ns, ew) in stated.items()
        if most and _differ((ns, ew), with_formula[k]) and _differ((ns, ew), without[k])
    }
    return assigned if len(assigned) <= LARGEST_SHARE * len(stated) else {}


def _differ(stated: tuple[Fraction, Fraction], computed: SideResults | None) -> bool:
    return computed is not None and any(
        abs(mine - other) >= LEAST_DIFFERENCE
        for mine, other in zip(stated, (computed.ns, computed.ew), strict=True)
    )


def with_assigned(
    computed: Sequence[SideResults | None],
    before: Sequence[TravellerLine],
    after: Sequence[TravellerLine],
    assigned: Mapping[int, SideResults],
) -> list[SideResults | None]:
    """Return the results of lines, with the assigned ones where the line is the same as before.

    computed: the results of the lines that follow from their scores
    before, after: the lines before and after a change
    """
    results = list(computed)
    for k, result in assigned.items():
        mine = computed[k]
        is_same = (before[k].score, before[k].adjusted) == (after[k].score, after[k].adjusted)
        if is_same and mine is not None:
            results[k] = replace(mine, ns=result.ns, ew=result.ew)
    return results
