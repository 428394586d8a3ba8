"""PBN: rankings and travellers as different programs write them."""

import pytest

from tournaments.formats import read_results
from tournaments.formats.types import ParsedResult

RANKING_COLUMNS = (
    r"Rank\2R;PairId\2R;Direction\5R;TotalScoreMP\5R;TotalPercentage\5R;Names\40L;NrBoards\2R;"
    r"MemberID1\8R;MemberID2\8R"
)
BOARD_COLUMNS = (
    r"Table\2R;Round\2R;PairId_NS\2R;PairId_EW\2R;Contract\3L;Score_NS\6R;Score_EW\6R;MP_NS\4R;MP_EW\4R"
)
RANKING = f"""[TotalScoreTable "{RANKING_COLUMNS}"]
 1  7 "E-W" 12.0 60.00 "Marta Inventada - Óscar Ficticio"  2 "00500001" "00500002"
 2  1 "N-S" 10.0 50.00 "Nuria Supuesta - Pablo Irreal"     2 "00500003" "00500004"
 2  2 "N-S" 10.0 50.00 "Rosa Imaginada - Saúl Fingido"     2 "00500005" -
 4  8 "E-W"  8.0 40.00 "Tomás Soñado - Úrsula Pensada"     2 "500007"   "500008"
"""
HEADING = """% PBN 2.1
% EXPORT
% <META name=Generator content="Contador">
% <META name=ContestName content="Pareja de Prueba">
% <META name=ScoringType content="MatchPoints;MP1">
{ A comment over
two lines, with [Board "9"] in it }
[Event "##Otro nombre"]
[Date "2026.03.14"]
[Board "1"]
[North "Alguien"]
[Deal "N:- - - -"]
"""
BOARD = f"""[ScoreTable "{BOARD_COLUMNS}"]
 1  1  1  7 4S   "420"     -  2.0  0.0
 2  1  2  8 3N       - "430"  0.0  2.0

"""
SECOND = f"""[Board "2"]
[ScoreTable "{BOARD_COLUMNS}"]
 1  1  1  8 PASS     -     -  1.0  1.0
 2  1  2  7 -     "A+"  "A-"  1.2  0.8
 3  1  - ??? -        -     -    -    -
"""
WHOLE = HEADING + RANKING + BOARD + SECOND


def read(text: str, encoding: str = "latin-1") -> ParsedResult:
    return read_results("pareja.pbn", text.replace("\n", "\r\n").encode(encoding))


def codes(result: ParsedResult) -> set[str]:
    return {issue.code for issue in result.issues if issue.severity != "info"}


def test_a_pbn_file_is_recognised_whatever_its_name():
    assert read_results("pareja.txt", WHOLE.encode("latin-1")).format_name == "pbn"


def test_butler_scoring_is_recognised():
    assert read(WHOLE.replace("MatchPoints;MP1", "Butler;IMP")).event.scoring == "butler_imps"


def test_a_ranking_is_read():
    result = read(WHOLE)
    assert not result.has_errors, result.issues
    event = result.event
    assert (event.title, event.date, event.program) == ("Pareja de Prueba", "2026-03-14", "Contador")
    assert (event.kind, event.scoring, event.boards, event.boards_scheduled) == (
        "pairs",
        "match_points",
        2,
        2,
    )
    first, *_middle, last = result.entries
    assert (first.place, first.number, first.percentage, first.direction) == ("1", "7", "60.00", "EW")
    assert [(person.number, person.name) for person in first.people] == [
        ("00500001", "Marta Inventada"),
        ("00500002", "Óscar Ficticio"),
    ]
    assert result.entries[2].people[1].number is None
    assert last.line == WHOLE[: WHOLE.index(" 4  8")].count("\n") + 1


