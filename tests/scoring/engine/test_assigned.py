"""Results that a director assigned are recognised by matchpoints that do not follow from the scores."""

from fractions import Fraction

from scoring.engine.assigned import assigned_results, with_assigned
from scoring.engine.boards import TravellerLine, percentages

LINES = [TravellerLine(board, score) for board in range(6) for score in (430, 420, -50)]
# A board with two results, and an artificial one.
LINES += [TravellerLine(6, 420), TravellerLine(6, 50), TravellerLine(6, None, (Fraction(50), Fraction(50)))]
STATED = [(4, 0), (2, 2), (0, 4)] * 6 + [(2, 0), (0, 2), (2, 2)]


def points(*changed):
    return [
        tuple(map(Fraction, changed[0][1] if k == changed[0][0] else own)) for k, own in enumerate(STATED)
    ]


def test_matchpoints_of_the_scores_are_no_assigned_results_with_neubergs_formula_or_without():
    assert assigned_results(LINES, points((18, (2, 0)))) == {}
    assert assigned_results(LINES, points((18, ("3.5", "0.5")))) == {}
    # Half of the board's own most, which two results give: 1 of 2.
    assert assigned_results(LINES, points((20, (1, 1)))) == {}


def test_other_matchpoints_are_assigned_results_until_the_line_changes():
    assigned = assigned_results(LINES, points((20, ("2.4", "1.1"))))
    assert {k: (result.ns, result.ew) for k, result in assigned.items()} == {20: (60, Fraction(55, 2))}
    results = with_assigned(percentages(LINES), LINES, LINES, assigned)
    assert results[:20] == percentages(LINES)[:20] and results[20].ew == Fraction(55, 2)
    after = [*LINES[:20], TravellerLine(6, 430)]
    assert with_assigned(percentages(after), LINES, after, assigned) == percentages(after)


def test_if_many_lines_differ_the_file_counts_matchpoints_in_another_way():
    halves = [(Fraction(ns, 2), Fraction(ew, 2)) for ns, ew in STATED]
    assert assigned_results(LINES, halves) == {}
    assert assigned_results(LINES, [(None, None)] * len(LINES)) == {}
    assert assigned_results([TravellerLine(1, 420)], [(Fraction(5), Fraction(0))]) == {}
