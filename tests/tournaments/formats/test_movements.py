"""Results of a Bridgemate database that contradict its movement: all are asked about, and can be decided."""

from datetime import datetime

import pytest

from tests.tournaments.formats.bridgemates import Evening, Rows, mitchell
from tournaments.formats import read_results
from tournaments.formats.issues import IssueList
from tournaments.formats.readers.bridgemate.late import in_planned_rounds
from tournaments.formats.readers.bridgemate.movement import compared, movement_of, reliable
from tournaments.formats.readers.bridgemate.results import entered_of, in_order, lines_of_play, places_of
from tournaments.formats.types import ParsedResult


def read(evening: Evening) -> ParsedResult:
    return read_results("martes.bws", evening.data())


def codes(result: ParsedResult) -> list[str]:
    return [issue.code for issue in result.issues]


def rows_at(evening: Evening, table: int, turn: int) -> Rows:
    return [row for row in evening.received if (row["Table"], row["Round"]) == (table, turn)]


def entered(result: ParsedResult) -> list[tuple]:
    return sorted((board.board, board.ns, board.ew, board.score) for board in result.boards)


def chosen(result: ParsedResult, number: int) -> list[tuple]:
    """Return what `entered` returns if that alternative is chosen for all doubtful results."""
    boards = list(result.boards)
    for doubt in result.doubts:
        boards[doubt.index] = doubt.entries[number].result
    return sorted((board.board, board.ns, board.ew, board.score) for board in boards)


@pytest.fixture
def evening() -> Evening:
    return mitchell(4, 3)


@pytest.fixture
def right() -> list[tuple]:
    return entered(read(mitchell(4, 3)))


def test_an_evening_that_follows_its_movement_has_no_issues(evening):
    assert codes(read(evening)) == []
    for row in evening.rounds:
        boards = range(row.pop("LowBoard"), row.pop("HighBoard") + 1)
        row["CustomBoards"] = ", ".join(map(str, boards))
    assert codes(read(evening)) == []


def test_a_board_outside_the_round_counts_for_the_missing_one(evening, right):
    rows_at(evening, 2, 2)[1]["Board"] = 50
    result = read(evening)
    (issue,) = result.issues
    assert (issue.code, issue.severity, issue.value) == ("bws_other_board", "warning", "50")
    assert (issue.params["board"], issue.params["boards"]) == (5, "4, 5, 6")
    assert entered(result) == right
    assert [board for board, *_ in chosen(result, 1) if board > 12] == [50]


def test_a_board_outside_the_round_counts_as_entered_if_it_may_be_several(evening, right):
    rows = rows_at(evening, 2, 2)
    rows[1]["Board"] = 50
    evening.received.remove(rows[0])
    result = read(evening)
    assert codes(result) == ["bws_other_board"]
    (doubt,) = result.doubts
    assert [item.result.board for item in doubt.entries] == [50, 4, 5]
    assert result.boards[doubt.index].board == 50
    # A board entered again under its own number leaves nothing to choose.
    evening.received.append({**rows[1], "ID": 900, "Board": 4})
    evening.received.append({**rows[1], "ID": 901, "Board": 5})
    (doubt,) = read(evening).doubts
    assert [item.result.board for item in doubt.entries] == [50]


@pytest.mark.parametrize("entered_after", [0, 1], ids=["all", "but-the-first"])
def test_boards_shifted_for_a_round_count_as_planned_if_a_pair_would_play_them_twice(
    evening, right, entered_after
):
    for row in rows_at(evening, 2, 2)[entered_after:]:
        row["Board"] += 3
    result = read(evening)
    (issue,) = result.issues
    boards = [4, 5, 6][entered_after:]
    assert (issue.code, issue.severity) == ("bws_other_boards", "warning")
    assert issue.value == ", ".join(str(board + 3) for board in boards)
    assert issue.params["boards"] == issue.params["counted"] == ", ".join(map(str, boards))
    assert entered(result) == right
    assert chosen(result, 1) != right


def test_boards_shifted_for_a_round_count_as_entered_if_they_can_be(evening, right):
    evening.received = [row for row in evening.received if row["Board"] < 10]
    evening.rounds = [row for row in evening.rounds if row["Round"] < 4]
    right = [row for row in right if row[0] < 10]
    for row in rows_at(evening, 2, 2):
        row["Board"] += 30
    result = read(evening)
    (issue,) = result.issues
    assert (issue.value, issue.params["counted"]) == ("34, 35, 36", "34, 35, 36")
    assert [board for board, *_ in entered(result)][-3:] == [34, 35, 36]
    assert chosen(result, 1) == right


def late(evening: Evening, **values: object) -> dict:
    """Enter board 5 of round 2 at table 2 in round 4 instead, with these values. Return its first row."""
    row = rows_at(evening, 2, 2)[1]
    evening.received.remove(row)
    evening.received.append(row | {"ID": 900, "Round": 4} | values)
    return row


