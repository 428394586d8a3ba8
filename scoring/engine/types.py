"""Input and output of the engine: immutable values without behaviour."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any, Protocol

FORMATS = ("pairs", "teams", "individual")
TIES = ("mean", "mean_place", "best")
PLACE_RULES = ("text", "even")


@dataclass(frozen=True, slots=True)
class Seat:
    """A person at the table. ``id`` is unique in the event; ``category`` is a code, None if unclassified."""

    id: str
    category: str | None = None
    licensed: bool = False


@dataclass(frozen=True, slots=True)
class Contestant:
    """A pair, team or individual with either its place or ``i``, its position in a field counted in pairs."""

    id: str
    place: int | None = None
    seats: tuple[Seat, ...] = ()
    i: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """One ranking to be scored.

    ``boards`` is the number the winner played; ``boards_scheduled`` (default: the same) is compared with the
    minimum number of boards. ``contestant_count`` is the number of contestants if only some are listed.
    ``c4`` replaces the mean of the categories. ``place_rule`` selects how a place becomes a position among n
    (``Scheme.position``). ``session_seats`` lists all seats of the session if this ranking is one of its two
    fields, because categories and eligibility depend on both; None means the listed contestants' seats.
    """

    event_type: str
    format: str
    boards: int
    venue: str
    contestants: tuple[Contestant, ...]
    boards_scheduled: int | None = None
    contestant_count: int | None = None
    c4: Decimal | None = None
    ties: str = "mean"
    place_rule: str = "text"
    session_seats: tuple[Seat, ...] | None = None
    date: date | None = None

    @property
    def count(self) -> int:
        """Number of contestants that took part, listed or not."""
        return len(self.contestants) if self.contestant_count is None else self.contestant_count

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that C4 and eligibility are computed from."""
        if self.session_seats is not None:
            return self.session_seats
        return tuple(seat for contestant in self.contestants for seat in contestant.seats)


class ListedEvent(Protocol):
    """The attributes of an event of any scheme that the checks of contestants and places use."""

    @property
    def contestants(self) -> tuple[Contestant, ...]: ...

    @property
    def contestant_count(self) -> int | None: ...

    @property
    def session_seats(self) -> tuple[Seat, ...] | None: ...

    @property
    def count(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason why an event does not count.

    ``code`` identifies the reason; ``params`` holds the integers that its message needs.
    """

    code: str
    params: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Award:
    """Points that each seat of a contestant earns: ``points`` in hundredths, ``exact`` before rounding."""

    contestant: str
    place: int | None
    i: Decimal
    points: int
    exact: Decimal
    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """A scored event. ``awards`` follow the order of the contestants; empty if the event is not eligible."""

    regulation: str
    eligible: bool
    reasons: tuple[Reason, ...]
    n: Decimal
    coefficients: dict[str, Decimal]
    p_max: Decimal
    p_min: Decimal
    awards: tuple[Award, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a receipt.

    ``key`` names the quantity (C1 … C5, n, p_max, p_min, i, award, rounding), ``code`` the branch of its rule
    that applied, ``value`` its exact value. ``formula`` is the rule in symbols, ``working`` the same with
    this event's numbers (six decimals at most); neither contains words. ``article`` and ``table`` (may be
    empty) locate the rule in the document. ``params`` holds the values for a sentence about the step.
    """

    key: str
    code: str
    value: Decimal
    formula: str
    working: str
    article: str
    table: str = ""
    params: dict[str, Any] = field(default_factory=dict)
