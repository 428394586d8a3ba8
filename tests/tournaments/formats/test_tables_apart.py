"""Several tables of one sheet that nothing names: the next page of a ranking, or a question."""

import pytest

from tests.tournaments.formats.test_layouts import codes, names
from tests.tournaments.formats.test_titles import EAST, NORTH
from tournaments.formats import read_results
from tournaments.formats.types import Choice

HEADINGS = ["puesto", "nombre 1", "nombre 2", "%"]
FIRST = [
    [str(k), *pair, share]
    for k, (pair, share) in enumerate(zip(NORTH, ["60", "50", "40"], strict=True), start=1)
]
SECOND = [
    [str(k), *pair, share] for k, (pair, share) in enumerate(zip(EAST, ["58", "42"], strict=True), start=1)
]


def csv(*rows):
    return "\n".join(";".join(row) for row in rows).encode()


BELOW = csv(HEADINGS, *FIRST, HEADINGS, *SECOND)
BESIDE = csv(
    HEADINGS + [""] + HEADINGS,
    *(first + [""] + second for first, second in zip(FIRST, [*SECOND, [""] * 4], strict=True)),
)


def asked(data):
    parsed = read_results("a.csv", data)
    assert [item.code for item in parsed.issues if item.severity == "error"] == ["tables_to_choose"]
    assert parsed.entries == ()
    return parsed.layouts[0]


def read(data, meaning):
    layout = asked(data)
    choice = Choice(layout.digest, (*layout.meanings[:-1], meaning))
    parsed = read_results("a.csv", data, None, [choice])
    assert not parsed.has_errors, parsed.issues
    assert names(parsed) == NORTH + EAST
    return parsed.entries


@pytest.mark.parametrize("data", [BELOW, BESIDE], ids=["below", "beside"])
def test_tables_that_nothing_names_are_asked_about_and_read_as_chosen(data):
    layout = asked(data)
    meanings = tuple(filter(None, layout.meanings))
    assert (layout.tables, meanings) == (2, ("place", "name_1", "name_2", "percentage"))
    # The sample shows both tables.
    assert [row[-1] for row in layout.rows] == ["1", "1", "1", "2", "2"]
    lines = [[entry.direction for entry in read(data, f"tables_{name}")] for name in ("lines", "turned")]
    assert lines == [["NS"] * 3 + ["EW"] * 2, ["EW"] * 3 + ["NS"] * 2]
    assert [entry.section for entry in read(data, "tables_sections")] == ["A", "A", "A", "B", "B"]
    entries = read(data, "tables_one")
    assert {(entry.direction, entry.section, entry.place) for entry in entries} == {(None, None, None)}


def test_a_choice_for_two_tables_does_not_fit_three():
    layout = asked(BELOW)
    choice = Choice(layout.digest, (*layout.meanings[:-1], "tables_lines"))
    three = csv(HEADINGS, *FIRST, HEADINGS, *SECOND, HEADINGS, *SECOND)
    assert asked(three).tables == 3
    assert "tables_to_choose" in codes(read_results("a.csv", three, None, [choice]))


@pytest.mark.parametrize(
    "rows",
    [
        [HEADINGS, *FIRST, HEADINGS, ["4", *EAST[0], "35"], ["5", *EAST[1], "30"]],
        [HEADINGS[1:], *(row[1:] for row in FIRST), HEADINGS[1:], [*EAST[0], "40"], [*EAST[1], "30"]],
        [[*HEADINGS, "línea"], *([*row, "NS"] for row in FIRST), [*HEADINGS, "línea"],
         *([*row, "EO"] for row in SECOND)],
        [["Norte-Sur"], HEADINGS, *FIRST, ["Este-Oeste"], HEADINGS, *SECOND],
        [HEADINGS, *FIRST, HEADINGS],
    ],
    ids=["places go on", "percentages go on", "a column of lines", "titles of lines", "headings at the end"],
)  # fmt: skip
def test_tables_that_go_on_or_are_named_are_not_asked_about(rows):
    parsed = read_results("a.csv", csv(*rows))
    assert len(parsed.entries) in (3, 5)
    assert not parsed.has_errors, parsed.issues
