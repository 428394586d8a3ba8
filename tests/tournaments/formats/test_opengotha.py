"""OpenGotha's XML, with fictitious games."""

import pytest

from tournaments.formats import read_go
from tournaments.formats.go_types import GoResult


def codes(result: GoResult) -> list[str]:
    return [issue.code for issue in result.issues]


def player(name: str, first: str, **fields) -> str:
    values = {
        "country": "TR",
        "egfPin": "",
        "grade": "5K",
        "rank": "5K",
        "rating": "1600",
        "ratingOrigin": "",
        "registeringStatus": "FIN",
        **fields,
    }
    attributes = " ".join(f'{key}="{value}"' for key, value in values.items())
    return f'<Player name="{name}" firstName="{first}" {attributes}/>'


def game(white: str, black: str, result: str = "RESULT_WHITEWINS", number: int = 1, handicap: int = 0) -> str:
    return (
        f'<Game roundNumber="{number}" whitePlayer="{white}" blackPlayer="{black}" knownColor="true" '
        f'handicap="{handicap}" result="{result}"/>'
    )


PEOPLE = [player("Çınar", "Cetin"), player("Benitez", "Blas", egfPin="10000002", country=" es")]


def gotha(
    games: list[str],
    players: list[str] = PEOPLE,
    size: str = "19",
    name: str = "Copa",
    end: str = "2026-03-15",
    begin: str = "2026-03-14",
) -> GoResult:
    text = (
        '<?xml version="1.0" encoding="UTF-8"?><Tournament dataVersion="201">\n'
        f"<Players>\n{chr(10).join(players)}\n</Players>\n<Games>\n{chr(10).join(games)}\n</Games>\n"
        f'<TournamentParameterSet><GeneralParameterSet name="{name}" shortName="copa" '
        f'beginDate="{begin}" endDate="{end}" size="{size}"/></TournamentParameterSet></Tournament>'
    )
    return read_go("copa.xml", text.encode())


def test_players_are_matched_to_games_by_keys_with_turkish_letters():
    result = gotha([game("ÇINARCETİN", "BENITEZBLAS", handicap=2)])
    assert (result.name, result.start, result.end) == ("Copa", "2026-03-14", "2026-03-15")
    assert (result.format_name, read_go("copa.xml", b"<Nothing/>").format_name) == ("opengotha", "unknown")
    assert [(p.name, p.grade, p.pin) for p in result.players] == [
        ("Çınar Cetin", "5k", ""),
        ("Benitez Blas", "5k", "10000002"),
    ]
    assert [p.country for p in result.players] == ["TR", "ES"]
    results = result.games[0]
    assert (results.first, results.second, results.score, results.handicap) == (1, 2, "1", 2)
    assert codes(result) == ["go_no_pin"]


@pytest.mark.parametrize(
    ("outcome", "score", "reason"),
    [
        ("RESULT_BLACKWINS", "0", ""),
        ("RESULT_EQUAL", "0.5", ""),
        ("RESULT_BLACKWINS_BYDEF", "0", "forfeit"),
        ("RESULT_WHITEWINS_BYDEF", "1", "forfeit"),
        ("RESULT_UNKNOWN", "", "unfinished"),
        ("RESULT_BOTHLOSE", "", "both_lose"),
        ("RESULT_BOTHWIN", "", "both_win"),
        ("RESULT_EQUAL_BYDEF", "0.5", "forfeit"),
        ("RESULT_BOTHLOSE_BYDEF", "", "both_lose"),
        ("RESULT_BOTHWIN_BYDEF", "", "both_win"),
    ],
)
def test_every_kind_of_game_result_is_read(outcome, score, reason):
    result = gotha([game("CINARCETIN", "BENITEZBLAS"), game("CINARCETIN", "BENITEZBLAS", outcome, 2)])
    assert (result.games[1].score, result.games[1].reason) == (score, reason)


def test_an_unreadable_grade_is_replaced_by_the_rank():
    people = [
        player("Arroyo", "Ana", grade="20", rank="20K"),
        player("Benitez", "Blas", grade="3C", rank="3D"),
        player("Canas", "Carla", grade="", rank=" 7k"),
        player("Duarte", "Diego", grade="2D", rank="1D"),
    ]
    result = gotha([game("ARROYOANA", "BENITEZBLAS")], people)
    assert [item.grade for item in result.players] == ["20k", "3d", "7k", "2d"]
    assert [issue.params["count"] for issue in result.issues if issue.code == "go_rank_taken"] == [3]
    neither = gotha(
        [game("ARROYOANA", "BENITEZBLAS")], [*people[:2], player("Eva", "E", grade="3C", rank="?")]
    )
    assert "go_bad_grade" in codes(neither)


