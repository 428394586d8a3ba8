"""Bridgemate databases: results, people and deals are read; damaged and hostile ones are refused.

The databases are written by `jet`, and read by the real programs of mdbtools.
"""

import subprocess

import pytest

from tests.tournaments.formats.bridgemates import Evening, mitchell
from tests.tournaments.formats.jet import INTEGER, TEXT, database
from tournaments.formats import limits, mdb, read_results, sandbox
from tournaments.formats.contracts import score_of
from tournaments.formats.readers.bridgemate.reader import FORMATS

# Declarer's points by the law of duplicate bridge: contract, tricks above it, vulnerable, points.
LAW_77 = [
    ("1C", 0, False, 70),
    ("1N", 1, False, 120),
    ("2S", 0, True, 110),
    ("3N", 1, True, 630),
    ("6N", 0, True, 1440),
    ("7N", 0, True, 2220),
    ("6H", 0, False, 980),
    ("2SX", 0, False, 470),
    ("2SX", 1, True, 870),
    ("1CXX", 0, False, 230),
    ("1NXX", 2, True, 1560),
    ("5DX", 1, False, 650),
    ("4HX", -1, True, -200),
    ("4HX", -2, True, -500),
    ("4HX", -3, False, -500),
    ("4HX", -4, False, -800),
    ("4HXX", -1, False, -200),
    ("3CXX", -4, False, -1600),
    ("2H", -3, False, -150),
    ("PASS", 0, True, 0),
]


@pytest.mark.parametrize(("contract", "over", "vulnerable", "points"), LAW_77)
def test_contracts_are_scored_by_law_77(contract, over, vulnerable, points):
    assert score_of(contract, over, vulnerable) == points


def read(evening, name="martes.bws"):
    data = evening if isinstance(evening, bytes) else evening.data()
    return read_results(name, data)


def codes(result) -> list[str]:
    return [issue.code for issue in result.issues]


def one(**values):
    """Write a database with one result on board 1 and one on board 2. Return what is read of it.

    values: cells of the result on board 2; its other cells, and those of board 1, have the usual values
    """
    evening = Evening()
    evening.enter()
    evening.enter(**{"Board": 2, **values})
    return read(evening)


def test_the_results_of_an_evening_are_read_with_their_scores():
    result = read(mitchell(4, 3))
    assert not result.issues
    assert (len(result.entries), len(result.boards)) == (8, 48)
    assert [entry.number for entry in result.entries] == ["1", "2", "3", "4", "5", "6", "7", "8"]
    assert [entry.direction for entry in result.entries] == ["NS"] * 4 + ["EW"] * 4
    assert {entry.boards for entry in result.entries} == {12}
    event = result.event
    assert (event.date, event.kind, event.boards, event.winner_type) == ("2026-03-14", "pairs", 12, 2)
    assert {entry.percentage for entry in result.entries} == {None}


@pytest.mark.parametrize(
    ("values", "score", "tricks"),
    [
        ({}, "600", "9"),  # board 2: North-South are vulnerable
        ({"NS/EW": "W", "Declarer": 2}, "-400", "9"),
        ({"Contract": "4 S x", "Result": "-2", "NS/EW": "E"}, "300", "8"),
        ({"Contract": "1 NT xx", "Result": "+2"}, "1560", "9"),
        ({"Contract": "2 SA", "Result": "="}, "120", "8"),
        ({"Contract": "PASS", "Result": None}, "0", None),
        ({"Contract": None, "Result": None, "Remarks": "40%-60%"}, "A4060", None),
        ({"Contract": None, "Result": None, "Remarks": "A+/A-"}, "A6040", None),
        ({"Remarks": "ave= / ave-"}, "A5040", None),
        ({"Remarks": "A+"}, "600", "9"),  # of which side it does not say
        ({"NS/EW": "EW"}, "-400", "9"),
    ],
)
def test_the_score_follows_from_contract_result_and_board_number(values, score, tricks):
    board = one(**values).boards[1]
    assert (board.score, board.tricks) == (score, tricks)


