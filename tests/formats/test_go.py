"""Result tables of the European Go Database and OpenGotha's XML, with games nobody ever played."""

import pytest

from tournaments.formats.go import read_go
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
    return [each.code for each in result.issues]


def test_a_result_table():
    result = table(TABLE)
    assert result.issues == ()
    assert (result.format_name, result.name, result.tournament_class) == ("egd", "Torneo del Faro", "B")
    assert (result.start, result.end) == ("2026-03-14", "2026-03-15")
    assert [(p.name, p.grade, p.pin, p.country) for p in result.players[:2]] == [
        ("Arroyo Ana", "2d", "10000001", "ES"), ("Benitez Blas", "1k", "10000002", "ES"),
    ]  # fmt: skip
    games = {(g.round, g.first, g.second): (g.score, g.handicap) for g in result.games}
    # White first: each game once, with the score of White; free wins and missed rounds are no games.
    assert games == {
        (1, 1, 5): ("1", 0), (1, 3, 2): ("0", 0), (2, 2, 1): ("0", 0), (2, 4, 3): ("0", 2),
        (3, 1, 3): ("1", 0), (3, 2, 4): ("1", 0),
    }  # fmt: skip


def test_a_result_survives_its_json():
    result = table(TABLE)
    assert GoResult.from_json(result.to_json()) == result
    assert read_go_safely("torneo.h9", TABLE.encode()) == result


@pytest.mark.parametrize(
    "wrong",
    [
        ("4+/b2 1-/b", "4+/b2 1+/b"),  # both won
        ("4+/b2", "4+/b3"),  # another handicap
        ("4+/b2", "4+/w2"),  # both White
        ("4+/b2", "5+/b2"),  # another opponent
    ],
)
def test_rows_that_contradict_each_other_are_refused_with_both_lines(wrong):
    result = table(TABLE.replace(*wrong))
    assert result.has_errors
    found = next(each for each in result.issues if each.code == "go_not_reciprocal")
    assert {found.line, found.params["other"]} <= {7, 8, 9, 10, 11}
    assert found.params["answer"] != found.value


def test_forfeits_and_unfinished_games_are_not_rated():
    text = HEADER + (
        "1 Arroyo Ana 2d ES Faro 2+! 3+/w\n2 Benitez Blas 1k ES Faro 1-! 4?/b\n"
        "3 Canas Carla 3k ES Faro 4-! 1-/b\n4 Duarte Diego 3k ES Faro 3-! 2?/w\n"
    )
    result = table(text)
    assert [(game.round, game.score, game.reason) for game in result.games] == [
        (1, "1", "forfeit"), (2, "1", ""), (2, "", "unfinished"), (1, "0", "both_lose"),
    ]  # fmt: skip
    assert codes(result) == ["go_no_pin", "go_not_rated"]


def test_criteria_that_look_like_results_are_no_rounds():
    """Columns before and after the results; exactly as many rounds as most rows have."""
    text = HEADER + (
        "1 Arroyo Ana 2d ES Faro 358= 2+ 3+ 7 1\n2 Benitez Blas 1k ES Faro 12 1- 0- 7 1\n"
        "3 Canas Carla 3k ES Faro 11 0- 1- 7 1\n"
    )
    result = table(text)
    assert not result.has_errors
    assert [(game.round, game.first, game.second) for game in result.games] == [(1, 1, 2), (2, 1, 3)]


def test_a_handicap_nobody_wrote_comes_from_grades_and_reduction():
    text = (HEADER.replace("h9", "h1")) + "1 Arroyo Ana 2d ES Faro 2-\n2 Benitez Blas 3k ES Faro 1+\n"
    result = table(text)
    game = result.games[0]
    # Four grades apart, less one: three stones from the stronger one, who comes first.
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
def test_errors_name_their_line(old, new, code):
    result = table(TABLE.replace(old, new))
    found = next(each for each in result.issues if each.code == code)
    assert found.severity == "error"
    assert found.line in range(7, 12)


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
def test_what_is_no_tournament(data, code):
    assert code in codes(read_go("fichero", data))


def test_grades_of_professionals_and_cut_ones():
    text = HEADER + "1 Arroyo Ana 2p ES Faro 2+\n2 Benitez Blas 11 ES Faro 1-\n"
    assert [player.grade for player in table(text).players] == ["7d", "11k"]


# --- OpenGotha ------------------------------------------------------------------------------------------
def player(name: str, first: str, **fields) -> str:
    values = {
        "country": "TR", "egfPin": "", "grade": "5K", "rank": "5K", "rating": "1600", "ratingOrigin": "",
        "registeringStatus": "FIN", **fields,
    }  # fmt: skip
    attributes = " ".join(f'{key}="{value}"' for key, value in values.items())
    return f'<Player name="{name}" firstName="{first}" {attributes}/>'


