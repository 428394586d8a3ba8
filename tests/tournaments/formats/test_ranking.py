"""Compute a ranking from printed places, percentages and scores."""

import random
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.formats.types import Entry, Person
from tournaments.formats.values import place_number
from tournaments.ranking import rank


def entry(line, place=None, percentage=None, score=None, direction=None, section=None):
    return Entry(
        line, str(line), place, score, percentage, direction, section, None, (Person("1", "X"),), None
    )


def entries(*places, percentages=None, scores=None, directions=None):
    blank = [None] * len(places)
    columns = zip(places, percentages or blank, scores or blank, directions or blank, strict=True)
    return [entry(line, *column) for line, column in enumerate(columns, 1)]


def places(ranking):
    """Return the places in the order of the file."""
    return [row.place for row in sorted(ranking.rows, key=lambda row: row.entry.line)]


def codes(ranking):
    return [issue.code for issue in ranking.issues]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("5", 5), ("5=", 5), ("=5", 5), ("T5", 5), ("t5", 5), (" 5 ", 5), ("5º", 5), ("5.ª", 5), ("5.", 5),
        ("1st", 1), ("22nd", 22), ("3-4", 3), ("1/2", 1), ("3=-4=", 3), ("007", 7), ("0", 0),
        ("", None), ("-", None), ("4-3", None), ("3-3", None), ("2026-04-03", None), ("1,5", None),
        ("DNF", None), ("-1", None), ("123456", None), ("５", None), ("1 2", None),
    ],
)  # fmt: skip
def test_a_place_is_read_in_every_spelling(text, number):
    assert place_number(text) == number


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        (["1", "2", "3"], [1, 2, 3]),
        (["3", "1", "2"], [3, 1, 2]),
        (["1=", "=1", "3"], [1, 1, 3]),
        (["1", "2", "2", "4"], [1, 2, 2, 4]),
        (["1", "2-3", "2/3", "T4", "4="], [1, 2, 2, 4, 4]),
    ],
)
def test_places_in_standard_numbering_are_accepted(printed, expected):
    ranking = rank(entries(*printed))
    assert places(ranking) == expected
    assert codes(ranking) == []


def test_rows_are_sorted_by_place_and_ties_keep_the_file_order():
    ranking = rank(entries("3", "1", "1"))
    assert [row.entry.line for row in ranking.rows] == [2, 3, 1]


def test_dense_numbering_becomes_standard_numbering():
    ranking = rank(entries("1", "2", "2", "3", "4"))
    assert places(ranking) == [1, 2, 2, 4, 5]
    assert codes(ranking) == ["places_renumbered"]


@pytest.mark.parametrize(
    ("printed", "code", "line", "params"),
    [
        (["1", "2", "5"], "place_gap", 3, {"expected": 3}),
        (["2", "3"], "place_gap", 1, {"expected": 1}),
        (["1", "1", "4"], "place_gap", 3, {"expected": 3}),
        (["0", "1"], "place_zero", 1, {}),
        (["1", "abandona"], "place_text", 2, {}),
        (["1", None], "place_missing", 2, {}),
        ([None, None], "place_missing", 1, {}),
    ],
)
def test_impossible_places_are_refused(printed, code, line, params):
    ranking = rank(entries(*printed))
    assert ranking.rows == ()
    assert (ranking.issues[0].code, ranking.issues[0].severity) == (code, "error")
    assert (ranking.issues[0].line, ranking.issues[0].field) == (line, "place")
    assert params.items() <= ranking.issues[0].params.items()


def test_missing_places_are_computed_from_percentages():
    ranking = rank(entries(None, None, None, percentages=["50.00", "61.25", "50"]))
    assert places(ranking) == [2, 1, 2]
    assert codes(ranking) == ["places_computed"]


def test_missing_places_are_computed_from_negative_scores():
    ranking = rank(entries(None, None, None, scores=["-5.00", "27.00", "-22"]))
    assert places(ranking) == [2, 1, 3]


def test_a_single_missing_place_is_computed():
    ranking = rank(entries("1", None, "3", percentages=["60", "55", "50"]))
    assert places(ranking) == [1, 2, 3]
    assert codes(ranking) == ["places_computed"]


def test_a_printed_place_that_contradicts_computed_places_is_replaced():
    ranking = rank(entries("2", None, "3", percentages=["60", "55", "50"]))
    assert places(ranking) == [1, 2, 3]
    assert codes(ranking) == ["place_replaced", "places_computed"]


def test_printed_places_that_contradict_the_scores_are_kept_with_a_warning():
    ranking = rank(entries("1", "2", "3", percentages=["55", "60", "50"]))
    assert places(ranking) == [1, 2, 3]
    assert [(issue.code, issue.line, issue.severity) for issue in ranking.issues] == [
        ("place_differs", 1, "warning"),
        ("place_differs", 2, "warning"),
    ]


def test_a_broken_tie_is_only_reported():
    ranking = rank(entries("1", "2", "3", percentages=["60", "55", "55"]))
    assert places(ranking) == [1, 2, 3]
    assert [(issue.code, issue.severity, issue.line, issue.params["first"]) for issue in ranking.issues] == [
        ("tie_split", "info", 3, 2)
    ]


TWO_LINES = {
    "percentages": ["60", "58", "52", "58", "40", "32"],
    "directions": ["NS", "EW", "NS", "EW", "NS", "EW"],
}


