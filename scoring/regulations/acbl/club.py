"""The ACBL's club awards and section awards.

A section is a part of an event's tables with a ranking of its own. The winner gets 0.1 points per contestant,
at most 1.5. The document prints the shares of the winner's award that places 2 to 4 get. From place 5 on,
place k gets one k-th of the winner's award.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from fractions import Fraction

from scoring.engine.placed import Ladder, PlacedEvent
from scoring.engine.rounding import decimal_of
from scoring.engine.strictjson import Fields
from scoring.engine.types import Step
from scoring.regulations.filing import Filing
from scoring.regulations.labels import gettext_noop
from scoring.regulations.places.receipt import exact_text
from scoring.regulations.places.scheme import Derivation, PlaceScheme, read_common

from . import tables
from .labels import ARTICLES
from .shared import (
    ROUNDING,
    check_factors,
    curve_step,
    paid_places,
    places_step,
    read_factors,
    share_step,
)

KNOWN = ("depth",)
CLUB = "club"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubEvent(PlacedEvent):
    """The ranking of a club event.

    ``factors`` may contain ``depth``, the share of the contestants that get an award.
    """

    factors: dict[str, Decimal] = field(default_factory=dict)

    @property
    def depth(self) -> Decimal:
        return self.factors.get("depth", tables.CLUB_DEPTH)


def curve(place: int) -> Fraction:
    """Return the share of the winner's award that a place gets, c(k) in the formulas."""
    if place <= len(tables.CLUB_STEPS):
        return tables.CLUB_STEPS[place - 1]
    return Fraction(1, place)


def winner_of(contestants: int) -> Fraction:
    """Return the winner's award in points, which grows with the number of contestants up to a cap."""
    return min(tables.CLUB_PER_CONTESTANT * contestants, tables.CLUB_MOST)


class Club(PlaceScheme[ClubEvent]):
    """The scheme of club awards and section awards."""

    code = "acbl-club"
    title = gettext_noop("ACBL club awards")
    family = "acbl"
    filing = Filing(alone=frozenset({"club"}))
    valid_from = date(2003, 11, 1)
    own_fields = ("factors",)
    coefficients = ("winner",)
    articles = ARTICLES
    places_article = CLUB

    def read_own(self, fields: Fields) -> ClubEvent:
        return ClubEvent(factors=read_factors(fields, KNOWN), **read_common(fields))

    def check(self, event: ClubEvent) -> None:
        check_factors(event.factors, KNOWN)

    def derive(self, event: ClubEvent) -> Derivation:
        winner = winner_of(event.count)
        paid = paid_places(event.depth, event.count)
        ladder = Ladder(paid, lambda place: winner * curve(place), ROUNDING)
        return Derivation({"winner": decimal_of(winner)}, ladder)

    def event_steps(self, event: ClubEvent) -> tuple[Step, ...]:
        value = decimal_of(winner_of(event.count))
        capped = tables.CLUB_PER_CONTESTANT * event.count > tables.CLUB_MOST
        working = f"W = min(0.1·{event.count}, 1.5) = {exact_text(winner_of(event.count))}"
        params = {"contestants": event.count}
        code = "cap" if capped else "contestants"
        winner = Step("winner", code, value, "W = min(0.1·n, 1.5)", working, CLUB, params=params)
        return (winner, places_step(event.depth, event.count, "depth" not in event.factors, CLUB))

    def curve_step(self, event: ClubEvent, place: int) -> Step:
        share = curve(place)
        if place > len(tables.CLUB_STEPS):
            return curve_step(place, share, "one_of_k", "c(k) = 1/k", f"1/{place}", CLUB)
        printed = ", ".join(exact_text(step) for step in tables.CLUB_STEPS)
        return curve_step(place, share, "printed", f"c(k) = {printed}", exact_text(share), CLUB)

    def place_step(self, event: ClubEvent, place: int) -> Step:
        code = "step" if place <= len(tables.CLUB_STEPS) else "share"
        return share_step(winner_of(event.count), place, curve, code, CLUB)


CLUB_AWARDS = Club()
