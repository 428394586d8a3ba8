"""Events whose awards depend on the place alone: what every such scheme is given, and how it treats ties."""

from __future__ import annotations

from collections.abc import Callable
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
    """One ranking by place; each scheme adds what else its formula needs.

    ``contestant_count`` counts contestants where only some are listed. ``venue`` decides nothing here: it
    is kept for whoever files the points by it.
    """

    contestants: tuple[Contestant, ...]
    contestant_count: int | None = None
    ties: str = "mean"
    date: date | None = None
    venue: str = "in_person"

    # Nothing here looks at anybody but the listed players.
    session_seats: ClassVar[None] = None

    @property
    def count(self) -> int:
        """Contestants that took part, listed or not."""
        return len(self.contestants) if self.contestant_count is None else self.contestant_count

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Everybody who is listed."""
        return tuple(seat for contestant in self.contestants for seat in contestant.seats)

    def size_of(self, place: int) -> int:
        """How many listed contestants share the place."""
        return sum(contestant.place == place for contestant in self.contestants)


def check_placed(event: PlacedEvent) -> None:
    """Raises an EngineError for the first thing in the ranking that no scheme can score."""
    if event.ties not in TIES:
        raise EngineError("unknown_ties", "ties", f"{event.ties!r} is not one of {', '.join(TIES)}")
    check_contestants(event)
    tie_sizes(event)


@dataclass(frozen=True, slots=True)
class Ladder:
    """The awards of the places: ``award(k)`` unrounded for k up to ``paid``, nothing below."""

    paid: int
    award: Callable[[int], Fraction]
    rounding: Rounding

    def at(self, place: int) -> Fraction:
        """The unrounded award of a place that nobody shares."""
        return self.award(place) if place <= self.paid else NOTHING

    def shared(self, place: int, size: int, ties: str) -> Fraction:
        """The unrounded award of each of ``size`` contestants on the same place."""
        if size == 1 or ties == "best":
            return self.at(place)
        if ties == "mean_place":
            # Between two places there is no award: an even number of contestants gets the mean of the two.
            return (self.at(place + (size - 1) // 2) + self.at(place + size // 2)) / 2
        paid = range(place, min(place + size, self.paid + 1))
        return sum((self.award(k) for k in paid), NOTHING) / size

    @property
    def last(self) -> Fraction:
        """The unrounded award of the last paid place, nothing where no place is paid."""
        return self.at(self.paid) if self.paid else NOTHING

    def points(self, exact: Fraction) -> int:
        """The rounded award in hundredths, at the decimals of the scheme."""
        return self.rounding.units(exact) * 10 ** (2 - self.rounding.decimals)


def awards(event: PlacedEvent, ladder: Ladder) -> tuple[Award, ...]:
    """What every contestant earns, in the order of the event; ``i`` is the place, or the mean place."""
    shared = {}
    for place, size in tie_sizes(event).items():
        exact = ladder.shared(place, size, event.ties)
        i = EXACT.divide(Decimal(2 * place + size - 1), 2) if event.ties == "mean_place" else Decimal(place)
        shared[place] = (i, ladder.points(exact), decimal_of(exact))
    return tuple(
        Award(
            contestant.id,
            contestant.place,
            *shared[contestant.place],
            tuple(seat.id for seat in contestant.seats),
        )
        for contestant in event.contestants
    )
