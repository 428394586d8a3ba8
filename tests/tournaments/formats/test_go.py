"""Result tables of the European Go Database and the French federation, with fictitious games."""

import pytest

from tournaments.formats import read_go
from tournaments.formats.go_types import GoResult
from tournaments.formats.sandbox import read_go_safely

HEADER = """; CL[B]
; EV[Torneo del Faro]
; PC[ES, Villa]
; DT[2026-03-14,2026-03-15]
; HA[h9]
"""
TABLE = (
    HEADER
    + """
  1 Arroyo Ana      2d ES Faro 3 4 5+/w 2+/b 3+/w |10000001
  2 Benitez Blas    1k ES Faro 2 3 3+/b 1-/w 4+/w |10000002
  3 Canas Carla    12k ES Monte 1 2 2-/w 4+/b2 1-/b |10000003
    Duarte Diego    3k FR xxxx 0 1 0- 3-/w2 2-/b |10000004
  5 Espino Eva      5k ES Monte 0 0 1-/b 0= 0+ |10000005
"""
)


def table(text: str) -> GoResult:
    return read_go("torneo.h9", text.encode())


def codes(result: GoResult) -> list[str]:
    return [issue.code for issue in result.issues]


def test_a_result_table_is_read():
    result = table(TABLE)
    assert result.issues == ()
    assert (result.format_name, result.name, result.tournament_class) == ("egd", "Torneo del Faro", "B")
    assert (result.start, result.end) == ("2026-03-14", "2026-03-15")
    assert [(p.name, p.grade, p.pin, p.country) for p in result.players[:2]] == [
        ("Arroyo Ana", "2d", "10000001", "ES"),
        ("Benitez Blas", "1k", "10000002", "ES"),
    ]
    games = {(g.round, g.first, g.second): (g.score, g.handicap) for g in result.games}
    # White is first. Each game is listed once, with White's score. Byes and missed rounds are no games.
    assert games == {
        (1, 1, 5): ("1", 0), (1, 3, 2): ("0", 0), (2, 2, 1): ("0", 0), (2, 4, 3): ("0", 2),
        (3, 1, 3): ("1", 0), (3, 2, 4): ("1", 0),
    }  # fmt: skip


def test_a_result_survives_conversion_to_json_and_back():
    result = table(TABLE)
    assert GoResult.from_json(result.to_json()) == result
    assert read_go_safely("torneo.h9", TABLE.encode()) == result


@pytest.mark.parametrize(
    "wrong",
    [
        ("4+/b2 1-/b", "4+/b2 1+/b"),  # both won
        ("4+/b2", "4+/b3"),  # different handicaps
        ("4+/b2", "4+/w2"),  # both White
        ("4+/b2", "5+/b2"),  # different opponents
    ],
)
def test_the_error_for_contradicting_rows_has_both_lines(wrong):
    result = table(TABLE.replace(*wrong))
    assert result.has_errors
    issue = next(item for item in result.issues if item.code == "go_not_reciprocal")
    assert {issue.line, issue.params["other"]} <= {7, 8, 9, 10, 11}
    assert issue.params["answer"] != issue.value


def test_forfeits_and_unfinished_games_are_not_rated():
    text = HEADER + (
        "1 Arroyo Ana 2d ES Faro 2+! 3+/w\n2 Benitez Blas 1k ES Faro 1-! 4?/b\n"
        "3 Canas Carla 3k ES Faro 4-! 1-/b\n4 Duarte Diego 3k ES Faro 3-! 2?/w\n"
    )
    result = table(text)
    assert [(game.round, game.score, game.reason) for game in result.games] == [
        (1, "1", "forfeit"),
        (2, "1", ""),
        (2, "", "unfinished"),
        (1, "0", "both_lose"),
    ]
    assert codes(result) == ["go_no_pin", "go_not_rated"]