def test_contract_declarer_and_lead_are_kept():
    board = one(**{"Contract": "4 H x", "Result": "+1", "NS/EW": "S", "LeadCard": "D10"}).boards[1]
    assert (board.contract, board.declarer, board.tricks, board.lead) == ("4HX", "S", "11", "DT")


@pytest.mark.parametrize(
    ("values", "code", "boards"),
    [
        ({"Contract": None, "Result": None, "Remarks": "60%-60%"}, "bws_adjusted", 2),
        ({"Contract": None, "Result": None, "Remarks": "Not played"}, "bws_not_played", 1),
        ({"Contract": None, "Result": None, "Remarks": "Arbitral score"}, "bws_arbitral", 1),
        ({"Remarks": "Wrong direction"}, "bws_wrong_direction", 2),
        ({"Remarks": "slow play, see director"}, "bws_remark_unknown", 2),
        ({"Contract": None, "Result": None}, "bws_result_unreadable", 1),
        ({"Contract": "8 NT"}, "bws_result_unreadable", 1),
        ({"Contract": "7 NT", "Result": "+1"}, "bws_result_unreadable", 1),
        ({"Result": "9"}, "bws_result_unreadable", 1),
        ({"NS/EW": "X"}, "bws_result_unreadable", 1),
        ({"Erased": 1}, "bws_erased", 1),
    ],
)
def test_what_the_director_has_to_look_at_is_reported(values, code, boards):
    result = one(**values)
    assert codes(result) == [code]
    assert sum(board.score is not None for board in result.boards) == boards


def test_pairs_that_sat_the_wrong_way_are_exchanged_unless_the_declarer_fits():
    assert one(Remarks="Wrong direction", Declarer=2).boards[1].ns == ("2",)
    assert one(Remarks="Wrong direction", Declarer=1).boards[1].ns == ("1",)


def test_the_last_entry_of_a_result_counts_and_other_entries_are_reported():
    evening = Evening()
    evening.enter(Result="+1")
    evening.enter(Result="-1")
    result = read(evening)
    assert [board.score for board in result.boards] == ["-50"]
    (issue,) = result.issues
    assert (issue.code, issue.value, issue.params["first"]) == ("bws_double", "3 NT N -1", "3 NT N +1")
    evening.received[1] |= {"Erased": 1}
    assert codes(read(evening)) == []
    assert [board.score for board in read(evening).boards] == ["430"]
    evening.enter(Result="+1")
    assert codes(read(evening)) == []  # the same again


def test_a_pair_with_two_results_of_a_board_is_reported():
    evening = Evening()
    evening.enter()
    evening.enter(Round=2, Table=2, PairEW=3)
    result = read(evening)
    assert codes(result) == ["bws_played_twice"]
    assert len(result.boards) == 2


def test_pairs_that_change_their_line_are_one_field():
    evening = Evening()
    evening.enter(PairNS=1, PairEW=2)
    evening.enter(PairNS=2, PairEW=1, Round=2, Board=2)
    result = read(evening)
    assert [(entry.number, entry.direction) for entry in result.entries] == [("1", None), ("2", None)]
    assert result.event.winner_type == 1


def test_lines_with_the_same_numbers_are_told_apart():
    result = read(mitchell(3, 2, doubled=True))
    assert [(entry.number, entry.direction) for entry in result.entries] == [
        *((number, "NS") for number in "123"),
        *((number, "EW") for number in "123"),
    ]


def test_sections_keep_their_letters_and_are_one_field():
    both, other = mitchell(2), mitchell(2, section=2)
    both.sections += other.sections
    both.received += other.received
    result = read(both)
    assert codes(result) == ["bws_sections"]
    assert [(entry.section, entry.number) for entry in result.entries] == [
        (section, number) for section in "AB" for number in "1234"
    ]
    assert {board.section for board in result.boards} == {"A", "B"}


