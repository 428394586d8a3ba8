"""Rows of a ranking that are no contestants: missing pairs, and totals between the pairs."""

import pytest

from tests.tournaments.formats.test_layouts import PEOPLE, as_chosen, codes, names
from tournaments.formats import read_results
from tournaments.formats.sit_outs import is_sit_out

WORDS = ["DESCANSO", "Bye", "SITOUT", "~SITOUT", "sin pareja", "Phantom", "Phantom 2", "Ausente", "Sit-out"]
PAIRS = [f"{place};{place + 4};{' - '.join(pair)};{62 - 10 * place}" for place, pair in enumerate(PEOPLE, 1)]


def sheet(*rows, headings="Puesto;Pareja;Nombre;%"):
    return "\n".join([headings, *rows, ""]).encode()


def places(parsed):
    return [entry.place for entry in parsed.entries]


def test_the_words_for_a_missing_pair_are_recognised_and_names_are_not():
    assert all(map(is_sit_out, WORDS))
    assert not any(map(is_sit_out, ["Ana Descanso", "Bye Pérez", "Robot", "", "9", "Ana Uno - Bye"]))


@pytest.mark.parametrize("headings", ["Puesto;Pareja;Nombre;%", "Puesto;Pareja;Nombres;%"])
@pytest.mark.parametrize("row", ["4;9;{};0,00", "-;9;{};", ";9;{0} - {0};-"])
@pytest.mark.parametrize("word", WORDS)
def test_a_missing_pair_is_left_out_with_a_note(word, row, headings):
    parsed = as_chosen("a.csv", sheet(*PAIRS, row.format(word), headings=headings))
    assert names(parsed) == PEOPLE
    (note,) = [item for item in parsed.issues if item.code == "sit_outs_left_out"]
    assert (note.severity, note.line, note.params["count"]) == ("info", 5, 1)
    assert not parsed.has_errors


@pytest.mark.parametrize(
    ("headings", "row"),
    [
        ("Puesto;Pareja;Nombre 1;Nombre 2;%", "4;9;DESCANSO;;0"),
        ("Puesto;Pareja;Nombre 1;Nombre 2;%", "4;9;BYE;BYE;0"),
        ("Puesto;Pareja;Licencia 1;Licencia 2;%", "4;DESCANSO;;;0"),
    ],
)
def test_a_missing_pair_in_columns_of_two_people_is_left_out(headings, row):
    rows = [f"{place};{place + 4};5000{place};6000{place};{62 - 10 * place}" for place in (1, 2, 3)]
    parsed = read_results("a.csv", sheet(*rows, row, headings=headings))
    assert len(parsed.entries) == 3
    assert "sit_outs_left_out" in codes(parsed)


def test_places_below_a_missing_pair_move_up():
    parsed = read_results("a.csv", sheet(*PAIRS[:2], "3;9;DESCANSO;38", PAIRS[2].replace("3;", "4;", 1)))
    assert places(parsed) == ["1", "2", "3"]


def test_a_missing_pair_with_the_place_of_the_next_one_moves_nobody_up():
    rows = [PAIRS[0], "2;9;DESCANSO;0", *PAIRS[1:], "4;10;Ana Diez - Luis Once;30"]
    assert places(read_results("a.csv", sheet(*rows))) == ["1", "2", "3", "4"]


def test_a_missing_pair_that_is_tied_moves_up_those_below():
    rows = [PAIRS[0], "2;9;DESCANSO;50", *PAIRS[1:2], "4;10;Ana Diez - Luis Once;30"]
    assert places(read_results("a.csv", sheet(*rows))) == ["1", "2", "3"]


def test_each_line_of_play_moves_up_by_its_own_missing_pairs():
    rows = ["1;5;Ana Uno - Luis Dos;60;NS", "2;6;BYE;50;NS", "3;7;Eva Tres - Mar Seis;40;NS"]
    rows += ["1;5;Ana A - Luis B;60;EO", "2;6;Eva C - Mar D;50;EO", "3;7;Eva E - Mar F;40;EO"]
    parsed = read_results("a.csv", sheet(*rows, headings="Puesto;Pareja;Nombre;%;NS/EO"))
    assert places(parsed) == ["1", "2", "1", "2", "3"]


def test_a_person_beside_an_absent_one_stays():
    parsed = read_results("a.csv", sheet(*PAIRS, "4;9;Ana Nueve - DESCANSO;30"))
    assert len(parsed.entries) == 4


@pytest.mark.parametrize("total", ["Subtotal;;;56", ";;Subtotal;56", "Media grupo A;;;56,10", "Total;;;"])
@pytest.mark.parametrize("headings", ["Puesto;Pareja;Nombre;%", "Puesto;Pareja;Nombres;%"])
def test_totals_between_the_pairs_are_left_out_with_a_note(total, headings):
    parsed = as_chosen("a.csv", sheet(*PAIRS[:2], total, PAIRS[2], headings=headings))
    assert (names(parsed), places(parsed)) == (PEOPLE, ["1", "2", "3"])
    (note,) = [item for item in parsed.issues if item.code == "subtotals_left_out"]
    assert (note.severity, note.line, note.params["count"]) == ("info", 4, 1)
    assert not parsed.has_errors


def test_a_person_whose_name_begins_like_a_total_stays():
    rows = ["Suma Uno - Luis Dos;60", "Eva Tres - Mar Cuatro;50", "Media Luna - Mar Seis;40"]
    parsed = read_results("a.csv", sheet(*rows, headings="Nombre;%"))
    assert len(parsed.entries) == 2  # the last row may be the mean
    assert len(read_results("a.csv", sheet(*rows, "Eva A - Mar B;30", headings="Nombre;%")).entries) == 4
