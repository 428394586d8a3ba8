"""Overall awards of the ACBL: a product of six factors for the winner, and shares of it for other places.

The factors are the size of the field (B), the tournament's rating (R), the number of sessions (S), the
masterpoint limit (M), who may play (P) and the type of contest (T).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import ceil

from scoring.engine.errors import EngineError
from scoring.engine.placed import Ladder, PlacedEvent
from scoring.engine.points import EXACT, plain, short
from scoring.engine.rounding import decimal_of
from scoring.engine.strictjson import Fields, as_decimal, as_integer, as_text
from scoring.engine.types import Step
from scoring.engine.validation import MOST_CONTESTANTS, in_range
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

KNOWN = (*tables.FACTORS, "depth")
PERSONS_PER_TABLE = 4
FORMULA, SIZE, PLACES = "formula", "B", "places"


@dataclass(frozen=True, slots=True, kw_only=True)
class OverallEvent(PlacedEvent):
    """The ranking of a tournament with overall awards.

    ``factors`` must contain ``M``, ``T`` and ``depth`` (the share of contestants that get an award). If it
    also contains ``B``, ``R``, ``S`` or ``P``, these replace the values of the tables.
    """

    tables: Decimal
    rating: str
    sessions: int
    restriction: str = "none"
    factors: dict[str, Decimal] = field(default_factory=dict)


def curve(place: int) -> Fraction:
    """Return the share of the winner's award that place k gets: the larger of 0.75^(k−1) and 1/k."""
    if place <= tables.OVERALL_STEPS_END:
        return tables.OVERALL_STEP ** (place - 1)
    return Fraction(1, place)


