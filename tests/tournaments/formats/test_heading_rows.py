"""Headings that stand in two rows, as merged cells leave them."""

import pytest

from tests.tournaments.formats import sheets
from tests.tournaments.formats.test_layouts import PEOPLE, as_chosen, codes, names
from tournaments.formats import read_results

UPPER = ["Puesto", "Nº", "Pareja", "", "Resultado", ""]
LOWER = ["", "", "Jugador 1", "Jugador 2", "Puntos", "%"]
ROWS = [
    [str(place), str(place + 4), *pair, str(120 - place), share]
    for place, (pair, share) in enumerate(zip(PEOPLE, ["61.25", "50", "38.75"], strict=True), start=1)
]
TITLES = [["Club del Faro"], ["Torneo del martes", "", "13/11/2026"]]


def data(rows, write="csv"):
    return "\n".join(";".join(row) for row in rows).encode() if write == "csv" else sheets.ods({"x": rows})


@pytest.mark.parametrize("write", ["csv", "ods"])
@pytest.mark.parametrize("titles", [[], TITLES], ids=["no titles", "titles"])
def test_headings_in_two_rows_lead_to_the_page_of_the_columns(titles, write):
    file = data([*titles, UPPER, LOWER, *ROWS], write)
    (layout,) = read_results(f"a.{write}", file).layouts
    assert layout.headings == ("Puesto", "Nº", "Jugador 1", "Jugador 2", "Puntos", "%")
    assert layout.meanings == ("place", "number", "name_1", "name_2", "score", "percentage")
    parsed = as_chosen(f"a.{write}", file)
    assert names(parsed) == PEOPLE
    assert [entry.percentage for entry in parsed.entries] == ["61.25", "50", "38.75"]
    assert not parsed.has_errors
    assert parsed.event.date == ("2026-11-13" if titles else None)


def test_headings_that_repeat_in_the_lower_row_are_joined_with_those_above():
    upper = ["Puesto", "Nombres", "Sesión 1", "", "Total", ""]
    lower = ["", "", "PM", "%", "PM", "%"]
    rows = [
        [str(place), " - ".join(pair), "50", gross, "100", net]
        for place, pair, gross, net in zip(
            [1, 2, 3], PEOPLE, ["50", "60", "40"], ["60", "50", "40"], strict=True
        )
    ]
    (layout,) = read_results("a.csv", data([upper, lower, *rows])).layouts
    assert layout.headings == ("Puesto", "Nombres", "Sesión 1 PM", "Sesión 1 %", "Total PM", "Total %")
    assert layout.meanings[3:] == ("", "", "percentage")


def test_headings_in_two_rows_are_skipped_where_they_are_repeated():
    parsed = as_chosen("a.csv", data([UPPER, LOWER, *ROWS[:2], UPPER, LOWER, *ROWS[2:]]))
    assert names(parsed) == PEOPLE
    assert not parsed.has_errors


def test_known_headings_in_two_rows_need_no_question():
    upper, lower = ["Puesto", "Pareja", "", "", "Resultado"], ["", "Pareja", "Jugador 1", "Jugador 2", "%"]
    parsed = read_results("a.csv", data([upper, lower, *[[*row[:4], row[5]] for row in ROWS]]))
    assert (names(parsed), parsed.layouts) == (PEOPLE, ())


def test_a_title_or_a_line_of_play_above_the_headings_is_not_joined():
    headings = ["Puesto", "Nombre", "%"]
    for above in (["NORTE-SUR", "", ""], ["Pool", "Club del Faro", ""], ["", "", "%"]):
        rows = [[row[0], row[2], row[5]] for row in ROWS]
        parsed = read_results("a.csv", data([above, headings, *rows]))
        assert (len(parsed.entries), parsed.layouts) == (3, ())
        assert "missing_column" not in codes(parsed)
