"""CSV and XLSX tables in every dialect, read with declared columns."""

import io
import json
from dataclasses import asdict
from datetime import date, datetime
from decimal import Decimal

import pytest
from openpyxl import Workbook

from tests.folders import ROOT
from tests.tournaments.formats import makers
from tournaments.formats import read_table, results_table, values
from tournaments.formats.readers.xlsx_rows import cell_text
from tournaments.formats.types import Column, TableResult

COLUMNS = (
    Column("number", ("Nº de licencia", "licence number"), "licence", filled=True),
    Column("name", ("Apellidos y nombre", "name")),
    Column("since", ("Fecha de alta", "since"), "date", required=False),
    Column("points", ("Puntos", "points"), "decimal", required=False),
    Column("boards", ("Manos", "boards"), "integer", required=False),
)
ROWS = [
    ["Nº de licencia", "Apellidos y nombre", "Fecha de alta", "Puntos", "Manos"],
    ["00123", "Inventada Núñez, Ana", "1/2/2025", "1234,5", "24"],
    ["500002", 'Inventado "Mojo", Luis', "2025-12-31", "-3.50", ""],
]
EXPECTED = [
    {
        "number": "00123",
        "name": "Inventada Núñez, Ana",
        "since": "2025-02-01",
        "points": "1234.5",
        "boards": "24",
    },
    {
        "number": "500002",
        "name": 'Inventado "Mojo", Luis',
        "since": "2025-12-31",
        "points": "-3.50",
        "boards": "",
    },
]


def codes(result):
    return [issue.code for issue in result.issues]


@pytest.mark.parametrize("separator", [";", ",", "\t"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("encoding", "read_as"),
    [("utf-8", "utf-8"), ("utf-8-sig", "utf-8"), ("cp1252", "cp1252"), ("utf-16", "utf-16")],
)
def test_csv_is_read_with_any_separator_line_end_and_encoding(separator, newline, encoding, read_as):
    result = read_table("t.csv", makers.csv_table(ROWS, separator, encoding, newline), COLUMNS)
    assert codes(result) == (["code_page_used"] if encoding == "cp1252" else [])
    assert [dict(row.values) for row in result.rows] == EXPECTED
    assert [row.line for row in result.rows] == [2, 3]
    assert (result.format_name, result.encoding) == ("csv", read_as)


def test_the_separator_is_detected_outside_quotes_of_the_heading():
    data = '"Nº de licencia; antes, número","Apellidos y nombre","Nº de licencia"\n"x;y",Ana,7\n'.encode()
    result = read_table("t.csv", data, COLUMNS)
    assert [dict(row.values) for row in result.rows] == [{"number": "7", "name": "Ana"}]
    assert codes(result) == ["unknown_column"]


def test_a_line_that_states_the_separator_is_understood():
    data = b"sep=,\r\nlicence number,name\r\n7,Ana\r\n"
    (row,) = read_table("t.csv", data, COLUMNS).rows
    assert (row.line, row.get("number"), row.get("since")) == (3, "7", "")


def test_line_numbers_are_those_of_the_file():
    data = b'\n\nlicence number;name\n7;"Ana\nMaria"\n;;\n8;Luis\n;Eva\n'
    result = read_table("t.csv", data, COLUMNS)
    assert [(row.line, row.get("name")) for row in result.rows] == [(4, "Ana Maria"), (7, "Luis"), (8, "Eva")]
    assert [(issue.code, issue.line) for issue in result.issues] == [("missing_value", 8)]


def test_a_number_written_as_text_keeps_its_zeros():
    (row,) = read_table("t.csv", b'licence number;name\n="00123";Ana\n', COLUMNS).rows
    assert row.get("number") == "00123"


def test_headings_ignore_case_accents_and_punctuation():
    data = "N.º DE LICENCIA;apellidos Y NOMBRE\n7;Ana\n".encode()
    result = read_table("t.csv", data, COLUMNS)
    assert result.issues == ()
    assert result.headings == {"number": "N.º DE LICENCIA", "name": "apellidos Y NOMBRE"}


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("licence number;naem", ["missing_column", "unknown_column"]),
        ("licence number;name;Nº de licencia", ["duplicate_column"]),
        ("uno;dos", ["no_headings", "unknown_column", "unknown_column"]),
    ],
)
def test_wrong_headings_are_refused(heading, expected):
    result = read_table("t.csv", (heading + "\n1;2;3\n").encode(), COLUMNS)
    assert codes(result) == expected
    assert result.rows == ()


def test_the_error_for_a_missing_column_lists_the_headings():
    (result, _) = read_table("t.csv", b"licence number;naem\n1;2\n", COLUMNS).issues
    assert result.params == {"column": "Apellidos y nombre", "headings": "licence number, naem"}