def test_numbers_and_names_of_the_first_round_are_read():
    evening = mitchell(2)
    evening.numbers = [
        {"Section": 1, "Table": 1, "Direction": "N", "Number": "500001", "Name": "Ana Inventada"},
        {"Section": 1, "Table": 1, "Direction": "S", "Number": "500002"},
        {"Section": 1, "Table": 2, "Direction": "E", "Number": "0", "Name": "Eva Inventada"},
        {"Section": 1, "Table": 2, "Direction": "W", "Number": "77"},
        {"Section": 1, "Table": 2, "Direction": "W", "Number": "78", "Round": 2},
    ]
    evening.names = [{"ID": 500002, "Name": "Luis Inventado"}, {"ID": 5, "Name": "Mar", "strID": "77"}]
    people = {entry.number: entry.people for entry in read(evening).entries}
    names = {number: [(item.number, item.name) for item in pair] for number, pair in people.items()}
    assert names == {
        "1": [("500001", "Ana Inventada"), ("500002", "Luis Inventado")],
        "2": [(None, ""), (None, "")],
        "3": [(None, ""), (None, "")],
        "4": [(None, "Eva Inventada"), ("77", "Mar")],
    }


def test_east_west_may_enter_their_numbers_at_the_table_before_they_move():
    evening = mitchell(3)
    evening.sections[0] |= {"EWMoveBeforePlay": 1}
    evening.numbers = [{"Section": 1, "Table": 3, "Direction": "E", "Number": "9"}]
    named = [entry.number for entry in read(evening).entries if entry.people[0].number]
    assert named == ["4"]  # they play the first round at table 1


def test_deals_are_read():
    evening = mitchell(2)
    hand = {"Section": 1, "Board": 1}
    for turn, seat in enumerate(("North", "East", "South", "West")):
        for index, suit in enumerate(("Spades", "Hearts", "Diamonds", "Clubs")):
            hand[f"{seat}{suit}"] = "AKQJT98765432" if turn == index else None
    evening.hands = [hand, {"Section": 1, "Board": 2, "NorthSpades": "AKQ"}]
    (deal,) = read(evening).deals
    assert (deal.board, deal.section, deal.hands[0]) == (1, None, "AKQJT98765432...")


# --- Databases that are refused --------------------------------------------------------------------------
GOOD = mitchell(3).data()


@pytest.mark.parametrize("length", [24, 100, 4096, 5000, 8192, 4096 * 5, len(GOOD) - 4096, len(GOOD) - 1])
def test_a_truncated_database_is_refused(length):
    assert codes(read(GOOD[:length])) == ["bws_unreadable"]


def test_a_database_without_results_is_refused():
    assert codes(read(Evening())) == ["bws_no_results"]
    evening = Evening()
    evening.enter(Erased=1)
    assert codes(read(evening)) == ["bws_no_results", "bws_erased"]


def with_header(position: int, byte: int) -> bytes:
    """Return the good database with another byte in the encrypted part of its header."""
    return GOOD[:position] + bytes([GOOD[position] ^ byte]) + GOOD[position + 1 :]


def test_a_password_for_opening_does_not_matter_and_encrypted_pages_are_refused():
    assert codes(read(with_header(0x42, 0x5A))) == []
    assert codes(read(with_header(0x3E, 0x5A))) == ["bws_unreadable"]


def test_another_database_is_refused_by_its_tables():
    other = database({"Socios": ({"Nombre": TEXT}, [{"Nombre": "Ana"}])})
    assert codes(read(other)) == ["bws_other_database"]
    assert [issue.code for issue in read_results("socios.mdb", other).issues] == ["wrong_type"]


def test_a_database_of_another_name_is_recognised_by_its_tables():
    assert not read(GOOD, "martes.mdb").issues


def test_hostile_names_of_tables_and_columns_do_no_harm(tmp_path):
    mark = tmp_path / "made"
    names = [f"$(touch {mark})", f";touch {mark};", "--version", "-I", "../../etc/passwd", "a,b\"c'd", "%s%n"]
    tables = {name: ({name: TEXT}, [{name: f"=cmd|' /C {name}'!A0"}]) for name in names}
    result = read(mitchell(2).data(**tables))
    assert (codes(result), len(result.boards), mark.exists()) == ([], 8, False)


