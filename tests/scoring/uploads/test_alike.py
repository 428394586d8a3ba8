"""Comparing lines, or whole rankings: whether they have the same people with the same result."""

from decimal import Decimal

import pytest

from tournaments.services.alike import (
    Line,
    compare,
    is_half_of_shorter,
    is_most_of_smaller,
    same_lines,
    same_people,
)


def line(
    *players: int, guests: int = 0, field: str = "", place: int = 1, score=None, percentage=None, names=""
) -> Line:
    score, percentage = (None if item is None else Decimal(item) for item in (score, percentage))
    return Line(frozenset(players), guests, field, place, score, percentage, frozenset(names.split()))


@pytest.mark.parametrize(
    ("first", "other", "same"),
    [
        (line(1, 2), line(1, 2), True),
        (line(1, 2), line(2, 1), True),
        (line(1, 2), line(1, 3), False),
        (line(1, 2), line(3, 4), False),
        # A person with a number in one of the two lines may be a guest in the other.
        (line(1, 2), line(1, guests=1), True),
        (line(1, guests=1), line(1, 2), True),
        (line(1, 2, 3, 4), line(1, 2, guests=1), False),
        (line(1, 2, guests=1), line(1, 2, 3, 4), False),
        (line(1, 2), line(1), False),
        (line(1), line(1, 2), False),
        (line(guests=2), line(guests=2), False),
    ],
)
def test_two_lines_have_the_same_people_if_their_players_or_names_agree(first, other, same):
    assert list(same_people([first], [other])) == ([(first, other)] if same else [])


@pytest.mark.parametrize(
    ("names", "others", "same"),
    [
        ("ana gil luis vega", "gil vega ana luis", True),
        ("ana gil luis vega", "ana gil cano luis vega sol", True),
        ("ana gil luis vega", "ana gil luis vga", True),
        ("ana gil luis vega", "ana gil juan sol", False),
        ("ana gil luis vega", "", False),
        ("", "", False),
    ],
)
def test_guests_are_the_same_if_most_words_of_their_names_agree(names, others, same):
    for left, right in (
        (line(guests=2, names=names), line(guests=2, names=others)),
        (line(guests=2, names=names), line(1, 2, names=others)),
        (line(1, 2, names=names), line(guests=2, names=others)),
        (line(1, guests=1, names=names), line(2, guests=1, names=others)),
    ):
        assert bool(list(same_people([left], [right]))) == same
    assert not list(same_people([line(1, 2, names=names)], [line(3, 4, names=others)])), "they are namesakes"
    assert not list(same_people([line(guests=2, names=names)], [line(1, 2, 3, 4, names=others)]))


def test_a_line_is_matched_with_only_one_other_line():
    line_1, line_2, line_3 = (line(guests=2, place=place, names="ana gil luis vega") for place in (1, 2, 3))
    assert list(same_people([line_1], [line_2, line_3])) == [(line_1, line_2)]
    assert list(same_people([line_2, line_3], [line_1])) == [(line_2, line_1)]


@pytest.mark.parametrize(
    ("known", "nameless", "scored", "same"),
    [(3, 0, 3, True), (1, 0, 0, True), (3, 9, 0, True), (2, 9, 0, False), (2, 9, 2, True), (2, 9, 1, False),
     (1, 9, 1, False)],
)  # fmt: skip
def test_a_few_equal_lines_do_not_make_rankings_of_nameless_guests_the_same(known, nameless, scored, same):
    lines = [
        line(place, place + 100, place=place, score=place if place <= scored else None)
        for place in range(1, known + 1)
    ]
    lines += [line(guests=2, place=known + place, names="guest") for place in range(1, nameless + 1)]
    likeness = compare(lines, lines)
    assert (likeness.same, likeness.total, likeness.is_same) == (known, known, same)


def test_people_spread_over_two_lines_do_not_match_a_line():
    assert list(same_people([line(1, 2)], [line(1, 3), line(2, 4)])) == []
    assert list(same_people([line(1, 2), line(3, 4)], [line(3, 4), line(1, 2)])) == [
        (line(1, 2), line(1, 2)),
        (line(3, 4), line(3, 4)),
    ]


@pytest.mark.parametrize(
    ("first", "other", "same"),
    [
        ({"percentage": "61.25"}, {"percentage": "61.299"}, True),
        ({"percentage": "61.25"}, {"percentage": "61.201"}, True),
        ({"percentage": "61.25"}, {"percentage": "61.30"}, False),
        ({"percentage": "61.25"}, {"percentage": "61.20"}, False),
        # Percentages are compared first, then scores, then places.
        ({"percentage": "61.25", "score": "1"}, {"percentage": "61.25", "score": "2", "place": 2}, True),
        ({"percentage": "61.25", "score": "1"}, {"percentage": "55", "score": "1"}, False),
        ({"score": "183"}, {"score": "183.0", "place": 2, "field": "NS"}, True),
        ({"score": "183"}, {"score": "183.01"}, False),
        ({"score": "183", "percentage": "50"}, {"score": "183", "place": 2}, True),
        ({"score": "183", "percentage": "50"}, {"score": "184"}, False),
        # Places are compared if only one line, or neither, has a result.
        ({"score": "183"}, {}, True),
        ({"score": "183"}, {"place": 2}, False),
        ({"percentage": "50"}, {}, True),
        ({"percentage": "50"}, {"score": "183", "place": 2}, False),
        ({"field": "NS"}, {"field": "NS"}, True),
        ({"field": "NS"}, {"field": "EW"}, False),
        ({}, {"place": 2}, False),
    ],
)
def test_two_lines_have_the_same_result_if_score_or_place_agree(first, other, same):
    pairs = same_lines([line(1, 2, **first)], [line(1, 2, **other)])
    assert bool(pairs) == same
    assert bool(same_lines([line(1, 2, **other)], [line(1, 2, **first)])) == same


@pytest.mark.parametrize(
    ("same", "first", "other", "half"),
    [(7, 14, 20, True), (7, 20, 14, True), (6, 14, 14, False), (6, 14, 13, False), (7, 13, 20, True),
     (1, 2, 2, True), (1, 3, 3, False), (0, 0, 5, False)],
)  # fmt: skip
def test_half_of_the_shorter_ranking_has_to_agree(same, first, other, half):
    assert is_half_of_shorter(same, first, other) == half


@pytest.mark.parametrize(
    ("same", "first", "other", "most"),
    [(7, 10, 20, True), (7, 20, 10, True), (695, 1000, 1000, False), (70, 100, 100, True), (6, 9, 9, False),
     (1, 1, 1, True), (0, 0, 5, False)],
)  # fmt: skip
def test_most_of_the_smaller_group_has_to_agree(same, first, other, most):
    assert is_most_of_smaller(same, first, other) == most
