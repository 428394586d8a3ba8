"""What a session with board results is and what its adjustment says."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class BoardResult:
    """One board at one table. Without ``ew_score`` East-West have the complement.

    ``adjusted`` marks an artificial score: official, but no evidence of anybody's strength.
    """

    board: str
    ns: str
    ew: str
    ns_score: Decimal
    ew_score: Decimal | None = None
    adjusted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSession:
    """All results of a session, and how many plain iterations to show."""

    results: tuple[BoardResult, ...]
    iterations: int = 0
    date: date | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """A figure per board with its place; both None for a contestant with artificial scores only."""

    value: float | None
    place: int | None


@dataclass(frozen=True, slots=True)
class Adjusted:
    """One contestant. ``official`` is the exact mean per board, ``place`` among everybody.

    ``steps`` holds the plain iterations from 0 on and ``adjusted`` the fixed point, with places within the
    component. ``component`` counts from 1.
    """

    id: str
    boards: int
    component: int | None
    official: Decimal
    place: int
    steps: tuple[Placed, ...]
    adjusted: Placed


@dataclass(frozen=True, slots=True)
class Warned:
    """Something the reader must know: ``bipartite``, ``disconnected`` or ``unbalanced``."""

    code: str
    components: tuple[int, ...]
    message: str


@dataclass(frozen=True, slots=True)
class StrengthResult:
    """Contestants in the order in which the results first name them."""

    regulation: str
    components: int
    warnings: tuple[Warned, ...]
    contestants: tuple[Adjusted, ...]
