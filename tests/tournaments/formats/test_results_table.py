"""The documented result table: how rows become contestants."""

import pytest

from tests.tournaments.formats import makers
from tournaments.formats import read_results
from tournaments.formats.templates import template_csv, template_xlsx


def codes(result):
    return [issue.code for issue in result.issues]


def read(rows, kind=None):
    result = read_results("r.csv", makers.csv_table(rows), kind)
    return result


def people_of(result):
    return [[person.number or person.name for person in entry.people] for entry in result.entries]


@pytest.mark.parametrize("make", [makers.csv_table, makers.xlsx_table])
def test_rows_are_grouped_into_pairs_by_the_pair_column(make):
    result = read_results("r.csv" if make is makers.csv_table else "r.xlsx", make(makers.PAIRS_TABLE))
    assert result.issues == ()
    assert result.event.kind == "pairs"
    assert people_of(result) == [["00500001", "500002"], ["500003", "500004"]]
    first = result.entries[0]
    assert (first.place, first.percentage, first.number, first.team, first.line) == (
        "1",
        "61.25",
        "3",
        "3",
        2,
    )
    assert [person.line for person in first.people] == [2, 3]


def test_english_headings_are_read_and_the_rows_of_a_pair_may_be_far_apart():
    rows = [
        ["Place", "Licence number", "Name", "Pair", "Score"],
        ["1", "1", "A", "x", "+12.5"],
        ["2", "3", "C", "y", "-12.5"],
        ["", "2", "B", "X", ""],
        ["2", "4", "D", "y", ""],
    ]
    result = read(rows)
    assert result.issues == ()
    assert people_of(result) == [["1", "2"], ["3", "4"]]
    assert [entry.score for entry in result.entries] == ["12.5", "-12.5"]


def test_pairs_with_the_same_number_are_distinguished_by_direction_and_section():
    rows = [["puesto", "licencia", "pareja", "línea", "sección"]]
    rows += [["1", "1", "1", "N-S", "A"], ["1", "2", "1", "N/S", "A"]]
    rows += [["1", "3", "1", "E-O", "A"], ["1", "4", "1", "east-west", "A"]]
    rows += [["2", "5", "1", "NS", "B"], ["2", "6", "1", "Norte-Sur", "B"]]
    result = read(rows)
    assert result.issues == ()
    assert people_of(result) == [["1", "2"], ["3", "4"], ["5", "6"]]
    assert [(entry.direction, entry.section) for entry in result.entries] == [
        ("NS", "A"),
        ("EW", "A"),
        ("NS", "B"),
    ]


def test_teams_with_merged_cells_are_read():
    rows = [["puesto", "equipo", "licencia", "nombre"]]
    for team in range(2):
        for seat in range(4):
            number = str(team * 4 + seat + 1)
            head = [str(team + 1), f"Equipo {team}"] if seat == 0 else ["", ""]
            rows.append([*head, number, "N"])
    result = read(rows)
    assert result.issues == ()
    assert result.event.kind == "teams"
    assert people_of(result) == [["1", "2", "3", "4"], ["5", "6", "7", "8"]]


def test_merged_place_cells_group_rows_into_pairs():
    rows = [["puesto", "licencia"], ["1", "1"], ["", "2"], ["2", "3"], ["", "4"]]
    result = read(rows)
    assert result.issues == ()
    assert people_of(result) == [["1", "2"], ["3", "4"]]


def test_repeated_places_without_a_pair_column_ask_whether_they_are_pairs():
    rows = [
        ["puesto", "licencia"],
        ["1", "1"],
        ["1", "2"],
        ["2=", "3"],
        ["2=", "4"],
        ["2=", "5"],
        ["2=", "6"],
    ]
    result = read(rows)
    assert [(issue.code, issue.severity) for issue in result.issues] == [("pairs_assumed", "warning")]
    assert people_of(result) == [["1", "2"], ["3", "4"], ["5", "6"]]
    assert read(rows, "pairs").issues == ()
    assert people_of(read(rows, "individual")) == [[str(n)] for n in range(1, 7)]


def test_one_row_for_each_place_is_an_individual_event():
    rows = [["puesto", "licencia"], ["1", "1"], ["2=", "2"], ["2=", "3"], ["4", "4"]]
    result = read(rows)
    assert result.issues == ()
    assert result.event.kind == "individual"
    assert people_of(result) == [["1"], ["2"], ["3"], ["4"]]


def test_pairs_without_two_rows_each_are_refused():
    rows = [["puesto", "licencia"], ["1", "1"], ["1", "2"], ["2", "3"], ["3", "4"], ["4", "5"]]
    result = read(rows, "pairs")
    assert [(issue.code, issue.line) for issue in result.issues] == [("pair_incomplete", 5), ("pair_size", 6)]
    assert result.issues[0].params["first"] == 4


def test_teams_without_a_team_column_are_refused():
    result = read([["puesto", "licencia"], ["1", "1"]], "teams")
    assert codes(result) == ["team_missing", "team_size"]


def test_the_rows_of_a_contestant_must_have_the_same_place():
    rows = [["puesto", "licencia", "pareja"], ["1", "1", "a"], ["2", "2", "a"]]
    (result,) = read(rows).issues
    assert (result.code, result.line, result.field, result.params["first"]) == (
        "contestant_conflict",
        3,
        "puesto",
        2,
    )