def game(white: str, black: str, result: str = "RESULT_WHITEWINS", number: int = 1, handicap: int = 0) -> str:
    return (
        f'<Game roundNumber="{number}" whitePlayer="{white}" blackPlayer="{black}" knownColor="true" '
        f'handicap="{handicap}" result="{result}"/>'
    )


PEOPLE = [player("Çınar", "Cetin"), player("Benitez", "Blas", egfPin="10000002")]


def gotha(games: list[str], players: list[str] = PEOPLE, size: str = "19") -> GoResult:
    text = (
        '<?xml version="1.0" encoding="UTF-8"?><Tournament dataVersion="201">\n'
        f"<Players>\n{chr(10).join(players)}\n</Players>\n<Games>\n{chr(10).join(games)}\n</Games>\n"
        f'<TournamentParameterSet><GeneralParameterSet name="Copa" shortName="copa" beginDate="2026-03-14" '
        f'endDate="2026-03-15" size="{size}"/></TournamentParameterSet></Tournament>'
    )
    return read_go("copa.xml", text.encode())


def test_opengotha_with_turkish_keys():
    result = gotha([game("ÇINARCETİN", "BENITEZBLAS", handicap=2)])
    assert (result.name, result.start, result.end) == ("Copa", "2026-03-14", "2026-03-15")
    assert [(p.name, p.grade, p.pin) for p in result.players] == [
        ("Çınar Cetin", "5k", ""), ("Benitez Blas", "5k", "10000002")
    ]  # fmt: skip
    found = result.games[0]
    assert (found.first, found.second, found.score, found.handicap) == (1, 2, "1", 2)
    assert codes(result) == ["go_no_pin"]


@pytest.mark.parametrize(
    ("said", "score", "reason"),
    [
        ("RESULT_BLACKWINS", "0", ""),
        ("RESULT_EQUAL", "0.5", ""),
        ("RESULT_BLACKWINS_BYDEF", "0", "forfeit"),
        ("RESULT_WHITEWINS_BYDEF", "1", "forfeit"),
        ("RESULT_UNKNOWN", "", "unfinished"),
        ("RESULT_BOTHLOSE", "", "both_lose"),
        ("RESULT_BOTHWIN", "", "both_win"),
    ],
)
def test_results_of_opengotha(said, score, reason):
    result = gotha([game("CINARCETIN", "BENITEZBLAS"), game("CINARCETIN", "BENITEZBLAS", said, 2)])
    assert (result.games[1].score, result.games[1].reason) == (score, reason)


def test_only_european_ratings_are_taken():
    people = [
        player("Arroyo", "Ana", rating="1526", ratingOrigin="EGF : 1526"),
        player("Benitez", "Blas", rating="1603", ratingOrigin="FFG : -447"),
        player("Canas", "Carla", rating="1500", ratingOrigin="INI"),
        player("Duarte", "Diego", registeringStatus="PRE"),
    ]
    result = gotha([game("ARROYOANA", "BENITEZBLAS")], people)
    assert [each.rating for each in result.players] == ["1526", "", ""]
    assert "go_foreign_ratings" in codes(result)


@pytest.mark.parametrize(
    ("games", "players", "code"),
    [
        ([game("CINARCETIN", "NADIENADA")], PEOPLE, "go_unknown_player"),
        ([game("CINARCETIN", "BENITEZBLAS"), game("BENITEZBLAS", "CINARCETIN")], PEOPLE, "go_played_twice"),
        ([game("CINARCETIN", "CINARCETIN")], PEOPLE, "go_bad_game"),
        ([game("CINARCETIN", "BENITEZBLAS", "RESULT_MAGIC")], PEOPLE, "go_bad_game"),
        ([game("CINARCETIN", "BENITEZBLAS", handicap=12)], PEOPLE, "go_bad_game"),
        ([game("CINARCETIN", "BENITEZBLAS")], [*PEOPLE, player("Cinar", "Çetin")], "go_listed_twice"),
    ],
)
def test_contradictions_of_opengotha(games, players, code):
    result = gotha(games, players)
    assert result.has_errors
    assert code in codes(result)


def test_small_boards_ask_before_rating():
    assert "go_board_size" in codes(gotha([game("CINARCETIN", "BENITEZBLAS")], size="13"))


def test_entities_are_refused():
    data = b'<!DOCTYPE Tournament [<!ENTITY a "b">]><Tournament><Players>&a;</Players></Tournament>'
    assert codes(read_go("a.xml", data)) == ["xml_entities"]
