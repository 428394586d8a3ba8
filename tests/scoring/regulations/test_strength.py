"""The adjustment for strength agrees with a slow iteration and an exact solution, in special sessions too."""

from collections import defaultdict
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scoring.engine.errors import EngineError
from scoring.regulations import get
from scoring.regulations.strength.graph import Meetings, bipartite, components
from scoring.regulations.strength.types import BoardResult, BoardSession
from tests.examples import examples

MP, IMP = get("strength-mp"), get("strength-imp")
CLOSE = 1e-8


def session(*rows, iterations=0):
    """Create a session with a board result for each row.

    rows: (North-South, East-West, North-South's score), optionally followed by East-West's score and whether
    the scores are artificial
    """
    results = tuple(
        BoardResult(str(k), str(ns), str(ew), Decimal(str(score)), *(_rest(rest)))
        for k, (ns, ew, score, *rest) in enumerate(rows, start=1)
    )
    return BoardSession(results=results, iterations=iterations)


def _rest(rest):
    score, adjusted = (*rest, None, False)[:2] if len(rest) < 2 else rest
    return None if score is None else Decimal(str(score)), bool(adjusted)


@st.composite
def sessions(draw, iterations=0):
    """Draw a session of up to nine contestants and forty board results.

    Some scores are artificial. On some boards, the scores of the two sides do not add up as usual.
    """
    size = draw(st.integers(2, 9))
    count = draw(st.integers(1, 40))
    rows = []
    for _ in range(count):
        ns = draw(st.integers(0, size - 1))
        ew = (ns + draw(st.integers(1, size - 1))) % size
        score = draw(st.integers(0, 100))
        lopsided = draw(st.integers(0, 9)) == 0
        artificial = draw(st.integers(0, 9)) == 0
        rows.append((ns, ew, score, draw(st.integers(0, 100)) if lopsided else None, artificial))
    return session(*rows, iterations=iterations)


def exact(scheme, played):
    """Return the exact fixed point of the adjustment for each contestant, computed with fractions.

    Each group of contestants who are connected by meetings is solved on its own, by Gaussian elimination.
    """
    scores, met = defaultdict(list), defaultdict(lambda: defaultdict(int))
    for result in played.results:
        if not result.adjusted:
            ns, ew = scheme.scores(result)
            scores[result.ns].append(ns - scheme.mean)
            scores[result.ew].append(ew - scheme.mean)
            met[result.ns][result.ew] += 1
            met[result.ew][result.ns] += 1
    left, results = set(scores), {}
    while left:
        group, stack = set(), [next(iter(left))]
        while stack:
            name = stack.pop()
            if name not in group:
                group.add(name)
                stack += met[name]
        left -= group
        results |= _solved(sorted(group), scores, met)
    return {name: value + scheme.mean for name, value in results.items()}


def _solved(group, scores, met):
    boards = {name: len(scores[name]) for name in group}
    surplus = sum(sum(scores[name]) for name in group) / Fraction(sum(boards.values()))
    # The last equation follows from the others. Replace it by the condition that the weighted sum is zero.
    rows = []
    for name in group[:-1]:
        right = sum(scores[name]) - surplus * boards[name]
        cells = [Fraction(-met[name][other]) for other in group]
        cells[group.index(name)] += boards[name]
        rows.append([*cells, right])
    rows.append([*(Fraction(boards[name]) for name in group), Fraction(0)])
    for k in range(len(group)):
        pivot = next(r for r in range(k, len(rows)) if rows[r][k])
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [cell / rows[k][k] for cell in rows[k]]
        for r in range(len(rows)):
            if r != k and rows[r][k]:
                factor = rows[r][k]
                rows[r] = [cell - factor * own for cell, own in zip(rows[r], rows[k], strict=True)]
    return {name: row[-1] for name, row in zip(group, rows, strict=True)}


@examples(150)
@given(st.sampled_from((MP, IMP)), sessions())
def test_adjusted_results_equal_the_exact_fixed_point(scheme, played):
    expected = exact(scheme, played)
    result = scheme.adjust(played)
    for contestant in result.contestants:
        if contestant.component is None:
            assert contestant.adjusted.value is None
            assert contestant.id not in expected
        else:
            assert abs(contestant.adjusted.value - float(expected[contestant.id])) < CLOSE
    _check_places(result, expected)


