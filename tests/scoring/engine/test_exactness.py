"""Rounding happens once, half up, on the exact value. Two independent computations agree with the engine."""

import re
from decimal import ROUND_DOWN, Context, Decimal, localcontext, setcontext
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.engine.points import Curve, hundredths, plain, root
from scoring.engine.types import Contestant, Event, Seat
from scoring.regulations import get, of_family
from tests.examples import examples
from tests.scoring.engine.strategies import events
from tests.scoring.engine.support import category_code, event, golden_of

AEB_2026 = get("aeb-2026")
AEB = of_family("aeb")


def test_an_award_of_exactly_half_a_hundredth_is_rounded_up():
    """An award of exactly 8.925 points (5 · 1.575 · 1 · 13.60/12) is rounded up.

    Computing with binary floats, or dividing too early, would give slightly less.
    """
    categories = _with_sum(Decimal("13.60"), 12)
    seats = [Seat(str(k), code, True) for k, code in enumerate(categories)]
    pairs = tuple(Contestant(str(k), place=k + 1, seats=tuple(seats[2 * k : 2 * k + 2])) for k in range(6))
    result = AEB_2026.score(Event("pool", "pairs", 49, "in_person", pairs))
    assert result.p_max == Decimal("8.925")
    assert result.awards[0].points == 893


@pytest.mark.parametrize(
    ("exact", "points"),
    [("1.125", 113), ("0.005", 1), ("0.0049999", 0), ("2.675", 268), ("1.12" + "4" + "9" * 55, 113)],
)
def test_awards_are_rounded_half_up(exact, points):
    assert hundredths(Decimal(exact)) == points


@pytest.mark.parametrize("base", [Decimal(2), Decimal(3), Decimal("1.5"), Decimal(31)])
def test_the_fourth_root_of_a_perfect_fourth_power_is_exact(base):
    assert root(base**4, 4) == base


@given(st.sampled_from([1, 16, 81]), st.sampled_from([16, 81]), st.integers(100, 400), st.integers(1, 90))
def test_awards_equal_those_computed_with_fractions(i, n, total, classified):
    """Awards equal those computed with fractions, for arguments whose roots are whole numbers."""
    roots = {1: 1, 16: 2, 81: 3}
    p_max = Fraction(total, classified)
    p_min = p_max / 100
    share = Fraction(roots[i] - 1, roots[n] - 1)
    expected = p_min if i >= n else p_max - (p_max - p_min) * share
    with localcontext(prec=60):
        curve = Curve(Decimal(n), Decimal(total) / classified, Decimal(total) / classified / 100)
    assert hundredths(curve.at(Decimal(i))) == _fraction_half_up(expected)