def test_tie_break_columns_that_look_like_results_are_not_read_as_rounds():
    """Columns with tie-break criteria beside the results may look like rounds, but are not read as such.

    The reader takes the number of rounds that most rows have.
    """
    text = HEADER + (
        "1 Arroyo Ana 2d ES Faro 358= 2+ 3+ 7 1\n2 Benitez Blas 1k ES Faro 12 1- 0- 7 1\n"
        "3 Canas Carla 3k ES Faro 11 0- 1- 7 1\n"
    )
    result = table(text)
    assert not result.has_errors
    assert [(game.round, game.first, game.second) for game in result.games] == [(1, 1, 2), (2, 1, 3)]


def test_a_missing_handicap_is_computed_from_grades_and_reduction():
    text = (HEADER.replace("h9", "h1")) + "1 Arroyo Ana 2d ES Faro 2-\n2 Benitez Blas 3k ES Faro 1+\n"
    result = table(text)
    game = result.games[0]
    # The handicap is four grades less one: three stones from the stronger player, who is listed first.
    assert (game.first, game.score, game.handicap, game.colours) == (1, "0", 3, False)
    assert "go_handicap_rebuilt" in codes(result)
    text = (HEADER.replace("h9", "h1")) + "1 Benitez Blas 3k ES Faro 2+\n2 Arroyo Ana 2d ES Faro 1-\n"
    game = table(text).games[0]
    assert (game.first, game.score, game.handicap) == (2, "0", 3)


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("5+/w 2+/b 3+/w", "5+/w 2+/b", "go_rounds_differ"),
        ("5+/w", "9+/w", "go_unknown_opponent"),
        ("12k ES", "31k ES", "go_bad_grade"),
        ("  2 Benitez Blas    1k", "  2 1k", "go_row_unreadable"),
        ("10000002", "10000001", "go_listed_twice"),
    ],
)
def test_errors_have_their_line(old, new, code):
    result = table(TABLE.replace(old, new))
    issue = next(item for item in result.issues if item.code == code)
    assert issue.severity == "error"
    assert issue.line in range(7, 12)


def test_the_error_for_an_impossible_result_has_the_result_as_written():
    (result,) = (e for e in table(TABLE.replace("5+/w", "9+/w")).issues if e.code == "go_unknown_opponent")
    assert result.value == "9+/w"


@pytest.mark.parametrize(("result", "other"), [("2-!", "1-"), ("2-", "1-!"), ("2-!", "1-!")])
def test_a_game_that_both_players_lost_is_not_rated_whichever_row_marks_it(result, other):
    result = table(HEADER + f"1 Arroyo Ana 2d ES Faro {result}\n2 Benitez Blas 1k ES Faro {other}\n")
    (results,) = result.games
    assert (results.score, bool(results.reason)) == ("0", True)


def test_a_file_that_is_no_go_file_has_an_unknown_format():
    assert read_go("copa.h9", b"%PDF-1.7").format_name == "unknown"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty_file"),
        (b"%PDF-1.7", "wrong_type"),
        (b"<?xml version='1.0'?><usebio/>", "not_go"),
        (b"; EV[Nadie]\n", "go_no_players"),
        ((HEADER + "1 Arroyo Ana 2d ES Faro 0+\n2 Benitez Blas 1k ES Faro 0-\n").encode(), "go_no_games"),
    ],
)
def test_files_without_a_go_tournament_are_refused(data, code):
    assert code in codes(read_go("fichero", data))


def test_professional_and_abbreviated_grades_are_understood():
    text = HEADER + "1 Arroyo Ana 2p ES Faro 2+\n2 Benitez Blas 11 ES Faro 1-\n"
    assert [player.grade for player in table(text).players] == ["7d", "11k"]


def warning_codes(result: GoResult, *asked: str) -> set[str]:
    """Return the codes of a result's warnings.

    The warning about players without a PIN (the Go federation's number) is left out, and so are the `asked`
    codes.
    """
    return {issue.code for issue in result.issues if issue.severity == "warning"} - {"go_no_pin", *asked}


def test_a_game_marked_as_unfinished_is_not_rated():
    result = table(HEADER + "1 Arroyo Ana 2d ES Faro 2+? 2+\n2 Benitez Blas 1k ES Faro 1-? 1-\n")
    assert [(game.round, game.score, game.reason) for game in result.games] == [
        (1, "1", "unfinished"),
        (2, "1", ""),
    ]