def test_values_right_of_the_last_heading_are_refused():
    result = read_table("t.csv", b"licence number;name;since\n1;Ana;1/1/2025\n2;Lu;is;1/1/2025\n", COLUMNS)
    assert [(issue.code, issue.line) for issue in result.issues] == [("long_row", 3)]
    assert len(result.rows) == 1


@pytest.mark.parametrize("text", ["1.234,5", "1 234", "12e3", "nan", "1,2,3", "--3", "½"])
def test_invalid_numbers_are_refused(text):
    result = read_table("t.csv", f'licence number;name;points\n1;Ana;"{text}"\n'.encode(), COLUMNS)
    assert [(issue.code, issue.field, issue.value) for issue in result.issues] == [
        ("bad_number", "points", text)
    ]


def test_typed_cells_of_a_workbook_are_read_as_text():
    rows = [
        ["licence number", "name", "since", "points", "boards"],
        [123, "Ana", date(2025, 2, 1), 61.1 + 0.15, 24.0],
        ["00124", "Luis", datetime(2025, 12, 31), 0.5425, None],
        [None, None, None, None, None],
        [125, "Eva", "31/12/2025", "61,25", "24"],
    ]
    data = makers.xlsx_table(rows, {"D3": "0.00%"})
    result = read_table("t.xlsx", data, COLUMNS)
    assert [tuple(row.values.values()) for row in result.rows] == [
        ("123", "Ana", "2025-02-01", "61.25", "24"),
        ("00124", "Luis", "2025-12-31", "54.25", ""),
        ("125", "Eva", "2025-12-31", "61.25", "24"),
    ]
    assert [row.line for row in result.rows] == [2, 3, 5]
    (results,) = result.issues
    assert (results.code, results.severity, results.params) == ("leading_zeros_lost", "info", {"count": 2})


def test_formulas_with_stored_results_are_read():
    rows = [["licence number", "name"], [7, "Ana"]]
    plain = makers.xlsx_table(rows)
    sheet = (
        b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
        b'<row r="1"><c r="A1" t="inlineStr"><is><t>licence number</t></is></c>'
        b'<c r="B1" t="inlineStr"><is><t>name</t></is></c></row>'
        b'<row r="2"><c r="A2"><f>3+4</f><v>7</v></c><c r="B2" t="str"><f>"A"</f><v>Ana</v></c></row>'
        b"</sheetData></worksheet>"
    )
    result = read_table("t.xlsx", makers.rezipped(plain, {"xl/worksheets/sheet1.xml": sheet}), COLUMNS)
    assert [dict(row.values) for row in result.rows] == [{"number": "7", "name": "Ana"}]
    assert [(issue.code, dict(issue.params)) for issue in result.issues] == [
        ("formulas_read", {"count": 2}),
        ("leading_zeros_lost", {"count": 1}),
    ]


def test_the_first_visible_sheet_is_read():
    workbook = Workbook()
    workbook.active.title = "Oculta"
    workbook.active.sheet_state = "hidden"
    workbook.create_sheet("Resultado").append(["licence number", "name"])
    workbook["Resultado"].append(["7", "Ana"])
    workbook.create_sheet("Notas").append(["manos del martes"])
    out = io.BytesIO()
    workbook.save(out)
    result = read_table("t.xlsx", out.getvalue(), COLUMNS)
    assert [(issue.code, issue.value) for issue in result.issues] == [("other_sheets", "Resultado")]
    assert len(result.rows) == 1


def test_the_row_limit_does_not_count_the_heading():
    data = makers.csv_table([["licence number", "name"]] + [[str(n), "X"] for n in range(1, 6)])
    assert read_table("t.csv", data, COLUMNS, max_rows=5).issues == ()
    assert codes(read_table("t.csv", data, COLUMNS, max_rows=4)) == ["too_many_rows"]


def test_xml_is_refused_as_a_table():
    assert codes(read_table("t.xml", makers.Event().data(), COLUMNS)) == ["wrong_type"]


def test_control_characters_are_left_out_with_a_warning():
    data = b"licence number;name\n7;A\x07na Inventada de los Palotes, que tiene un nombre largo\n"
    result = read_table("t.csv", data, COLUMNS)
    assert [(issue.code, issue.severity, issue.line) for issue in result.issues] == [
        ("control_characters", "warning", 2)
    ]
    assert result.rows[0].get("name").startswith("Ana Inventada")


def test_letters_lost_before_the_upload_are_reported():
    result = read_table("t.csv", "licence number;name\n7;Nu\ufffdez\n".encode(), COLUMNS)
    assert [(issue.code, issue.line) for issue in result.issues] == [("damaged_letters", 2)]


def test_a_table_survives_conversion_to_json_and_back():
    result = read_table("t.csv", makers.csv_table(ROWS, encoding="cp1252"), COLUMNS)
    assert TableResult.from_json(json.loads(json.dumps(result.to_json()))) == result


