"""The Swedish bronze and silver points proposed in 2019 (SBF 2019).

A quarter of the contestants is paid. The winner's award, W, depends on the size of the field. The award of
place k is the award of the place above times a factor, but at least W/k. The awards that are computed as such
products are called the links of a chain.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from scoring.engine.errors import EngineError
from scoring.engine.placed import Ladder, PlacedEvent
from scoring.engine.points import short
from scoring.engine.rounding import Rounding, decimal_of
from scoring.engine.strictjson import Fields, as_integer, as_text
from scoring.engine.types import Step
from scoring.engine.validation import MOST_BOARDS, in_range
from scoring.regulations.filing import Filing
from scoring.regulations.labels import gettext_noop
from scoring.regulations.places.receipt import exact_text
from scoring.regulations.places.scheme import Derivation, PlaceScheme, read_common

from . import tables
from .labels import ARTICLES

# The document says "two decimals behind the facade": every link of the chain is rounded to two decimals, but
# the winner's points are not. This is one of the readings that leave the fewest misprints.
CHAIN = Rounding(2, "up")
MOST_DECIMALS = 2
WINNER, PLACES, SILVER = "winner", "places", "silver"


@dataclass(frozen=True, slots=True, kw_only=True)
class SbfEvent(PlacedEvent):
    """A ranking to score under SBF 2019.

    decimals: to how many decimals the awards are rounded
    boards: the number of boards; only silver points depend on it
    places_table: the table, ``A`` or ``AY``, that gives the factor by which a place's award is multiplied to
        give the next place's; only bronze points use it
    """

    decimals: int
    boards: int | None = None
    places_table: str = "AY"


@lru_cache(maxsize=1024)
def chain(winner: Fraction, factor: Fraction, paid: int) -> tuple[Fraction, ...]:
    """Return the links of the chain: the awards of the places before the first that gets W/k.

    W is the winner's award and the first link. Every other link is the link above times ``factor``, rounded.
    The chain ends before the first place k whose product is less than W/k. That place and all later ones get
    W/k.

    paid: the number of paid places; the chain has at most as many links
    """
    links = [winner]
    while len(links) < paid:
        link = CHAIN(links[-1] * factor)
        if link < winner / (len(links) + 1):
            break
        links.append(link)
    return tuple(links)


class Sbf2019(PlaceScheme[SbfEvent]):
    """The base class of the schemes for bronze and silver points."""

    valid_from = date(2019, 1, 1)
    coefficients = ("winner", "factor", "places")
    articles = ARTICLES
    places_article = PLACES
    default_decimals: int

    @abstractmethod
    def winner(self, event: SbfEvent) -> Fraction:
        """Return the winner's unrounded points."""

    @abstractmethod
    def factor(self, event: SbfEvent) -> Fraction:
        """Return the factor f, by which a place's award is multiplied to give the next place's."""

    def check(self, event: SbfEvent) -> None:
        in_range("decimals", event.decimals, 0, MOST_DECIMALS)

    def decimals_of(self, event: SbfEvent) -> int:
        return event.decimals

    def paid(self, event: SbfEvent) -> int:
        """Return the number of paid places: a quarter of the contestants, rounded up."""
        return -(-event.count // tables.PAID_ONE_IN)

    def derive(self, event: SbfEvent) -> Derivation:
        winner, factor, paid = self.winner(event), self.factor(event), self.paid(event)
        links = chain(winner, factor, paid)
        coefficients = {
            "winner": decimal_of(winner),
            "factor": decimal_of(factor),
            "places": Decimal(paid),
        }

        def award(place: int) -> Fraction:
            return links[place - 1] if place <= len(links) else winner / place

        return Derivation(coefficients, Ladder(paid, award, Rounding(event.decimals, "up")))

    def event_steps(self, event: SbfEvent) -> tuple[Step, ...]:
        paid = self.paid(event)
        places = Step(
            "places",
            "quarter",
            Decimal(paid),
            "K = ⌈n/4⌉",
            f"K = ⌈{event.count}/4⌉ = {paid}",
            PLACES,
            params={"contestants": event.count},
        )
        return (self.winner_step(event), self.factor_step(event), places)

    @abstractmethod
    def winner_step(self, event: SbfEvent) -> Step:
        """Return the receipt step that computes the winner's points."""

    @abstractmethod
    def factor_step(self, event: SbfEvent) -> Step:
        """Return the receipt step that computes f, the factor from one place's award to the next place's."""

    def preceding(self, event: SbfEvent, place: int) -> Iterable[int]:
        """Return the places above whose awards are needed to compute a paid place's award.

        These are all places above if the award is a link of the chain. An award of W/k needs none of them.
        """
        links = chain(self.winner(event), self.factor(event), self.paid(event))
        return range(1, place) if place <= len(links) else ()

    def place_step(self, event: SbfEvent, place: int) -> Step:
        winner, factor = self.winner(event), self.factor(event)
        links = chain(winner, factor, self.paid(event))
        params = {"place": place, "links": tuple(decimal_of(link) for link in links[:place])}
        if place == 1:
            value, code, formula, working = winner, "first", "A(1) = W", f"A(1) = {exact_text(winner)}"
        elif place <= len(links):
            value, code = links[place - 1], "chain"
            formula = "A(k) = max(A(k−1)·f, W/k)"
            above = exact_text(links[place - 2])
            product = short(decimal_of(links[place - 2] * factor))
            working = f"A({place}) = {above}·{exact_text(factor)} = {product} → {exact_text(value)}"
        else:
            value, code, formula = winner / place, "floor", "A(k) = W/k"
            working = f"A({place}) = {exact_text(winner)}/{place} = {short(decimal_of(value))}"
        return Step("award", code, decimal_of(value), formula, working, PLACES, params=params)


class Bronze(Sbf2019):
    """The scheme of bronze points. The factor from one place's award to the next follows table A or AY."""

    code = "sbf-2019-bronze"
    title = gettext_noop("Swedish bronze points 2019")
    family = "sbf"
    filing = Filing(alone=frozenset({"bronze"}))
    own_fields = ("decimals", "places_table")
    default_decimals = 0

    def read_own(self, fields: Fields) -> SbfEvent:
        return SbfEvent(
            **read_common(fields),
            decimals=fields.read("decimals", as_integer, default=self.default_decimals),
            places_table=fields.read("places_table", as_text, default="AY"),
        )

    def check(self, event: SbfEvent) -> None:
        super().check(event)
        if event.places_table not in tables.PLACES_TABLES:
            message = f"{event.places_table!r} is not one of {', '.join(tables.PLACES_TABLES)}"
            raise EngineError("unknown_places_table", "places_table", message)

    def winner(self, event: SbfEvent) -> Fraction:
        return tables.piece_of(tables.BRONZE_WINNER, event.count).at(event.count)

    def factor(self, event: SbfEvent) -> Fraction:
        if event.places_table == "A":
            return tables.A_FACTOR
        return tables.piece_of(tables.AY_FACTOR, event.count).at(event.count)

    def winner_step(self, event: SbfEvent) -> Step:
        piece, value = tables.piece_of(tables.BRONZE_WINNER, event.count), self.winner(event)
        formula, working = _formula(piece, "W", "n", event.count, value)
        params = {"contestants": event.count, "first": piece.first, "last": piece.last}
        return Step("winner", "pairs", decimal_of(value), formula, working, WINNER, params=params)

    def factor_step(self, event: SbfEvent) -> Step:
        value = self.factor(event)
        if event.places_table == "A":
            return Step("factor", "A", decimal_of(value), "f = 3/4", "f = 3/4", PLACES, "A")
        piece = tables.piece_of(tables.AY_FACTOR, event.count)
        params = {"contestants": event.count, "first": piece.first, "last": piece.last}
        formula, working = _formula(piece, "f", "n", event.count, value)
        return Step("factor", "AY", decimal_of(value), formula, working, PLACES, "AY", params)


class Silver(Sbf2019):
    """The scheme of silver points. The winner's points also depend on the number of boards."""

    code = "sbf-2019-silver"
    title = gettext_noop("Swedish silver points 2019")
    family = "sbf-silver"
    filing = Filing(alone=frozenset())
    own_fields = ("boards", "decimals")
    default_decimals = 1

    def read_own(self, fields: Fields) -> SbfEvent:
        return SbfEvent(
            boards=fields.read("boards", as_integer),
            **read_common(fields),
            decimals=fields.read("decimals", as_integer, default=self.default_decimals),
        )

    def check(self, event: SbfEvent) -> None:
        if event.boards is None:
            raise EngineError("missing_field", "boards", "silver points need the number of boards")
        in_range("boards", event.boards, 1, MOST_BOARDS)
        super().check(event)

    def winner(self, event: SbfEvent) -> Fraction:
        assert event.boards is not None  # `check` refuses an event without boards
        by_pairs = tables.piece_of(tables.SILVER_PAIRS, event.count).at(event.count)
        return by_pairs + tables.SILVER_BOARD * event.boards

    def factor(self, event: SbfEvent) -> Fraction:
        return tables.A_FACTOR

    def winner_step(self, event: SbfEvent) -> Step:
        piece, value = tables.piece_of(tables.SILVER_PAIRS, event.count), self.winner(event)
        formula, working = _formula(piece, "", "n", event.count, None)
        formula = f"W = {formula} + 0.3·m"
        working = f"W = {working} + 0.3·{event.boards} = {exact_text(value)}"
        params = {"contestants": event.count, "boards": event.boards}
        params |= {"first": piece.first, "last": piece.last}
        return Step("winner", "pairs_and_boards", decimal_of(value), formula, working, SILVER, params=params)

    def factor_step(self, event: SbfEvent) -> Step:
        return Step("factor", "A", decimal_of(tables.A_FACTOR), "f = 3/4", "f = 3/4", SILVER)


def _formula(piece: tables.Piece, name: str, x: str, at: int, value: Fraction | None) -> tuple[str, str]:
    """Return two texts: the formula of a piece in symbols, and the same formula with numbers.

    name, x: the symbols of the result and of the variable
    at: the number to put in place of the variable
    value: the result, shown at the end; if None, both texts are only the right-hand side
    """

    def side(argument: str) -> str:
        if not piece.slope:
            return exact_text(piece.start)
        if not piece.first:
            return f"{exact_text(piece.slope)}·{argument}"
        return f"{exact_text(piece.start)} + {exact_text(piece.slope)}·({argument} − {piece.first})"

    if value is None:
        return side(x), side(str(at))
    working = f"{name} = {side(str(at))}"
    if piece.slope:
        working += f" = {exact_text(value)}"
    return f"{name} = {side(x)}", working


BRONZE = Bronze()
SILVER_POINTS = Silver()