@pytest.mark.parametrize("table", [2, 4])
def test_a_late_board_counts_in_the_round_of_the_movement(evening, right, table):
    late(evening, Table=table)
    assert entered(read(evening)) == right
    assert codes(read(evening)) == []
    # Another board of the round in which it was entered was not played: that is not the late one.
    (unplayed,) = [row for row in rows_at(evening, table, 4) if row["Board"] == 12]
    evening.received.remove(unplayed)
    assert {board for board, *_ in right} == {board for board, *_ in entered(read(evening))}
    assert len(entered(read(evening))) == len(right) - 1
    assert codes(read(evening)) == []


@pytest.mark.parametrize("is_planned", [True, False], ids=["nobody-by-the-movement", "no-such-round"])
def test_late_boards_can_have_a_round_of_their_own(evening, right, is_planned):
    late(evening, Round=5)
    if is_planned:
        seats = {"Section": 1, "Table": 2, "Round": 5, "NSPair": 0, "EWPair": 0}
        evening.rounds.append(seats | {"LowBoard": 0, "HighBoard": 0})
    assert (entered(read(evening)), codes(read(evening))) == (right, [])


def test_a_late_board_with_the_pairs_of_the_later_round_counts_for_those_of_its_own(evening, right):
    late(evening, PairEW=rows_at(evening, 2, 4)[0]["PairEW"])
    result = read(evening)
    assert (entered(result), codes(result)) == (right, ["bws_other_pairs"])
    (doubt,) = result.doubts
    assert [item.result.ew for item in doubt.entries] == [("5",), ("7",)]
    # If a board of the later round is missing, its number may be the wrong one.
    evening.received.remove(rows_at(evening, 2, 4)[0])
    assert codes(read(evening)) == ["bws_other_board"]


def test_a_late_board_follows_what_was_entered_in_its_own_round(evening, right):
    row = late(evening)
    evening.received.append(row | {"Contract": "", "Result": "", "Remarks": "Not played"})
    result = read(evening)
    assert (entered(result), codes(result)) == (right, ["bws_double"])
    evening.received[-1] |= {"Erased": True, "Remarks": ""}
    result = read(evening)
    assert (entered(result), codes(result)) == (right, [])


def test_two_tables_that_exchange_pairs_for_a_round_are_asked_about(evening, right):
    for row in rows_at(evening, 2, 2):
        row["PairEW"] = 6
    for row in rows_at(evening, 3, 2):
        row["PairEW"] = 5
    result = read(evening)
    assert [(issue.code, issue.params["table"], issue.value) for issue in result.issues] == [
        ("bws_other_round", 2, "2 – 5"),
        ("bws_other_round", 3, "3 – 6"),
    ]
    assert entered(result) != right
    assert chosen(result, 0) == entered(result)
    assert chosen(result, 1) == right
    assert {entry.number for entry in result.entries} == {str(number) for number in range(1, 9)}


def test_directions_exchanged_for_a_round_are_asked_about(evening, right):
    for row in rows_at(evening, 2, 2):
        row |= {"PairNS": row["PairEW"], "PairEW": row["PairNS"]}
    result = read(evening)
    assert codes(result) == ["bws_other_round"]
    assert entered(result) != right
    assert chosen(result, 1) == right


def test_directions_exchanged_on_one_board_are_asked_about(evening, right):
    row = rows_at(evening, 2, 2)[0]
    row |= {"PairNS": row["PairEW"], "PairEW": row["PairNS"]}
    result = read(evening)
    assert codes(result) == ["bws_exchanged"]
    assert chosen(result, 1) == right
    row["Remarks"] = "Wrong direction"
    assert codes(read(evening)) == ["bws_wrong_direction"]


@pytest.mark.parametrize("wrong", [6, 30], ids=["a-pair-of-another-table", "no-pair-of-the-evening"])
def test_a_round_with_an_impossible_pair_counts_for_those_of_the_movement(evening, right, wrong):
    for row in rows_at(evening, 2, 2):
        row["PairEW"] = wrong
    result = read(evening)
    assert codes(result) == ["bws_other_pairs"] * 3
    assert entered(result) == right
    assert {item.result.ew for doubt in result.doubts for item in doubt.entries[1:]} == {(str(wrong),)}


def test_a_round_with_a_different_wrong_pair_on_every_board_counts_for_the_movement(evening, right):
    for row, wrong in zip(rows_at(evening, 2, 2), (6, 7, 8), strict=True):
        row["PairEW"] = wrong
    result = read(evening)
    assert codes(result) == ["bws_other_pairs"] * 3
    assert entered(result) == right


