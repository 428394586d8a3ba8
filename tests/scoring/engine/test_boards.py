"""Matchpoints, Neuberg's formula and cross-IMPs agree with a slow computation, result by result."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.engine.boards import (
    IMP_STEPS,
    SideResults,
    TravellerLine,
    cross_imps,
    discrepancies,
    imp_results,
    imps,
    matchpoints,
    neuberg,
    percentages,
)

SCORES = st.lists(st.sampled_from([-800, -420, -50, 0, 50, 110, 420, 430, 1430]), min_size=1, max_size=12)


@given(SCORES)
def test_matchpoints_are_two_per_lower_score_and_one_per_equal_score(scores):
    expected = [
        sum(2 * (mine > other) + (mine == other) for j, other in enumerate(scores) if j != k)
        for k, mine in enumerate(scores)
    ]
    assert matchpoints(scores) == expected
    assert sum(expected) == len(scores) * (len(scores) - 1)


@given(SCORES)
def test_cross_imps_are_the_mean_of_all_comparisons(scores):
    result = cross_imps(scores)
    for k, mine in enumerate(scores):
        others = [imps(mine - other) for j, other in enumerate(scores) if j != k]
        assert result[k] == (Fraction(sum(others), len(others)) if others else 0)
    assert sum(result) == 0


@pytest.mark.parametrize(
    ("difference", "worth"),
    [(0, 0), (10, 0), (20, 1), (40, 1), (50, 2), (420, 9), (430, 10), (3990, 23), (4000, 24), (9999, 24)],
)
def test_imps_follow_from_the_score_difference(difference, worth):
    assert (imps(difference), imps(-difference)) == (worth, -worth)


def test_the_imp_scale_has_the_steps_of_the_laws():
    """The number of IMPs rises at the score differences that the laws of bridge print."""
    smallest = [
        20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600,
        750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000,
    ]  # fmt: skip
    assert list(IMP_STEPS) == smallest
    for worth, difference in enumerate(smallest, start=1):
        assert (imps(difference - 10), imps(difference)) == (worth - 1, worth)


def test_the_imp_scale_has_24_rising_steps():
    assert len(IMP_STEPS) == 24
    assert list(IMP_STEPS) == sorted(set(IMP_STEPS))


@given(SCORES)
def test_a_board_with_all_results_needs_no_neuberg_formula(scores):
    result = percentages([TravellerLine(1, score) for score in scores])
    top = 2 * (len(scores) - 1)
    for mine, earned in zip(matchpoints(scores), result, strict=True):
        assert earned == SideResults(
            *((Fraction(100 * mine, top), 100 - Fraction(100 * mine, top)) if top else (50, 50))
        )


@given(st.integers(2, 30), st.data())
def test_neubergs_formula_keeps_the_mean_and_the_bounds_of_results(field, data):
    results = data.draw(st.integers(1, field))
    shares = [neuberg(points, results, field) for points in range(0, 2 * results - 1, 2)]
    assert sum(shares) == 50 * results
    assert all(0 <= share <= 100 for share in shares)


def test_neubergs_formula_gives_a_published_example():
    """Neuberg's formula gives a published example.

    With 21 results in a field of 22, 27 matchpoints become 28.33 of 42.
    """
    assert round(float(neuberg(27, 21, 22)) * 42 / 100, 2) == 28.33


def test_artificial_scores_are_marked_and_not_compared_with_other_scores():
    lines = [
        TravellerLine(1, 420),
        TravellerLine(1, -50),
        TravellerLine(1, None, (Fraction(60), Fraction(40))),
        TravellerLine(2, 100),
        TravellerLine(2, 100),
        TravellerLine(2, 50),
        TravellerLine(3),
    ]
    first, second, artificial, *rest = percentages(lines)
    assert artificial == SideResults(Fraction(60), Fraction(40), True)
    # Two of three results: ((2 + 1)·3/2 − 1)/4.
    assert (first.ns, second.ns) == (Fraction(175, 2), Fraction(25, 2))
    assert [earned and earned.ns for earned in rest] == [75, 75, 0, None]


def test_a_single_result_on_a_board_gets_half_or_zero_imps():
    assert percentages([TravellerLine(1, 420)]) == [SideResults(Fraction(50), Fraction(50))]
    assert imp_results([TravellerLine(1, 420)]) == [SideResults(Fraction(0), Fraction(0))]


@given(SCORES)
def test_in_cross_imps_one_side_loses_what_the_other_wins(scores):
    result = imp_results([TravellerLine(1, score) for score in scores])
    assert result == [SideResults(mine, -mine) for mine in cross_imps(scores)]


def test_imps_stated_by_every_line_of_a_board_are_used_unchanged():
    lines = [
        TravellerLine(1, 420, None, (Fraction(5), None)),
        TravellerLine(1, 50, None, (None, Fraction(4))),
    ]
    assert imp_results(lines) == [
        SideResults(Fraction(5), Fraction(-5)),
        SideResults(Fraction(-4), Fraction(4)),
    ]
    unstated = [lines[0], TravellerLine(1, 50)]
    assert [earned.ns for earned in imp_results(unstated)] == [9, -9]


def test_an_artificial_score_in_imps_is_three_for_ten_percent():
    lines = [
        TravellerLine(1, 420),
        TravellerLine(1, 420),
        TravellerLine(1, None, (Fraction(60), Fraction(40))),
    ]
    assert imp_results(lines)[2] == SideResults(Fraction(3), Fraction(-3), True)


def test_a_line_without_a_score_gets_no_imps():
    first, second, unplayed = imp_results([TravellerLine(1, 420), TravellerLine(1, 50), TravellerLine(1)])
    assert (first, second, unplayed) == (SideResults(9, -9), SideResults(-9, 9), None)


def test_an_adjusted_score_is_not_compared_with_other_scores():
    lines = [
        TravellerLine(1, 420),
        TravellerLine(1, 50),
        TravellerLine(1, -1000, (Fraction(60), Fraction(40))),
    ]
    assert imp_results(lines) == [
        SideResults(9, -9),
        SideResults(-9, 9),
        SideResults(Fraction(3), Fraction(-3), True),
    ]
    assert percentages(lines)[2] == SideResults(Fraction(60), Fraction(40), True)
    assert [earned.ns for earned in percentages(lines)[:2]] == [Fraction(175, 2), Fraction(25, 2)]


def test_stated_percentages_differ_from_computed_ones_by_more_than_rounding():
    result = {"a": Fraction(111, 2), "b": Fraction(40)}
    stated = {"a": Fraction("55.45"), "b": Fraction("40.06"), "c": Fraction(50)}
    assert discrepancies(stated, result) == {"b": Fraction("-0.06")}
