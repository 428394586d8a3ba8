"""Code shared by the ACBL's overall and club awards: rounding, factors of an event, number of paid places."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

from scoring.engine.errors import EngineError
from scoring.engine.points import EXACT, plain, short
from scoring.engine.rounding import Rounding, decimal_of, half_up
from scoring.engine.strictjson import Fields, as_decimal
from scoring.engine.types import Step
from scoring.engine.validation import in_range
from scoring.regulations.places.receipt import exact_text

ROUNDING = Rounding(2, "even")
# Every factor lies well within this range. Its bounds catch typing errors such as a missing decimal point.
LEAST_FACTOR, LARGEST_FACTOR = Decimal("0.0001"), Decimal(1000)


def read_factors(fields: Fields, known: tuple[str, ...]) -> dict[str, Decimal]:
    """Return the factors in the input's object ``factors`` by name, or {} if there is no such object.

    known: the names that the object may contain
    """
    if "factors" not in fields:
        return {}
    factors = fields.object("factors")
    factors.only(known)
    return {name: factors.read(name, as_decimal) for name in known if name in factors}


def check_factors(factors: dict[str, Decimal], known: tuple[str, ...]) -> None:
    """Raise EngineError if a factor is not in ``known`` or is out of range.

    The codes are ``unknown_field`` and ``out_of_range``. ``depth`` is a share of the contestants,
    so it cannot exceed 1. The other factors are multipliers and may be larger.
    """
    for name, value in factors.items():
        if name not in known:
            raise EngineError("unknown_field", f"factors.{name}", f"there is no factor {name!r} here")
        in_range(f"factors.{name}", value, LEAST_FACTOR, Decimal(1) if name == "depth" else LARGEST_FACTOR)


def paid_places(depth: Decimal, contestants: int) -> int:
    """Return the number of places that get an award: depth · contestants, rounded half up. It can be 0."""
    return half_up(Fraction(depth) * contestants)


def places_step(depth: Decimal, contestants: int, is_default: bool, article: str) -> Step:
    """Return the receipt step that computes the number of paid places.

    depth: the share of the contestants that get an award
    is_default: whether ``depth`` is the default, because the event does not state it
    article: the code of the article that states the rule
    """
    paid = paid_places(depth, contestants)
    code = "default" if is_default else "given"
    working = f"K = {plain(depth)}·{contestants} = {plain(EXACT.multiply(depth, contestants))} → {paid}"
    params = {"contestants": contestants, "depth": depth}
    return Step("places", code, Decimal(paid), "K = d·n, 0.5 → 1", working, article, params=params)


def curve_step(place: int, share: Fraction, code: str, formula: str, working: str, article: str) -> Step:
    """Return the receipt step that computes c(k), the share of the winner's award that place k gets.

    place: the place k
    share: the value of c(k)
    code: identifies the sentence that describes the step
    formula: the formula in symbols
    working: its right-hand side with numbers
    article: the heading of the rule
    """
    text = f"c({place}) = {working}"
    if working != exact_text(share):
        text += f" = {exact_text(share)}"
    return Step("c", code, decimal_of(share), formula, text, article, params={"place": place})


def share_step(
    winner: Fraction, place: int, curve: Callable[[int], Fraction], code: str, article: str
) -> Step:
    """Return the receipt step that computes a paid place's award from the winner's."""
    share = curve(place)
    value = decimal_of(winner * share)
    working = f"A({place}) = {exact_text(winner)}·{exact_text(share)} = {short(value)}"
    params = {"place": place, "share": decimal_of(share)}
    return Step("award", code, value, "A(k) = W·c(k)", working, article, params=params)
