"""What stands around the table of a sheet: titles, two rankings side by side, options; and letters."""

import pytest

from tests.tournaments.formats import sheets
from tests.tournaments.formats.test_layouts import EXTRACTED, OPTIONS, as_chosen, codes, names
from tournaments.formats import read_results
from tournaments.formats.titles import dates_in, read_titles
from tournaments.formats.types import Choice

BODY = "Pos;Pareja;%\n1;Ana Uno - Luis Dos;61,25\n2;Eva Tres - Mar Cuatro;50\n3;Eva Cinco - Mar Seis;38,75\n"
NORTH = [("Ana Uno", "Luis Dos"), ("Ana Tres", "Luis Cuatro"), ("Ana Cinco", "Luis Seis")]
EAST = [("Eva Uno", "Mar Dos"), ("Eva Tres", "Mar Cuatro")]
SIDE_BY_SIDE = [
    ["NORTE-SUR", "", "", "", "ESTE-OESTE"],
    ["Pos", "Pareja", "%", "", "Pos", "Pareja", "%"],
    ["1", "Ana Uno - Luis Dos", "60.5", "", "1", "Eva Uno - Mar Dos", "58"],
    ["2", "Ana Tres - Luis Cuatro", "50", "", "2", "Eva Tres - Mar Cuatro", "52"],
    ["3", "Ana Cinco - Luis Seis", "40"],
    ["Media", "", "50", "", "Media", "", "55"],
]


@pytest.mark.parametrize("write", ["csv", "ods"])
def test_rankings_side_by_side_are_read_one_below_the_other(write):
    text = "\n".join(",".join(row) for row in SIDE_BY_SIDE)
    data = text.encode() if write == "csv" else sheets.ods({"Martes": SIDE_BY_SIDE})
    parsed = as_chosen(f"a.{write}", data)
    assert not parsed.has_errors, parsed.issues
    assert names(parsed) == NORTH + EAST
    assert [entry.direction for entry in parsed.entries] == ["NS"] * 3 + ["EW"] * 2
    assert [entry.percentage for entry in parsed.entries] == ["60.5", "50", "40", "58", "52"]
    assert [item.params["count"] for item in parsed.issues if item.code == "rows_left_out"] == [2]


def test_headings_may_name_the_line_of_play_of_rankings_side_by_side():
    rows = [["Pos", "Pareja N-S", "%", "Pos", "Pareja E-O", "%"]]
    rows += [[*row[:3], *row[4:]] for row in SIDE_BY_SIDE[2:4]]
    parsed = as_chosen("a.csv", "\n".join(";".join(row) for row in rows).encode())
    assert [(entry.place, entry.direction) for entry in parsed.entries] == [
        ("1", "NS"), ("2", "NS"), ("1", "EW"), ("2", "EW"),
    ]  # fmt: skip


def test_a_column_of_names_that_is_not_read_has_to_be_ticked():
    text = BODY.replace("%\n", "%;Suplente;Club\n", 1)
    for row, name in (("61,25", "Iris Siete"), ("50", "Iris Ocho - Joel Diez"), ("38,75", "Iris Nueve")):
        text = text.replace(f";{row}\n", f";{row};{name};Club {name}\n")
    (layout,) = read_results("a.csv", text.encode()).layouts
    choice = Choice(layout.digest, ("place", "name", "percentage", "", ""))
    warnings = [
        item
        for item in read_results("a.csv", text.encode(), None, [choice]).issues
        if item.code == "names_not_read"
    ]
    assert [(item.severity, item.value, item.params["count"]) for item in warnings] == [
        ("warning", "Suplente", 4)
    ]
    known = "puesto;nombre;%;Suplente\n1;Ana;61;Iris Siete\n2;Eva;50;Iris Ocho\n3;Mar;39;Iris Nueve\n"
    assert "names_not_read" in codes(read_results("a.csv", known.encode()))


def test_a_second_column_of_percentages_is_not_proposed_as_score():
    text = (
        "Pos;Pareja;%;%\n1;Ana Uno - Luis Dos;61;61\n2;Eva Tres - Mar Seis;50;50\n3;Eva Sol - Mar Mas;39;39\n"
    )
    assert read_results("a.csv", text.encode()).layouts[0].meanings == ("place", "name", "percentage", "")


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Viernes 13/11/2026", ["2026-11-13"]),
        ("13-11-2026 (tarde)", ["2026-11-13"]),
        ("2026-11-13T00:00:00", ["2026-11-13"]),
        ("20 de noviembre de 2026", ["2026-11-20"]),
        ("Friday, 20th November 2026", ["2026-11-20"]),
        ("November 20, 2026", ["2026-11-20"]),
        ("13 al 15 de noviembre de 2026", []),
        ("13-15/11/2026", []),
        ("31/02/2026", []),
        ("11/13/2026", []),
        ("13/11/26", []),
    ],
)
def test_a_date_in_a_title_is_never_guessed(text, days):
    assert dates_in(text) == days


