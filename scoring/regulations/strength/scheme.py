"""The adjustment of a session's results for the strength of the opponents.

It gives every contestant's official mean, the adjusted mean after each iteration, and the fixed point: the
adjusted mean that another iteration would not change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

from scoring.engine.rounding import decimal_of
from scoring.engine.strictjson import Fields
from scoring.engine.types import Step
from scoring.regulations.labels import gettext_noop

from . import lines, receipt
from .checks import check
from .graph import Meetings, bipartite, components
from .solve import centred, fixed_point, iterate
from .types import (
    AdjustedContestant,
    BoardResult,
    BoardSession,
    RankedValue,
    SessionWarning,
    StrengthResult,
    Tally,
)

if TYPE_CHECKING:
    from numpy import ndarray

Number = TypeVar("Number", Fraction, float)

# Values that differ by at most this share a place, because the difference may be a rounding error of floats.
SAME = 1e-9
UNRANKED = RankedValue(None, None)
# Codes of the warnings about a session.
WARNINGS = ("disconnected", "bipartite", "unbalanced")


@dataclass(frozen=True, eq=False)
class Adjustment:
    """The rules that adjust a session's results for the strength of the opponents.

    There is one instance for sessions scored in matchpoints, and one for sessions scored in IMPs.

    mean: the mean of both sides' scores on a board: 50 for matchpoints (in percent), 0 for IMPs
    lowest, highest: the least and the greatest possible score on a board
    """

    code: str
    title: str
    mean: int
    lowest: Decimal
    highest: Decimal
    family: str = "strength"
    valid_from: None = None

    def __str__(self) -> str:
        return self.code

    def scores(self, result: BoardResult) -> tuple[Fraction, Fraction]:
        """Return North-South's and East-West's scores on a board.

        If the result states no East-West score, it is chosen so that the mean of both scores is ``mean``.
        """
        ns = Fraction(result.ns_score)
        return ns, 2 * self.mean - ns if result.ew_score is None else Fraction(result.ew_score)

    def tallies(self, session: BoardSession) -> dict[str, Tally]:
        """Return every contestant's number of boards and sum of scores, by contestant id.

        The contestants are in the order in which the results first name them.
        """
        sums: dict[str, list[Any]] = {}
        for result in session.results:
            for side, score in zip((result.ns, result.ew), self.scores(result), strict=True):
                entry = sums.setdefault(side, [0, Fraction(0), 0, Fraction(0)])
                entry[0] += 1
                entry[1] += score
                if not result.adjusted:
                    entry[2] += 1
                    entry[3] += score
        return {name: Tally(*entry) for name, entry in sums.items()}

    def adjust(self, session: BoardSession) -> StrengthResult:
        """Return every contestant's official and adjusted result.

        Raise EngineError, which names the faulty field, if the session is invalid.
        """
        check(session, self.lowest, self.highest)
        tallies = self.tallies(session)
        official = {name: tally.total / tally.boards for name, tally in tallies.items()}
        places = _places(list(official.values()), 0)
        estimate = self._estimate(session, tallies)
        unranked = (UNRANKED,) * (session.iterations + 1)
        contestants = tuple(
            AdjustedContestant(
                id=name,
                boards=tallies[name].boards,
                component=estimate.component.get(name),
                official=decimal_of(official[name]),
                place=place,
                steps=estimate.steps.get(name, unranked),
                adjusted=estimate.fixed.get(name, UNRANKED),
            )
            for name, place in zip(tallies, places, strict=True)
        )
        return StrengthResult(self.code, estimate.count, estimate.warnings, contestants)

    def _estimate(self, session: BoardSession, tallies: dict[str, Tally]) -> Estimate:
        import numpy as np

        names = [name for name, tally in tallies.items() if tally.played]
        if not names:
            return Estimate(0, {}, (), {}, {})
        index = {name: k for k, name in enumerate(names)}
        real = [result for result in session.results if not result.adjusted]
        meetings = Meetings.of(len(names), [index[r.ns] for r in real], [index[r.ew] for r in real])
        component = components(meetings)
        means = [tallies[name].earned / tallies[name].played - self.mean for name in names]
        excess: dict[int, Fraction] = {}
        for name, number in zip(names, component.tolist(), strict=True):
            tally = tallies[name]
            excess[number] = excess.get(number, Fraction(0)) + tally.earned - self.mean * tally.played
        raw = np.array([float(mean) for mean in means])
        # The value before the first iteration includes the surplus; the iterations start without it.
        sigma = centred(raw, meetings, component)
        rows = [raw, *iterate(sigma, meetings, session.iterations), fixed_point(sigma, meetings, component)]
        ranked = [_ranked(self.mean + row, component) for row in rows]
        return Estimate(
            count=len(excess),
            component={name: number + 1 for name, number in zip(names, component.tolist(), strict=True)},
            warnings=_warnings(excess, bipartite(meetings, component)),
            steps={name: tuple(row[k] for row in ranked[:-1]) for k, name in enumerate(names)},
            fixed=dict(zip(names, ranked[-1], strict=True)),
        )

    def explain(self, session: BoardSession, result: StrengthResult, contestant_id: str) -> tuple[Step, ...]:
        """Return the steps of one contestant's receipt. Raise EngineError ``unknown_contestant``."""
        return receipt.steps(self, session, result, contestant_id)

    def answer(self, fields: Fields) -> dict[str, Any]:
        """Return the output of ``manage.py score`` for an input object. Raise EngineError if it is wrong."""
        return lines.line(fields, self.adjust(lines.read(fields)))


