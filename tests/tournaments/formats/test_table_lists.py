"""Lists by tables, in the order in which directors write them, name the pairs of a file without people."""

import pytest

from tests.tournaments.formats import makers
from tests.tournaments.formats.bridgemates import mitchell
from tournaments.formats import read_results
from tournaments.formats.types import Choice, ParsedResult
from tournaments.services.files import Sent, read

TABLES = 6
SEATS = ("Norte", "Sur", "Este", "Oeste")
PEOPLE = [
    [f"{name} Mesa {'ABCDEF'[table]}" for name in ("Ana", "Luis", "Eva", "Max")] for table in range(TABLES)
]
ROWS = [[str(table), *people] for table, people in enumerate(PEOPLE, start=1)]
# Every line of play in a row of its own.
LINES = [[row[0], line, *row[start : start + 2]] for row in ROWS for line, start in (("NS", 1), ("EO", 3))]
EXPECTED = [*(row[1:3] for row in ROWS), *(row[3:5] for row in ROWS)]
SHAPES = {
    "seats": [["Mesa", *SEATS], *ROWS],
    "in any order": [["Mesa", *SEATS], *ROWS[::-1]],
    "English": [["Table", "North", "South", "East", "West"], *ROWS],
    "letters": [["Mesa", "N", "S", "E", "O"], *ROWS],
    "words": [["Nº Mesa", *(f"Jugador {seat}" for seat in SEATS)], *ROWS],
    "a word before the number": [["Mesa", *SEATS], *([f"Mesa {row[0]}", *row[1:]] for row in ROWS)],
    "a title": [["Pool del martes"], ["Mesa", *SEATS], *ROWS],
    "lines": [["Mesa", "N-S", "E-O"], *([row[0], " - ".join(row[1:3]), " - ".join(row[3:])] for row in ROWS)],
    "a row for a line": [["Mesa", "Línea", "Jugador 1", "Jugador 2"], *LINES],
    "a row for a line, by lines": [["Mesa", "Línea", "Jugador 1", "Jugador 2"], *LINES[::2], *LINES[1::2]],
    "merged cells": [
        ["Mesa", "Línea", "Jugador 1", "Jugador 2"],
        *([row[0] if row[1] == "NS" else "", *row[1:]] for row in LINES),
    ],
    "a row for a player": [
        ["Mesa", "Asiento", "Jugador"],
        *([row[0], seat[0], name] for row in ROWS for seat, name in zip(SEATS, row[1:], strict=True)),
    ],
}  # fmt: skip


def csv(rows: list[list[str]]) -> bytes:
    return "\n".join(";".join(row) for row in rows).encode()


def with_list(name: str, data: bytes, choices=(), doubled=False) -> ParsedResult:
    evening = mitchell(TABLES, 4, doubled=doubled)
    return read([Sent("martes.bws", evening.data()), Sent(name, data)], None, choices)


def people(result: ParsedResult) -> list[list[str]]:
    return [[person.name for person in entry.people] for entry in result.entries]


@pytest.mark.parametrize("rows", SHAPES.values(), ids=SHAPES)
def test_a_list_by_tables_names_all_pairs(rows):
    result = with_list("mesas.csv", csv(rows))
    assert {issue.code for issue in result.issues} == {"joined_list_numbers"}
    assert people(result) == EXPECTED


def test_a_list_in_a_workbook_names_all_pairs():
    assert people(with_list("mesas.xlsx", makers.xlsx_table(SHAPES["seats"]))) == EXPECTED


def test_lines_with_the_same_numbers_get_their_people():
    for shape in ("seats", "a row for a line"):
        assert people(with_list("mesas.csv", csv(SHAPES[shape]), doubled=True)) == EXPECTED


def test_licence_numbers_may_stand_in_the_seats():
    rows = [["Mesa", *SEATS], *([row[0], *(f"2{row[0]}00{seat}" for seat in range(4))] for row in ROWS)]
    result = with_list("mesas.csv", csv(rows))
    assert [person.number for person in result.entries[0].people] == ["21000", "21001"]


@pytest.mark.parametrize("shape", ["seats", "a row for a line"])
def test_columns_that_were_chosen_for_such_a_list_do_not_count(shape):
    data = csv(SHAPES[shape])
    (layout,) = read_results("mesas.csv", data).layouts
    meanings = ("place", "name_1", "name_2", "", "")[: len(layout.meanings)]
    choices = [Choice(layout.digest, meanings, is_remembered=True)]
    assert people(with_list("mesas.csv", data, choices)) == EXPECTED


def test_a_list_by_tables_alone_is_called_a_start_list():
    for rows in SHAPES.values():
        (issue,) = read_results("mesas.csv", csv(rows)).issues
        assert issue.code == "start_list"


@pytest.mark.parametrize(
    "more",
    [["%", *(f"{60 - place * 2.5}" for place in range(TABLES))], ["Puesto", *"123456"]],
    ids=["percentages", "places"],
)
def test_a_ranking_with_the_tables_is_no_list(more):
    rows = [[*row, text] for row, text in zip(SHAPES["seats"], more, strict=True)]
    assert "start_list" not in {issue.code for issue in read_results("mesas.csv", csv(rows)).issues}
