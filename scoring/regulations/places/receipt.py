"""The derivation of one contestant's points under a scheme that awards by place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, Protocol, TypeVar

from scoring.engine.errors import EngineError
from scoring.engine.placed import Ladder, PlacedEvent
from scoring.engine.points import EXACT, ZERO, plain, short
from scoring.engine.rounding import decimal_of
from scoring.engine.types import Award, Result, Step

from .lines import points_text

EventType = TypeVar("EventType", bound=PlacedEvent, contravariant=True)

SMALLEST = {0: "0.5 → 1", 1: "0.05 → 0.1", 2: "0.005 → 0.01"}
EVEN = "0.005 → 0.00, 0.015 → 0.02"


class Scheme(Protocol[EventType]):
    """The attributes and methods of a scheme that a receipt uses."""

    @property
    def places_article(self) -> str: ...

    def event_steps(self, event: EventType) -> tuple[Step, ...]: ...

    def place_step(self, event: EventType, place: int) -> Step: ...

    def preceding(self, event: EventType, place: int) -> Iterable[int]: ...

    def curve_step(self, event: EventType, place: int) -> Step | None: ...


def steps(
    scheme: Scheme[EventType], event: EventType, ladder: Ladder, result: Result, contestant_id: str
) -> tuple[Step, ...]:
    """Return the steps of one contestant's receipt. Raise EngineError ``unknown_contestant``.

    The first steps are the same for all contestants. The next steps compute the awards of the places that the
    contestant shares with tied ones, and of places above if a place's award is computed from them. The last
    steps have the keys ``i`` (the contestant's place), ``award`` and ``rounding``.
    """
    award = next((a for a in result.awards if a.contestant == contestant_id), None)
    if award is None:
        message = f"the event has no contestant {contestant_id!r}"
        raise EngineError("unknown_contestant", "contestants", message)
    return (
        *scheme.event_steps(event),
        *_place_steps(scheme, event, _paid_places(event, ladder, award)),
        _place_step(scheme, event, award),
        _award_step(scheme, event, ladder, award),
        _rounding_step(scheme, ladder, award),
    )


def _place_step(scheme: Scheme[EventType], event: EventType, award: Award) -> Step:
    place = _place_of(award)
    size = event.size_of(place)
    code = "mean_place" if size > 1 and event.ties == "mean_place" else "place"
    params = {"place": place, "tied": size, "last_place": place + size - 1}
    working = f"k = {plain(award.i)}"
    return Step("i", code, award.i, "k", working, scheme.places_article, params=params)


def _place_of(award: Award) -> int:
    assert award.place is not None  # `scoring.engine.placed.awards` awards by place alone
    return award.place


def _places_of(event: PlacedEvent, award: Award) -> Sequence[int]:
    """Return the places whose awards are averaged to give the contestant's award.

    Tied contestants occupy several places. The rule ``event.ties`` says which of them count: only the best
    ("best"), the middle one or two ("mean_place"), or all.
    """
    place = _place_of(award)
    size = event.size_of(place)
    if size == 1 or event.ties == "best":
        return (place,)
    if event.ties == "mean_place":
        return (place + (size - 1) // 2, place + size // 2)
    return range(place, place + size)


def _paid_places(event: PlacedEvent, ladder: Ladder, award: Award) -> list[int]:
    """Return the paid places from which the contestant's award is computed, in ascending order.

    The award of tied contestants can be the mean of the awards of several places. Unpaid places may be among
    these; they are left out here.
    """
    return sorted({k for k in _places_of(event, award) if k <= ladder.paid})


def _place_steps(scheme: Scheme[EventType], event: EventType, paid: list[int]) -> Iterator[Step]:
    """Yield the receipt steps that compute the awards of some paid places, in ascending order of place.

    This includes the steps of other places whose awards are needed for these awards.

    paid: the paid places, in ascending order
    """
    needed = {k for place in paid for k in scheme.preceding(event, place)}
    if len(paid) > 1:
        needed.update(paid)
    for place in sorted(needed | set(paid)):
        if share := scheme.curve_step(event, place):
            yield share
        if place in needed:
            yield replace(scheme.place_step(event, place), key="link")


def _award_step(scheme: Scheme[EventType], event: EventType, ladder: Ladder, award: Award) -> Step:
    place, occupied = _place_of(award), _places_of(event, award)
    if occupied[0] > ladder.paid:
        return _unpaid(scheme, ladder, award)
    if len(occupied) == 1:
        return scheme.place_step(event, place)
    paid = [k for k in occupied if k <= ladder.paid]
    shares = tuple((k, decimal_of(ladder.at(k))) for k in paid)
    terms = " + ".join(short(share) for _, share in shares)
    if len(paid) < len(occupied):
        terms += f" + {len(occupied) - len(paid)}·0"
    params = {"place": place, "tied": event.size_of(place), "ties": event.ties, "shares": shares}
    return Step(
        "award",
        "tie_mean" if event.ties == "mean" else "tie_mean_place",
        award.exact,
        "(A(k₁) + … + A(kₜ))/t",
        f"({terms})/{len(occupied)} = {short(award.exact)}",
        scheme.places_article,
        params=params,
    )


def _unpaid(scheme: Scheme[Any], ladder: Ladder, award: Award) -> Step:
    working = f"{award.place} > {ladder.paid}: 0"
    params = {"place": award.place, "paid": ladder.paid}
    return Step("award", "unpaid", ZERO, "k > K: 0", working, scheme.places_article, params=params)


def _rounding_step(scheme: Scheme[Any], ladder: Ladder, award: Award) -> Step:
    rounding = ladder.rounding
    code = "half_up" if rounding.half == "up" else "half_even"
    formula = SMALLEST[rounding.decimals] if rounding.half == "up" else EVEN
    working = f"{short(award.exact)} → {points_text(award.points, rounding.decimals)}"
    value = Decimal(award.points).scaleb(-2, EXACT)
    params = {"decimals": rounding.decimals}
    return Step("rounding", code, value, formula, working, scheme.places_article, params=params)


def exact_text(value: Fraction) -> str:
    """Return a fraction as text for a formula.

    The text is a decimal if the fraction has a finite decimal expansion, else a quotient such as "2/3".
    """
    decimal = decimal_of(value)
    return short(decimal) if Fraction(decimal) == value else f"{value.numerator}/{value.denominator}"
