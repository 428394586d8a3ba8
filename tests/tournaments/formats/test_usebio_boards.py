"""Travellers of USEBIO files: the contestants at each table, and the number of boards played."""

import pytest

from tournaments.formats.issues import IssueList
from tournaments.formats.types import BoardResult, Entry, EventInfo
from tournaments.formats.usebio_boards import board_counts, read_boards, with_partners
from tournaments.formats.xml_tree import parse_xml


def entry(number: str, place: str, boards: int | None = None, **fields) -> Entry:
    values = {"score": None, "percentage": None, "direction": None, "section": None, "team": None, **fields}
    return Entry(1, number, place, people=(), boards=boards, **values)


def result(board: int, ns: str, ew: str) -> BoardResult:
    names = ("score", "ns_points", "ew_points", "contract", "declarer", "tricks", "round_number")
    return BoardResult(board=board, section=None, ns=(ns,), ew=(ew,), **dict.fromkeys(names))


@pytest.mark.parametrize(
    ("own", "travellers", "stated", "boards", "scheduled"),
    [
        (None, [], None, None, None),
        (None, [], 24, 24, 24),
        (21, [], 24, 21, 24),
        (30, [], 24, 30, 30),
        # The winner is in the travellers, which take precedence over everything else.
        (21, [("1", "2")] * 20, 24, 20, 24),
        (None, [("1", "2")] * 20 + [("3", "2")] * 3, None, 20, 23),
        # The winner is not in the travellers: use the number of the winner's entry, the heading's, or the
        # largest.
        (21, [("3", "2")] * 20, 24, 21, 24),
        (None, [("3", "2")] * 20, 24, 24, 24),
        (None, [("3", "2")] * 20, None, 20, 20),
    ],
)
def test_the_boards_of_the_winner_and_those_scheduled_are_counted(own, travellers, stated, boards, scheduled):
    entries = [entry("2", "2"), entry("1", "1", own), entry("3", "3")]
    results = [result(number, *sides) for number, sides in enumerate(travellers, start=1)]
    counts = board_counts(EventInfo(), entries, results, stated, IssueList())
    assert (counts.boards, counts.boards_scheduled) == (boards, scheduled)


def test_without_a_winner_only_the_scheduled_boards_are_known():
    counts = board_counts(EventInfo(), [entry("1", "")], [result(1, "1", "2")], 24, IssueList())
    assert (counts.boards, counts.boards_scheduled) == (None, 24)


@pytest.mark.parametrize(
    ("line", "sides"),
    [
        ("<NS_PAIR_NUMBER>3</NS_PAIR_NUMBER><EW_PAIR_NUMBER>4</EW_PAIR_NUMBER>", (("3",), ("4",))),
        ("<NS_PAIR_NUMBER>3</NS_PAIR_NUMBER>", (("3",), ("",))),
        ("<EW_PAIR_NUMBER>4</EW_PAIR_NUMBER>", (("",), ("4",))),
        (
            "<N_PLAYER_NUMBER>1</N_PLAYER_NUMBER><S_PLAYER_NUMBER>2</S_PLAYER_NUMBER>"
            "<E_PLAYER_NUMBER>3</E_PLAYER_NUMBER><W_PLAYER_NUMBER>4</W_PLAYER_NUMBER>",
            (("1", "2"), ("3", "4")),
        ),
    ],
)
def test_each_traveller_line_gives_the_contestants_of_both_sides(line, sides):
    text = (
        f"<EVENT><BOARD><BOARD_NUMBER>7</BOARD_NUMBER><TRAVELLER_LINE>{line}</TRAVELLER_LINE></BOARD></EVENT>"
    )
    event, _encoding, _remarks = parse_xml(text.encode())
    (results,) = read_boards(event, IssueList())
    assert (results.board, results.ns, results.ew) == (7, *sides)


def halves(number: int, ns: str, ew: str, score: str) -> BoardResult:
    """Return a line with one player of each side, as some programs write two for each table."""
    return BoardResult(number, None, (ns, f"{ns}1"), (ew, f"{ew}2"), score)


def test_two_lines_of_one_table_of_an_individual_event_are_joined():
    entries = [entry(str(number), "50") for number in range(1, 13)]
    board = [
        *(halves(1, "10", "8", "80"), halves(1, "2", "6", "80")),
        *(halves(1, "5", "1", "100"), halves(1, "9", "7", "100")),
        *(halves(1, "12", "3", "-90"), halves(1, "11", "4", "-90")),
    ]
    tables = with_partners(board, entries)
    assert [(result.ns, result.ew, result.score) for result in tables] == [
        (("10", "2"), ("8", "6"), "80"),
        (("5", "9"), ("1", "7"), "100"),
        (("12", "11"), ("3", "4"), "-90"),
    ]


@pytest.mark.parametrize("last", [[], [halves(1, "9", "7", "110")], [halves(1, "5", "7", "100")]])
def test_lines_of_one_board_that_do_not_fit_in_twos_are_not_joined(last):
    entries = [entry(str(number), "50") for number in range(1, 13)]
    lines = [halves(1, "10", "8", "80"), halves(1, "2", "6", "80"), halves(1, "5", "1", "100"), *last]
    # 12 is the number of a player too, who did not sit there.
    assert with_partners(lines, entries)[2].ew == ("1", "")


def test_real_partners_stay():
    entries = [entry(str(number), "50") for number in (1, 2, 11, 22)]
    lines = (BoardResult(1, None, ("1", "11"), ("2", "22"), "80"),)
    assert with_partners(lines, entries) == lines
    pairs = (BoardResult(1, None, ("1",), ("2",), "80"),)
    assert with_partners(pairs, entries) == pairs