def test_titles_above_the_table_tell_the_event_and_from_which_line():
    titles = "Club del Faro\nPool de los viernes\n20 de noviembre de 2026 - 24 manos\n"
    parsed = as_chosen("a.csv", (titles + BODY).encode())
    event = parsed.event
    assert (event.title, event.date, event.club_name) == (
        "Pool de los viernes",
        "2026-11-20",
        "Club del Faro",
    )
    assert (event.boards, event.boards_scheduled) == (24, 24)
    lines = {item.code: item.line for item in parsed.issues if item.code.startswith("title_")}
    assert lines == {"title_club_name": 1, "title_title": 2, "title_date": 3, "title_boards": 3}


def test_titles_may_be_keys_with_values():
    text = "Fecha:;20/11/2026;;Manos:;24\nTorneo: Pool de noviembre\n" + BODY
    event = as_chosen("a.csv", text.encode()).event
    assert (event.date, event.boards, event.title) == ("2026-11-20", 24, "Pool de noviembre")


@pytest.mark.parametrize(
    "title",
    [
        "13/11/2026 y 20/11/2026",
        "Impreso el 20/11/2026",
        "8 rondas de 3 manos",
        "3 manos por ronda",
        "Resultados",
        "20/11/2026" + " " * 200,
    ],
)
def test_titles_that_are_not_certain_tell_nothing(title):
    assert read_titles([(1, [title])]) == []


@pytest.mark.parametrize(("text", "venue"), [(OPTIONS, None), (EXTRACTED, "online")], ids=["space", "comma"])
def test_options_tell_the_number_of_boards(text, venue):
    event = as_chosen("a.csv", text.encode()).event
    assert (event.boards, event.boards_scheduled, event.venue) == (24, 24, venue)


@pytest.mark.parametrize("left_out", ["", "#Tournament", "#BoardCount"])
def test_a_file_of_the_extractor_of_bridge_base_online_was_played_online(left_out):
    lines = [line for line in EXTRACTED.splitlines() if not left_out or not line.startswith(left_out)]
    event = as_chosen("a.csv", "\n".join(lines).encode()).event
    assert (event.venue, event.date) == ("online", "2026-03-14")


LETTERS = [
    "Hola Marta, te mando los resultados\nGanaron Ana y Luis, como siempre\nUn saludo, Pepe\n",
    "Hola Marta,\n1º Ana y Luis 61,25\n2º Eva y Mar 50,00\n3º Iris y Joel 38,75\n",
    "Ganaron Ana y Luis con 61,25\nUn saludo\n",
    "Hola Marta; te mando esto\nGanaron Ana; luego Eva; luego Mar\nUn saludo; besos; abrazos; Pepe\nAdiós\n",
]


@pytest.mark.parametrize("text", LETTERS)
@pytest.mark.parametrize("name", ["carta.txt", "correo"])
def test_a_letter_is_no_table(text, name):
    parsed = read_results(name, text.encode())
    assert codes(parsed) == {"unknown_text"}
    assert parsed.layouts == ()


def test_a_register_of_two_members_is_called_a_register():
    text = "Legitimace;Prijmeni;Jmeno;Klub\n12345;Inventado;Ana;Faro\n12346;Inventada;Eva;Mar\n"
    assert codes(read_results("a.csv", text.encode())) == {"register_list"}


def test_the_number_of_a_pair_is_proposed_as_such_and_shared_places_may_be_ordinals():
    text = "Puesto;Nº pareja;Nombres;Porc\n1;4;Ana Uno - Luis Dos;61\n2;7;Eva Tres - Mar Seis;50\n"
    text += "3º-4º;8;Eva Cinco - Mar Siete;40\n3º-4º;9;Eva Ocho - Mar Diez;40\n"
    first = read_results("a.csv", text.encode())
    assert first.layouts[0].meanings == ("place", "number", "name", "percentage")
    assert [entry.number for entry in as_chosen("a.csv", text.encode()).entries] == ["4", "7", "8", "9"]
