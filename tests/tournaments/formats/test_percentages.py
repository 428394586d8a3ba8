"""Several columns of percentages: that of the ranking is the one that the places follow."""

import pytest

from tests.tournaments.formats.test_layouts import as_chosen, codes
from tournaments.formats import read_results
from tournaments.formats.types import Choice

PEOPLE = ["Ana Uno - Luis Dos", "Eva Tres - Mar Cuatro", "Eva Cinco - Mar Seis", "Ana Siete - Mar Ocho"]
GROSS = ["61,15", "56,33", "57,29", "25,23"]
NET = ["62,15", "58,33", "57,29", "27,23"]


def sheet(headings, *columns, places="1234"):
    rows = zip(places, PEOPLE, *columns, strict=True)
    return "\n".join([headings, *(";".join(row) for row in rows), ""]).encode()


WITH_HANDICAP = sheet("Puesto;Nombres;% bruto;Hándicap;% neto", GROSS, "1202", NET)


def meanings(data):
    (layout,) = read_results("a.csv", data).layouts
    return layout.meanings


def test_the_percentage_after_the_handicap_is_proposed():
    assert meanings(WITH_HANDICAP) == ("place", "name", "", "", "percentage")
    parsed = as_chosen("a.csv", WITH_HANDICAP)
    assert [entry.percentage for entry in parsed.entries] == [figure.replace(",", ".") for figure in NET]
    assert "other_percentage" not in codes(parsed)


@pytest.mark.parametrize("total", ["% Total", "Media", "X"])
@pytest.mark.parametrize("first", [GROSS, NET])
def test_the_percentage_of_the_total_is_proposed_and_not_that_of_a_session(total, first):
    data = sheet(f"Puesto;Nombres;% S1;% S2;{total}", first, ["63,15", "60,33", "58", "29,23"], NET)
    assert meanings(data) == ("place", "name", "", "", "percentage")


def test_the_total_is_proposed_if_it_stands_first():
    data = sheet("Puesto;Nombres;Total;S1;S2", NET, NET, ["62,15", "58,33", "57,30", "27"])
    assert meanings(data) == ("place", "name", "percentage", "", "")


def test_each_line_of_play_has_places_of_its_own():
    lines = ["N-S", "E-O", "N-S", "E-O"]
    net = ["60", "55", "40", "45"]
    data = sheet("Puesto;Nombres;Eje;% bruto;% neto", lines, ["39,5", "54", "60", "46"], net, places="1122")
    assert meanings(data) == ("place", "name", "direction", "", "percentage")


@pytest.mark.parametrize("names", ["Nombre", "Nombres"])
def test_a_known_heading_of_percentages_that_the_places_do_not_follow_is_asked_about(names):
    data = sheet(f"Puesto;{names};%;Hándicap;% neto", GROSS, "1202", NET)
    parsed = read_results("a.csv", data)
    assert (parsed.entries, parsed.layouts[0].meanings) == ((), ("place", "name", "", "", "percentage"))
    headings = [item.params["headings"] for item in parsed.issues if item.code == "columns_to_choose"]
    assert headings == (["% neto"] if names == "Nombre" else [])


def test_a_known_heading_that_the_places_follow_is_read_beside_other_percentages():
    data = sheet("Puesto;Nombre;%;% S1;% S2", NET, NET, NET)
    parsed = read_results("a.csv", data)
    assert [entry.percentage for entry in parsed.entries] == [figure.replace(",", ".") for figure in NET]
    assert not parsed.has_errors


def test_a_percentage_chosen_against_the_places_is_named_with_the_figures_of_both():
    (layout,) = read_results("a.csv", WITH_HANDICAP).layouts
    chosen = Choice(layout.digest, ("place", "name", "percentage", "", "score"))
    parsed = read_results("a.csv", WITH_HANDICAP, choices=[chosen])
    (issue,) = [item for item in parsed.issues if item.code == "other_percentage"]
    assert (issue.severity, issue.value, issue.params["figure"]) == ("warning", "% neto", "62,15")
    assert (issue.params["column"], issue.params["read"]) == ("% bruto", "61,15")


def test_places_that_no_percentage_follows_leave_the_one_that_the_heading_names():
    data = sheet("Puesto;Nombres;Porc;X", GROSS, ["60", "55", "57", "28"])
    assert meanings(data) == ("place", "name", "percentage", "")


def test_a_column_of_points_is_not_proposed_as_the_score_beside_percentages():
    data = sheet("Puesto;Nombres;Porc;Ptos AEB", NET, ["11", "10", "9", "8"])
    assert meanings(data) == ("place", "name", "percentage", "")


@pytest.mark.parametrize("heading", ["Puntos AEB", "Puntos de maestro", "Masterpoints"])
def test_points_that_are_awarded_are_not_proposed_as_the_score(heading):
    data = sheet(f"Puesto;Nombres;Orden;{heading}", ["a", "b", "c", "d"], ["7,70", "6,70", "5,70", "4,70"])
    assert meanings(data)[-1] == ""


@pytest.mark.parametrize("figures", [["1", "0,55", "0,48", "0"], ["0,61", "0,55", "0,52", "0"]])
def test_parts_of_one_are_multiplied_with_0_and_1_among_them(figures):
    parsed = read_results("a.csv", sheet("Puesto;Nombre;%", figures))
    expected = [f"{100 * float(text.replace(',', '.')):.0f}" for text in figures]
    assert [entry.percentage for entry in parsed.entries] == expected
    assert "percentages_multiplied" in codes(parsed)


def test_small_percentages_are_not_multiplied():
    parsed = read_results("a.csv", sheet("Puesto;Nombre;%", ["1", "1", "0", "0"]))
    assert "percentages_of_one" in codes(parsed)


@pytest.mark.parametrize(
    "heading, meaning",
    [
        *dict.fromkeys(
            ("% Total", "%Total", "Porcentaje final", "% MP", "% Sesión", "% (24 manos)", "Nota"),
            "percentage",
        ).items(),
        ("IMPs/mano", "score"),
        ("VP total", "score"),
    ],
)
def test_results_under_a_heading_that_is_not_known_are_asked_about(heading, meaning):
    figures = NET if meaning == "percentage" else ["1,5", "2,25", "-1", "0,5"]
    data = sheet(f"Puesto;Nombre;{heading}", figures)
    parsed = read_results("a.csv", data)
    assert (parsed.entries, parsed.layouts[0].meanings) == ((), ("place", "name", meaning))
    assert "columns_to_choose" in codes(parsed)


@pytest.mark.parametrize("heading", ["Hándicap %", "Edad", "Bonus VP"])
def test_figures_beside_the_results_are_not_asked_about(heading):
    parsed = read_results("a.csv", sheet(f"Puesto;Nombre;Total;{heading}", ["40", "35", "20", "19"], "1202"))
    assert not parsed.has_errors and len(parsed.entries) == 4
