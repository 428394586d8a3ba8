"""Tables as clubs write them: titles, totals, any sheet, pairs in one row or two, columns to choose.

The files are synthetic; they have the shapes of exports whose real files nobody has yet.
"""

import io

import pytest
from openpyxl import Workbook

from tests.tournaments.formats import makers, sheets
from tournaments.formats import limits, read_results
from tournaments.formats.sandbox import read_results_safely
from tournaments.formats.types import Choice

TITLES = """Club del Faro
Torneo del martes

Pos;Pareja;%
1;Ana Uno - Luis Dos;61,25
2;Eva Tres - Mar Cuatro;50
3;Eva Cinco - Mar Seis;38,75

Media;;50,00
Hecho el martes;;
"""
TWO_ROWS = """Pos.;Par;Jugador;Puntos %
1;5;Ana Uno;61,25
;;Luis Dos;
2;3;Eva Tres;50
;;Mar Cuatro;
3;4;Eva Cinco;38,75
;;Mar Seis;
"""
SAME_NUMBER = """Clas;N;Componentes;Porc
1;5;Ana Uno;61,25
1;5;Luis Dos;61,25
2;3;Eva Tres;50
2;3;Mar Cuatro;50
3;4;Eva Cinco;38,75
3;4;Mar Seis;38,75
"""
HEADLESS = """1;Ana Uno;Luis Dos;61,25
2;Eva Tres;Mar Cuatro;50
3;Eva Cinco;Mar Seis;38,75
"""
OPTIONS = """#Version std1
#Date 14/03/2026
#Boards 24
Rank,Pair,Names,Score
1,5,Ana Uno & Luis Dos,61.25
2,6,Eva Tres & Mar Cuatro,50
3,7,Eva Cinco & Mar Seis,38.75
"""
EXTRACTED = """#BoardCount,24
#Tournament,1234,http://x.example
#Date,14/03/2026
#ScoringType,MP
#Ranking,PAIRS
#Rank,Name1,Name2,Score
1,Ana Uno,Luis Dos,61.25
2,Eva Tres,Mar Cuatro,50
3,Eva Cinco,Mar Seis,38.75
#TravellerLines
#Board,North,South,East,West,Result,Contract,Declarer,Tricks,Lead,Score,nsMpts,ewMpts,nsPair,ewPair,section,playdata
1,Ana Uno,Luis Dos,Eva Tres,Mar Cuatro,=,4S,N,10,D2,420,4,0,1,2,A,x
1,Eva Cinco,Mar Seis,Eva Tres,~SITOUT,+1,4S,N,11,D2,450,4,0,3,2,A,x
2,Ana Uno,Luis Dos,Eva Tres,Mar Cuatro,=,4S,N,10,D2,420,4,0,1,2,A,x
#Substitutions
"""
EXTRACTED_NAMES = EXTRACTED.replace("Name1,Name2", "Names")
for first, second in (("Ana Uno", "Luis Dos"), ("Eva Tres", "Mar Cuatro"), ("Eva Cinco", "Mar Seis")):
    EXTRACTED_NAMES = EXTRACTED_NAMES.replace(f"{first},{second},", f"{first}+{second},", 1)
EXTRACTED_SEATS = EXTRACTED.replace("#Rank,Name1,Name2,Score", "#Rank,Score,North/East,South/West")
for row in ("Ana Uno,Luis Dos,61.25", "Eva Tres,Mar Cuatro,50", "Eva Cinco,Mar Seis,38.75"):
    people, _comma, figure = row.rpartition(",")
    EXTRACTED_SEATS = EXTRACTED_SEATS.replace(row, f"{figure},{people}")
PEOPLE = [("Ana Uno", "Luis Dos"), ("Eva Tres", "Mar Cuatro"), ("Eva Cinco", "Mar Seis")]
SHAPES = {
    "titles": (TITLES, "percentage"),
    "two rows": (TWO_ROWS, "percentage"),
    "same number": (SAME_NUMBER, "percentage"),
    "headless": (HEADLESS, "percentage"),
    "options": (OPTIONS, "score"),
    "extracted": (EXTRACTED, "percentage"),
    "extracted, names in one cell": (EXTRACTED_NAMES, "percentage"),
    "extracted, names by seat": (EXTRACTED_SEATS, "percentage"),
    "extracted, in IMPs": (EXTRACTED.replace("#ScoringType,MP", "#ScoringType,IMPS"), "score"),
}


def names(result):
    return [tuple(person.name for person in entry.people) for entry in result.entries]


def codes(result):
    return {item.code for item in result.issues}


def as_chosen(name, data, kind=None):
    """Read a file with the columns as proposed, as if a user had accepted them."""
    first = read_results(name, data, kind)
    choices = [Choice(layout.digest, layout.meanings) for layout in first.layouts[:1]]
    return read_results(name, data, kind, choices)


