"""Sessions with board results, and their adjustment."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class BoardResult:
    """One board at one table. Without ``ew_score`` East-West have the complement.

    ``adjusted`` marks an artificial score, which counts officially but says nothing about strength.
    """

    board: str
    ns: str
    ew: str
    ns_score: Decimal
    ew_score: Decimal | None = None
    adjusted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSession:
    """All results of a session, and the number of plain iterations to return."""

    results: tuple[BoardResult, ...]
    iterations: int = 0
    date: date | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """Number of boards and sum of scores of one contestant.

    `boards` and `total` include all boards; `played` and `earned` leave out boards with artificial scores.
    """

    boards: int
    total: Fraction
    played: int
    earned: Fraction


@dataclass(frozen=True, slots=True)
class RankedValue:
    """A mean per board with its place; both None for a contestant who has only artificial scores."""

    value: float | None
    place: int | None


@dataclass(frozen=True, slots=True)
class AdjustedContestant:
    """One contestant. ``official`` is the exact mean per board, ``place`` the place among all contestants.

    ``steps`` has the plain iterations from 0 on and ``adjusted`` the fixed point, with places within the
    component. ``component`` counts from 1.
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
    """A warning about components: ``bipartite``, ``disconnected`` or ``unbalanced``."""

    code: str
    components: tuple[int, ...]
    message: str


@dataclass(frozen=True, slots=True)
class StrengthResult:
    """Contestants in the order in which the results first name them."""

    regulation: str
    components: int
    warnings: tuple[SessionWarning, ...]
    contestants: tuple[AdjustedContestant, ...]