@pytest.mark.parametrize("winner_type", [2, None])
def test_two_fields_are_merged_by_percentage(winner_type):
    ranking = rank(entries("1", "1", "2", "1", "3", "3", **TWO_LINES), "one", winner_type)
    assert places(ranking) == [1, 2, 4, 2, 5, 6]
    assert codes(ranking) == ["lines_merged"]
    assert {row.field for row in ranking.rows} == {""}


def test_two_fields_are_merged_by_score():
    ranking = rank(
        entries("1", "1", "2", "2", scores=["10", "12", "-10", "-12"], directions=["NS", "EW"] * 2)
    )
    assert places(ranking) == [2, 1, 3, 4]
    assert codes(ranking) == ["lines_merged_by_score"]


def test_two_fields_without_percentages_and_scores_cannot_be_merged():
    ranked_apart = entries("1", "1", "2", "2", directions=["NS", "EW"] * 2)
    ranking = rank(ranked_apart)
    assert (codes(ranking), ranking.rows) == (["cannot_merge"], ())
    assert len(rank(ranked_apart, "two").rows) == 4


def test_two_fields_can_be_ranked_separately():
    ranking = rank(entries("1", "1", "2", "1", "3", "3", **TWO_LINES), "two", 2)
    assert [(row.field, row.place) for row in ranking.rows] == [
        ("NS", 1),
        ("NS", 2),
        ("NS", 3),
        ("EW", 1),
        ("EW", 1),
        ("EW", 3),
    ]
    assert codes(ranking) == []


def test_an_overall_ranking_can_be_divided_into_two_fields():
    ranking = rank(entries("1", "2", "4", "2", "5", "6", **TWO_LINES), "two")
    assert [(row.field, row.place) for row in ranking.rows] == [
        ("NS", 1),
        ("NS", 2),
        ("NS", 3),
        ("EW", 1),
        ("EW", 1),
        ("EW", 3),
    ]
    assert codes(ranking) == []


def test_a_missing_place_is_computed_within_its_field():
    lines = {"percentages": ["60", "55", "58", "50"], "directions": ["NS", "NS", "EW", "EW"]}
    ranking = rank(entries("1", None, "1", "2", **lines), "two")
    assert places(ranking) == [1, 2, 1, 2]


def test_two_fields_require_the_direction_of_every_pair():
    ranking = rank(entries("1", "1", directions=["NS", None]), "two")
    (result,) = ranking.issues
    assert (result.code, result.line, result.field) == ("direction_missing", 2, "direction")
    assert result.value == "2"  # the pair's number
    assert ranking.rows == ()


def test_the_winners_of_two_fields_are_not_tied():
    ranking = rank(entries("1", "1", percentages=["45", "55"], directions=["NS", "EW"]), "one", 2)
    assert places(ranking) == [2, 1]


def test_repeated_places_without_directions_are_not_ties_if_there_are_two_winners():
    ranking = rank(entries("1", "1", "2", "2", percentages=["60", "58", "42", "40"]), "one", 2)
    assert places(ranking) == [1, 2, 3, 4]
    assert codes(rank(entries("1", "1", "2", "2"), "one", 2)) == ["cannot_merge"]


def test_a_gap_in_the_places_of_one_field_is_refused():
    ranking = rank(entries("1", "1", "3", "2", **{k: v[:4] for k, v in TWO_LINES.items()}), "one", 2)
    errors = [issue for issue in ranking.issues if issue.severity == "error"]
    assert [(error.code, error.line) for error in errors] == [("place_gap", 3)]


def test_sections_ranked_separately_are_merged_by_percentage():
    rows = [
        entry(1, "1", "60", section="A"),
        entry(2, "2", "50", section="A"),
        entry(3, "1", "55", section="B"),
        entry(4, "2", "45", section="B"),
    ]
    ranking = rank(rows)
    assert places(ranking) == [1, 3, 2, 4]
    assert codes(ranking) == ["lines_merged"]


def test_a_ranking_without_entries_is_empty():
    assert rank([]).rows == ()
    assert rank([], "two").rows == ()


PERCENTAGES = st.lists(st.integers(0, 400), min_size=1, max_size=40).map(
    lambda numbers: [str(Decimal(number) / 4) for number in numbers]
)


@given(PERCENTAGES, st.randoms(use_true_random=False))
def test_a_computed_place_is_one_more_than_the_number_of_better_contestants(percentages, rng: random.Random):
    rows = [entry(line, None, text) for line, text in enumerate(percentages)]
    rng.shuffle(rows)
    ranking = rank(rows)
    for row in ranking.rows:
        own = Decimal(row.entry.percentage)
        assert row.place == 1 + sum(Decimal(text) > own for text in percentages)


@given(PERCENTAGES)
def test_computed_places_are_accepted_as_printed_places(percentages):
    computed = rank([entry(line, None, text) for line, text in enumerate(percentages)])
    printed = [entry(row.entry.line, f"{row.place}=", row.entry.percentage) for row in computed.rows]
    again = rank(printed)
    assert again.issues == ()
    assert [row.place for row in again.rows] == [row.place for row in computed.rows]


def test_a_gap_in_one_field_is_reported_even_with_several_sections():
    """If each field (North-South, East-West) has its own places, a gap in those of one field is reported.

    The pairs of a field may be in several sections.
    """
    pairs = [
        entry(number, place, None, None, direction, section)
        for number, (place, direction, section) in enumerate(
            [("1", "NS", "A"), ("3", "NS", "B"), ("1", "EW", "A"), ("2", "EW", "B")], start=1
        )
    ]
    (result,) = rank(pairs, "one", 2).issues
    assert (result.code, result.line, result.value, result.params) == ("place_gap", 2, "3", {"expected": 2})
