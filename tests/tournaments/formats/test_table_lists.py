"""Lists by tables, in the order in which directors write them, name the pairs of a file without people."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from tests.tournaments.formats import makers
from tests.tournaments.formats.bridgemates import START, Evening, mitchell
from tournaments.formats import read_results
from tournaments.formats.start_list import parse_start_list
from tournaments.formats.types import Choice, Issue, ParsedResult
from tournaments.services.files import Sent, read
from tournaments.services.start_lists import place_people

TABLES = 6
SEATS = ("Norte", "Sur", "Este", "Oeste")
PEOPLE = [
    [f"{name} Mesa {'ABCDFG'[table]}" for name in ("Ana", "Luis", "Eva", "Max")] for table in range(TABLES)
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
    "pairs of lines": [
        ["Mesa", "Pareja NS", "Pareja EO"],
        *([row[0], " y ".join(row[1:3]), " y ".join(row[3:])] for row in ROWS),
    ],
    "pairs of lines in English": [
        ["Table", "NS Pairs", "EW Pairs"],
        *([row[0], ", ".join(row[1:3]), ", ".join(row[3:])] for row in ROWS),
    ],
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
    "a row for a player in a position": [
        ["Mesa", "Posición", "Jugador"],
        *([row[0], seat, name] for row in ROWS for seat, name in zip(SEATS, row[1:], strict=True)),
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
    assert {issue.code for issue in result.issues} == {"joined_list_seats"}
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


# --- Which pairs begin at the tables ------------------------------------------------------------------------
def shifted(by: int) -> Evening:
    """Return an evening in whose first round the East-West pairs sit `by` tables further up than numbered."""
    evening = mitchell(TABLES, 4)
    for rows, column in ((evening.rounds, "EWPair"), (evening.received, "PairEW")):
        for row in rows:
            row[column] = (row[column] - TABLES - 1 - by) % TABLES + TABLES + 1
    return evening


def howell() -> Evening:
    """Return an evening of eight pairs of which any two meet in one of seven rounds."""
    evening = Evening(sections=[{"ID": 1, "Letter": "A", "Tables": 4}])
    for turn in range(7):
        pairs = [(8, turn + 1), *(((turn + at) % 7 + 1, (turn - at) % 7 + 1) for at in (1, 2, 3))]
        for table, (ns, ew) in enumerate(pairs, start=1):
            seats = {"Section": 1, "Table": table, "Round": turn + 1}
            board = {"LowBoard": turn + 1, "HighBoard": turn + 1}
            evening.rounds.append({**seats, "NSPair": ns, "EWPair": ew, **board})
            evening.enter(**seats, Board=turn + 1, PairNS=ns, PairEW=ew, Declarer=ns)
    return evening


def named_at(evenings: Sequence[Evening], names: list[list[str]]) -> tuple[dict[str, list[str]], Issue]:
    """Return {number of a pair, with its section: its people}, and the last note about the list."""
    sent = [Sent(f"{index}.bws", evening.data()) for index, evening in enumerate(evenings)]
    result = read([*sent, Sent("mesas.csv", csv(names))], None, ())
    *_others, note = [issue for issue in result.issues if issue.code.startswith("joined_list")]
    numbers = [f"{entry.section or ''}{entry.number}" for entry in result.entries]
    return dict(zip(numbers, people(result), strict=True)), note


def test_a_list_by_tables_names_the_pairs_of_the_first_round():
    named, note = named_at([shifted(2)], SHAPES["seats"])
    assert [named[number] for number in ("1", "11", "12", "7")] == [
        ROWS[0][1:3], ROWS[0][3:], ROWS[1][3:], ROWS[2][3:]
    ]  # fmt: skip
    assert (note.code, note.severity) == ("joined_list_seats", "info")
    assert note.params["pairs"] == "1 → 1 – 11, 2 → 2 – 12, 3 → 3 – 7, 4 → 4 – 8, 5 → 5 – 9, 6 → 6 – 10"


def test_a_list_by_tables_names_the_pairs_of_a_howell():
    named, _note = named_at([howell()], [SHAPES["seats"][0], *ROWS[:4]])
    assert (named["8"], named["1"]) == (ROWS[0][1:3], ROWS[0][3:])
    assert (named["2"], named["7"]) == (ROWS[1][1:3], ROWS[1][3:])


def test_pairs_that_move_before_play_are_taken_for_those_that_sat_down():
    evening = mitchell(TABLES, 4)
    evening.sections[0]["EWMoveBeforePlay"] = 1
    named, note = named_at([evening], SHAPES["seats"])
    assert (named["1"], named["8"], named["7"]) == (ROWS[0][1:3], ROWS[0][3:], ROWS[5][3:])
    assert note.severity == "warning"


def test_a_movement_that_was_not_played_does_not_name_pairs():
    evening = shifted(2)
    evening.rounds = mitchell(TABLES, 4).rounds
    named, note = named_at([evening], SHAPES["seats"])
    assert (named["1"], named["11"]) == (ROWS[0][1:3], ROWS[0][3:])
    assert note.severity == "warning"


def test_a_table_where_one_pair_waits_names_that_pair():
    evening = mitchell(TABLES, 4)
    evening.rounds[5]["EWPair"] = 0
    evening.received = [row for row in evening.received if (row["Round"], row["Table"]) != (1, 6)]
    named, note = named_at([evening], SHAPES["seats"])
    assert (named["6"], named["12"]) == (ROWS[5][1:3], ["", ""])
    assert (note.code, note.value) == ("joined_list_unknown", "6 EW")


def test_a_list_names_the_tables_of_the_first_of_several_sessions():
    first, second = shifted(2), shifted(3)
    for row in second.received:
        row["DateLog"] = START + timedelta(days=1)
    named, note = named_at([second, first], SHAPES["seats"])
    assert (named["1"], named["11"]) == (ROWS[0][1:3], ROWS[0][3:])
    assert note.severity == "warning"


def test_the_sections_of_a_list_are_those_of_the_file():
    evening, other = shifted(2), mitchell(TABLES, 4, section=2)
    for own, more in zip(
        (evening.sections, evening.rounds, evening.received),
        (other.sections, other.rounds, other.received),
        strict=True,
    ):
        own += more
    others = [[f"B{row[0]}", *(f"{name} B" for name in row[1:])] for row in ROWS]
    named, note = named_at(
        [evening], [SHAPES["seats"][0], *([f"A{row[0]}", *row[1:]] for row in ROWS), *others]
    )
    assert (named["A1"], named["A11"]) == (ROWS[0][1:3], ROWS[0][3:])
    assert (named["B1"], named["B7"]) == (others[0][1:3], others[0][3:])
    assert note.params["pairs"].startswith("A1 → 1 – 11, ")


def test_a_list_added_to_a_ranking_edited_by_hand_names_the_pairs_of_the_first_round():
    evening = read([Sent("martes.bws", shifted(2).data())], None, ())
    placed = place_people(
        ParsedResult.from_json(evening.to_json()), {}, parse_start_list("", csv(SHAPES["seats"])).rows
    )
    numbers = [entry.number for entry in placed.parsed.entries]
    assert people(placed.parsed)[numbers.index("11")] == ROWS[0][3:]


def test_a_movement_in_which_a_pair_begins_twice_does_not_count():
    evening = shifted(2)
    evening.rounds[1]["EWPair"] = evening.rounds[0]["EWPair"]
    named, note = named_at([evening], SHAPES["seats"])
    assert (named["7"], note.code) == (ROWS[0][3:], "joined_list_numbers")


def test_numbers_beside_the_pairs_of_a_table_are_theirs():
    headings = ["Mesa", "Pareja NS", "Nombre 1", "Nombre 2", "Pareja EO", "Nombre 3", "Nombre 4"]
    rows = [
        [row[0], str(table), *row[1:3], str((table + 1) % TABLES + 7), *row[3:]]
        for table, row in enumerate(ROWS, start=1)
    ]
    result = with_list("mesas.csv", csv([headings, *rows]))
    assert [issue.code for issue in result.issues] == []
    assert people(result) == [
        *(row[1:3] for row in ROWS),
        *(ROWS[(pair - 2) % TABLES][3:] for pair in range(TABLES)),
    ]
