"""The derivation of one contestant's points, step by step.

Steps hold codes and numbers, never sentences. The page that shows a receipt writes the sentences.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Protocol

from scoring.engine.errors import EngineError
from scoring.engine.points import EXACT, Curve, fixed, plain, short
from scoring.engine.types import Award, Event, Result, Step

from .shapes import FieldStrength, RootCurve, Table

N_TEXT = {"pairs": "n = N", "teams": "n = 2·N", "individual": "n = N/2"}
I_TEXT = {"pairs": "i = k", "teams": "i = 2·k − 1", "individual": "i = (k + 1)/2"}
I_TEXT_EVEN = "i = 1 + (k − 1)·(n − 1)/(N − 1)"
AWARD_TEXT = "P(i) = Pmax − (Pmax − Pmin)·(i^¼ − 1)/(n^¼ − 1)"
COUNT_ARTICLE = "1"
P_MAX_ARTICLE = "2"
P_MIN_ARTICLE = "3"


class Scheme(Protocol):
    """The attributes and methods of a scheme that a receipt uses."""

    @property
    def event_types(self) -> Table: ...

    @property
    def c2_curve(self) -> RootCurve: ...

    @property
    def c3_curve(self) -> RootCurve: ...

    @property
    def categories(self) -> Table: ...

    @property
    def venues(self) -> Table: ...

    @property
    def p_min_text(self) -> str: ...

    def pairs(self, event: Event) -> Decimal: ...

    def position(self, event: Event, place: int | Decimal) -> Decimal: ...

    def strength(self, event: Event) -> FieldStrength: ...

    def curve(self, result: Result) -> Curve: ...


def steps(scheme: Scheme, event: Event, result: Result, contestant_id: str) -> tuple[Step, ...]:
    """Return the steps of one contestant's receipt. Raise EngineError ``unknown_contestant``.

    The keys of the steps are ``C1``, ``C2``, ``n``, ``C3``, ``C4``, ``C5``, ``p_max``, ``p_min`` and, if the
    event is eligible, ``i``, ``award`` and ``rounding``.
    """
    index = next((k for k, c in enumerate(event.contestants) if c.id == contestant_id), None)
    if index is None:
        message = f"the event has no contestant {contestant_id!r}"
        raise EngineError("unknown_contestant", "contestants", message)
    derivation = (
        _table_step("C1", scheme.event_types, event.event_type, "event_type"),
        _curve_step("C2", scheme.c2_curve, Decimal(event.boards), result),
        _n_step(event, result),
        _curve_step("C3", scheme.c3_curve, result.n, result),
        _c4_step(scheme, event, result),
        _table_step("C5", scheme.venues, event.venue, "venue"),
        _p_max_step(result),
        _p_min_step(scheme, result),
    )
    if not result.eligible:
        return derivation
    award = result.awards[index]
    return derivation + (
        _i_step(scheme, event, award),
        _award_step(scheme, event, result, award),
        _rounding_step(award),
    )


def i_text(event: Event) -> str:
    """Return the formula of a contestant's position (i) as text.

    The formula depends on the place rule and the format. For pairs, and for events with a single contestant,
    all place rules give the same position, so the formula is that of the rule ``text``.
    """
    if event.place_rule == "even" and event.format != "pairs" and event.count > 1:
        return I_TEXT_EVEN
    return I_TEXT[event.format]


def _table_step(key: str, table: Table, code: str, param: str) -> Step:
    row = table.row(code)
    text = f"{key} = {plain(row.value)}"
    params = {param: row.code, "label": row.label}
    return Step(key, param, row.value, text, text, table.article, table.name, params)


def _curve_step(key: str, curve: RootCurve, x: Decimal, result: Result) -> Step:
    value = result.coefficients[key]
    branch = curve.branch(x)
    params = {curve.variable: x, "low": curve.low, "high": curve.high, "equation": curve.equation}
    if branch == "formula":
        formula = f"{key} = {curve.text(curve.variable)}"
        working = f"{key} = {curve.text(plain(x))} = {short(value)}"
    else:
        bound = f"≤ {curve.low}" if branch == "low" else f"≥ {curve.high}"
        formula = f"{curve.variable} {bound}: {key} = {plain(value)}"
        working = f"{curve.variable} = {plain(x)}: {key} = {plain(value)}"
    return Step(key, branch, value, formula, working, curve.article, params=params)


def _n_step(event: Event, result: Result) -> Step:
    working = N_TEXT[event.format].replace("N", str(event.count))
    if event.format != "pairs":
        working = f"{working} = {plain(result.n)}"
    params = {"contestants": event.count}
    return Step("n", event.format, result.n, N_TEXT[event.format], working, COUNT_ARTICLE, params=params)


def _c4_step(scheme: Scheme, event: Event, result: Result) -> Step:
    value = result.coefficients["C4"]
    table = scheme.categories
    strength = scheme.strength(event)
    counts = tuple((code, number, table.row(code).value) for code, number in strength.counts.items())
    params = {
        "classified": strength.classified,
        "unclassified": strength.unclassified,
        "sum": strength.total,
        "counts": counts,
    }
    if event.c4 is not None:
        code, formula, working = "given", "C4", f"C4 = {short(value)}"
    elif strength.classified:
        terms = " + ".join(f"{number}·{plain(worth)}" for _, number, worth in counts)
        code, formula = "mean", "C4 = Σ/N"
        working = f"C4 = ({terms})/{strength.classified} = {short(value)}"
    else:
        code, formula, working = "all_unclassified", "C4 = min", f"C4 = {plain(value)}"
    return Step("C4", code, value, formula, working, table.article, table.name, params)


def _p_max_step(result: Result) -> Step:
    factors = "·".join(short(result.coefficients[key]) for key in ("C1", "C2", "C3", "C4", "C5"))
    formula = "Pmax = C1·C2·C3·C4·C5"
    working = f"Pmax = {factors} = {short(result.p_max)}"
    return Step("p_max", "product", result.p_max, formula, working, P_MAX_ARTICLE)


def _p_min_step(scheme: Scheme, result: Result) -> Step:
    working = scheme.p_min_text
    for symbol, value in {**result.coefficients, "Pmax": result.p_max}.items():
        working = working.replace(symbol, short(value))
    working = f"{working} = {short(result.p_min)}"
    return Step("p_min", "last", result.p_min, scheme.p_min_text, working, P_MIN_ARTICLE)


def _i_step(scheme: Scheme, event: Event, award: Award) -> Step:
    if award.place is None:
        text = f"i = {plain(award.i)}"
        return Step("i", "given", award.i, text, text, COUNT_ARTICLE)
    size = sum(contestant.place == award.place for contestant in event.contestants)
    mean_place = size > 1 and event.ties == "mean_place"
    place = f"{plain(EXACT.divide(2 * award.place + size - 1, 2))}" if mean_place else str(award.place)
    formula = i_text(event)
    working = formula.replace("k", place).replace("n", plain(scheme.pairs(event)))
    working = working.replace("N", str(event.count))
    if event.format != "pairs":
        working = f"{working} = {short(award.i)}"
    params = {"place": award.place, "tied": size, "last_place": award.place + size - 1}
    code = "mean_place" if mean_place else "place"
    return Step("i", code, award.i, formula, working, COUNT_ARTICLE, params=params)


def _award_step(scheme: Scheme, event: Event, result: Result, award: Award) -> Step:
    curve = scheme.curve(result)
    size = 1 if award.place is None else sum(c.place == award.place for c in event.contestants)
    params: dict[str, Any] = {"place": award.place, "tied": size, "ties": event.ties}
    if award.place is not None and size > 1 and event.ties == "mean":
        shares = []
        for k in range(award.place, award.place + size):
            i = scheme.position(event, k)
            shares.append((k, i, curve.at(i)))
        params["shares"] = tuple(shares)
        formula = "P = (P(i₁) + … + P(iₜ))/t"
        terms = " + ".join(short(share) for _, _, share in shares)
        working = f"P = ({terms})/{size} = {short(award.exact)}"
        return Step("award", "tie_mean", award.exact, formula, working, COUNT_ARTICLE, params=params)
    code, formula, working = _single_award(curve.n, result, award)
    return Step("award", code, award.exact, formula, working, COUNT_ARTICLE, params=params)


def _single_award(n: Decimal, result: Result, award: Award) -> tuple[str, str, str]:
    i = short(award.i)
    value = short(award.exact)
    if n <= 1:
        return "only_pair", "n ≤ 1: P = Pmax", f"n = {plain(n)}: P = {value}"
    if award.i >= n:
        return "last", "i ≥ n: P = Pmin", f"i = {i}, n = {plain(n)}: P = {value}"
    if award.i == 1:
        return "first", "P(1) = Pmax", f"P(1) = {value}"
    p_max, p_min = short(result.p_max), short(result.p_min)
    working = f"P({i}) = {p_max} − ({p_max} − {p_min})·({i}^¼ − 1)/({plain(n)}^¼ − 1) = {value}"
    return "formula", AWARD_TEXT, working


def _rounding_step(award: Award) -> Step:
    points = Decimal(award.points).scaleb(-2, EXACT)
    working = f"{short(award.exact)} → {fixed(award.points)}"
    return Step("rounding", "half_up", points, "0.005 → 0.01", working, COUNT_ARTICLE, params={"decimals": 2})
