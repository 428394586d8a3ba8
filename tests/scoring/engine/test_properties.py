"""Properties that hold for all events under every regulation of the AEB."""

from dataclasses import replace
from decimal import Decimal, localcontext

from hypothesis import given
from hypothesis import strategies as st

from scoring.engine.digest import digest
from scoring.engine.eventjson import event_from_json, event_to_json
from scoring.engine.points import Curve
from scoring.regulations import get, of_family
from tests.examples import examples
from tests.scoring.engine.strategies import events
from tests.scoring.engine.support import event as pool_event

REGULATIONS = st.sampled_from(of_family("aeb"))


def by_contestant(result):
    return {award.contestant: award for award in result.awards}


@given(REGULATIONS, st.data())
def test_the_order_of_contestants_does_not_change_awards(regulation, data):
    event = data.draw(events(regulation))
    shuffled = replace(event, contestants=tuple(data.draw(st.permutations(event.contestants))))
    result, again = regulation.score(event), regulation.score(shuffled)
    assert by_contestant(again) == by_contestant(result)
    assert replace(again, awards=()) == replace(result, awards=())
    assert [award.contestant for award in again.awards] == [c.id for c in shuffled.contestants]


@given(REGULATIONS, st.data())
def test_the_order_of_a_contestants_players_does_not_change_their_points(regulation, data):
    event = data.draw(events(regulation))
    turned = tuple(replace(c, seats=tuple(reversed(c.seats))) for c in event.contestants)
    result, again = regulation.score(event), regulation.score(replace(event, contestants=turned))
    assert (again.p_max, again.coefficients) == (result.p_max, result.coefficients)
    assert [award.points for award in again.awards] == [award.points for award in result.awards]


@given(REGULATIONS, st.data())
def test_points_fall_with_the_place_and_stay_in_bounds(regulation, data):
    result = regulation.score(data.draw(events(regulation)))
    ranked = sorted(result.awards, key=lambda award: award.place)
    for above, below in zip(ranked, ranked[1:], strict=False):
        assert above.exact >= below.exact
        assert above.points >= below.points
        assert (above.exact == below.exact) or above.place < below.place
    assert result.p_min > 0
    assert all(result.p_min <= award.exact <= result.p_max for award in ranked)


@given(REGULATIONS, st.data())
def test_sharing_the_mean_among_ties_keeps_the_total(regulation, data):
    event = data.draw(events(regulation, ties=("mean",)))
    order = sorted(event.contestants, key=lambda c: c.place)
    untied = replace(event, contestants=tuple(replace(c, place=k) for k, c in enumerate(order, start=1)))
    with localcontext(prec=60):
        total = sum(award.exact for award in regulation.score(event).awards)
        total_untied = sum(award.exact for award in regulation.score(untied).awards)
        assert abs(total - total_untied) < Decimal("1e-35")


@given(REGULATIONS, st.data())
def test_the_tie_rule_best_gives_the_most_points(regulation, data):
    """The tie rule `best` gives the award of the best shared place. The other rules never give more."""
    event = data.draw(events(regulation))
    mean, mean_place, best = (
        by_contestant(regulation.score(replace(event, ties=ties))) for ties in ("mean", "mean_place", "best")
    )
    curve = regulation.curve(regulation.score(event))
    for contestant in event.contestants:
        key = contestant.id
        assert best[key].exact == curve.at(regulation.position(event, contestant.place))
        assert mean_place[key].exact <= best[key].exact
        assert mean[key].exact <= best[key].exact
        assert mean[key].i == best[key].i <= mean_place[key].i
        assert mean_place[key].exact == curve.at(mean_place[key].i)


@given(st.integers(2, 200), st.integers(2, 400))
def test_the_curve_of_awards_falls_to_the_minimum(n, halves):
    curve = Curve(Decimal(n), Decimal(100), Decimal(1))
    i = Decimal(halves) / 2
    assert curve.at(i) >= curve.at(i + Decimal("0.5"))
    assert curve.at(Decimal(n)) == 1
    assert curve.at(Decimal(1)) == 100


@given(REGULATIONS, st.data())
def test_stored_inputs_restore_the_same_event(regulation, data):
    event = data.draw(events(regulation))
    again = event_from_json(event_to_json(event))
    assert again == event
    assert event_to_json(again) == event_to_json(event)


@examples(50)
@given(REGULATIONS, st.data())
def test_a_receipt_ends_with_the_contestants_award(regulation, data):
    event = data.draw(events(regulation))
    result = regulation.score(event)
    for award in result.awards:
        steps = {step.key: step for step in regulation.explain(event, result, award.contestant)}
        assert " ".join(steps) == "C1 C2 n C3 C4 C5 p_max p_min i award rounding"
        assert steps["i"].value == award.i
        assert steps["award"].value == award.exact
        assert steps["rounding"].value * 100 == award.points
        assert all(steps[name].value == value for name, value in result.coefficients.items())


def test_different_events_have_different_digests():
    plain = pool_event()
    others = [
        pool_event(boards=25),
        pool_event(boards_scheduled=24),
        pool_event(contestant_count=5),
        pool_event(c4=Decimal("1.5")),
        pool_event(ties="best"),
        pool_event(place_rule="even"),
        pool_event(session_seats=()),
        pool_event(places=(1, 2, 2, 4)),
        pool_event(category=None),
        pool_event(licensed=False),
    ]
    assert len({digest(event_to_json(e)) for e in (plain, *others)}) == len(others) + 1
    assert digest(event_to_json(plain)) == digest(event_to_json(pool_event()))
    assert get("aeb-2026").score(plain).eligible