def test_the_country_is_a_word_of_two_letters_after_the_grade():
    rows = "1 Arroyo Ana 2d Faro ES 2+\n2 Benitez Blas 1k ESP Faro 1-\n"
    assert [player.country for player in table(HEADER + rows).players] == ["", ""]
    rows = "1 Arroyo Ana 2d es Faro 2+\n2 Benitez Blas 1k\n"
    assert [player.country for player in table(HEADER + rows).players] == ["ES", ""]


def test_text_after_a_vertical_bar_is_not_read_as_results():
    rows = "1 Arroyo Ana 2d ES Faro 2+ | 9+ 9-\n2 Benitez Blas 1k ES Faro 1- |10000002 3+\n"
    result = table(HEADER + rows)
    assert not result.has_errors
    assert [player.pin for player in result.players] == ["", ""]
    assert len(result.games) == 1


@pytest.mark.parametrize(
    ("result", "other", "first", "handicap"),
    [("2+/b3", "1-", 2, 3), ("2+/w3", "1-", 1, 3), ("2+", "1-/w3", 2, 3), ("2+", "1-/b3", 1, 3)],
)
def test_a_colour_or_handicap_in_one_row_applies_to_the_game(result, other, first, handicap):
    result = table(HEADER + f"1 Arroyo Ana 2d ES Faro {result}\n2 Benitez Blas 1k ES Faro {other}\n")
    (results,) = result.games
    assert (results.first, results.handicap, results.colours) == (first, handicap, True)
    assert results.score == ("1" if first == 1 else "0")
    assert "go_handicap_rebuilt" not in codes(result)


@pytest.mark.parametrize(
    ("days", "start", "end", "unreadable"),
    [
        ("2026-03-14,2026-03-15", "2026-03-14", "2026-03-15", []),
        ("14/03/2026, 15/03/2026", "2026-03-14", "2026-03-15", []),
        ("2026-03-14", "2026-03-14", "2026-03-14", []),
        ("2026-03-14,15 March", "2026-03-14", "", ["15 March"]),
        ("2026-02-30,2026-03-01", "", "2026-03-01", ["2026-02-30"]),
        ("03/14/26,", "", "", ["03/14/26"]),
    ],
)
def test_unreadable_dates_are_reported(days, start, end, unreadable):
    result = table(TABLE.replace("2026-03-14,2026-03-15", days))
    assert (result.start, result.end) == (start, end)
    results = [
        (issue.field, issue.value, issue.severity) for issue in result.issues if issue.code == "go_bad_date"
    ]
    assert results == [("DT", value, "warning") for value in unreadable]


@pytest.mark.parametrize("name", ["Torneo de rengo", "Pair-Go de otoño", "Pair go", "Go por parejas"])
def test_a_tournament_named_rengo_is_asked_about(name):
    assert warning_codes(table(TABLE.replace("Torneo del Faro", name))) == {"go_rengo"}
    assert warning_codes(table(HEADER + f"; CM[{name}]" + TABLE.removeprefix(HEADER))) == {"go_rengo"}


def test_a_tournament_where_most_players_have_two_names_is_asked_about_as_rengo():
    double = TABLE.replace("Ana ", "Ana/Luz ").replace("Blas ", "Blas & Leo ")
    assert warning_codes(table(double)) == set()
    assert warning_codes(table(double.replace("Carla ", "Carla + Rut "))) == {"go_rengo"}


def test_the_code_of_a_tournament_is_read():
    assert table("; TC[T260314A]\n" + TABLE).code == "T260314A"
    assert table("; TC[W260314]\n" + TABLE).code == "W260314"
    assert table("; TC[]\n" + TABLE).code == table("; TC[later]\n" + TABLE).code == ""


