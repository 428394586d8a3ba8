"""What a change of a board does to figures and places, compared with a slow computation of both."""

from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from scoring.engine.board_changes import (
    IMP_WAYS,
    MATCHPOINT_WAYS,
    best_way,
    carried_over,
    follows_figures,
    likely_percentages,
    new_places,
    scaled_total_of,
    total_of,
)
from scoring.engine.boards import SideResults, TravellerLine, imps, matchpoints, tenths_percentages

D = Decimal
SCORES = st.sampled_from([None, -800, -420, -50, 0, 50, 110, 420, 430, 1430])
HUNDREDTHS = st.integers(-9000, 9000).map(lambda number: Decimal(number) / 100)


@st.composite
def sessions(draw):
    """Draw a session of six pairs: the lines of its boards, and who sat at each."""
    lines, sides = [], []
    for board in range(1, draw(st.integers(1, 5)) + 1):
        for table in range(3):
            lines.append(TravellerLine(board, draw(SCORES)))
            sides.append(((table + 1,), (4 + (table + board) % 3,)))
    return lines, sides


def slow_percentages(lines, sides) -> dict[int, Fraction]:
    """Compare each result with each other of its board, with Neuberg's formula as the laws print it."""
    boards = {line.board: [item for item in lines if item.board == line.board] for line in lines}
    played = {
        board: [item.score for item in rows if item.score is not None] for board, rows in boards.items()
    }
    most = max(map(len, played.values()))
    shares: dict[int, list[Fraction]] = {}
    for line, (ns, ew) in zip(lines, sides, strict=True):
        if line.score is None:
            continue
        scores = played[line.board]
        points = Fraction(matchpoints(scores)[scores.index(line.score)])
        share = Fraction(50)
        if most > 1:
            share = ((points + 1) * most / len(scores) - 1) / (2 * (most - 1)) * 100
        shares.setdefault(ns[0], []).append(share)
        shares.setdefault(ew[0], []).append(100 - share)
    return {pair: sum(own) / len(own) for pair, own in shares.items()}


def slow_imps(lines, sides) -> dict[int, Fraction]:
    total: dict[int, Fraction] = {}
    for line, (ns, ew) in zip(lines, sides, strict=True):
        if line.score is None:
            continue
        others = [item.score for item in lines if item.board == line.board and item.score is not None]
        others.remove(line.score)
        mine = Fraction(sum(imps(line.score - other) for other in others), len(others) or 1)
        total[ns[0]] = total.get(ns[0], 0) + mine
        total[ew[0]] = total.get(ew[0], 0) - mine
    return total


@given(sessions())
def test_figures_agree_with_a_comparison_of_all_results(session):
    lines, sides = session
    assert MATCHPOINT_WAYS[0].figures(lines, sides) == slow_percentages(lines, sides)
    cross = next(way for way in IMP_WAYS if way.gather is total_of)
    assert cross.figures(lines, sides) == slow_imps(lines, sides)


@given(sessions())
def test_without_neubergs_formula_the_matchpoints_of_all_boards_are_added_up(session):
    lines, sides = session
    points: dict[int, list[int]] = {}
    for line, (ns, ew) in zip(lines, sides, strict=True):
        others = [item.score for item in lines if item.board == line.board and item.score is not None]
        if line.score is not None:
            mine = matchpoints(others)[others.index(line.score)]
            most = 2 * (len(others) - 1)
            for pair, own in ((ns[0], mine), (ew[0], most - mine)):
                points.setdefault(pair, []).append((own, most))
    assert MATCHPOINT_WAYS[1].figures(lines, sides) == {
        pair: Fraction(100 * sum(own for own, _most in scores), sum(most for _own, most in scores))
        for pair, scores in points.items()
        if any(most for _own, most in scores)
    }


@given(sessions(), st.booleans(), st.booleans())
def test_the_likely_percentages_are_those_of_the_ranking(session, is_weighted, is_apart):
    lines, sides = session
    computed = MATCHPOINT_WAYS[is_weighted].figures(lines, sides)
    printed = {
        pair: (D(value.numerator) / value.denominator).quantize(D("0.01")) for pair, value in computed.items()
    }
    groups = ["A"] * len(lines) if is_apart else None
    results, figures = likely_percentages(lines, sides, printed, groups)
    assert len(results) == len(lines)
    assert all(abs(figures[pair] - value) <= Fraction(5, 100) for pair, value in computed.items())
    # With Neuberg's formula if nothing says otherwise.
    assert likely_percentages(lines, sides, {})[1] == slow_percentages(lines, sides)


