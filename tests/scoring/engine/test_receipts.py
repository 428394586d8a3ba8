"""The steps of receipts are those of the golden file, and the numbers in their formulas are right."""

import json
import math
import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.engine.types import Contestant, Event, Seat, Step
from scoring.regulations import get, of_family
from tests.examples import examples
from tests.scoring.engine.egf import CLASSIC, REVISED, tournament
from tests.scoring.engine.receipts import FILE, receipts
from tests.scoring.engine.strategies import events
from tests.scoring.regulations.test_places import scored

GOLDEN = json.loads(FILE.read_text(encoding="utf-8"))
NAME = re.compile(r"([^\W\d_]\w*'?(\([\d.]+\))?)?")
FUNCTIONS = {
    "min": min,
    "max": max,
    "ceil": math.ceil,
    "log10": math.log10,
    "sqrt": math.sqrt,
    "exp": math.exp,
    "abs": abs,
    "e": math.e,
    "ln": math.log,
}
SIGNS = {"−": "-", "·": "*", "^¼": "**0.25", "^": "**", "⌈": "ceil(", "⌉": ")", "log₁₀": "log10"}


def number_of(text: str) -> float | None:
    """Return the value of an expression in a receipt, or None for a name such as Pmax or P(6)."""
    text = text.strip()
    if NAME.fullmatch(text):
        return None
    for sign, python in SIGNS.items():
        text = text.replace(sign, python)
    text = re.sub(r"\|([^|]*)\|", r"abs(\1)", text)
    text = re.sub(r"√([\d.]+)", r"sqrt(\1)", text)
    return float(eval(text, {"__builtins__": {}}, FUNCTIONS))  # noqa: S307 (our own receipts)


def close(value: float, other: float) -> bool:
    """Return whether two values agree to about four digits; receipts show rounded numbers."""
    return abs(value - other) <= 1e-4 * max(1.0, abs(value), abs(other))


def check_working(step) -> None:
    """Assert that a step's expressions joined by " = " are equal, and that the last is the step's value.

    The arrow " → " stands for a rounding or a bound.
    """
    text = step.working.rpartition(": ")[2]
    last = None
    for part in text.split(" → "):
        numbers = [number for item in part.split(" = ") if (number := number_of(item)) is not None]
        assert all(close(number, numbers[-1]) for number in numbers), step.working
        last = numbers[-1] if numbers else last
    assert last is not None and close(last, float(step.value)), (step.key, step.working, step.value)


def check_chain(step) -> None:
    """Check the working of a step that multiplies factors one by one, such as W = a·b → ab·c → abc.

    Each part after an arrow must begin with the rounded result of the part before it. The last part must
    equal the step's value.
    """
    parts = step.working.removeprefix("W = ").split(" → ")
    for before, after in zip(parts, parts[1:], strict=False):
        assert abs(number_of(before) - float(after.split("·")[0])) <= 0.005 + 1e-4, step.working
    assert close(number_of(parts[-1]), float(step.value))


def check(steps) -> None:
    for step in steps:
        if step.key == "winner" and step.code == "product":
            check_chain(step)
        else:
            check_working(step)


def test_receipts_equal_those_of_the_golden_file():
    """The receipts equal those of the golden file.

    If this fails, check every line that differs. Write the file again only if the change is intended.

    See docs/testing.md.
    """
    result = receipts()
    assert result.keys() == GOLDEN.keys()
    for name, steps in result.items():
        assert steps == GOLDEN[name], name


@examples(60)
@given(st.sampled_from(of_family("aeb")), st.data())
def test_formulas_in_aeb_receipts_give_the_value_beside_them(regulation, data):
    event = data.draw(events(regulation))
    result = regulation.score(event)
    contestant = data.draw(st.sampled_from(event.contestants))
    check(regulation.explain(event, result, contestant.id))


def test_a_position_between_two_places_is_shown_with_six_decimals():
    field = tuple(Contestant(str(k), k, (Seat(str(k), "3D", licensed=True),)) for k in range(1, 13))
    event = Event("pool", "individual", 26, "online", field, place_rule="even")
    regulation = get("aeb-2022")
    steps = regulation.explain(event, regulation.score(event), "3")
    assert next(step for step in steps if step.key == "award").working.startswith("P(1.909091) = ")


@examples(80)
@given(scored(), st.data())
def test_formulas_in_receipts_by_place_give_the_value_beside_them(case, data):
    scheme, event = case
    result = scheme.score(event)
    contestant = data.draw(st.sampled_from(event.contestants))
    check(scheme.explain(event, result, contestant.id))


ENDS = [Decimal(100), Decimal(2700), Decimal(2699), Decimal(1700)]
RATINGS = st.decimals(100, 2900, places=3) | st.sampled_from(ENDS)


@examples(80)
@given(st.sampled_from((CLASSIC, REVISED)), RATINGS, RATINGS, st.sampled_from((0.0, 0.5, 1.0)))
def test_formulas_in_rating_receipts_give_the_value_beside_them(system, own, other, score):
    played = tournament([own, other], [(0, 1, score)])
    check(system.explain(played, system.rate(played), "0"))


@pytest.mark.parametrize("wrong", ["1 + 2 = 4", "C2 = 0.23·√26 − 0.035 = 1.2"])
def test_a_wrong_formula_in_a_receipt_fails_these_tests(wrong):
    step = Step("C2", "formula", Decimal(wrong.rpartition("= ")[2]), "C2", wrong, "2.2")
    with pytest.raises(AssertionError):
        check_working(step)