def test_a_long_row_of_results_is_read_in_linear_time():
    """A row of 100,000 results is read in time proportional to its length.

    Copying the rest of the row at every result would exceed the time limit for reading.
    """
    rows = f"1 Arroyo Ana 2d ES Faro {'2+ ' * 100_000}\n2 Benitez Blas 1k ES Faro 1-\n"
    result = read_go_safely("torneo.h9", (HEADER + rows).encode())
    assert [(game.first, game.second, game.score) for game in result.games] == [(1, 2, "1")]


# --- The French federation's tables ---------------------------------------------------------------------
FRENCH = """;name=Tournoi du Phare
;date=14/03/2026
;vill=Villa
;comm=Tournoi d'hiver
;prog=OpenGotha 3.48.04
;size=19
;time=60+b
;komi=7.5
;Num Nom Prenom               Niv Licence Club
   1 Arroyo Ana                2D 1800014 75Ju    2+w0    3+b0
   2 Benitez Blas              1K         92Le    1-b0   0=
   3 Canas_Lopez Carla        12K ------- 91SM   0=      1-w0
"""


def test_a_table_of_the_french_federation_is_read():
    result = read_go("tournoi.tou", FRENCH.encode("iso-8859-15"))
    assert (result.name, result.start, result.end) == ("Tournoi du Phare", "2026-03-14", "")
    assert [(player.name, player.grade, player.country) for player in result.players] == [
        ("Arroyo Ana", "2d", ""),
        ("Benitez Blas", "1k", ""),
        ("Canas Lopez Carla", "12k", ""),
    ]
    assert [(game.first, game.second, game.score) for game in result.games] == [(1, 2, "1"), (3, 1, "0")]
    assert warning_codes(result) == set()


def test_headings_of_the_french_federation_give_the_usual_warnings():
    small = read_go("tournoi.tou", FRENCH.replace("size=19", "size=13").encode())
    assert warning_codes(small) == {"go_board_size"}
    rengo = read_go("tournoi.tou", FRENCH.replace("d'hiver", "de rengo").encode())
    assert warning_codes(rengo) == {"go_rengo"}
    undated = read_go("tournoi.tou", FRENCH.replace("14/03/2026", "mars 2026").encode())
    assert (warning_codes(undated), undated.start) == ({"go_bad_date"}, "")
    assert [issue.field for issue in undated.issues if issue.code == "go_bad_date"] == ["date"]


# --- Files in neither format ---------------------------------------------------------------------------
def test_rows_that_are_no_players_are_refused_with_their_line():
    for row in ("2 1k ES Faro 1-/b", "Benitez Blas ES 1-/b"):
        result = table(HEADER + f"1 Arroyo Ana 2d ES Faro 2+/w\n{row}\n")
        issue = next(item for item in result.issues if item.code == "go_row_unreadable")
        assert (issue.line, issue.value) == (7, row)


def test_a_table_without_headings_is_read():
    data = b"1 Arroyo Ana 2d ES Faro 2+\n2 Benitez Blas 1k ES Faro 1-\n"
    assert len(read_go("fichero", data).games) == 1


def test_of_two_equally_long_groups_of_results_the_last_is_read():
    rows = "1 Arroyo Ana 2d ES Faro 9+ 9+ x 2+ 0+\n2 Benitez Blas 1k ES Faro 9+ 9+ x 1- 0-\n"
    result = table(HEADER + rows)
    assert not result.has_errors
    assert [(game.round, game.first, game.second) for game in result.games] == [(1, 1, 2)]


def test_bytes_in_no_known_encoding_are_refused():
    assert codes(read_go("torneo.h9", HEADER.encode() + b"1 Arroyo An\x81 2d ES Faro 0+\n")) == [
        "undecodable"
    ]


def test_too_many_players_are_refused():
    rows = "".join(f"{k} Nadie N{k} 5k ES Faro 0+\n" for k in range(1, 5_002))
    assert "too_many_entries" in codes(table(HEADER + rows))


def test_a_tournament_element_inside_other_xml_is_refused():
    data = b'<?xml version="1.0"?><Backup><Tournament a="b"/></Backup>'
    assert codes(read_go("a.xml", data)) == ["not_go"]