@given(sessions(), SCORES, st.integers(0, 14), st.lists(HUNDREDTHS, min_size=6, max_size=6))
def test_a_penalty_is_carried_over_and_the_difference_is_that_of_the_boards(session, score, at, penalties):
    lines, sides = session
    at %= len(lines)
    way = next(way for way in IMP_WAYS if way.gather is total_of)
    changed = [*lines[:at], TravellerLine(lines[at].board, score), *lines[at + 1 :]]
    before, after = way.figures(lines, sides), way.figures(changed, sides)
    printed = {
        pair: (D(value.numerator) / value.denominator).quantize(D("0.01")) + penalties[pair - 1]
        for pair, value in before.items()
    }
    new, unlike = carried_over(printed, before, after)
    assert new.keys() == printed.keys()
    for pair, value in new.items():
        moved = after.get(pair)
        if moved is None or moved == before[pair]:
            assert value == printed[pair]
        elif pair in unlike:
            assert abs(Fraction(value) - Fraction(printed[pair]) - (moved - before[pair])) <= Fraction(1, 2)
        else:
            # A figure without a penalty becomes that of its boards, to the last printed decimal.
            assert abs(Fraction(value) - moved) <= Fraction(1, 2)


def test_figures_keep_the_decimals_of_the_ranking():
    new, unlike = carried_over(
        {"a": D("58.33"), "b": D("41.60"), "c": D("50.00")},
        {"a": Fraction(175, 3), "b": Fraction(125, 3), "c": Fraction(50)},
        {"a": Fraction(200, 3), "b": Fraction(100, 3), "c": Fraction(50)},
    )
    # The pair b has a penalty of about 0.07: it keeps it, and loses what its boards lose.
    assert (new, unlike) == ({"a": D("66.67"), "b": D("33.27"), "c": D("50.00")}, {"b"})


def test_figures_printed_as_whole_numbers_stay_whole_if_the_program_rounds():
    before, after = {"a": Fraction(121, 2), "b": Fraction(40)}, {"a": Fraction(251, 4), "b": Fraction(40)}
    assert carried_over({"a": D(61), "b": D(40)}, before, after)[0] == {"a": D(63), "b": D(40)}
    # Figures that are whole numbers by chance get decimals.
    before["a"] = Fraction(61)
    assert carried_over({"a": D(61), "b": D(40)}, before, after)[0] == {"a": D("62.75"), "b": D(40)}


def test_a_figure_of_rounded_results_keeps_its_distance_and_no_penalty_is_reported():
    # 58.34 is the mean of results that were rounded before.
    printed = {"a": D("58.34"), "b": D("41.67")}
    before = {"a": Fraction(175, 3), "b": Fraction(125, 3)}
    new, unlike = carried_over(printed, before, {"a": Fraction(200, 3), "b": Fraction(100, 3)})
    assert (new, unlike) == ({"a": D("66.67"), "b": D("33.33")}, set())


def test_figures_finer_than_hundredths_are_cut_off_so_that_pages_round_once():
    new, _unlike = carried_over({"a": D("50.125")}, {"a": Fraction("50.125")}, {"a": Fraction(1600, 33)})
    assert new == {"a": D("48.484")}


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=8))
def test_places_count_those_with_a_higher_figure(figures):
    old = {key: D(before) for key, (before, _after) in enumerate(figures)}
    new = {key: D(after) for key, (_before, after) in enumerate(figures)}
    before = {key: (1 + sum(other > value for other in old.values()), value) for key, value in old.items()}
    assert new_places(before, new) == {
        key: 1 + sum(other > value for other in new.values()) for key, value in new.items()
    }
    assert follows_figures(before.values())


def test_a_broken_tie_stays_broken_if_neither_result_changes():
    before = {"a": (1, D(60)), "b": (2, D(50)), "c": (3, D(50)), "d": (4, D(40))}
    assert new_places(before, {"a": D(55), "b": D(50), "c": D(50), "d": D(45)}) == dict(a=1, b=2, c=3, d=4)
    assert new_places(before, {"a": D(60), "b": D(50), "c": D(50), "d": D(50)}) == dict(a=1, b=2, c=2, d=2)
    assert not follows_figures([(1, D(50)), (2, D(60))])


def test_the_way_of_scoring_is_recognised_by_the_printed_results():
    lines = [TravellerLine(1, score) for score in (430, 400, 0, -50)]
    sides = [((k,), (k + 4,)) for k in range(1, 5)]
    butler_sum = {1: D(6), 2: D(5), 3: D(-5), 4: D(-6), 5: D(-6), 6: D(-5), 7: D(5), 8: D(6)}
    way = best_way(IMP_WAYS, lines, sides, butler_sum)
    assert way is not None and way.figures(lines, sides)[1] == 6
    assert best_way(IMP_WAYS, lines, sides, dict.fromkeys(butler_sum, D(100))) is None


# A board with four results, as Compscore prints it: IMPs rounded on the lines, totals from unrounded ones.
CROSS_IMPS = {-140: "3.67", -460: "-6", 50: "9", -490: "-6.67"}


