"""Events that are scored by place alone: their input and their awards, also those of tied contestants."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import ClassVar

from .errors import EngineError
from .points import EXACT
from .ranking import tie_sizes
from .rounding import Rounding, decimal_of
from .types import TIES, Award, Contestant, Seat
from .validation import check_contestants

NOTHING = Fraction(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedEvent:
    """A ranking to score by place. Each scheme has a subclass with the fields that its formulas need.

    ``contestant_count`` is the number of contestants; it is needed only if not all of them are listed.
    ``venue`` does not affect the award; the ledger uses it to add up points in person and online separately.
    """

    contestants: tuple[Contestant, ...]
    contestant_count: int | None = None
    ties: str = "mean"
    date: date | None = None
    venue: str = "in_person"

    # An event scored by place never lists further seats of the session, as an `Event` may.
    session_seats: ClassVar[None] = None

    @property
    def count(self) -> int:
        """The number of contestants that took part, including those not listed."""
        return len(self.contestants) if self.contestant_count is None else self.contestant_count

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats of all listed contestants."""
        return tuple(seat for contestant in self.contestants for seat in contestant.seats)

    def size_of(self, place: int) -> int:
        """Return how many listed contestants share the place."""
        return sum(contestant.place == place for contestant in self.contestants)


def check_placed(event: PlacedEvent) -> None:
    """Raise EngineError for the first fault in the ties rule, the contestants or the places.

    The checks are the same for all schemes by place.
    """
    if event.ties not in TIES:
        raise EngineError("unknown_ties", "ties", f"{event.ties!r} is not one of {', '.join(TIES)}")
    check_contestants(event)
    tie_sizes(event)


@dataclass(frozen=True, slots=True)
class Ladder:
    """The unrounded award of each place in an event, and how to round it.

    paid: the number of places that earn points; places beyond it get 0
    award: returns the unrounded award of a place from 1 to ``paid``
    """

    paid: int
    award: Callable[[int], Fraction]
    rounding: Rounding

    def at(self, place: int) -> Fraction:
        """Return the unrounded award of a place that only one contestant has."""
        return self.award(place) if place <= self.paid else NOTHING

    def shared(self, place: int, size: int, ties: str) -> Fraction:
        """Return the unrounded award of each of the ``size`` contestants that share a place.

        They occupy ``place`` and the places after it. ``ties`` says what each of them gets: ``best`` (the
        award of ``place``), ``mean_place`` (the award of the middle of the occupied places) or ``mean`` (the
        mean of the awards of all occupied places).
        """
        if size == 1 or ties == "best":
            return self.at(place)
        if ties == "mean_place":
            # With an even number of contestants, the middle is between two places: take the mean of their
            # awards.
            return (self.at(place + (size - 1) // 2) + self.at(place + size // 2)) / 2
        paid = range(place, min(place + size, self.paid + 1))
        return sum((self.award(k) for k in paid), NOTHING) / size

    @property
    def last(self) -> Fraction:
        """The unrounded award of the last paid place, or 0 if no place is paid."""
        return self.at(self.paid) if self.paid else NOTHING

    def points(self, exact: Fraction) -> int:
        """Round an exact award as the scheme prescribes. Return it in hundredths of a point."""
        return self.rounding.units(exact) * 10 ** (2 - self.rounding.decimals)


def awards(event: PlacedEvent, ladder: Ladder) -> tuple[Award, ...]:
    """Return every contestant's award, in the order of the event.

    The field ``i`` of an award is the contestant's place. If ``event.ties`` is ``mean_place``, it is the mean
    of the places that the tied contestants occupy.
    """
    shared: dict[int, tuple[Decimal, int, Decimal]] = {}
    for place, size in tie_sizes(event).items():
        exact = ladder.shared(place, size, event.ties)
        i = EXACT.divide(Decimal(2 * place + size - 1), 2) if event.ties == "mean_place" else Decimal(place)
        shared[place] = (i, ladder.points(exact), decimal_of(exact))
    return tuple(_award(contestant, shared) for contestant in event.contestants)


def _award(contestant: Contestant, shared: Mapping[int, tuple[Decimal, int, Decimal]]) -> Award:
    assert contestant.place is not None  # an event scored by place always has places
    seats = tuple(seat.id for seat in contestant.seats)
    return Award(contestant.id, contestant.place, *shared[contestant.place], seats)