def _check_places(result, expected):
    groups = defaultdict(list)
    for contestant in result.contestants:
        if contestant.component is not None:
            groups[contestant.component].append(contestant)
    assert len(groups) == result.components
    for members in groups.values():
        for member in members:
            above = sum(expected[other.id] > expected[member.id] for other in members)
            assert member.adjusted.place == above + 1


@examples(100)
@given(sessions(iterations=4))
def test_plain_iterations_agree_with_a_slow_computation(played):
    """The results after 1 to 4 iterations of the adjustment agree with a slow computation.

    An iteration adds the opponents' mean result, minus 50, to the contestant's own mean score. Before the
    first iteration, the surplus of a component is subtracted: the mean of its scores, minus 50.
    """
    result = MP.adjust(played)
    real = [r for r in played.results if not r.adjusted]
    names = [c.id for c in result.contestants if c.component is not None]
    by_name = {c.id: c for c in result.contestants}
    own = {n: [] for n in names}
    for r in real:
        ns, ew = MP.scores(r)
        own[r.ns].append((float(ns), r.ew))
        own[r.ew].append((float(ew), r.ns))
    mean = {n: sum(score for score, _ in own[n]) / len(own[n]) for n in names}
    for n in names:
        assert abs(by_name[n].steps[0].value - mean[n]) < CLOSE
    surplus = {}
    for number in {by_name[n].component for n in names}:
        scores = [score for n in names if by_name[n].component == number for score, _ in own[n]]
        surplus[number] = sum(scores) / len(scores) - 50
    start = {n: mean[n] - surplus[by_name[n].component] for n in names}
    estimate = start
    for k in range(1, 5):
        estimate = {
            n: start[n] + sum(estimate[opponent] for _, opponent in own[n]) / len(own[n]) - 50 for n in names
        }
        for n in names:
            assert abs(by_name[n].steps[k].value - estimate[n]) < CLOSE


def test_a_long_iteration_reaches_the_fixed_point():
    """If all contestants met each other, sixty plain iterations reach the fixed point."""
    rows = [(a, b, (37 * a + 11 * b) % 101) for a in range(8) for b in range(a + 1, 8)]
    for contestant in MP.adjust(session(*rows, iterations=60)).contestants:
        assert abs(contestant.steps[60].value - contestant.adjusted.value) < CLOSE


def codes(result):
    return [warned.code for warned in result.warnings]


def test_a_session_with_two_separate_lines_is_solved_although_it_oscillates():
    rows = [("n1", "e1", 60), ("n2", "e2", 70), ("n1", "e2", 55), ("n2", "e1", 65)]
    result = MP.adjust(session(*rows, iterations=41))
    assert codes(result) == ["bipartite"]
    north = result.contestants[0]
    assert abs(north.steps[40].value - north.steps[41].value) > 10
    assert sum(c.adjusted.value for c in result.contestants) == pytest.approx(200)


def test_three_contestants_who_all_met_do_not_form_two_lines():
    assert codes(MP.adjust(session((1, 2, 50), (2, 3, 50), (3, 1, 50)))) == []


def test_groups_that_never_met_are_adjusted_and_ranked_separately():
    rows = [(1, 2, 60), (2, 3, 50), (3, 1, 45), (7, 8, 90), (8, 9, 20), (9, 7, 50)]
    result = MP.adjust(session(*rows))
    assert codes(result) == ["disconnected"]
    assert [c.component for c in result.contestants] == [1, 1, 1, 2, 2, 2]
    assert sorted(c.adjusted.place for c in result.contestants) == [1, 1, 2, 2, 3, 3]
    assert [c.place for c in result.contestants] == [3, 5, 4, 1, 6, 2]


def test_an_artificial_score_counts_only_in_the_official_result():
    rows = [(1, 2, 50), (2, 3, 50), (3, 1, 50)]
    plain = MP.adjust(session(*rows))
    result = MP.adjust(session(*rows, (1, 2, 60, 60, True), (4, 1, 40, 60, True)))
    assert codes(result) == []
    assert result.contestants[0].official == 55
    assert [c.adjusted for c in result.contestants[:3]] == [c.adjusted for c in plain.contestants]
    last = result.contestants[3]
    assert (last.component, last.adjusted.value, last.adjusted.place) == (None, None, None)
    assert last.steps[0].value is None
    assert last.place == 4
    only = MP.adjust(session((1, 2, 60, 40, True)))
    assert (only.components, codes(only)) == (0, [])