@pytest.mark.parametrize(
    ("value", "number_format", "text"),
    [
        (21872.0, "General", "21872"), (-3.0, "0.00", "-3"), (0.6125, "0.00%", "61.25"),
        (61.25000000000001, "General", "61.25"), (21872.5, "General", "21872.5"),
        (date(2026, 3, 14), "General", "2026-03-14"), (datetime(2026, 3, 14), "General", "2026-03-14"),
        (datetime(2026, 3, 14, 18, 30), "General", "2026-03-14 18:30:00"),
        (" a\n b ", "General", "a b"),
    ],
)  # fmt: skip
def test_a_cell_value_is_converted_to_text_by_its_number_format(value, number_format, text):
    assert cell_text(value, number_format) == text


def test_every_percentage_with_two_decimals_is_read_as_it_is_shown():
    shown = [values.decimal_text(f"{hundredths / 100:.2f}") for hundredths in range(10_001)]
    expected = [Decimal(text) for text in shown]
    of_cells = [cell_text(hundredths / 10_000, "0.00%") for hundredths in range(10_001)]
    assert [Decimal(text) for text in of_cells] == expected
    plain = [cell_text(hundredths / 10_000) for hundredths in range(10_001)]
    assert [Decimal(text) * 100 for text in plain] == expected


@pytest.mark.parametrize("near", [62.99999999999999, 63.00000000000001])
def test_a_sum_that_is_almost_a_whole_number_is_read_as_that_number(near):
    assert cell_text(near) == "63"
    assert cell_text(near / 100, "0.00%") == "63"
    assert cell_text(-1e-13) == "0"


def test_formulas_below_the_last_row_with_values_are_ignored():
    workbook = Workbook()
    for row in (["licence number", "name"], ["7", "=A2"]):
        workbook.active.append(row)
    workbook.active["C20"] = "=1+1"
    out = io.BytesIO()
    workbook.save(out)
    result = read_table("t.xlsx", out.getvalue(), COLUMNS)
    assert [(issue.code, issue.line) for issue in result.issues] == [("formula_without_value", 2)]


@pytest.mark.parametrize("column", results_table.COLUMNS, ids=lambda column: column.key)
def test_every_heading_of_a_result_table_is_read_as_its_column(column):
    for name in column.names:
        for heading in (name, name.upper(), f" {name.title()}. "):
            table = read_table("t.csv", makers.csv_table([[heading], ["1"]]), results_table.COLUMNS)
            assert (list(table.headings), table.rows[0].get(column.key)) == ([column.key], "1"), heading
    columns = [other.key for other in results_table.COLUMNS for name in other.names if name in column.names]
    assert set(columns) == {column.key}


def test_the_documented_headings_are_read():
    documented = (ROOT / "docs/uploading.md").read_text()
    rows = [line.split("|") for line in documented.splitlines() if line.startswith("| `")]
    names = {values.fold(name) for column in results_table.COLUMNS for name in column.names}
    listed = [(row[1], row[2]) for row in rows if values.fold(row[1].split("`")[1]) in names]
    assert len(listed) == 9
    for first, others in listed:
        for name in (*first.replace("`", "").split(" or "), *others.split(",")):
            assert values.fold(name) in names, name


@pytest.mark.parametrize(
    ("key", "headings"),
    [
        ("place", "position"),
        ("licence", "n licencia, nº de licencia, licencia aeb, licence number, license number, number"),
        ("name", "nombre y apellidos, player name"),
        ("team", "team/pair, pair number"),
        ("percentage", "percent"),
        ("score", "imp, vps, result"),
        ("direction", "ns/ew, orientación"),
        ("section", "group"),
        ("boards", "boards played"),
        ("licence_8", "licencia 8, licencia8, number 8, number8"),
        ("name_8", "nombre 8, nombre8, player name 8, player name8"),
    ],
)
def test_further_headings_are_read_as_their_column(key, headings):
    for heading in headings.split(", "):
        table = read_table("t.csv", makers.csv_table([[heading], ["1"]]), results_table.COLUMNS)
        assert list(table.headings) == [key], heading


def test_a_column_survives_conversion_to_json_and_back():
    for column in COLUMNS:
        assert Column.from_json(json.loads(json.dumps(asdict(column)))) == column


@pytest.mark.parametrize(
    ("direction", "spellings"),
    [
        ("NS", ["NS", "ns", "N-S", "n/s", "Norte-Sur", "NORTE SUR", "North-South"]),
        ("EW", ["EW", "e-w", "EO", "E/O", "Este-Oeste", "ESTE OESTE", "East-West"]),
        ("", ["", " ", "-"]),
        (None, ["S", "norte", "WE"]),
    ],
)
def test_directions_are_recognised_in_every_spelling(direction, spellings):
    assert [values.direction_text(spelling) for spelling in spellings] == [direction] * len(spellings)