@pytest.mark.parametrize(("text", "result"), SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("write", ["csv", "xls", "ods"])
def test_a_sheet_needs_its_columns_accepted_at_most_once(text, result, write):
    rows = [line.split("," if text.startswith("#") else ";") for line in text.splitlines()]
    data = {"csv": text.encode(), "xls": sheets.xls(rows), "ods": sheets.ods({"Martes": rows})}[write]
    parsed = as_chosen(f"a.{write}", data)
    assert not parsed.has_errors, parsed.issues
    assert names(parsed) == PEOPLE
    assert [getattr(entry, result) for entry in parsed.entries] == ["61.25", "50", "38.75"]
    assert [entry.place for entry in parsed.entries] == ["1", "2", "3"]


def test_totals_and_remarks_below_are_left_out_and_counted():
    (left,) = [item for item in as_chosen("a.csv", TITLES.encode()).issues if item.code == "rows_left_out"]
    assert (left.line, left.params["count"]) == (9, 2)


def test_the_date_of_an_option_is_the_date_of_the_tournament():
    assert as_chosen("a.csv", OPTIONS.encode()).event.date == "2026-03-14"


def test_lines_of_play_that_are_titles_are_read():
    block = "Pto;Num;Pareja;Porc\n1;5;{} Uno / {} Dos;61,25\n2;6;{} Tres / {} Seis;55\n"
    text = f"Norte - Sur\n{block.format(*['Ana'] * 4)}Este - Oeste\n{block.format(*['Eva'] * 4)}"
    parsed = as_chosen("a.csv", text.encode())
    assert [(entry.direction, entry.number) for entry in parsed.entries] == [
        ("NS", "5"), ("NS", "6"), ("EW", "5"), ("EW", "6"),
    ]  # fmt: skip


@pytest.mark.parametrize("between", [" - ", " / ", "; ", " & ", " – "])
def test_two_people_in_a_cell_are_a_pair_without_any_question(between):
    rows = [["puesto", "nombre", "licencia", "%"]]
    rows += [[str(n), f"Ana {n}x{between}Eva {n}y", f"50000{n} / 60000{n}", "50"] for n in range(1, 4)]
    parsed = read_results("a.xlsx", makers.xlsx_table(rows))
    assert parsed.layouts == ()
    assert [[person.number for person in entry.people] for entry in parsed.entries] == [
        [f"50000{n}", f"60000{n}"] for n in range(1, 4)
    ]


def test_numbers_that_are_not_one_for_each_name_are_an_error():
    rows = "puesto;nombre;licencia\n1;Ana Uno - Luis Dos;1 / 2 / 3\n2;Eva Tres - Mar Seis;4 / 5\n"
    assert "malformed_licence" in codes(read_results("a.csv", rows.encode()))


def test_given_name_and_surname_in_two_columns_are_one_name():
    text = "Pos;Nombre;Apellidos;%\n1;Ana;Uno;61\n2;Eva;Tres;50\n3;Mar;Seis;39\n"
    parsed = as_chosen("a.csv", text.encode(), "individual")
    assert names(parsed) == [("Ana Uno",), ("Eva Tres",), ("Mar Seis",)]


def test_the_ranking_may_be_on_any_sheet():
    workbook = Workbook()
    workbook.active.append(["Notas de la tarde"])
    secret = workbook.create_sheet("Secreto")
    secret.append(["puesto", "nombre", "%"])
    secret.append([1, "Persona Oculta", 50])
    secret.sheet_state = "hidden"
    ranking = workbook.create_sheet("Resultado")
    for row in (["puesto", "nombre", "%"], [1, "Ana Uno", 61], [2, "Eva Tres", 39]):
        ranking.append(row)
    out = io.BytesIO()
    workbook.save(out)
    parsed = read_results("a.xlsx", out.getvalue())
    assert names(parsed) == [("Ana Uno",), ("Eva Tres",)]
    assert "Oculta" not in str(parsed.to_json())


def test_a_column_that_is_not_certain_is_asked_about_instead_of_lost():
    parsed = read_results("a.csv", b"puesto;nombre;porc\n1;Ana;61\n2;Eva;50\n3;Mar;39\n")
    assert ("columns_to_choose", ()) in [(item.code, parsed.entries) for item in parsed.issues]
    assert parsed.layouts[0].meanings == ("place", "name", "percentage")


def test_percentages_of_a_sheet_without_number_formats_are_of_a_hundred():
    rows = [["puesto", "nombre", "%"], [1, "Ana", 0.6125], [2, "Eva", 0.3875]]
    parsed = read_results("a.ods", sheets.ods({"x": rows}))
    assert [entry.percentage for entry in parsed.entries] == ["61.25", "38.75"]


@pytest.mark.parametrize("name", ["a.xlsx", "a.xls", "a.ods"])
def test_whole_percentages_of_a_workbook_are_read(name):
    figures = [0.58, 0.57, 0.55, 0.29]
    rows = [["puesto", "nombre", "%"], *([n, f"Ana {n}x", figure] for n, figure in enumerate(figures, 1))]
    workbook = Workbook()
    for row in rows:
        workbook.active.append(row)
    for cell in workbook.active["C"][1:]:
        cell.number_format = "0.00%"
    out = io.BytesIO()
    workbook.save(out)
    data = {"a.xlsx": out.getvalue(), "a.xls": sheets.xls(rows), "a.ods": sheets.ods({"x": rows})}[name]
    parsed = read_results(name, data)
    assert [entry.percentage for entry in parsed.entries] == ["58", "57", "55", "29"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("PairNumber,Name,ABF No,Initial Seating\n" + "".join(
            f"{n},Ana {n}x,93623{n},{n}-NS\n{n},Eva {n}y,93633{n},{n}-NS\n" for n in range(1, 5)
        ), "start_list"),
        ("".join(f"0{1000 + n};Ana {n % 9};Inventada;{n * 7 % 5}.0\n" for n in range(30)), "register_list"),
    ],
)  # fmt: skip
def test_lists_without_a_result_are_called_what_they_are(text, code):
    parsed = read_results("a.csv", text.encode())
    assert [item.code for item in parsed.issues] == [code]
    assert parsed.layouts