def test_lines_with_the_same_numbers_can_exchange_pairs_too():
    evening = mitchell(4, 3, doubled=True)
    assert codes(read(evening)) == []
    for row in rows_at(evening, 2, 2):
        row["PairEW"] = 2
    for row in rows_at(evening, 3, 2):
        row["PairEW"] = 1
    assert codes(read(evening)) == ["bws_other_round"] * 2


def test_results_where_nobody_plays_are_asked_about(evening):
    evening.rounds = [row for row in evening.rounds if (row["Table"], row["Round"]) != (2, 2)]
    result = read(evening)
    assert [(issue.code, issue.params["round"], issue.params["table"]) for issue in result.issues] == [
        ("bws_unplanned_round", 2, 2)
    ]
    for row in rows_at(evening, 2, 2):
        row["Remarks"] = "Not played"
    assert codes(read(evening)) == ["bws_not_played"]


@pytest.mark.parametrize(
    "change",
    [
        lambda row: row.update(NSPair=row["NSPair"] + 20),
        lambda row: row.update(LowBoard=row["LowBoard"] + 20, HighBoard=row["HighBoard"] + 20),
    ],
    ids=["other-pairs", "other-boards"],
)
def test_another_movement_is_asked_about_once_and_not_used(evening, right, change):
    for row in evening.rounds:
        change(row)
    result = read(evening)
    assert [(issue.code, issue.params) for issue in result.issues] == [
        ("bws_other_movement", {"count": 48, "total": 48})
    ]
    assert entered(result) == right


def test_results_of_several_days_are_asked_about(evening):
    for row in evening.received:
        row["DateLog"] = datetime(2026, 3, 14 if row["Round"] > 1 else 7)
    result = read(evening)
    (issue,) = result.issues
    assert (issue.code, issue.severity) == ("bws_several_days", "warning")
    assert issue.params == {"count": 12, "total": 48, "day": "2026-03-14", "other": "2026-03-07"}
    assert result.event.date == "2026-03-14"


def test_an_evening_that_lasts_beyond_midnight_is_one_day(evening):
    for row in evening.received:
        late = row["Round"] > 1
        row["DateLog"] = datetime(2026, 3, 15 if late else 14)
        row["TimeLog"] = datetime(1899, 12, 30, 0 if late else 23, 30)
    result = read(evening)
    assert codes(result) == []
    assert result.event.date == "2026-03-14"


# --- Without a database -----------------------------------------------------------------------------------
def counted(evening: Evening) -> tuple[set[tuple], list[str]]:
    """Return (board, North-South, East-West, declarer, contract) of the results that count, and the codes."""
    issues = IssueList()
    received, rounds = (
        [{name: "" if cell is None else str(cell) for name, cell in row.items()} for row in rows]
        for rows in (evening.received, evening.rounds)
    )
    rows = entered_of(received)
    movement = reliable(rows, movement_of(rounds), issues)
    places = compared(places_of(in_planned_rounds(rows, movement), issues), movement, issues)
    lines = lines_of_play(place.row for place in places if not place.row.erased)
    rows = [place.row for place in in_order(places, lines, issues)]
    results = {(row.board, row.ns, row.ew, row.seat, row.contract) for row in rows}
    return results, [issue.code for issue in issues.done()]


@pytest.mark.parametrize("doubled", [False, True])
@pytest.mark.parametrize("boards", [1, 2, 3])
def test_no_wrong_number_in_a_row_counts_in_silence(boards, doubled):
    right, none = counted(mitchell(3, boards, doubled=doubled))
    assert none == []
    for index in range(9 * boards):
        for column in ("Board", "PairNS", "PairEW", "Table", "Round"):
            for number in range(1, 11):
                evening = mitchell(3, boards, doubled=doubled)
                evening.received[index][column] = number
                results, codes_found = counted(evening)
                assert results == right or codes_found, (index, column, number)


@pytest.mark.parametrize("doubled", [False, True])
@pytest.mark.parametrize("boards", [1, 2, 3])
def test_every_late_board_counts_without_a_question(boards, doubled):
    right, _none = counted(mitchell(3, boards, doubled=doubled))
    for index in range(9 * boards):
        for table, turn in ((table, turn) for table in range(1, 4) for turn in range(1, 4)):
            evening = mitchell(3, boards, doubled=doubled)
            row = evening.received[index]
            if row["Round"] != turn:
                row |= {"Table": table, "Round": turn}
                assert counted(evening) == (right, []), (index, table, turn)


@pytest.mark.parametrize("column", ["PairNS", "PairEW"])
def test_without_a_movement_no_pair_plays_a_board_twice_in_silence(column):
    for index in range(32):
        for number in range(1, 9):
            evening = mitchell(4, 2)
            evening.rounds = []
            row = evening.received[index]
            is_wrong = row[column] != number
            row[column] = number
            assert counted(evening)[1] == ["bws_played_twice"] * is_wrong, (index, number)