def test_a_pair_may_be_one_row_with_two_players():
    rows = [
        ["puesto", "licencia 1", "nombre 1", "licencia 2", "nombre 2", "porcentaje", "manos"],
        ["1", "1", "Ana", "2", "Eva", "60", "24"],
        ["2", "3", "Luis", "", "Invitado", "40", "22"],
    ]
    result = read(rows)
    assert codes(result) == ["no_number"]
    assert people_of(result) == [["1", "2"], ["3", "Invitado"]]
    assert result.event.kind == "pairs"
    assert (result.event.boards, result.event.boards_scheduled) == (24, 24)


def test_a_table_with_both_layouts_is_refused():
    rows = [["puesto", "licencia", "licencia 1", "licencia 2"], ["1", "1", "2", "3"]]
    assert "mixed_layout" in codes(read(rows))


def test_a_table_without_a_required_column_is_refused():
    assert "missing_column" in codes(read([["puesto", "porcentaje"], ["1", "60"]]))
    issue = read([["licencia", "nombre"], ["1", "Ana"]]).issues[0]
    assert (issue.code, issue.params["column"]) == ("missing_column", "puesto")


def test_a_table_of_names_alone_is_read():
    result = read([["nombre", "puesto"], ["Ana", "1"]])
    assert codes(result) == ["no_number", "no_licence_column"] and people_of(result) == [["Ana"]]


def test_the_boards_are_those_of_the_winner():
    rows = [["puesto", "licencia", "manos"], ["10", "1", "30"], ["1", "2", "21"], ["2", "3", "24"]]
    result = read(rows, "individual")
    assert (result.event.boards, result.event.boards_scheduled) == (21, 30)


def test_if_the_winner_has_no_boards_the_next_place_counts():
    rows = [["puesto", "licencia", "manos"], ["1", "1", ""], ["2", "2", "24"], ["3", "3", "27"]]
    result = read(rows, "individual")
    assert (result.event.boards, result.event.boards_scheduled) == (24, 27)


@pytest.mark.parametrize("boards", [1, 999])
def test_one_and_999_boards_are_accepted(boards):
    result = read([["puesto", "licencia", "manos"], ["1", "2", str(boards)]])
    assert (result.event.boards, codes(result)) == (boards, codes(read([["puesto", "licencia"], ["1", "2"]])))


@pytest.mark.parametrize("text", ["0", "24,5", "muchas", "1000"])
def test_an_invalid_number_of_boards_is_refused(text):
    result = read([["puesto", "licencia", "manos"], ["1", "2", text]])
    assert [(issue.code, issue.line, issue.field) for issue in result.issues] == [("bad_boards", 2, "manos")]


def test_an_invalid_direction_is_refused():
    result = read([["puesto", "licencia", "línea"], ["1", "2", "arriba"]])
    assert [(issue.code, issue.value) for issue in result.issues] == [("bad_direction", "arriba")]


def test_a_pair_of_three_players_is_refused():
    rows = [*makers.PAIRS_TABLE, ["2", "500005", "Sobra", "1", "54,5"], ["3", "7", "A", "9", "40"]]
    rows.append(["3", "8", "B", "9", "40"])
    (result,) = read(rows).issues
    assert (result.code, result.params) == ("pair_size", {"name": "1", "count": 3})


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize(("name", "make"), [("t.csv", template_csv), ("t.xlsx", template_xlsx)])
def test_the_templates_for_directors_are_read_correctly(language, name, make):
    result = read_results(name, make(language))
    assert codes(result) == ["no_number"]
    assert result.event.kind == "pairs"
    assert [entry.percentage for entry in result.entries] == ["61.25", "54.50"]
    assert [entry.direction for entry in result.entries] == ["NS", "EW"]
    assert (result.event.boards, result.event.boards_scheduled) == (24, 24)


@pytest.mark.parametrize("make", [makers.csv_table, makers.xlsx_table])
def test_percentages_that_are_parts_of_one_are_multiplied(make):
    figures = ["0.6525", "0.5", "0.3475"]
    if make is makers.xlsx_table:
        figures = list(map(float, figures))
    rows = [
        ["puesto", "licencia", "porcentaje"],
        *([n, n, figure] for n, figure in zip("123", figures, strict=True)),
    ]
    result = read_results("r.csv" if make is makers.csv_table else "r.xlsx", make(rows), "individual")
    assert [entry.percentage for entry in result.entries] == ["65.25", "50", "34.75"]
    assert [(item.code, item.severity) for item in result.issues] == [("percentages_multiplied", "info")]


def test_percentages_that_are_all_at_most_one_are_asked_about():
    rows = [["puesto", "licencia", "porcentaje"], ["1", "1", "0,6125"], ["2", "2", "1"], ["3", "3", ""]]
    (result,) = read(rows, "individual").issues
    assert (result.code, result.severity, result.value) == ("percentages_of_one", "warning", "1")
    assert result.field == "percentage"
    for largest, asked in (("0,62", True), ("0", True), ("1,01", False)):
        rows[2][2] = rows[1][2] = largest
        assert (codes(read(rows, "individual")) == ["percentages_of_one"]) == asked
    rows[1][2] = "61,25"
    assert codes(read(rows, "individual")) == []