def test_travellers_are_read():
    result = [(line.board, *line.ns, *line.ew, line.score, line.ns_points) for line in read(WHOLE).boards]
    assert result == [
        (1, "1", "7", "420", "2.0"), (1, "2", "8", "-430", "0.0"),
        (2, "1", "8", "0", "1.0"), (2, "2", "7", "A6040", "1.2"), (2, "", "", None, None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("marks", "written"),
    [('"A+"  "A-"', "A6040"), ('"A+"  "A+"', "A6060"), ("-  A-", "A6040"), ("A A", "A5050")],
)
def test_artificial_scores_are_read_as_adjusted_scores(marks, written):
    text = WHOLE.replace('"A+"  "A-"', marks)
    assert read(text).boards[3].score == written


def test_names_may_be_in_utf_8_and_joined_by_other_marks():
    for mark in (";", "/", " & "):
        people = read(WHOLE.replace(" - Óscar", f"{mark}Óscar"), "utf-8").entries[0].people
        assert [person.name for person in people] == ["Marta Inventada", "Óscar Ficticio"]


def test_pairs_without_numbers_are_numbered_by_their_row():
    lines = [line for line in RANKING.splitlines() if line]
    text = lines[0].replace(r"PairId\2R;", "") + "\n"
    text += "\n".join(line[:3] + line[6:] for line in lines[1:]) + "\n\n"
    assert [entry.number for entry in read(HEADING + text).entries] == ["1", "2", "3", "4"]


def test_a_ranking_by_imps_has_scores_and_no_percentages():
    text = WHOLE.replace("MatchPoints;MP1", "IMP").replace("TotalScoreMP", "TotalIMP")
    text = text.replace("TotalPercentage", "Other").replace("MP_", "IMP_").replace("12.0", "-1.5")
    result = read(text)
    assert (result.event.scoring, result.entries[0].score, result.entries[0].percentage) == (
        "imps",
        "-1.5",
        None,
    )
    assert result.boards[0].ns_points == "2.0"


def test_hand_records_and_frequency_tables_are_refused_as_no_ranking():
    assert codes(read(HEADING)) == {"pbn_no_ranking"}
    counted = r"""[ScoreTable "Score_NS\5R;Multiplicity\3R"]
 420 3
"""
    assert codes(read(HEADING + counted)) == {"pbn_frequencies"}
    ranked = read(HEADING + counted + "\n" + RANKING)
    assert (ranked.has_errors, len(ranked.entries), ranked.boards) == (False, 4, ())
    assert of_code(ranked, "pbn_boards_without_pairs").params == {"count": 1}


def test_the_error_for_a_malformed_row_has_its_line():
    broken = read(WHOLE.replace('"Nuria Supuesta - Pablo Irreal"', "Nuria Supuesta - Pablo Irreal"))
    (error,) = [issue for issue in broken.issues if issue.severity == "error"]
    assert (error.code, error.line) == ("pbn_row", WHOLE[: WHOLE.index(" 2  1")].count("\n") + 1)
    assert error.field == "TotalScoreTable"
    assert codes(read(WHOLE + "\n" + RANKING)) == {"pbn_several_rankings"}
    assert "pbn_no_names" in codes(read(WHOLE.replace("Names", "People")))
    assert "bad_number" in codes(read(WHOLE.replace("60.00", "6o.00")))
    unreadable = read(WHOLE.replace(" 1  1  1  7 4S", " 1  1  1  7 4S 5"))
    assert "boards_unreadable" in {issue.code for issue in unreadable.issues}


def test_a_date_with_question_marks_is_read_as_no_date():
    assert read(WHOLE.replace("2026.03.14", "2026.??.??")).event.date is None


def test_pbn_is_refused_where_the_office_imports_tables():
    from tournaments.formats import read_table

    result = read_table("a.pbn", WHOLE.encode("utf-8"), ())
    assert [issue.code for issue in result.issues] == ["wrong_type"]


# --- Rankings of several sessions, and truncated files --------------------------------------------------
def meta(**values: str) -> str:
    return "".join(f'% <META name={name} content="{value}">\n' for name, value in values.items())


SIT_OUT = " 3  1  - ??? -        -     -    -    -\n"
SESSION = meta(CRSession="5", CRSessionCount="6", BoardCountSession="2", ContestDate="2026-03-07 - 04-11")
CUMULATIVE = WHOLE.replace("% EXPORT\n", f"% EXPORT\n{SESSION}").replace('  2 "00', '  9 "00')


def of_code(result: ParsedResult, code: str):
    (results,) = [issue for issue in result.issues if issue.code == code]
    return results


def test_a_ranking_after_five_of_six_sessions_gives_a_warning():
    text = CUMULATIVE.replace('[Date "2026.03.14"]', '[Date "2026.04.04"]\n[EventDate "2026.03.07"]')
    result = read(text.replace('9 "00500001"', '10 "00500001"'))
    # The ranking gives boards and last day of all sessions; the travellers are only of the fifth session.
    event = result.event
    assert (event.boards, event.boards_scheduled, event.session_count) == (10, 10, 6)
    assert event.date == "2026-04-11"
    issues = of_code(result, "pbn_intermediate")
    assert (issues.severity, issues.params["session"], issues.params["sessions"]) == ("warning", 5, 6)
    # The session states 2 boards and has 2, so there is no warning about missing boards.
    assert codes(result) == {"pbn_intermediate", "no_number"}


def test_from_the_second_session_on_a_ranking_may_count_more_boards_than_the_travellers():
    for session in ("2", "5"):
        result = read(CUMULATIVE.replace('CRSession content="5"', f'CRSession content="{session}"'))
        assert codes(result) == {"pbn_intermediate", "no_number"}, session
    first = read(CUMULATIVE.replace('CRSession content="5"', 'CRSession content="1"'))
    assert "pbn_results_missing" in codes(first)


def test_a_last_board_with_fewer_results_is_not_taken_as_cut_off_if_pairs_state_their_boards():
    row = ' 2  1  2  7 -     "A+"  "A-"  1.2  0.8\n'
    assert row + SIT_OUT in WHOLE
    result = codes(read(WHOLE.replace(row + SIT_OUT, "")))
    assert "pbn_results_missing" in result and "pbn_cut_off" not in result


def test_the_ranking_of_the_last_session_is_final():
    assert codes(read(CUMULATIVE.replace('CRSession content="5"', 'CRSession content="6"'))) == {"no_number"}
    assert codes(read(CUMULATIVE.replace('CRSession content="5"', 'CRSession content=""'))) >= {
        "pbn_results_missing"
    }


@pytest.mark.parametrize(
    ("day", "event_day", "span", "last"),
    [
        ("2026.03.14", "2026.03.13", "", "2026-03-14"),
        ("2026.03.14", "2026.03.13", "2026-03-13 - 15", "2026-03-15"),
        ("2026.03.14", "2026.03.13", "2026-03-13 - 03-15", "2026-03-15"),
        ("2026.01.02", "2025.12.30", "2025-12-30 - 01-03", "2026-01-03"),
        ("2026.01.02", "2025.12.30", "2025-12-30 - 2026-01-01", "2026-01-02"),
        ("????.??.??", "2026.03.13", "2026-03-13", "2026-03-13"),
        ("????.??.??", "????.??.??", "2026-02-29 - 31", None),
    ],
)
def test_the_date_of_a_tournament_is_its_last_day(day, event_day, span, last):
    text = WHOLE.replace('[Date "2026.03.14"]', f'[Date "{day}"]\n[EventDate "{event_day}"]')
    assert read(text.replace("% EXPORT\n", f"% EXPORT\n{meta(ContestDate=span)}")).event.date == last


def test_travellers_with_fewer_results_than_the_ranking_counts_give_a_warning():
    one_short = WHOLE.replace("""[Board "2"]""", """[Board "1"]""")
    issues = of_code(read(one_short), "pbn_results_missing")
    assert (issues.severity, issues.params) == ("warning", {"stated": 8, "counted": 4})
    assert of_code(read(HEADING + RANKING), "pbn_boards_missing").params == {"stated": 2, "counted": 0}


def test_travellers_of_fewer_boards_than_the_heading_states_give_a_warning():
    text = WHOLE.replace("NrBoards", "Other")
    stated = read(text.replace("% EXPORT\n", f"% EXPORT\n{meta(BoardCount='3')}"))
    issues = of_code(stated, "boards_differ")
    assert issues.params == {"stated": 3, "counted": 2}
    session = read(CUMULATIVE.replace('Session content="2"', 'Session content="4"'))
    assert of_code(session, "pbn_boards_missing").params == {"stated": 4, "counted": 2}
    # The last board has fewer results than the others.
    shorter = CUMULATIVE.replace(SIT_OUT, "")
    assert "pbn_cut_off" not in codes(read(shorter))
    last = ' 2  1  2  7 -     "A+"  "A-"  1.2  0.8\n'
    issues = of_code(read(shorter.replace(last, "")), "pbn_cut_off")
    assert issues.line == shorter[: shorter.index(last)].count("\n")


def test_a_ranking_with_fewer_pairs_than_the_heading_states_is_reported():
    heading = f"% EXPORT\n{meta(PairCount='6', PhantomCount='1')}"
    issues = of_code(read(WHOLE.replace("% EXPORT\n", heading)), "pbn_pairs_missing")
    assert issues.params == {"stated": 5, "counted": 4}
    assert "pbn_pairs_missing" not in codes(
        read(WHOLE.replace("% EXPORT\n", f"% EXPORT\n{meta(PairCount='5', PhantomCount='1')}"))
    )


def test_a_truncated_file_gives_an_issue_wherever_it_is_cut():
    """A truncated file is never read without an issue, wherever it is cut after its header.

    A file that lacks only blank lines at its end is complete.
    """
    text = WHOLE.replace("% EXPORT\n", f"% EXPORT\n{meta(PairCount='4')}").replace(SIT_OUT, "").strip("\n")
    text += "\n"
    assert codes(read(text)) == {"no_number"}
    for end in range(1, len(text)):
        assert codes(read(text[:end])) - {"no_number"}, text[:end][-40:]


def test_an_unclosed_quotation_mark_is_reported_with_its_line():
    result = read(WHOLE.replace('"500008"', '"500008'))
    assert [issue.line for issue in result.issues if issue.code == "pbn_row"] == [
        WHOLE[: WHOLE.index(" 4  8")].count("\n") + 1
    ]


def test_scoring_by_imps_is_recognised_from_the_columns():
    text = WHOLE.replace('% <META name=ScoringType content="MatchPoints;MP1">\n', "")
    assert read(text).event.scoring == "match_points"
    imps = text.replace("TotalScoreMP", "TotalIMP").replace("TotalPercentage", "Other")
    assert read(imps.replace("MP_", "IMP_")).event.scoring == "imps"
    assert read(imps.replace("TotalIMP", "TotalScore").replace("MP_", "IMP_")).event.scoring == "imps"
    assert read(imps.replace("TotalIMP", "TotalScore").replace("MP_", "X_")).event.scoring is None


def test_a_board_number_may_repeat_the_previous_one_and_a_value_may_be_blank():
    again = BOARD.replace("[ScoreTable", '[Board "#"]\n[ScoreTable')
    assert {line.board for line in read(HEADING + RANKING + again).boards} == {1}
    for mark in ("-", "?", "???", '""'):
        ranking = RANKING.replace(' 1  7 "E-W"', f' 1  {mark} "E-W"')
        assert read(HEADING + ranking + BOARD).entries[0].number is None


def test_many_unclosed_marks_are_read_in_linear_time():
    """Searching for the end of each of 300,000 unclosed marks separately would take hours."""
    comments = WHOLE + "{ " * 150_000
    assert len(read(comments).entries) == 4
    quotes = WHOLE.replace(" 4  8", ' "' + '\\"' * 150_000 + " 4  8")
    assert "pbn_row" in codes(read(quotes))
    blanks = WHOLE.replace(" 1  7", f' "1{" " * 150_000}x" 7').replace(" 2  1", f' 2 "1{" " * 150_000}x"')
    assert len(read(blanks).entries) == 4


def test_the_title_may_be_in_a_remark():
    titled = WHOLE.replace('% <META name=ContestName content="Pareja de Prueba">', '%HRTitleEvent "Copa"')
    assert read(titled).event.title == "Copa"


def test_a_single_board_of_a_later_session_is_not_taken_as_cut_off():
    text = CUMULATIVE.replace('Session content="2"', 'Session content="1"')
    assert codes(read(text[: text.index(SECOND)])) == {"pbn_intermediate", "no_number"}


# --- Travellers before the ranking --------------------------------------------------------------------------
TRAVELLERS_FIRST = HEADING + BOARD + SECOND.replace(SIT_OUT, "") + "\n" + RANKING


def test_a_ranking_with_fewer_pairs_than_the_travellers_gives_a_warning():
    assert codes(read(TRAVELLERS_FIRST)) == {"no_number"}
    lines = TRAVELLERS_FIRST.splitlines(keepends=True)
    for missing in (1, 2, 3):
        issues = of_code(read("".join(lines[:-missing])), "pbn_pairs_unranked")
        assert (issues.severity, issues.params) == ("warning", {"counted": 4 - missing, "missing": missing})


def test_pairs_with_the_same_number_are_distinguished_by_direction():
    text = TRAVELLERS_FIRST.replace(' 7 "E-W"', ' 1 "E-W"').replace(' 8 "E-W"', ' 2 "E-W"')
    text = text.replace(" 1  1  1  7 4S", " 1  1  1  1 4S").replace(" 2  1  2  8 3N", " 2  1  2  2 3N")
    text = text.replace(" 1  1  1  8 PASS", " 1  1  1  2 PASS").replace(" 2  1  2  7 -", " 2  1  2  1 -")
    assert codes(read(text)) == {"no_number"}
    cut = text[: text.index(' 4  2 "E-W"')]
    assert of_code(read(cut), "pbn_pairs_unranked").params == {"counted": 3, "missing": 1}


def test_unnumbered_and_phantom_pairs_are_not_reported_as_missing_from_the_ranking():
    assert "pbn_pairs_unranked" not in codes(read(WHOLE.replace(' 4  8 "E-W"', ' 4  - "E-W"')))
    phantom = WHOLE.replace(SIT_OUT, ' 3  1  9  7 -     "A+"  "A-"  1.2  0.8\n')
    assert "pbn_pairs_unranked" in codes(read(phantom))
    heading = f"% EXPORT\n{meta(PairCount='5', PhantomCount='1')}"
    assert "pbn_pairs_unranked" not in codes(read(phantom.replace("% EXPORT\n", heading)))


def test_a_number_of_boards_known_only_from_travellers_gives_a_warning():
    uncounted = WHOLE.replace("NrBoards", "Other")
    remark = of_code(read(uncounted), "pbn_boards_counted")
    assert (remark.severity, remark.params) == ("warning", {"count": 2})
    half = read(uncounted[: uncounted.index(SECOND)])
    assert of_code(half, "pbn_boards_counted").params == {"count": 1}
    unequal = read(uncounted.replace(' 2  1  2  7 -     "A+"  "A-"  1.2  0.8\n', ""))
    remark = of_code(unequal, "pbn_boards_unequal")
    assert (remark.severity, remark.params) == ("warning", {"least": 1, "most": 2})
    stated = uncounted.replace("% EXPORT\n", f"% EXPORT\n{meta(BoardCount='2')}")
    for text in (WHOLE, stated, CUMULATIVE):
        remarks = {issue.code for issue in read(text).issues}
        assert not remarks & {"pbn_boards_counted", "pbn_boards_unequal"}