def test_a_surplus_of_scores_is_subtracted_equally_from_everybody():
    rows = [(1, 2, 60), (2, 3, 50), (3, 1, 45)]
    level = MP.adjust(session(*rows))
    generous = MP.adjust(session(*(row + (110 - row[2],) for row in rows)))
    assert codes(generous) == ["unbalanced"]
    for first, other in zip(level.contestants, generous.contestants, strict=True):
        assert other.steps[0].value > first.steps[0].value - 1e-12
    total = sum(c.adjusted.value for c in generous.contestants)
    assert total == pytest.approx(150)


def test_equal_results_share_their_place():
    """Equal results share their place in spite of rounding errors of floats."""
    rows = [(k, (k + 1) % 7, 50) for k in range(7)] * 3
    result = MP.adjust(session(*rows))
    assert {c.adjusted.place for c in result.contestants} == {1}
    assert {c.place for c in result.contestants} == {1}


@given(sessions(), st.randoms())
def test_the_order_of_board_results_does_not_change_adjusted_results(played, random):
    shuffled = list(played.results)
    random.shuffle(shuffled)
    first = {c.id: c for c in MP.adjust(played).contestants}
    other = {c.id: c for c in MP.adjust(BoardSession(results=tuple(shuffled))).contestants}
    for name, contestant in first.items():
        assert (other[name].official, other[name].place) == (contestant.official, contestant.place)
        assert other[name].adjusted.place == contestant.adjusted.place


@given(sessions())
def test_the_parts_of_a_receipt_add_up_to_the_adjusted_result(played):
    result = MP.adjust(played)
    for contestant in result.contestants:
        steps = {step.key: step for step in MP.explain(played, result, contestant.id)}
        assert steps["official"].value == contestant.official
        assert ("adjusted" in steps) == (contestant.component is not None)
        if "adjusted" in steps:
            parts = steps["estimate"].value + steps["opponents"].value - 50
            surplus = steps["adjusted"].params["surplus"]
            assert abs(parts - surplus - steps["adjusted"].value) < Decimal("1e-9")
            assert (steps["adjusted"].code == "projected") == (abs(surplus) > 1e-9)


def test_a_receipt_for_an_unknown_contestant_is_refused():
    played = session((1, 2, 50))
    with pytest.raises(EngineError) as caught:
        MP.explain(played, MP.adjust(played), "3")
    assert caught.value.code == "unknown_contestant"


@given(st.integers(2, 30), st.data())
def test_connected_groups_and_lines_agree_with_a_slow_search(size, data):
    edges = data.draw(
        st.lists(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)), min_size=1, max_size=40)
    )
    edges = [edge for edge in edges if edge[0] != edge[1]]
    assume(edges)
    nodes = sorted({node for edge in edges for node in edge})
    index = {node: k for k, node in enumerate(nodes)}
    edges = [(index[a], index[b]) for a, b in edges]
    meetings = Meetings.of(len(nodes), *zip(*edges, strict=True))
    component = components(meetings)
    colour, groups, two = {}, [], []
    for start in range(len(nodes)):
        if start in colour:
            continue
        colour[start], stack, group, sides = 0, [start], set(), True
        while stack:
            node = stack.pop()
            group.add(node)
            for a, b in [*edges, *((b, a) for a, b in edges)]:
                if a == node and b not in colour:
                    colour[b] = 1 - colour[a]
                    stack.append(b)
                elif a == node:
                    sides = sides and colour[a] != colour[b]
        groups.append(group)
        two.append(sides)
    assert [set(np.flatnonzero(component == k).tolist()) for k in range(len(groups))] == groups
    assert bipartite(meetings, component).tolist() == two


def test_a_session_of_5000_contestants_is_adjusted():
    """A session of 5000 contestants, each of whom meets six others, is adjusted correctly."""
    size = 5000
    rows = [(k, (k + shift) % size, (k * 7919 + shift) % 101) for k in range(size) for shift in (1, 2, 777)]
    result = MP.adjust(session(*rows))
    assert codes(result) == []
    value = {c.id: c.adjusted.value for c in result.contestants}
    mean = {c.id: float(c.official) for c in result.contestants}
    for k in (0, 1234, 4999):
        met = [value[str((k + shift) % size)] for shift in (1, 2, 777, -1, -2, -777)]
        assert abs(value[str(k)] - (mean[str(k)] + sum(met) / 6 - 50)) < CLOSE
