"""Sessions with board results, and the results of their adjustment."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class BoardResult:
    """The result of one board at one table.

    If ``ew_score`` is None, East-West gets the complement of ``ns_score``. ``adjusted`` marks a score
    given by the director, which counts officially but does not show any strength.
    """

    board: str
    ns: str
    ew: str
    ns_score: Decimal
    ew_score: Decimal | None = None
    adjusted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSession:
    """All board results of a session, and the number of plain iterations whose values are to be returned."""

    results: tuple[BoardResult, ...]
    iterations: int = 0
    date: date | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """The number of boards and the sum of scores of one contestant.

    ``boards`` and ``total`` include all boards. ``played`` and ``earned`` leave out boards with artificial
    scores.
    """

    boards: int
    total: Fraction
    played: int
    earned: Fraction


@dataclass(frozen=True, slots=True)
class RankedValue:
    """A mean score per board and the place it gives. Both are None if all scores are artificial."""

    value: float | None
    place: int | None


@dataclass(frozen=True, slots=True)
class AdjustedContestant:
    """The official and the adjusted result of one contestant.

    official, place: the exact mean score per board, and the place among all contestants
    steps: the values after 0, 1, 2, … plain iterations, with the places within the component
    adjusted: the value at the fixed point, with the place within the component
    component: the number, from 1, of the group of contestants connected by meetings
    """

    id: str
    boards: int
    component: int | None
    official: Decimal
    place: int
    steps: tuple[RankedValue, ...]
    adjusted: RankedValue


@dataclass(frozen=True, slots=True)
class SessionWarning:
    """A warning about the components of a session.

    The codes are ``disconnected`` (several groups never met), ``bipartite`` (two lines never met among
    themselves) and ``unbalanced`` (the scores do not add up to the mean of a board).
    """

    code: str
    components: tuple[int, ...]
    message: str


@dataclass(frozen=True, slots=True)
class StrengthResult:
    """The adjustment of a session, with contestants in the order in which the results first name them."""

    regulation: str
    components: int
    warnings: tuple[SessionWarning, ...]
    contestants: tuple[AdjustedContestant, ...]
