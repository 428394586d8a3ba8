"""What goes into the engine and what comes out: immutable values without behaviour."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

FORMATS = ("pairs", "teams", "individual")
TIES = ("mean", "mean_place", "best")
PLACE_RULES = ("text", "even")


@dataclass(frozen=True, slots=True)
class Seat:
    """A person at the table: an id unique in the event, a category code (None: unclassified), a licence."""

    id: str
    category: str | None = None
    licensed: bool = False


@dataclass(frozen=True, slots=True)
class Contestant:
    """A pair, team or individual with its place, or instead of it with ``i``, its position in pairs."""

    id: str
    place: int | None = None
    seats: tuple[Seat, ...] = ()
    i: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """One ranking to be scored.

    ``boards`` are those the winner played, ``boards_scheduled`` (default: the same) what a minimum of boards
    looks at. ``contestant_count`` counts contestants where only some are listed. ``c4`` replaces the mean of
    the categories. ``place_rule`` says where a place sits among n (``Scheme.position``).
    ``session_seats`` are everybody of the session where this ranking is one of its two fields: categories
    and eligibility look at all of them; None means the listed contestants' seats.
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
        """Contestants that took part, listed or not."""
        return len(self.contestants) if self.contestant_count is None else self.contestant_count

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Everybody whom categories and eligibility look at."""
        if self.session_seats is not None:
            return self.session_seats
        return tuple(seat for contestant in self.contestants for seat in contestant.seats)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an event does not count: a code and the whole numbers that a sentence about it needs."""

    code: str
    params: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Award:
    """What every seat of one contestant earns: ``points`` in hundredths, ``exact`` before rounding."""

    contestant: str
    place: int | None
    i: Decimal
    points: int
    exact: Decimal
    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """A scored event. ``awards`` follow the order of the contestants and are empty if it is not eligible."""

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

    ``key`` names the quantity (C1 … C5, n, p_max, p_min, i, award, rounding), ``code`` which branch of its
    rule applied, ``value`` its exact value. ``formula`` is the rule in symbols and ``working`` the same with
    this event's numbers (shortened to six decimals), both without words. ``article`` and ``table`` say where
    the rule is printed (table may be empty). ``params`` holds what a sentence about the step needs.
    """

    key: str
    code: str
    value: Decimal
    formula: str
    working: str
    article: str
    table: str = ""
    params: dict[str, Any] = field(default_factory=dict)
