"""Tests of all schemes that award points by place, partly with an independent implementation."""

from dataclasses import replace
from decimal import ROUND_DOWN, Context, Decimal, localcontext, setcontext
from fractions import Fraction
from math import ceil, log10

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.engine.errors import EngineError
from scoring.engine.placed import PlacedEvent
from scoring.engine.rounding import Rounding, decimal_of
from scoring.engine.types import TIES, Contestant
from scoring.regulations import ALL, get
from scoring.regulations.acbl.club import ClubEvent
from scoring.regulations.acbl.overall import OverallEvent, size_factor
from scoring.regulations.places.scheme import PlaceScheme
from scoring.regulations.sbf_2019.rules import SbfEvent
from tests.examples import examples
from tests.scoring.engine.strategies import places

BRONZE, SILVER = get("sbf-2019-bronze"), get("sbf-2019-silver")
OVERALL, CLUB = get("acbl-overall"), get("acbl-club")
SCHEMES = tuple(regulation for regulation in ALL if isinstance(regulation, PlaceScheme))


def listed_event(ranking):
    return tuple(Contestant(id=str(k), place=place) for k, place in enumerate(ranking))


@st.composite
def scored(draw, ties=TIES):
    """Draw a scheme and an event.

    The event lists up to 40 contestants. Its `contestant_count` may be larger by up to 480.
    """
    ranking = draw(places())
    common = {
        "contestants": listed_event(ranking),
        "contestant_count": len(ranking) + draw(st.sampled_from((0, 0, 17, 480))),
        "ties": draw(st.sampled_from(ties)),
    }
    scheme = draw(st.sampled_from(SCHEMES))
    share = st.integers(1, 100).map(lambda per_cent: Decimal(per_cent) / 100)
    if scheme is BRONZE:
        table = draw(st.sampled_from(("A", "AY")))
        return scheme, SbfEvent(**common, decimals=draw(st.integers(0, 2)), places_table=table)
    if scheme is SILVER:
        return scheme, SbfEvent(**common, decimals=draw(st.integers(0, 2)), boards=draw(st.integers(1, 120)))
    if scheme is CLUB:
        return scheme, ClubEvent(**common, factors=draw(st.just({}) | share.map(lambda d: {"depth": d})))
    assert scheme is OVERALL, f"draw events of {scheme} here, and compute them in expected_awards"
    factors = {"M": draw(share), "T": draw(share), "depth": draw(share)}
    return scheme, OverallEvent(
        **common,
        tables=Decimal(draw(st.integers(1, 500))) / 2,
        rating=draw(st.sampled_from(("unit", "sectional", "regional", "national"))),
        sessions=draw(st.integers(1, 5)),
        restriction=draw(st.sampled_from(("none", "one", "two"))),
        factors=factors,
    )


def expected_awards(scheme, event):
    """Return the unrounded award of every place, and the number of paid places.

    This is an independent implementation of the documents' formulas.
    """
    n = event.count
    if scheme in (BRONZE, SILVER):
        winner, factor = (_bronze if scheme is BRONZE else _silver)(event, n)
        link, awards = winner, []
        for k in range(1, n + 1):
            awards.append(max(link, winner / k))
            link = Fraction(int(link * factor * 100 + Fraction(1, 2)), 100)
        return awards, ceil(n / 4)
    if scheme is CLUB:
        winner = min(Fraction(n, 10), Fraction(3, 2))
        steps = [Fraction(1), Fraction(7, 10), Fraction(1, 2), Fraction(35, 100)]
        shares = [steps[k - 1] if k < 5 else Fraction(1, k) for k in range(1, n + 1)]
        depth = event.factors.get("depth", Decimal("0.4"))
    else:
        winner = _overall(event)
        shares = [max(Fraction(3, 4) ** (k - 1), Fraction(1, k)) for k in range(1, n + 1)]
        depth = event.factors["depth"]
    return [winner * share for share in shares], int(Fraction(depth) * n + Fraction(1, 2))


