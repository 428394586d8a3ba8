"""Rows with more cells than headings: decimals that the separator has split, and other values."""

import pytest

from tests.tournaments.formats import makers
from tests.tournaments.formats.test_layouts import as_chosen, codes
from tournaments.formats import read_results
from tournaments.formats.types import Choice

ROWS = ["1,7,Ana Uno - Luis Dos,62,15", "2,3,Eva Tres - Mar Cuatro,50", "3,4,Eva Cinco - Mar Seis,37,85"]


def sheet(headings, rows=ROWS):
    return "\n".join([headings, *rows, ""]).encode()


def percentages(parsed):
    return [entry.percentage for entry in parsed.entries]


@pytest.mark.parametrize("name", ["Nombres", "Nombre"])
def test_decimals_that_a_comma_split_are_joined_and_have_to_be_ticked(name):
    parsed = as_chosen("a.csv", sheet(f"Puesto,Pareja,{name},%"))
    assert percentages(parsed) == ["62.15", "50", "37.85"]
    (joined,) = [item for item in parsed.issues if item.code == "decimals_joined"]
    assert (joined.severity, joined.line) == ("warning", 2)
    assert (joined.value, joined.params["count"]) == ("62,15", 2)
    assert not parsed.has_errors


def test_decimals_of_two_columns_are_joined():
    rows = ["1,7,Ana Uno - Luis Dos,119,33,62,15", "2,3,Eva Tres - Mar Seis,111,90,37,85"]
    parsed = as_chosen("a.csv", sheet("Puesto,Pareja,Nombre,Puntos,%", rows))
    assert percentages(parsed) == ["62.15", "37.85"]


def test_the_page_of_the_columns_shows_the_decimals_joined():
    (layout,) = read_results("a.csv", sheet("Puesto,Pareja,Nombres,%")).layouts
    assert layout.rows[0] == ("1", "7", "Ana Uno - Luis Dos", "62,15")
    assert layout.meanings == ("place", "number", "name", "percentage")


@pytest.mark.parametrize(
    ("headings", "rows"),
    [
        # The number of boards, without a heading.
        ("Puesto,Pareja,Nombres,%", [f"{n},{n},Ana {n}x - Eva {n}y,{65 - n},24" for n in range(1, 4)]),
        # Either column may have been split.
        ("Puesto,Nombres,Puntos,%", [f"{n},Ana {n}x - Eva {n}y,11{n},{65 - n},1{n}" for n in range(1, 4)]),
        # Semicolons split no decimals.
        ("Puesto;Nombres;%", [f"{n};Ana {n}x - Eva {n}y;{65 - n};1{n}" for n in range(1, 4)]),
        # One row is no evidence.
        ("Puesto,Nombres,%", ["1,Ana Uno - Luis Dos,62", "2,Eva Tres - Mar Seis,50", "3,Eva A - Mar B,37,8"]),
    ],
)  # fmt: skip
def test_values_right_of_the_last_heading_that_are_not_read_are_an_error(headings, rows):
    data = sheet(headings, rows)
    parsed = as_chosen("a.csv", data)
    assert "decimals_joined" not in codes(parsed)
    assert {item.line for item in parsed.issues if item.code == "extra_cells"}


def test_numbers_of_a_workbook_are_not_joined_because_they_have_lost_zeros():
    rows = [["Puesto", "Nombres", "%"], [1, "Ana Uno - Luis Dos", 62, 5], [2, "Eva Tres - Mar Seis", 37, 95]]
    parsed = as_chosen("a.xlsx", makers.xlsx_table(rows))
    assert [item.line for item in parsed.issues if item.code == "extra_cells"] == [2, 3]


def test_remarks_right_of_the_last_heading_have_to_be_ticked():
    rows = [f"{n};Ana {n}x - Eva {n}y;{65 - n};{'' if n == 1 else 'sustituye'}" for n in range(1, 4)]
    parsed = as_chosen("a.csv", sheet("Puesto;Nombres;%", rows))
    (issue,) = [item for item in parsed.issues if item.code == "extra_texts"]
    assert (issue.severity, issue.line, issue.value, issue.params["count"]) == ("warning", 3, "sustituye", 2)
    assert not parsed.has_errors


def test_a_column_without_a_heading_is_read_if_it_is_chosen():
    data = sheet("Puesto;Nombres;%", [f"{n};Ana {n}x - Eva {n}y;{65 - n};2{n}" for n in range(1, 4)])
    (layout,) = read_results("a.csv", data).layouts
    chosen = Choice(layout.digest, ("place", "name", "percentage", "boards"))
    parsed = read_results("a.csv", data, choices=[chosen])
    assert [entry.boards for entry in parsed.entries] == [21, 22, 23]
    assert not parsed.has_errors
