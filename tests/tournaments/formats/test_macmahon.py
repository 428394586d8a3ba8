"""Files of Gerlach's MacMahon, in both shapes that readers of such files know, with fictitious games."""

from dataclasses import replace
from datetime import date
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.demo.go import egd_table, opengotha
from scoring.ratings.services.register import Event
from tests.tournaments.formats.examples import EXAMPLES
from tournaments.formats import read_go
from tournaments.formats.go_types import GoGame, GoPlayer, GoResult

NAMES = ("Arroyo Ana", "Benítez Blas", "Cañas Carla", "Duarte Diego")
PEOPLE = tuple(
    GoPlayer(0, name, grade, f"1000000{number}", "ES", given_name=name.split()[-1])
    for number, (name, grade) in enumerate(zip(NAMES, ("2d", "1k", "12k", "3k"), strict=True), start=1)
)
GAMES = (GoGame(1, 1, 2, "1"), GoGame(1, 3, 4, "0"))


def element(tag: str, *content: object) -> str:
    return f"<{tag}>{''.join(map(str, content))}</{tag}>"


def person(number: int, player: GoPlayer, preliminary: str = "false", rating: str = "") -> str:
    surname, _space, first = player.name.rpartition(" ")
    fields = {
        "FirstName": first,
        "Surname": surname,
        "Country": player.country,
        "GoLevel": player.grade,
        "Rating": rating,
        "EgdPin": player.pin,
    }
    return (
        element("Id", number)
        + element("PreliminaryRegistration", preliminary)
        + element("SuperBarMember", "false")
        + element("GoPlayer", *(element(tag, escape(text)) for tag, text in fields.items()))
    )


def pairing(white: object, black: object, result: str = "0-1", stones: object = 0, bye: str = "false") -> str:
    fields = {"PairingWithBye": bye, "White": white, "Black": black, "Handicap": stones, "Result": result}
    return element("Pairing", *(element(tag, value) for tag, value in fields.items()))


def macmahon(
    people: list[str],
    rounds: dict[object, list[str]],
    name: str = "Copa",
    lists: bool = False,
    more: str = "",
) -> GoResult:
    """Read a file with these players and rounds; `lists` chooses the second shape."""
    entrant, part = ("Player", "Round") if lists else ("IndividualParticipant", "TournamentRound")
    players = "".join(element(entrant, text) + "\n" for text in people)
    games = "".join(element(part, element("RoundNumber", n), *pairs) + "\n" for n, pairs in rounds.items())
    head = element("Name", name) + more
    if lists:
        body = element("Tournament", head) + element("Playerlist", players) + element("Roundlist", games)
        text = element("TournamentData", body)
    else:
        text = f'<Tournament typeversion="2">{head}\n{players}{games}</Tournament>'
    return read_go("copa.xml", f'<?xml version="1.0" encoding="UTF-8"?>\n{text}'.encode())


ENTRANTS = [person(number, player) for number, player in enumerate(PEOPLE, start=1)]


def codes(result: GoResult) -> list[str]:
    return [issue.code for issue in result.issues]


@pytest.mark.parametrize("lists", [False, True])
def test_players_and_games_are_read(lists):
    result = macmahon(ENTRANTS, {1: [pairing(1, 2), pairing(3, 4, "1-0", 4)]}, lists=lists)
    assert (result.format_name, result.name, result.issues) == ("macmahon", "Copa", ())
    assert [replace(player, line=0) for player in result.players] == list(PEOPLE)
    assert [(game.first, game.second, game.score, game.handicap) for game in result.games] == [
        (1, 2, "1", 0),
        (3, 4, "0", 4),
    ]


@pytest.mark.parametrize(
    ("text", "score", "reason"),
    [
        ("1-0", "0", ""),
        ("0-1", "1", ""),
        (" 0 - 1 ", "1", ""),
        ("½-½", "0.5", ""),
        ("1/2-1/2", "0.5", ""),
        ("0-1!", "1", "forfeit"),
        ("0-0!", "", "both_lose"),
        ("1-1", "", "both_win"),
        ("?-?", "", "unfinished"),
        ("", "", "unfinished"),
    ],
)
def test_results_state_the_score_of_black_first(text, score, reason):
    game = macmahon(ENTRANTS, {1: [pairing(1, 2), pairing(3, 4, text)]}).games[1]
    assert (game.score, game.reason) == (score, reason)


def test_a_result_by_the_referee_is_not_rated():
    decided = pairing(3, 4).replace("</Pairing>", element("ResultByReferee", "true") + "</Pairing>")
    assert macmahon(ENTRANTS, {1: [pairing(1, 2), decided]}).games[1].reason == "forfeit"


def test_byes_are_no_games():
    result = macmahon(ENTRANTS, {1: [pairing(1, 2), pairing(0, 3, "1-0", bye="true")]})
    assert (len(result.games), result.issues) == (1, ())


def test_players_who_only_registered_are_left_out_unless_they_have_games():
    waiting = [person(n, player, preliminary="true") for n, player in enumerate(PEOPLE[1:], start=2)]
    result = macmahon([ENTRANTS[0], *waiting], {1: [pairing(1, 3)]})
    assert [player.name for player in result.players] == [PEOPLE[0].name, PEOPLE[2].name]