def test_what_was_chosen_for_other_headings_is_not_used():
    other = Choice("0" * 32, ("name_1", "place", "name_2", "percentage"))
    assert read_results("a.csv", HEADLESS.encode(), None, [other]).entries == ()


# --- Hostile files --------------------------------------------------------------------------------------
def test_a_sheet_of_a_hundred_thousand_rows_is_refused():
    text = "Pos;Pareja;%\n" + "1;Ana Uno - Luis Dos;50\n" * 100_000
    parsed = read_results_safely("a.csv", text.encode())
    assert codes(parsed) == {"too_many_rows"}
    rows = [["Pos", "Pareja", "%"], *([str(n), f"Ana {n:x} - Luis {n * 7:x}", "50"] for n in range(20_000))]
    assert codes(read_results_safely("a.ods", sheets.ods({"x": rows}))) == {"too_many_rows"}


CELL = '<table:table-cell office:value-type="float" office:value="1" {}><text:p>1</text:p></table:table-cell>'
WIDE = CELL.format('table:number-columns-repeated="16000"')
WIDEST = CELL.format('table:number-columns-repeated="4000000000"')
BOMBS = {
    "rows and columns": f'<table:table-row table:number-rows-repeated="1000000">{WIDE}</table:table-row>',
    "rows": f'<table:table-row table:number-rows-repeated="9000000000">{CELL.format("")}</table:table-row>',
    "columns": f"<table:table-row>{WIDEST}</table:table-row>",
}


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS)
def test_an_ods_that_repeats_its_cells_is_refused(bomb):
    data = sheets.ods({}, body=f'<table:table table:name="x">{bomb}</table:table>')
    parsed = read_results_safely("a.ods", data)
    refusals = {"damaged_workbook", "too_big_to_read", "too_slow", "too_many_rows", "too_many_columns"}
    assert codes(parsed) & refusals and "reader_failed" not in codes(parsed)
    assert parsed.entries == ()


def test_an_ods_with_a_password_or_entities_is_refused():
    locked = sheets.ods({"x": [["a"]]}, manifest="<manifest:encryption-data/>")
    (refusal,) = read_results("a.ods", locked).issues
    assert refusal.params["found"] == "a workbook with a password"
    declared = sheets.ods({"x": [["a"]]}, manifest='<!DOCTYPE x [<!ENTITY a "b">]>')
    assert codes(read_results("a.ods", declared)) == {"xml_entities"}


@pytest.mark.parametrize("cut", [100, 600, 1500, 3000])
def test_a_workbook_that_is_cut_off_is_refused(cut):
    for name, data in (("a.xls", sheets.xls(makers.PAIRS_TABLE)), ("a.ods", sheets.ods({"x": [["a"]]}))):
        parsed = read_results_safely(name, data[:cut] if cut < len(data) else data[:-100])
        assert parsed.has_errors and "reader_failed" not in codes(parsed), (name, parsed.issues)


def test_formulas_in_a_cell_are_refused_in_chosen_columns_too():
    text = HEADLESS.replace("Eva Cinco", '=HYPERLINK("x")')
    assert "formula_in_cell" in codes(as_chosen("a.csv", text.encode()))


def test_a_sheet_as_wide_as_the_limit_has_a_letter_for_each_column():
    width = limits.TABLE_COLUMNS
    text = "\n".join(";".join([str(row), "Ana Uno", *["x"] * (width - 2)]) for row in (1, 2, 3))
    (layout,) = read_results("a.csv", text.encode()).layouts
    assert len(layout.meanings) == width


@pytest.mark.parametrize(("numbers", "meaning"), [("123", "number"), ("ABC", "team")])
def test_a_column_of_pairs_that_has_numbers_is_the_number_of_the_pair(numbers, meaning):
    people = [("Ana Uno", "Luis Dos"), ("Eva Tres", "Mar Cuatro"), ("Eva Cinco", "Mar Seis")]
    lines = [";".join((number, *pair)) for number, pair in zip(numbers, people, strict=True)]
    [layout] = read_results("a.csv", "\n".join(["pareja;jugador a;jugador b", *lines]).encode()).layouts
    assert layout.meanings[0] == meaning
