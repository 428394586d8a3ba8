"""Rounding happens once, half up, on the exact value; two independent computations agree with the engine."""

from decimal import ROUND_DOWN, Context, Decimal, localcontext, setcontext
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.engine.points import Curve, hundredths, plain, root
from scoring.engine.types import Contestant, Event, Seat
from scoring.regulations import get, of_family
from tests.scoring.engine.strategies import events
from tests.scoring.engine.support import event

AEB_2026 = get("aeb-2026")
AEB = of_family("aeb")


def test_the_exact_half_of_six_pairs():
    """5 · 1.575 · 1 · 13.60/12 is 8.925, which binary floats and an early division both miss."""
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
def test_half_up(exact, points):
    assert hundredths(Decimal(exact)) == points


@pytest.mark.parametrize("base", [Decimal(2), Decimal(3), Decimal("1.5"), Decimal(31)])
def test_perfect_fourth_powers_are_exact(base):
    assert root(base**4, 4) == base


@given(st.sampled_from([1, 16, 81]), st.sampled_from([16, 81]), st.integers(100, 400), st.integers(1, 90))
def test_rational_awards_against_fractions(i, n, total, classified):
    """Where both roots are whole, the award is a fraction: Pmax may have any remainder, the half is exact."""
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
def test_first_place_against_fractions(boards, codes):
    """Up to ten pairs and a square number of boards make Pmax a fraction: the oracle needs no decimals."""
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


@settings(max_examples=150)
@given(st.sampled_from(AEB), st.data())
def test_against_a_naive_computation(regulation, data):
    """The formulas typed again from the documents, as powers at 100 digits, without caches or guards."""
    scored = data.draw(events(regulation))
    result = regulation.score(scored)
    with localcontext(prec=100):
        expected = _naive(regulation.code, scored)
    assert {award.contestant: award.points for award in result.awards} == expected


@settings(max_examples=60)
@given(st.sampled_from(AEB), st.data())
def test_the_callers_context_does_not_matter(regulation, data):
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
def test_ends_of_the_curves(regulation, name):
    """Which random events, of forty contestants at most, do not reach."""
    (low, _least), (high, _greatest) = NAIVE[regulation.code][f"ends of {name}"]
    value = {"C2": regulation.c2, "C3": regulation.c3}[name]
    for x in (1, low - 1, low, low + 1, high - 1, high, high + 1, 9999):
        with localcontext(prec=100):
            expected = _naive_curve(NAIVE[regulation.code], name, Decimal(x))
        assert abs(value(x) - expected) < Decimal("1e-30")


def test_plain_never_writes_an_exponent():
    assert plain(Decimal("1E+3")) == "1000"
    assert plain(Decimal("1E-7")) == "0.0000001"
    assert plain(Decimal("8.9250000")) == "8.925"
    assert plain(Decimal(0)) == "0"
    assert plain(Decimal(1) / 3, digits=5) == "0.33333"


def test_one_pair_gets_pmax():
    alone = event(places=(1,))
    result = AEB_2026.score(alone)
    assert result.awards[0].exact == result.p_max


def _with_sum(total, number):
    """A multiset of category codes of AEB 2026 with this sum."""
    best = {(0, Decimal(0)): ()}
    for size in range(number):
        for row in AEB_2026.categories.rows[:7]:
            for (length, value), codes in list(best.items()):
                if length == size:
                    best.setdefault((size + 1, value + row.value), (*codes, row.code))
    return best[number, total]


def _fraction_half_up(value):
    return int(value * 100 + Fraction(1, 2))


QUARTER, HALF = Decimal("0.25"), Decimal("0.5")
# Each document typed a second time: numbers of tables 1 and 2, formulas, and between which m and n they hold.
NAIVE = {
    "aeb-2022": {
        "C1": {"pool": 10, "teams_championship_open": 225},
        "C4": {"3D": "1", "3C": "1.02", "3P": "1.04", "2D": "1.06", "2C": "1.08", "2P": "1.10"}
        | {"1D": "1.13", "1C": "1.17", "1P": "1.22", "MN": "1.28", "MM": "1.35"},
        "C2": lambda m: Decimal("0.2545") * m**QUARTER + Decimal("0.5077"),
        "C3": lambda n: Decimal("0.3918") * n**QUARTER + Decimal("0.3033"),
        "ends of C2": ((14, Decimal(1)), (120, Decimal("1.35"))),
        "ends of C3": ((10, Decimal(1)), (120, Decimal("1.6"))),
        "Pmin": lambda c1, c5, p_max: c1 * c5 / 100,
    },
    "aeb-2026": {
        "C1": {"pool": 5, "teams_championship": 58},
        "C4": {"3D": "1.10", "3C": "1.12", "3P": "1.16", "2D": "1.23", "2C": "1.33", "2P": "1.46"}
        | {"1D": "1.64", "1C": "1.87", "1P": "2.17", "MN-D": "2.37", "MN-S": "2.37", "MN-O": "2.57"}
        | {"ME-D": "2.90", "ME-S": "2.90", "MM-D": "3.07", "MM-S": "3.07", "ME-O": "3.50", "MM-O": "3.77"}
        | {"MN": "2.57", "MM": "3.77"},
        "C2": lambda m: Decimal("0.23") * m**HALF - Decimal("0.035"),
        "C3": lambda n: Decimal("0.32") * n**HALF - Decimal("0.012"),
        "ends of C2": ((20, Decimal(1)), (120, Decimal("2.5"))),
        "ends of C3": ((10, Decimal(1)), (120, Decimal("3.5"))),
        "Pmin": lambda c1, c5, p_max: p_max / 100,
    },
}


def _naive(code, scored):
    year = NAIVE[code]
    c1 = year["C1"][scored.event_type]
    c5 = {"in_person": Decimal(1), "online_supervised": Decimal("0.5"), "online": Decimal("0.25")}[
        scored.venue
    ]
    item = {"pairs": Decimal(1), "teams": Decimal(2), "individual": Decimal("0.5")}[scored.format]
    n = item * len(scored.contestants)
    c2, c3 = _naive_curve(year, "C2", Decimal(scored.boards)), _naive_curve(year, "C3", n)
    seats = [seat.category for c in scored.contestants for seat in c.seats if seat.category is not None]
    values = [Decimal(year["C4"][category]) for category in seats]
    c4 = sum(values) / len(values) if values else Decimal(year["C4"]["3D"])
    p_max = c1 * c2 * c3 * c4 * c5
    p_min = year["Pmin"](c1, c5, p_max)

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
    (low, least), (high, greatest) = year[f"ends of {name}"]
    return least if x <= low else greatest if x >= high else year[name](x)


def _naive_tie(points, place, size, ties):
    if ties == "best":
        return points(place)
    if ties == "mean_place":
        return points(place + Decimal(size - 1) / 2)
    return sum(points(k) for k in range(place, place + size)) / size