def test_numbers_out_of_range_are_left_out():
    result = one(Board=-5)
    assert len(result.boards) == 1
    assert codes(one(PairNS=0)) == []


def test_columns_may_be_missing():
    poor = {"ReceivedData": ({"Board": INTEGER}, [{"Board": 1}])}
    assert codes(read(database(poor))) == ["bws_no_results"]


def test_too_many_results_are_refused(monkeypatch):
    monkeypatch.setattr(limits, "BOARD_RESULTS", 3)
    assert codes(read(mitchell(2))) == ["bws_too_many_results"]


def test_too_many_pairs_are_refused(monkeypatch):
    monkeypatch.setattr(limits, "RESULT_ENTRIES", 3)
    result = read(mitchell(2))
    assert (codes(result), result.entries, result.boards) == (["too_many_entries"], (), ())


def test_a_large_output_and_a_slow_program_are_stopped(monkeypatch):
    for name, value, code in (
        ("DATABASE_BYTES", 100, "too_big_to_read"),
        ("DATABASE_SECONDS", 0, "too_slow"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(limits, name, value)
            assert codes(read(GOOD)) == ["bws_stopped"]  # no evening is so large: the file is damaged
            patch.setattr(limits, "SMALL_DATABASE_BYTES", len(GOOD) - 1)
            assert codes(read(GOOD)) == [code]


def test_without_mdbtools_the_message_names_the_command(monkeypatch):
    (declared, _access) = FORMATS
    assert declared.missing() == ""
    monkeypatch.setattr(mdb, "_FOLDERS", "/nonexistent")
    result = read(GOOD)
    assert codes(result) == ["mdbtools_missing"]
    assert declared.missing() == "apt-get install mdbtools"


def test_a_program_may_neither_write_files_nor_use_much_memory(tmp_path):
    target = tmp_path / "written"
    program = f"head -c 9000 /dev/zero > {target}; head -c 400000000 /dev/zero | tail | wc -c"
    done = subprocess.run(["/bin/sh", "-c", program], capture_output=True, preexec_fn=mdb._limit, check=False)
    assert not target.exists() or target.stat().st_size == 0
    assert b"400000000" not in done.stdout


def test_an_evening_is_read_in_the_child_process():
    result = sandbox.read_results_safely("martes.bws", mitchell(12).data())
    assert (len(result.entries), len(result.boards), result.issues) == (24, 288, ())


@pytest.mark.parametrize("wrong", [1, 3], ids=["another-pair", "its-opponent"])
@pytest.mark.parametrize("has_plan", [True, False])
@pytest.mark.parametrize("count", [2, 3])
def test_one_wrong_number_of_a_pair_is_asked_about_and_counts_for_who_sat_there(wrong, has_plan, count):
    evening = mitchell(4, count + 1)
    right = read(evening)
    row = next(row for row in evening.received if row["Table"] == 3 and row["Round"] == 2)
    row |= {"PairEW": wrong}
    if not has_plan:
        evening.rounds.clear()
    result = read(evening)
    assert result.entries == right.entries
    assert result.event == right.event
    assert result.boards == right.boards
    assert [(issue.code, issue.severity) for issue in result.issues] == [("bws_other_pairs", "warning")]
    (doubt,) = result.doubts
    assert result.boards[doubt.index] == doubt.entries[0].result
    # A pair that would have played against itself cannot be chosen.
    assert [entry.result.ew for entry in doubt.entries[1:]] == ([] if wrong == 3 else [("1",)])


def test_one_wrong_number_without_other_boards_or_plan_is_no_double_numbering():
    evening = mitchell(4, 1)
    evening.rounds.clear()
    evening.received[2] |= {"PairEW": 1}
    result = read(evening)
    assert sorted(int(entry.number) for entry in result.entries) == [1, 2, 3, 4, 5, 6, 7, 8]
