"""Results in IMPs, computed from the scores of the boards.

Butler compares each score with the mean of the board's scores. In matches of teams, the scores of the two
rooms are added.
"""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.engine.boards import (
    TravellerLine,
    both_rooms,
    butler,
    butler_results,
    imps,
    match_results,
    victory_points,
)


def line(score, board=1, adjusted=None) -> TravellerLine:
    return TravellerLine(board, score, adjusted and (Fraction(adjusted[0]), Fraction(adjusted[1])))


def sides(results) -> list:
    return [result and (result.ns, result.ew) for result in results]


def test_butler_compares_with_the_mean_rounded_to_ten():
    assert butler([420, 450, 170]) == [2, 3, -5]  # mean 346.7, datum 350
    assert butler([425, 420]) == [0, 0]  # mean 422.5, datum 420
    assert butler([-50, -60]) == [0, 0]  # mean -55, datum -60: half away from zero
    assert butler([600]) == [0]
    assert butler([]) == []


def test_from_five_results_on_butler_leaves_out_the_extremes():
    assert butler([2220, 430, 430, 430, -100]) == [18, 0, 0, 0, -11]  # datum 430
    assert butler([2220, 430, 430, -100])[1] == -8  # four results: datum 750


def test_butler_keeps_adjusted_scores_and_lines_without_a_score():
    results = butler_results([line(420), line(None, adjusted=(60, 40)), line(None), line(170)])
    assert sides(results) == [(3, -3), (3, -3), None, (-4, 4)]  # datum 300
    assert results[1].artificial


def test_teams_get_the_imps_of_both_rooms_once():
    lines = [line(420), line(-50), line(100, board=2), line(300, board=2)]
    teams = [(1, 2), (2, 1)] * 2
    # Team 1 made 420 North-South, and its East-West defeated the contract: 470 points, 10 IMPs.
    assert sides(match_results(lines, teams)) == [(0, 0), (-10, 10), (0, 0), (5, -5)]


def test_a_board_of_teams_needs_both_rooms():
    assert sides(match_results([line(420), line(None)], [(1, 2), (2, 1)])) == [None, None]
    assert sides(match_results([line(420), line(430)], [(1, 2), (1, 2)])) == [None, None]


def test_an_adjusted_board_of_teams_counts_once():
    lines = [line(420), line(None, adjusted=(60, 40)), line(None, adjusted=(60, 40))]
    assert sides(match_results(lines, [(1, 2), (2, 1), (2, 1)])) == [None, (3, -3), None]


@pytest.mark.parametrize(
    ("margin", "boards", "points"),
    [
        (0, 16, "10.00"),
        (1, 16, "10.31"),
        (4, 16, "11.20"),
        (60, 16, "20.00"),
        (99, 16, "20.00"),
        (5, 8, "12.05"),
    ],
)
def test_victory_points_follow_the_continuous_scale(margin, boards, points):
    assert victory_points(margin, boards) == Decimal(points)


@given(st.integers(-150, 150), st.integers(1, 64))
def test_victory_points_agree_with_floats_and_add_up_to_twenty(margin, boards):
    points = victory_points(margin, boards)
    assert points + victory_points(-margin, boards) == 20
    ratio, blitz = (5**0.5 - 1) / 2, 15 * boards**0.5
    won = 10 + 10 * (1 - ratio ** (3 * min(abs(margin), blitz) / blitz)) / (1 - ratio**3)
    assert abs(float(points) - (won if margin >= 0 else 20 - won)) < 0.00501
    assert points <= victory_points(margin + 1, boards)


@given(st.lists(st.tuples(st.sampled_from([-420, 0, 50, 420, 630]), st.booleans()), min_size=1, max_size=8))
def test_both_rooms_of_a_board_have_its_result(boards):
    lines, teams = [], []
    for number, (score, is_second_played) in enumerate(boards):
        lines.append(TravellerLine(number, score))
        teams.append(("A", "B"))
        if is_second_played:
            lines.append(TravellerLine(number, 50))
            teams.append(("B", "A"))
    for line, sides, result in zip(lines, teams, both_rooms(lines, teams), strict=True):
        rooms = [other for other, seated in zip(lines, teams, strict=True) if other.board == line.board]
        if len(rooms) < 2:
            assert result is None
            continue
        for_a = imps(rooms[0].score - rooms[1].score)
        assert (result.ns, result.ew) == ((for_a, -for_a) if sides == ("A", "B") else (-for_a, for_a))


def test_an_adjusted_board_counts_for_both_rooms():
    lines = [TravellerLine(1, 420), TravellerLine(1, None, (Fraction(60), Fraction(40)))]
    shown = both_rooms(lines, [("A", "B"), ("B", "A")])
    assert [(result.ns, result.ew) for result in shown] == [(-3, 3), (3, -3)]


def test_matches_are_told_apart_by_their_rounds_if_the_teams_met_twice():
    lines = [TravellerLine(1, score) for score in (420, 50, -50, 50)]
    teams = [("A", "B"), ("B", "A")] * 2
    assert match_results(lines, teams) == [None] * 4
    assert [item.ns for item in match_results(lines, teams, [1, 1, 2, 2])] == [0, -9, 0, 3]
