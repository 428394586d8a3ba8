"""Start lists: who plays in each pair, in the ways in which clubs write it."""

import json

import pytest

from tests.tournaments.formats import makers
from tournaments.formats import limits, sandbox
from tournaments.formats.start_list import StartList, parse_start_list


def rows(data) -> list[tuple]:
    result = parse_start_list("lista.csv", data if isinstance(data, bytes) else data.encode())
    assert not result.issues
    return [
        (row.section, row.number, row.direction, [(person.number, person.name) for person in row.people])
        for row in result.rows
    ]


def codes(data: bytes) -> list[str]:
    return [issue.code for issue in parse_start_list("lista.csv", data).issues]


NAMES = [(None, "Ana Roble"), (None, "Luis Haya")]
BOTH = [("21", "Ana Roble"), ("22", "Luis Haya")]


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("1;Ana Roble;Luis Haya", NAMES),
        ("1\tAna Roble - Luis Haya", NAMES),
        ("1,Ana Roble / Luis Haya", NAMES),
        ("1 Ana Roble & Luis Haya", NAMES),
        ("1;Ana Roble\n1;Luis Haya", NAMES),
        ("1;21;22", [("21", ""), ("22", "")]),
        ("1;Ana Roble;21;Luis Haya;22", BOTH),
        ("1;21;Ana Roble;22;Luis Haya", BOTH),
        ("1;Ana Roble;;Luis Haya;22", [(None, "Ana Roble"), ("22", "Luis Haya")]),
        ("Pareja;Licencia 1;Jugador 1;Licencia 2;Jugador 2\n1;21;Ana Roble;22;Luis Haya", BOTH),
        ("Nombre;Pareja;Licencia;Teléfono\nAna Roble;1;21;600000000\nLuis Haya;1;22;", BOTH),
        ("PairNumber,Name,ABF No,Initial Seating\n1,Ana Roble,21,1-NS\n1,Luis Haya,22,1-NS", BOTH),
        ("1;Ana Roble;Luis Haya;ana@example.com", NAMES),
        ("Torneo del martes\n\n1;Ana Roble;Luis Haya", NAMES),
        ("Nº;Pareja\n1;Ana Roble - Luis Haya", NAMES),
        ("Pareja;Nº\nAna Roble - Luis Haya;1", NAMES),
    ],
)
def test_lists_are_read_however_they_are_written(text, people):
    ((_section, number, _direction, written),) = rows(text)
    assert (number, written) == ("1", people)


def test_sections_and_lines_of_play_are_read():
    assert [row[:3] for row in rows("A1;Ana;Luis\nB 1;Eva;Mar")] == [("A", "1", None), ("B", "1", None)]
    assert [row[:3] for row in rows("1NS;Ana;Luis\n1 E-O;Eva;Mar")] == [(None, "1", "NS"), (None, "1", "EW")]
    with_columns = "Sección;Pareja;Línea;Nombre\nB;07;NS;Ana\nB;07;NS;Luis"
    assert [row[:3] for row in rows(with_columns)] == [("B", "7", "NS")]


@pytest.mark.parametrize(
    "text",
    [
        "Mesa;Norte;Sur;Este;Oeste\n1;Ana;Luis;Eva;Mar\n2;Sol;Teo;Luz;Max",
        "Mesa;N-S;E-O\n1;Ana - Luis;Eva - Mar\n2;Sol - Teo;Luz - Max",
    ],
)
def test_the_people_of_a_table_are_two_pairs(text):
    assert [(number, side, [name for _, name in people]) for _, number, side, people in rows(text)] == [
        ("1", "NS", ["Ana", "Luis"]), ("1", "EW", ["Eva", "Mar"]),
        ("2", "NS", ["Sol", "Teo"]), ("2", "EW", ["Luz", "Max"]),
    ]  # fmt: skip


def test_a_workbook_is_read():
    data = makers.xlsx_table([["Pareja", "Nombre 1", "Nombre 2"], ["1", "Ana Roble", "Luis Haya"]])
    assert rows(data)[0][3] == NAMES


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "start_list_empty"),
        (b"nada\nde nada", "start_list_empty"),
        (b"1;Ana\x00;Luis", "nul_bytes"),
        (b"PK\x03\x04 broken", "damaged_workbook"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "wrong_type"),
        (b"1;" + b"A" * 600, "cell_too_long"),
        (b"1;Ana\n" * (limits.RESULT_ENTRIES + 2), "too_many_rows"),
    ],
)
def test_a_list_that_cannot_be_used_is_refused(data, code):
    assert codes(data) == [code]


def test_a_list_larger_than_an_upload_is_refused():
    assert codes(b"1" * (limits.UPLOAD_BYTES + 1)) == ["too_large"]


def test_a_list_is_read_the_same_in_the_child_process():
    for data in (b"1;Ana;Luis\n2;Eva;Mar", b"nada", makers.xlsx_table([["1", "Ana", "Luis"]])):
        result = parse_start_list("lista.csv", data)
        assert sandbox.read_start_list_safely("lista.csv", data) == result
        assert StartList.from_json(json.loads(json.dumps(result.to_json()))) == result


def test_a_slow_reading_of_a_list_is_stopped():
    result = sandbox.read_start_list_safely("lista.csv", b"1;Ana;Luis", timeout=0)
    assert [issue.code for issue in result.issues] == ["too_slow"]