def test_players_who_only_registered_are_left_out_unless_they_have_games():
    people = [
        player("Arroyo", "Ana"),
        player("Benitez", "Blas", registeringStatus="PRE"),
        player("Canas", "Carla", registeringStatus="PRE"),
    ]
    result = gotha([game("ARROYOANA", "BENITEZBLAS")], people)
    assert [item.name for item in result.players] == ["Arroyo Ana", "Benitez Blas"]
    assert not result.has_errors


def test_unreadable_dates_are_reported():
    result = gotha([game("CINARCETIN", "BENITEZBLAS")], end="March")
    assert (result.start, result.end) == ("2026-03-14", "")
    assert [issue.field for issue in result.issues if issue.code == "go_bad_date"] == ["endDate"]
    result = gotha([game("CINARCETIN", "BENITEZBLAS")], begin="March")
    assert [issue.field for issue in result.issues if issue.code == "go_bad_date"] == ["beginDate"]
    assert gotha([game("CINARCETIN", "BENITEZBLAS")], name="").name == "copa"


def test_only_european_ratings_are_read():
    people = [
        player("Arroyo", "Ana", rating="1526", ratingOrigin="EGF : 1526"),
        player("Benitez", "Blas", rating="1603", ratingOrigin="FFG : -447"),
        player("Canas", "Carla", rating="1500", ratingOrigin="INI"),
        player("Duarte", "Diego", registeringStatus="PRE"),
    ]
    result = gotha([game("ARROYOANA", "BENITEZBLAS")], people)
    assert [item.rating for item in result.players] == ["1526", "", ""]
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
def test_contradictions_between_players_and_games_are_refused(games, players, code):
    result = gotha(games, players)
    assert result.has_errors
    assert code in codes(result)


@pytest.mark.parametrize(("handicap", "allowed"), [(0, True), (9, True), (10, False)])
def test_a_handicap_above_nine_stones_is_refused(handicap, allowed):
    result = gotha([game("CINARCETIN", "BENITEZBLAS", handicap=handicap)])
    assert [game.handicap for game in result.games] == ([handicap] if allowed else [])


@pytest.mark.parametrize(
    ("result", "handicap", "value"), [("RESULT_MAGIC", 0, "RESULT_MAGIC"), ("RESULT_WHITEWINS", 12, "12")]
)
def test_the_error_for_an_impossible_game_has_the_wrong_value(result, handicap, value):
    issue = next(
        item
        for item in gotha([game("CINARCETIN", "BENITEZBLAS", result, handicap=handicap)]).issues
        if item.code == "go_bad_game"
    )
    assert (issue.field, issue.value) == ("result", value)


def test_the_error_for_a_player_listed_twice_has_both_lines():
    result = gotha([game("CINARCETIN", "BENITEZBLAS")], [*PEOPLE, player("Cinar", "Çetin")])
    results = {
        (issue.line, issue.params["first"], issue.value)
        for issue in result.issues
        if issue.code == "go_listed_twice"
    }
    assert results == {(5, 3, "Cinar Çetin")}


def test_a_tournament_on_small_boards_is_asked_about():
    assert "go_board_size" in codes(gotha([game("CINARCETIN", "BENITEZBLAS")], size="13"))


def test_entities_are_refused():
    data = b'<!DOCTYPE Tournament [<!ENTITY a "b">]><Tournament><Players>&a;</Players></Tournament>'
    assert codes(read_go("a.xml", data)) == ["xml_entities"]


@pytest.mark.parametrize("number", [0, 100, -1])
def test_an_impossible_round_number_is_refused(number):
    result = gotha([game("CINARCETIN", "BENITEZBLAS"), game("CINARCETIN", "BENITEZBLAS", number=number)])
    issue = next(item for item in result.issues if item.code == "go_bad_game")
    assert (issue.field, issue.value) == ("roundNumber", str(number))


def test_a_tournament_named_rengo_is_asked_about():
    assert "go_rengo" in codes(gotha([game("CINARCETIN", "BENITEZBLAS")], name="Torneo de rengo"))