def test_totals_of_unrounded_imps_are_recognised_where_the_lines_state_rounded_ones():
    lines, sides = [], []
    for board in (1, 2):
        for table, (score, own) in enumerate(CROSS_IMPS.items()):
            stated = Fraction(own)
            lines.append(TravellerLine(board, score, stated=(stated, -stated)))
            sides.append(((table,), (table + 4,)))
    printed = dict(enumerate(map(D, ("7.33", "-12", "18", "-13.33", "-7.33", "12", "-18", "13.33"))))
    way = best_way(IMP_WAYS, lines, sides, printed)
    assert way is not None and not way.keeps_stated
    assert way.figures(lines, sides)[0] == Fraction(22, 3)
    # With lines that count as they are printed, it is the other way round.
    rounded = printed | {0: D("7.34"), 3: D("-13.34"), 4: D("-7.34"), 7: D("13.34")}
    way = best_way(IMP_WAYS, lines, sides, rounded)
    assert way is not None and way.figures(lines, sides)[0] == Fraction("7.34")


def test_a_mean_of_four_scores_without_the_extremes_is_recognised():
    butler_imps = {50: 11, -460: 0, -490: -1, -430: 1}
    sides = [((k,), (k + 4,)) for k in range(4)]
    lines = [
        TravellerLine(1, score, stated=(Fraction(own), Fraction(-own))) for score, own in butler_imps.items()
    ]
    printed = dict(enumerate(map(D, (11, 0, -1, 1, -11, 0, 1, -1))))
    way = best_way(IMP_WAYS, lines, sides, printed)
    assert way is not None
    bare = [TravellerLine(1, score) for score in butler_imps]
    assert [result and result.ns for result in way.results(bare, sides)] == list(butler_imps.values())


def test_percentages_that_half_of_the_contestants_do_not_have_from_their_boards_are_not_recognised():
    sides = [((0,), (1,)), ((2,), (3,))]
    lines = [TravellerLine(1, 420), TravellerLine(1, -50)]
    percentages = {0: D(100), 1: D(0), 2: D("3.2"), 3: D("96.8")}
    assert best_way(MATCHPOINT_WAYS, lines, sides, percentages) == MATCHPOINT_WAYS[0]
    # A twentieth of a percent is no difference; nearly all contestants would have one otherwise.
    near = {0: D("99.97"), 1: D("0.03"), 2: D("3.2"), 3: D("96.8")}
    assert best_way(MATCHPOINT_WAYS, lines, sides, near, Fraction(5, 100)) == MATCHPOINT_WAYS[0]
    assert best_way(MATCHPOINT_WAYS, lines, sides, near) is None


def test_matchpoints_are_rounded_to_one_decimal_on_each_line():
    # The second board has two results of three: Neuberg's formula gives 2.75 and 1.25 matchpoints of 4.
    lines = [TravellerLine(1, score) for score in (420, 400, -50)] + [
        TravellerLine(2, 420),
        TravellerLine(2, 400),
        TravellerLine(2, adjusted=(Fraction(60), Fraction(40))),
    ]
    results = tenths_percentages(lines)
    assert [result and (result.ns, result.ew) for result in results] == [
        (100, 0),
        (50, 50),
        (0, 100),
        (Fraction(875, 10), Fraction(125, 10)),
        (Fraction(125, 10), Fraction(875, 10)),
        (60, 40),
    ]


def test_sums_of_imps_are_scaled_to_the_most_boards_that_a_contestant_played():
    results = [SideResults(Fraction(own, 3), Fraction(-own, 3)) for own in (4, 5, -2)] + [None]
    sides = [((1,), (2,)), ((1,), (3,)), ((1,), (3,)), ((4,), (3,))]
    assert scaled_total_of(results, sides) == {
        1: Fraction("2.33"),
        2: 3 * Fraction("-1.33"),
        3: Fraction("-1.00") * 3 / 2,
    }


def stated_line(score, ns) -> TravellerLine:
    return TravellerLine(1, score, stated=(Fraction(ns), -Fraction(ns)))


def test_lines_whose_imps_a_change_does_not_move_keep_those_that_they_state():
    way = next(way for way in IMP_WAYS if way.keeps_stated and way.gather is total_of)
    before = [stated_line(score, own) for score, own in CROSS_IMPS.items()]
    sides = [((k,), (k + 4,)) for k in range(4)]

    def changed(lines, scores) -> list[Fraction]:
        after = [TravellerLine(1, score) for score in scores]
        return [result.ns for result in way.changed_results(lines, after, sides) if result is not None]

    assert changed(before, CROSS_IMPS) == [Fraction(own) for own in CROSS_IMPS.values()]
    # -450 instead of -460 moves two lines, whose IMPs are rounded like the others.
    moved = changed(before, (-140, -450, 50, -490))
    assert moved == [Fraction(own) for own in ("3.33", "-5.67", "9", "-6.67")]
    # A line that does not state what follows from its score keeps the difference, rounded or not.
    moved = changed([stated_line(-140, "4.5"), *before[1:]], (-140, -450, 50, -490))
    assert moved[0] == Fraction("4.5") - Fraction(1, 3)