@given(
    st.sampled_from([25, 36, 49, 64, 81, 100]),
    st.lists(st.sampled_from([row.code for row in AEB_2026.categories.rows]), min_size=4, max_size=20).filter(
        lambda codes: len(codes) % 2 == 0
    ),
)
def test_the_winners_award_equals_the_one_computed_with_fractions(boards, codes):
    """The winner's points equal those computed with fractions.

    With up to ten pairs and a square number of boards, no coefficient is irrational.
    """
    pairs = tuple(
        Contestant(
            str(k),
            place=k + 1,
            seats=(Seat(f"{k}a", codes[2 * k], True), Seat(f"{k}b", codes[2 * k + 1], True)),
        )
        for k in range(len(codes) // 2)
    )
    c2 = Fraction(23, 100) * int(boards**0.5) - Fraction(35, 1000)
    values = [Fraction(AEB_2026.categories.find(code).value) for code in codes]
    p_max = 5 * c2 * sum(values) / len(values)
    awards = AEB_2026.score(Event("pool", "pairs", boards, "in_person", pairs)).awards
    assert awards[0].points == _fraction_half_up(p_max)
    assert awards[-1].points == _fraction_half_up(p_max / 100)


@examples(150)
@given(st.sampled_from(AEB), st.data())
def test_awards_equal_those_of_an_independent_computation(regulation, data):
    """Awards equal those of an independent implementation of the formulas, which computes with 100 digits."""
    scored = data.draw(events(regulation))
    result = regulation.score(scored)
    with localcontext(prec=100):
        expected = _naive(regulation, scored)
    assert {award.contestant: award.points for award in result.awards} == expected


@examples(60)
@given(st.sampled_from(AEB), st.data())
def test_awards_do_not_depend_on_the_callers_decimal_context(regulation, data):
    scored = data.draw(events(regulation))
    result = regulation.score(scored)
    receipts = [regulation.explain(scored, result, c.id) for c in scored.contestants]
    root.cache_clear()
    with localcontext():
        setcontext(Context(prec=1, rounding=ROUND_DOWN))
        again = regulation.score(scored)
        receipts_again = [regulation.explain(scored, again, c.id) for c in scored.contestants]
    assert again == result
    assert receipts_again == receipts


@pytest.mark.parametrize("name", ["C2", "C3"])
@pytest.mark.parametrize("regulation", AEB, ids=str)
def test_c2_and_c3_are_right_at_the_bounds_of_their_curves(regulation, name):
    """C2 (of the boards) and C3 (of the contestants) are right at the bounds of their curves.

    The random events of other tests do not reach these bounds.
    """
    row = _document(regulation)[name]
    low, high = int(row["low"]), int(row["high"])
    value = {"C2": regulation.c2, "C3": regulation.c3}[name]
    for x in (1, low - 1, low, low + 1, high - 1, high, high + 1, 9999):
        with localcontext(prec=100):
            expected = _naive_curve(_document(regulation), name, Decimal(x))
        assert abs(value(x) - expected) < Decimal("1e-30")


def test_numbers_are_written_without_an_exponent():
    assert plain(Decimal("1E+3")) == "1000"
    assert plain(Decimal("1E-7")) == "0.0000001"
    assert plain(Decimal("8.9250000")) == "8.925"
    assert plain(Decimal(0)) == "0"
    assert plain(Decimal(1) / 3, digits=5) == "0.33333"


def test_a_single_pair_gets_the_maximum_award():
    alone = event(places=(1,))
    result = AEB_2026.score(alone)
    assert result.awards[0].exact == result.p_max


def _with_sum(total, number):
    """Return `number` category codes of AEB 2026 whose values add up to this sum."""
    best = {(0, Decimal(0)): ()}
    for size in range(number):
        for row in AEB_2026.categories.rows[:7]:
            for (length, value), codes in list(best.items()):
                if length == size:
                    best.setdefault((size + 1, value + row.value), (*codes, row.code))
    return best[number, total]


def _fraction_half_up(value):
    return int(value * 100 + Fraction(1, 2))


QUARTER = Decimal("0.25")
NUMBER = re.compile(r"(?<![A-Za-z\d.])\d+(\.\d+)?")


def _printed(formula, **values):
    """Return the value of a formula in a golden row, such as 0.23*m^(1/2)-0.035."""
    python = NUMBER.sub(lambda number: f'Decimal("{number[0]}")', formula).replace("^", "**")
    return eval(python, {"Decimal": Decimal}, values)  # noqa: S307 (our own rows)


@cache
def _document(regulation):
    """Return the tables and formulas of a regulation's document, according to the golden files."""
    rows = golden_of(regulation, "table1_C1")
    types = zip(regulation.event_types.rows, rows, strict=True)
    categories = {
        category_code(row["category"]): Decimal(row["C4"]) for row in golden_of(regulation, "table2_C4")
    }
    return {
        "C1": {event_type.code: Decimal(row["C1"]) for event_type, row in types},
        "C4": categories | {alias: categories[code] for alias, code in regulation.categories.aliases.items()},
        **{row["name"]: row for row in golden_of(regulation, "formulas")},
    }


def _naive(regulation, scored):
    year = _document(regulation)
    c1 = year["C1"][scored.event_type]
    c5 = {"in_person": Decimal(1), "online_supervised": Decimal("0.5"), "online": Decimal("0.25")}[
        scored.venue
    ]
    item = {"pairs": Decimal(1), "teams": Decimal(2), "individual": Decimal("0.5")}[scored.format]
    n = item * len(scored.contestants)
    c2, c3 = _naive_curve(year, "C2", Decimal(scored.boards)), _naive_curve(year, "C3", n)
    seats = [seat.category for c in scored.contestants for seat in c.seats if seat.category is not None]
    values = [year["C4"][category] for category in seats]
    c4 = sum(values) / len(values) if values else year["C4"]["3D"]
    p_max = c1 * c2 * c3 * c4 * c5
    p_min = _printed(year["Pmin"]["formula"], C1=c1, C5=c5, Pmax=p_max)

    def points(k):
        if scored.place_rule == "even" and len(scored.contestants) > 1:
            i = 1 + (n - 1) * (k - 1) / (len(scored.contestants) - 1)
        else:
            i = {"pairs": Decimal(k), "teams": Decimal(2 * k - 1), "individual": Decimal(k + 1) / 2}[
                scored.format
            ]
        if n <= 1:
            return p_max
        if i >= n:
            return p_min
        return p_max - (p_max - p_min) * (i**QUARTER - 1) / (n**QUARTER - 1)

    awards = {}
    for contestant in scored.contestants:
        size = sum(other.place == contestant.place for other in scored.contestants)
        exact = _naive_tie(points, contestant.place, size, scored.ties)
        awards[contestant.id] = int(round(exact * 100, 50) + Decimal("0.5"))
    return awards


def _naive_curve(year, name, x):
    row = year[name]
    if x <= int(row["low"]):
        return Decimal(row["least"])
    if x >= int(row["high"]):
        return Decimal(row["greatest"])
    return _printed(row["formula"], m=x, n=x)


def _naive_tie(points, place, size, ties):
    if ties == "best":
        return points(place)
    if ties == "mean_place":
        return points(place + Decimal(size - 1) / 2)
    return sum(points(k) for k in range(place, place + size)) / size