@dataclass(frozen=True, slots=True)
class Estimate:
    """The adjusted values of a session, by contestant id. Boards with artificial scores are left out.

    count: the number of components; a component is a group of contestants who met, directly or through others
    component: each contestant's component, counted from 1
    steps: each contestant's values after 0, 1, 2, … iterations
    fixed: each contestant's value at the fixed point
    """

    count: int
    component: dict[str, int]
    warnings: tuple[SessionWarning, ...]
    steps: dict[str, tuple[RankedValue, ...]]
    fixed: dict[str, RankedValue]


def _places(values: Sequence[Number], same: float) -> list[int]:
    """Return the place of each value, counted from the highest. Ties share a place, as in 1, 2, 2, 4.

    same: two neighbouring values are tied if they differ by at most this much
    """
    order = sorted(range(len(values)), key=lambda k: values[k], reverse=True)
    places = [0] * len(values)
    for position, k in enumerate(order):
        above = order[position - 1]
        tied = position > 0 and values[above] - values[k] <= same
        places[k] = places[above] if tied else position + 1
    return places


def _ranked(values: ndarray, component: ndarray) -> list[RankedValue]:
    """Return every contestant's value with its place among the contestants of the same component."""
    members: dict[int, list[int]] = {}
    for k, number in enumerate(component.tolist()):
        members.setdefault(number, []).append(k)
    figures = values.tolist()
    ranked = [UNRANKED] * len(figures)
    for group in members.values():
        places = _places([figures[k] for k in group], SAME)
        for k, place in zip(group, places, strict=True):
            ranked[k] = RankedValue(figures[k], place)
    return ranked


def _warnings(excess: dict[int, Fraction], bipartite_components: ndarray) -> tuple[SessionWarning, ...]:
    warnings = []
    count = len(excess)
    if count > 1:
        message = f"the field falls into {count} groups that never met; places compare within a group only"
        warnings.append(SessionWarning("disconnected", tuple(range(1, count + 1)), message))
    two_sided = tuple(number for number, flag in enumerate(bipartite_components.tolist(), 1) if flag)
    if two_sided:
        message = (
            f"two lines that never meet among themselves (group {_list(two_sided)}): "
            "the plain iteration does not settle; the adjusted results do"
        )
        warnings.append(SessionWarning("bipartite", two_sided, message))
    uneven = tuple(number + 1 for number in sorted(excess) if excess[number])
    if uneven:
        message = (
            f"scores that do not add up to the mean of a board (group {_list(uneven)}): "
            "the surplus was taken off everybody alike before adjusting"
        )
        warnings.append(SessionWarning("unbalanced", uneven, message))
    return tuple(warnings)


def _list(numbers: tuple[int, ...]) -> str:
    return ", ".join(str(number) for number in numbers)


MATCHPOINTS = Adjustment(
    code="strength-mp",
    title=gettext_noop("Adjustment for strength of opponents, matchpoints"),
    mean=50,
    lowest=Decimal(0),
    highest=Decimal(100),
)
# The bounds of a board's IMPs are wide: a board is worth at most 24 IMPs at one table, and means of several
# comparisons are smaller.
IMP = Adjustment(
    code="strength-imp",
    title=gettext_noop("Adjustment for strength of opponents, IMPs"),
    mean=0,
    lowest=Decimal(-1000),
    highest=Decimal(1000),
)