def half_tables(persons: int) -> Decimal:
    """Return the number of tables at which this many persons sit, rounded up to half a table."""
    return Decimal(-(-2 * persons // PERSONS_PER_TABLE)) / 2


def whole_tables(number: Decimal) -> int:
    """Return the number of tables, with a half table rounded up to a whole one."""
    return ceil(Fraction(number))


@lru_cache(maxsize=1024)
def size_factor(number: int) -> Fraction:
    """Return the factor for the size of the field (B), exact to 60 digits.

    number: the number of tables
    """
    if number <= tables.LINE_ENDS:
        return Fraction(number + 10, 60)
    return Fraction(EXACT.divide(Decimal(number), Decimal(4)).log10(EXACT))


class Overall(PlaceScheme[OverallEvent]):
    """The scheme of overall awards."""

    code = "acbl-overall"
    title = gettext_noop("ACBL overall awards")
    family = "acbl"
    filing = Filing(alone=frozenset())
    valid_from = date(2003, 11, 1)
    own_fields = ("tables", "rating", "sessions", "restriction", "factors")
    coefficients = tables.FACTORS
    articles = ARTICLES
    places_article = PLACES

    def read_own(self, fields: Fields) -> OverallEvent:
        return OverallEvent(
            tables=fields.read("tables", as_decimal),
            rating=fields.read("rating", as_text),
            sessions=fields.read("sessions", as_integer),
            restriction=fields.read("restriction", as_text, default="none"),
            factors=read_factors(fields, KNOWN),
            **read_common(fields),
        )

    def check(self, event: OverallEvent) -> None:
        in_range("tables", event.tables, Decimal("0.5"), MOST_CONTESTANTS)
        if Fraction(event.tables).denominator > 2:
            raise EngineError("bad_number", "tables", f"{event.tables} is not a number of half tables")
        if event.rating not in tables.RATINGS:
            message = f"{event.rating!r} is not one of {', '.join(tables.RATINGS)}"
            raise EngineError("unknown_rating", "rating", message)
        in_range("sessions", event.sessions, 1, tables.MOST_SESSIONS)
        if event.restriction not in tables.RESTRICTIONS:
            message = f"{event.restriction!r} is not one of {', '.join(tables.RESTRICTIONS)}"
            raise EngineError("unknown_restriction", "restriction", message)
        check_factors(event.factors, KNOWN)
        missing = [name for name in tables.UNSOURCED if name not in event.factors]
        if missing:
            message = f"no source gives {', '.join(missing)}: the event has to"
            raise EngineError("missing_factor", f"factors.{missing[0]}", message)

    def factors(self, event: OverallEvent) -> dict[str, Fraction]:
        """Return the six unrounded factors by name. A factor of the event replaces that of the tables."""
        values = {
            "B": size_factor(whole_tables(event.tables)),
            "R": Fraction(tables.RATINGS[event.rating]),
            "S": Fraction(event.sessions + 1, 2),
            "P": Fraction(tables.RESTRICTIONS[event.restriction]),
        }
        values |= {name: Fraction(value) for name, value in event.factors.items()}
        return {name: values[name] for name in tables.FACTORS}

    def products(self, event: OverallEvent) -> tuple[Fraction, ...]:
        """Return the running products of the six factors: B, B·R and so on. The last is the winner's award.

        Every product from B·R on is rounded before the next factor is applied.
        """
        size, *factors = self.factors(event).values()
        running = [size]
        for factor in factors:
            running.append(ROUNDING(running[-1] * factor))
        return tuple(running)

    def derive(self, event: OverallEvent) -> Derivation:
        winner = self.products(event)[-1]
        coefficients = {name: decimal_of(value) for name, value in self.factors(event).items()}
        paid = paid_places(event.factors["depth"], event.count)
        return Derivation(coefficients, Ladder(paid, lambda place: winner * curve(place), ROUNDING))

    def event_steps(self, event: OverallEvent) -> tuple[Step, ...]:
        return (
            *(self._factor_step(event, name, value) for name, value in self.factors(event).items()),
            self._winner_step(event),
            places_step(event.factors["depth"], event.count, False, PLACES),
        )

    def _factor_step(self, event: OverallEvent, name: str, value: Fraction) -> Step:
        shown = short(decimal_of(value))
        text = f"{name} = {shown}"
        if name in event.factors:
            return Step(name, "given", decimal_of(value), name, text, FORMULA)
        if name == "B":
            count = whole_tables(event.tables)
            code = "line" if count <= tables.LINE_ENDS else "logarithm"
            formula = "B = (t + 10)/60" if code == "line" else "B = log₁₀(t/4)"
            working = f"{formula.replace('t', str(count))} = {shown}"
            params = {"tables": event.tables, "whole": count}
            return Step(name, code, decimal_of(value), formula, working, SIZE, params=params)
        if name == "S":
            working = f"S = ({event.sessions} + 1)/2 = {shown}"
            params = {"sessions": event.sessions}
            return Step(name, "sessions", decimal_of(value), "S = (s + 1)/2", working, FORMULA, params=params)
        code, row = {"R": ("rating", event.rating), "P": ("restriction", event.restriction)}[name]
        return Step(name, code, decimal_of(value), text, text, FORMULA, name, {code: row})

    def _winner_step(self, event: OverallEvent) -> Step:
        size, *factors = self.factors(event).values()
        running = self.products(event)
        working = short(decimal_of(size))
        for factor, product in zip(factors, running[1:], strict=True):
            working += f"·{plain(decimal_of(factor))} → {exact_text(product)}"
        params = {"products": tuple(decimal_of(product) for product in running)}
        return Step(
            "winner",
            "product",
            decimal_of(running[-1]),
            "W = B·R·S·M·P·T",
            f"W = {working}",
            FORMULA,
            params=params,
        )

    def curve_step(self, event: OverallEvent, place: int) -> Step:
        share = curve(place)
        if place > tables.OVERALL_STEPS_END:
            return curve_step(place, share, "one_of_k", "c(k) = 1/k", f"1/{place}", PLACES)
        step = exact_text(tables.OVERALL_STEP)
        return curve_step(place, share, "power", f"c(k) = {step}^(k − 1)", f"{step}^({place} − 1)", PLACES)

    def place_step(self, event: OverallEvent, place: int) -> Step:
        code = "first" if place == 1 else "quarter" if place <= tables.OVERALL_STEPS_END else "share"
        return share_step(self.products(event)[-1], place, curve, code, PLACES)


OVERALL = Overall()