def test_a_rating_is_read_only_with_a_pin():
    people = [person(1, PEOPLE[0], rating="2150"), person(2, replace(PEOPLE[1], pin=""), rating="1999")]
    assert [player.rating for player in macmahon(people, {1: [pairing(1, 2)]}).players] == ["2150", ""]


def test_a_file_saved_before_the_last_round_is_asked_about():
    result = macmahon(ENTRANTS, {1: [pairing(1, 2)]}, more=element("NumberOfRounds", 3))
    assert [(issue.code, issue.value) for issue in result.issues] == [("go_rounds_missing", "3")]
    assert "go_rengo" in codes(macmahon(ENTRANTS, {1: [pairing(1, 2)]}, name="Torneo de rengo"))


@pytest.mark.parametrize(
    ("people", "rounds", "code", "line"),
    [
        (ENTRANTS, {1: [pairing(1, 99)]}, "go_unknown_player", 7),
        (ENTRANTS, {1: [pairing(1, 1)]}, "go_bad_game", 7),
        (ENTRANTS, {1: [pairing(1, 2), "\n" + pairing(2, 1)]}, "go_played_twice", 8),
        (ENTRANTS, {1: [pairing(1, 2, "2-0")]}, "go_bad_game", 7),
        (ENTRANTS, {1: [pairing(1, 2, stones=12)]}, "go_bad_game", 7),
        (ENTRANTS, {1: [pairing(1, 2, stones=-1)]}, "go_bad_game", 7),
        (ENTRANTS, {10_000: [pairing(1, 2)]}, "go_bad_game", 7),
        (ENTRANTS, {"": [pairing(1, 2)]}, "go_bad_game", 7),
        (
            [*ENTRANTS, person(1, replace(PEOPLE[0], pin="10000009"))],
            {1: [pairing(1, 2)]},
            "go_listed_twice",
            7,
        ),
        ([*ENTRANTS, person(5, PEOPLE[0])], {1: [pairing(1, 2)]}, "go_listed_twice", 7),
        ([person(1, replace(PEOPLE[0], grade="strong"))], {1: [pairing(1, 2)]}, "go_bad_grade", 3),
    ],
)
def test_contradictions_are_refused_with_their_line(people, rounds, code, line):
    result = macmahon(people, rounds)
    assert (code, line) in [(issue.code, issue.line) for issue in result.issues]
    assert result.has_errors


def test_a_second_game_in_a_round_is_found_in_a_file_without_line_breaks():
    assert "go_played_twice" in codes(macmahon(ENTRANTS, {1: [pairing(1, 2), pairing(2, 1)]}))


def test_ten_thousand_impossible_rounds_give_a_hundred_issues():
    result = macmahon(ENTRANTS, {number: [pairing(1, 2)] for number in range(1, 10_001)})
    assert codes(result).count("go_bad_game") == 100


def test_a_file_without_games_or_players_is_refused():
    assert "go_no_games" in codes(macmahon(ENTRANTS, {}))
    assert "go_no_players" in codes(macmahon([], {}))


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b'<!DOCTYPE a [<!ENTITY a "b">]><TournamentData><Name>&a;</Name></TournamentData>', "xml_entities"),
        (EXAMPLES["macmahon"][1][:-40], "truncated"),
    ],
)
def test_hostile_and_damaged_xml_is_refused(data, code):
    assert code in codes(read_go("copa.xml", data))


# --- One tournament in three formats --------------------------------------------------------------------
def as_macmahon(result: GoResult) -> GoResult:
    scores = {"1": "0-1", "0": "1-0"}
    rounds: dict[object, list[str]] = {}
    for game in result.games:
        text = scores[game.score] + ("!" if game.reason else "")
        rounds.setdefault(game.round, []).append(pairing(game.first, game.second, text, game.handicap))
    return macmahon([person(number, player) for number, player in enumerate(result.players, start=1)], rounds)


@st.composite
def tournaments(draw) -> GoResult:
    """Draw one to three rounds among four players with decided games or forfeits, the first of them rated."""
    games = []
    for number in range(1, draw(st.integers(1, 3)) + 1):
        order = draw(st.permutations([1, 2, 3, 4]))
        for white, black in (order[:2], order[2:]):
            reason = draw(st.sampled_from(["", "forfeit"])) if games else ""
            score, stones = draw(st.sampled_from("01")), draw(st.integers(0, 9))
            games.append(GoGame(number, white, black, score, stones, True, reason))
    return GoResult("", "", players=PEOPLE, games=tuple(games))


def content(result: GoResult) -> tuple[list, list]:
    """Return the players and the games of a result, without what depends on the format."""
    assert not result.has_errors, result.issues
    games = sorted(
        (game.round, game.first, game.second, game.score, game.handicap, game.reason) for game in result.games
    )
    return [(player.name, player.grade, player.pin, player.country) for player in result.players], games


@given(tournaments())
def test_the_same_tournament_in_three_formats_has_the_same_games(tournament):
    event = Event("Copa", date(2026, 3, 14), date(2026, 3, 15), "B", tournament)
    expected = content(tournament)
    assert content(as_macmahon(tournament)) == expected
    assert content(read_go("copa.h9", egd_table(event).encode())) == expected
    assert content(read_go("copa.xml", opengotha(event).encode())) == expected
