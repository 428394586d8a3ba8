"""Results in IMPs, computed from the scores of the boards.

Butler compares each score with the mean of the board's scores. In matches of teams, the scores of the two
rooms are added.
"""

from fractions import Fraction

from scoring.engine.boards import TravellerLine, butler, butler_results, match_results


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
