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
    """One person of a contestant.

    id: unique in the event
    category: the code of the person's category, or None
    licensed: whether the person holds a licence that counts for the event
    """

    id: str
    category: str | None = None
    licensed: bool = False


@dataclass(frozen=True, slots=True)
class Contestant:
    """A pair, team or individual in a ranking, with either a place or a position.

    place: the place in the ranking
    i: the position, that is, the place converted to a ranking of pairs (`Event.place_rule`)
    """

    id: str
    place: int | None = None
    seats: tuple[Seat, ...] = ()
    i: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """One ranking to score by a regulation of the AEB.

    boards: the number of boards that the winner played
    boards_scheduled: the number to compare with the required minimum; by default ``boards``
    contestant_count: the number of contestants, needed only if not all of them are listed
    c4: the mean of the players' category values, if it is not to be computed from the seats
    place_rule: how a place is converted to a position (``Scheme.position``)
    session_seats: the seats of the whole session if this ranking is only one of its two fields; else None.
    The strength of the field and eligibility depend on both fields.
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
        """The number of contestants that took part, including those not listed."""
        return len(self.contestants) if self.contestant_count is None else self.contestant_count

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats from which the strength of the field (C4) and eligibility are computed."""
        if self.session_seats is not None:
            return self.session_seats
        return tuple(seat for contestant in self.contestants for seat in contestant.seats)


class ListedEvent(Protocol):
    """The attributes that events of all schemes have, and that the checks of contestants and places use."""

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
    """A reason why an event earns no points.

    ``code`` identifies the reason. ``params`` holds the integers that its message shows.
    """

    code: str
    params: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Award:
    """The points that each seat of a contestant earns.

    contestant: the contestant's id
    i: the contestant's position; under schemes by place, the place
    points: the rounded points in hundredths
    exact: the points before rounding
    seats: the ids of the contestant's persons
    """

    contestant: str
    place: int | None
    i: Decimal
    points: int
    exact: Decimal
    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """The result of scoring an event.

    regulation: the code of the regulation
    reasons: why the event is not eligible; empty if it is
    n: the size of the field; under the AEB's regulations, counted in pairs
    p_max, p_min: the unrounded points of the first place and of the last place that earns points
    awards: the awards in the order of the contestants; empty if the event is not eligible
    """

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

    key: the quantity that the step computes, such as ``C1``, ``p_max``, ``award`` or ``rounding``
    code: which case of the rule applied
    value: the exact value of the quantity
    formula: the rule in symbols, without words
    working: the same formula with this event's numbers, which have six decimals at most
    article, table: where the document states the rule; ``table`` may be empty
    params: the values for a sentence about the step
    """

    key: str
    code: str
    value: Decimal
    formula: str
    working: str
    article: str
    table: str = ""
    params: dict[str, Any] = field(default_factory=dict)