def _bronze(event, n):
    n = Fraction(n)
    if n <= 50:
        winner, factor = 2 * n, Fraction(3, 4)
    elif n <= 150:
        winner, factor = 50 + n, (n + 1450) / 2000
    elif n <= 250:
        winner, factor = 50 + n, (n + 2250) / 3000
    elif n <= 500:
        winner, factor = 175 + n / 2, (n + 8500) / 10500
    else:
        winner, factor = 300 + n / 4, (n + 23500) / 28000
    return winner, Fraction(3, 4) if event.places_table == "A" else factor


def _silver(event, n):
    winner = Fraction(3 * event.boards, 10)
    for pair in range(1, n + 1):
        winner += Fraction(max(1, 5 - max(0, pair - 1) // 40) if pair > 40 else 5, 10)
    return winner, Fraction(3, 4)


def _overall(event):
    t = ceil(event.tables)
    size = Fraction(t + 10, 60) if t <= 60 else size_factor(t)
    assert abs(float(size) - ((t + 10) / 60 if t <= 60 else log10(t / 4))) < 1e-12
    rating = {"unit": "8.5", "sectional": "10", "regional": "14", "national": "22.5"}[event.rating]
    restriction = {"none": "1", "one": "0.8", "two": "0.7"}[event.restriction]
    value = size
    for factor in (
        rating,
        Fraction(event.sessions + 1, 2),
        event.factors["M"],
        restriction,
        event.factors["T"],
    ):
        value = Fraction(round(value * Fraction(factor) * 100), 100)
    return value


def _rounded(scheme, event, exact):
    """Round an award as the scheme prescribes. Return hundredths of a point."""
    if scheme in (BRONZE, SILVER):
        unit = 10**event.decimals
        return int(exact * unit + Fraction(1, 2)) * 100 // unit
    return round(exact * 100)


@examples(200)
@given(scored())
def test_awards_by_place_equal_those_of_an_independent_computation(case):
    scheme, event = case
    awards, paid = expected_awards(scheme, event)
    at = [award if k < paid else Fraction(0) for k, award in enumerate(awards)]
    result = scheme.score(event)
    for contestant, award in zip(event.contestants, result.awards, strict=True):
        place, size = contestant.place, event.size_of(contestant.place)
        middle = place - 1 + Fraction(size - 1, 2)
        exact = {
            "best": at[place - 1],
            "mean": sum(at[place - 1 : place - 1 + size]) / size,
            "mean_place": (at[int(middle)] + at[ceil(middle)]) / 2,
        }[event.ties]
        assert award.exact == decimal_of(exact)
        assert award.points == _rounded(scheme, event, exact)
    assert result.p_max == decimal_of(awards[0])
    assert result.p_min == decimal_of(at[paid - 1] if paid else Fraction(0))


@given(scored(), st.data())
def test_the_order_of_contestants_does_not_change_awards(case, data):
    scheme, event = case
    shuffled = replace(event, contestants=tuple(data.draw(st.permutations(event.contestants))))
    first, other = scheme.score(event), scheme.score(shuffled)
    assert {a.contestant: a for a in first.awards} == {a.contestant: a for a in other.awards}


@given(scored())
def test_points_never_rise_with_the_place(case):
    scheme, event = case
    result = scheme.score(event)
    ranked = sorted(result.awards, key=lambda award: award.place)
    for above, below in zip(ranked, ranked[1:], strict=False):
        assert above.exact >= below.exact
        assert above.points >= below.points
    assert all(0 <= award.exact <= result.p_max for award in ranked)


@given(scored(ties=("mean",)))
def test_sharing_the_mean_among_ties_keeps_the_total(case):
    scheme, event = case
    order = sorted(event.contestants, key=lambda contestant: contestant.place)
    untied = tuple(replace(contestant, place=k) for k, contestant in enumerate(order, start=1))
    with localcontext(prec=60):
        total = sum(award.exact for award in scheme.score(event).awards)
        again = sum(award.exact for award in scheme.score(replace(event, contestants=untied)).awards)
        assert abs(total - again) < Decimal("1e-35")


@examples(60)
@given(scored())
def test_a_receipt_ends_with_the_contestants_award(case):
    scheme, event = case
    result = scheme.score(event)
    for award in result.awards:
        steps = scheme.explain(event, result, award.contestant)
        named = {step.key: step for step in steps}
        assert [step.key for step in steps[-3:]] == ["i", "award", "rounding"]
        assert named["i"].value == award.i
        assert named["award"].value == award.exact
        assert named["rounding"].value * 100 == award.points
        for name, value in result.coefficients.items():
            assert named[name].value == value
        assert all(step.formula and step.working and step.article for step in steps)
        check_places(scheme, event, award, steps)


def check_places(scheme, event, award, steps):
    """Assert that the receipt has lines for all places from which the award is computed."""
    ladder = scheme.ladder(event)
    lines = {step.params["place"]: step.value for step in steps if step.key == "link"}
    assert all(decimal_of(ladder.at(place)) == value for place, value in lines.items())
    shares = {step.params["place"]: step.value for step in steps if step.key == "c"}
    size = event.size_of(award.place)
    if size == 1 or event.ties == "best":
        occupied = {award.place}
    elif event.ties == "mean":
        occupied = set(range(award.place, award.place + size))
    else:
        occupied = {award.place + (size - 1) // 2, award.place + size // 2}
    paid = {place for place in occupied if place <= ladder.paid}
    if len(paid) > 1:
        assert paid <= lines.keys()
    if scheme in (OVERALL, CLUB):
        assert shares.keys() == paid
        assert all(
            decimal_of(ladder.award(1) * Fraction(share)) == decimal_of(ladder.at(place))
            for place, share in shares.items()
            if Fraction(share).denominator < 10**6
        )
    elif any(step.key == "award" and step.code == "chain" for step in steps):
        assert lines.keys() >= set(range(1, award.place))


@examples(40)
@given(scored())
def test_awards_do_not_depend_on_the_callers_decimal_context(case):
    scheme, event = case
    result = scheme.score(event)
    receipts = [scheme.explain(event, result, award.contestant) for award in result.awards]
    size_factor.cache_clear()
    with localcontext():
        setcontext(Context(prec=1, rounding=ROUND_DOWN))
        again = scheme.score(event)
        assert [scheme.explain(event, again, award.contestant) for award in again.awards] == receipts
    assert again == result


def points(scheme, event):
    return [award.points for award in scheme.score(event).awards]


def test_a_single_contestant_is_scored_under_every_scheme():
    """A single contestant gets 2 bronze points, 0.5 + 0.3 per board silver points, and no ACBL club award."""
    alone = listed_event([1])
    assert points(BRONZE, SbfEvent(contestants=alone, decimals=0)) == [200]
    assert points(SILVER, SbfEvent(contestants=alone, decimals=1, boards=20)) == [650]
    club = CLUB.score(ClubEvent(contestants=alone))
    assert (club.p_max, club.p_min, club.awards[0].points) == (Decimal("0.1"), 0, 0)
    assert points(CLUB, ClubEvent(contestants=alone, factors={"depth": Decimal("0.5")})) == [10]


def test_contestants_who_all_tie_share_the_paid_places_equally():
    """Twenty tied contestants share the awards of the five paid places equally: 122.03 bronze points."""
    event = SbfEvent(contestants=listed_event([1] * 20), decimals=2)
    assert points(BRONZE, event) == [610] * 20


def test_a_tournament_of_five_thousand_contestants_is_scored():
    event = SbfEvent(contestants=listed_event(range(1, 5001)), decimals=0)
    result = BRONZE.score(event)
    assert result.coefficients["winner"] == 950
    assert sum(award.points > 0 for award in result.awards) == 1250


def test_club_awards_are_rounded_half_to_even():
    """Club awards are rounded half to even: 0.315 to 0.32 and 0.245 to 0.24."""
    assert points(CLUB, ClubEvent(contestants=listed_event(range(1, 10))))[3] == 32
    assert (
        points(CLUB, ClubEvent(contestants=listed_event(range(1, 8)), factors={"depth": Decimal(1)}))[3] == 24
    )
    assert Rounding(2, "up").units(Fraction("0.245")) == 25


def test_overall_awards_are_rounded_after_every_factor():
    """Overall awards are rounded after every factor.

    11.5 tables count as 12. The first place earns 0.36667 · 8.5 = 3.11667 → 3.12, · 1.5 = 4.68, · 0.87 =
    4.0716 → 4.07, …
    """
    factors = {"M": Decimal("0.87"), "T": Decimal("0.95"), "depth": Decimal("0.25")}
    event = OverallEvent(
        contestants=listed_event(range(1, 13)),
        tables=Decimal("11.5"),
        rating="unit",
        sessions=2,
        restriction="one",
        factors=factors,
    )
    assert points(OVERALL, event)[:4] == [310, 232, 174, 0]


def test_factors_of_the_event_take_precedence():
    factors = {name: Decimal(1) for name in ("R", "S", "M", "P", "T", "depth")} | {"B": Decimal("3.005")}
    event = OverallEvent(
        contestants=listed_event([1]),
        tables=Decimal(5),
        rating="national",
        sessions=5,
        restriction="two",
        factors=factors,
    )
    result = OVERALL.score(event)
    assert result.coefficients["B"] == Decimal("3.005")
    assert result.awards[0].points == 300


@pytest.mark.parametrize("half", ["down", ""])
def test_an_unknown_way_of_rounding_is_refused(half):
    with pytest.raises(ValueError, match="halves"):
        Rounding(2, half)


def test_a_receipt_for_an_unknown_contestant_is_refused():
    event = ClubEvent(contestants=listed_event([1, 2]))
    with pytest.raises(EngineError) as caught:
        CLUB.explain(event, CLUB.score(event), "x")
    assert caught.value.code == "unknown_contestant"


def test_silver_points_cannot_be_computed_without_boards():
    with pytest.raises(EngineError) as caught:
        SILVER.score(SbfEvent(contestants=listed_event([1]), decimals=1))
    assert (caught.value.code, caught.value.field) == ("missing_field", "boards")


def test_the_number_of_contestants_is_that_of_the_listed_ones_by_default():
    assert PlacedEvent(contestants=listed_event([1, 2])).count == 2
    assert PlacedEvent(contestants=listed_event([1, 2]), contestant_count=9).count == 9


def test_a_swedish_receipt_has_a_line_for_each_place_down_to_the_contestants():
    event = SbfEvent(contestants=listed_event(range(1, 21)), decimals=2)
    steps = BRONZE.explain(event, BRONZE.score(event), "3")
    links = [step for step in steps if step.key == "link"]
    assert [step.params["place"] for step in links] == [1, 2, 3]
    above, award = links[-1], steps[-2]
    assert award.working.startswith(f"A(4) = {above.value.normalize():f}·")


@pytest.mark.parametrize(("place", "working"), [(3, "c(3) = 1/2"), (4, "c(4) = 7/20"), (5, "c(5) = 1/5")])
def test_the_receipt_of_a_club_award_shows_the_share_of_the_place(place, working):
    event = ClubEvent(contestants=listed_event(range(1, 21)))
    steps = CLUB.explain(event, CLUB.score(event), str(place - 1))
    (share,) = (step for step in steps if step.key == "c")
    shown = share.working.replace("0.5", "1/2").replace("0.35", "7/20").replace(" = 0.2", "")
    assert shown == working
