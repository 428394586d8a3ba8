"""Every kind of invalid input under the regulations other than the AEB's gives the right error."""

import copy
import json

import pytest

from scoring.engine.errors import CODES
from scoring.engine.strictjson import read_values
from scoring.regulations import ALL
from scoring.regulations.answers import answer
from tests.folders import REGULATIONS
from tests.scoring.engine.test_schemas import INPUT, ONLY_THE_ENGINE, OUTPUT
from tests.scoring.engine.test_strict_json import GONE, IN_TEXT, WRONG

# Errors that a JSON schema cannot detect, because they compare fields or depend on dates.
ACROSS = ONLY_THE_ENGINE | {"no_regulation", "unknown_player", "same_player"}
ACROSS |= {"duplicate_game", "duplicate_result"}
PLACED = [
    ("contestants", GONE, "missing_field", "contestants"),
    ("contestants", [], "no_contestants", "contestants"),
    ("contestants.0.place", GONE, "missing_field", "contestants[0].place"),
    ("contestants.0.place", 0, "place_sequence", "contestants[0].place"),
    ("contestants.0.i", "1.5", "unknown_field", "contestants[0].i"),
    ("contestants.0.players", [{"id": 1}, {"id": "1"}], "duplicate_id", "contestants[0].players[1].id"),
    (
        "contestants.0.players",
        [{"id": 1, "name": "N. N."}],
        "unknown_field",
        "contestants[0].players[0].name",
    ),
    ("contestant_count", 1, "contestant_count", "contestant_count"),
    ("ties", "worst", "unknown_ties", "ties"),
    ("c4", "1.5", "unknown_field", "c4"),
    ("event_type", "pool", "unknown_field", "event_type"),
    ("format", "pairs", "unknown_field", "format"),
    ("venue", "in_person", "unknown_field", "venue"),
    ("boards_scheduled", 20, "unknown_field", "boards_scheduled"),
    ("games", [], "unknown_field", "games"),
]
RATED = [
    ("players", GONE, "missing_field", "players"),
    ("players", [], "no_players", "players"),
    ("games", GONE, "missing_field", "games"),
    ("class", "E", "unknown_class", "class"),
    ("class", 1, "wrong_type", "class"),
    ("iterations", 1, "unknown_field", "iterations"),
    ("contestants", [], "unknown_field", "contestants"),
    ("players.1.id", "A", "duplicate_id", "players[1].id"),
    ("players.0.rating", "1721,5", "bad_number", "players[0].rating"),
    ("players.0.rating", "10000", "out_of_range", "players[0].rating"),
    ("players.0.rating", "-10001", "out_of_range", "players[0].rating"),
    ("players.0.declared", "4 kyu", "unknown_grade", "players[0].declared"),
    ("players.0.declared", "31k", "unknown_grade", "players[0].declared"),
    ("players.0.highest_declared", "10d", "unknown_grade", "players[0].highest_declared"),
    ("players.0.highest_declared", "0k", "unknown_grade", "players[0].highest_declared"),
    ("players.3.declared", GONE, "missing_field", "players[3].rating"),
    ("players.0.name", "N. N.", "unknown_field", "players[0].name"),
    ("games.0.round", GONE, "missing_field", "games[0].round"),
    ("games.0.round", 0, "out_of_range", "games[0].round"),
    ("games.0.players", ["A"], "wrong_type", "games[0].players"),
    ("games.0.players", ["A", None], "wrong_type", "games[0].players[1]"),
    ("games.0.players", ["A", "Z"], "unknown_player", "games[0].players[1]"),
    ("games.0.players", ["A", "A"], "same_player", "games[0].players[1]"),
    ("games.0.scores", ["1", "1"], "bad_scores", "games[0].scores"),
    ("games.0.scores", ["0.7", "0.3"], "bad_scores", "games[0].scores"),
    ("games.0.scores", GONE, "missing_field", "games[0].scores"),
    ("games.0.scores", ["1"], "wrong_type", "games[0].scores"),
    ("games.0.handicap", -1, "out_of_range", "games[0].handicap"),
    ("games.0.handicap", 10, "out_of_range", "games[0].handicap"),
    ("games.1.players", ["B", "A"], "duplicate_game", "games[1]"),
]
ADJUSTED = [
    ("results", GONE, "missing_field", "results"),
    ("results", [], "no_results", "results"),
    ("iterations", -1, "out_of_range", "iterations"),
    ("iterations", 1001, "out_of_range", "iterations"),
    ("boards", 20, "unknown_field", "boards"),
    ("results.0.board", GONE, "missing_field", "results[0].board"),
    ("results.0.ew", "1", "same_player", "results[0].ew"),
    ("results.0.ns_score", GONE, "missing_field", "results[0].ns_score"),
    ("results.0.ns_score", "100.5", "out_of_range", "results[0].ns_score"),
    ("results.0.ew_score", "-0.5", "out_of_range", "results[0].ew_score"),
    ("results.0.adjusted", 1, "wrong_type", "results[0].adjusted"),
    ("results.0.pair", 1, "unknown_field", "results[0].pair"),
    ("results.2", {"board": 1, "ns": 2, "ew": 1, "ns_score": 0}, "duplicate_result", "results[2]"),
]
BY_EXAMPLE = {
    "sbf-2019-bronze": [
        *PLACED,
        ("decimals", 3, "out_of_range", "decimals"),
        ("decimals", -1, "out_of_range", "decimals"),
        ("places_table", "B", "unknown_places_table", "places_table"),
        ("boards", 24, "unknown_field", "boards"),
        ("date", "2018-12-31", "no_regulation", "date"),
    ],
    "sbf-2019-silver": [
        *PLACED,
        ("boards", GONE, "missing_field", "boards"),
        ("boards", 0, "out_of_range", "boards"),
        ("places_table", "AY", "unknown_field", "places_table"),
    ],
    "acbl-overall": [
        *PLACED,
        ("tables", GONE, "missing_field", "tables"),
        ("tables", 0, "out_of_range", "tables"),
        ("tables", "12.25", "bad_number", "tables"),
        ("rating", "galactic", "unknown_rating", "rating"),
        ("rating", GONE, "missing_field", "rating"),
        ("sessions", 6, "out_of_range", "sessions"),
        ("restriction", "three", "unknown_restriction", "restriction"),
        ("factors", GONE, "missing_factor", "factors.M"),
        ("factors.T", GONE, "missing_factor", "factors.T"),
        ("factors.depth", GONE, "missing_factor", "factors.depth"),
        ("factors.depth", "1.5", "out_of_range", "factors.depth"),
        ("factors.M", 0, "out_of_range", "factors.M"),
        ("factors.Q", 1, "unknown_field", "factors.Q"),
        ("factors", [], "wrong_type", "factors"),
        ("decimals", 2, "unknown_field", "decimals"),
    ],
    "acbl-club": [
        *PLACED,
        ("factors", {"M": 1}, "unknown_field", "factors.M"),
        ("factors", {"depth": 0}, "out_of_range", "factors.depth"),
        ("tables", 5, "unknown_field", "tables"),
        ("restriction", "one", "unknown_field", "restriction"),
    ],
    "egf-classic": [
        *RATED,
        ("epsilon", "1.1", "out_of_range", "epsilon"),
        ("epsilon", "-0.1", "out_of_range", "epsilon"),
        ("date", "1995-12-31", "no_regulation", "date"),
    ],
    "egf-2021": [
        *RATED,
        ("epsilon", "0.016", "unknown_field", "epsilon"),
        ("players.0.rating", 3300, "out_of_range", "players[0].rating"),
    ],
    "strength-mp": ADJUSTED,
    "strength-imp": [("results.0.ns_score", 1001, "out_of_range", "results[0].ns_score")],
}
CASES = [(code, *case) for code, cases in BY_EXAMPLE.items() for case in cases]


def test_every_regulation_but_the_aebs_has_invalid_inputs_here():
    assert BY_EXAMPLE.keys() == {regulation.code for regulation in ALL if regulation.family != "aeb"}


def changed(code, path, value):
    """Return the regulation's example input with the value at a path replaced or added.

    The value GONE removes the field.
    """
    (example,) = REGULATIONS.glob(f"*/examples/{code}.input.json")
    result = json.loads(example.read_text(encoding="utf-8"))
    *way, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    target = result
    for part in way:
        target = target[part]
    if value is GONE:
        del target[last]
    else:
        target[last] = copy.deepcopy(value)
    return result


def refused(code, path, value):
    (read,) = read_values(json.dumps(changed(code, path, value)))
    return answer(read)


@pytest.mark.parametrize(("regulation", "path", "value", "code", "field"), CASES)
def test_invalid_values_give_an_error_that_names_the_field(regulation, path, value, code, field):
    result = refused(regulation, path, value)
    assert (result["error"]["code"], result["error"]["field"]) == (code, field)
    assert result["error"]["message"]
    assert OUTPUT.is_valid(result)


@pytest.mark.parametrize(
    ("regulation", "path", "value"),
    [(regulation, path, value) for regulation, path, value, code, field in CASES if code not in ACROSS],
)
def test_the_schema_refuses_what_the_engine_refuses(regulation, path, value):
    assert not INPUT.is_valid(changed(regulation, path, value))


def test_missing_factors_are_all_named():
    message = refused("acbl-overall", "factors", {"M": 1})["error"]["message"]
    assert "T, depth" in message
    assert " M" not in message


def test_these_tests_cover_every_error_code_except_one_of_receipts():
    reached = {code for *_, code, _ in WRONG} | {code for _, code, _ in IN_TEXT}
    reached |= {code for *_, code, _ in CASES}
    assert reached == set(CODES) - {"unknown_contestant"}


@pytest.mark.parametrize(
    ("family", "day", "code"),
    [
        ("sbf", "2019-01-01", "sbf-2019-bronze"),
        ("sbf", "2026-01-01", "sbf-2019-bronze"),
    ],
)
def test_the_swedish_family_in_json_means_bronze(family, day, code):
    request = {"family": family, "date": day, "contestants": [{"id": 1, "place": 1}]}
    assert answer(request)["regulation"] == code


@pytest.mark.parametrize(
    ("day", "code"),
    [("1996-01-01", "egf-classic"), ("2020-12-31", "egf-classic"), ("2021-01-01", "egf-2021")],
)
def test_the_date_chooses_the_rating_system(day, code):
    request = {"family": "egf", "date": day, "players": [{"id": 1, "declared": "1d"}], "games": []}
    assert answer(request)["regulation"] == code
    assert INPUT.is_valid(request)


@pytest.mark.parametrize("family", ["sbf-silver", "acbl", "strength"])
def test_other_families_cannot_be_chosen_by_date(family):
    result = answer({"family": family, "date": "2021-01-01"})
    assert result["error"]["code"] == "unknown_family"


def test_ids_are_returned_as_they_were_given():
    rated = answer(changed("egf-2021", "players.0.id", 7) | {"games": []})
    assert [change["player"] for change in rated["changes"]] == [7, "B", "C", "D"]
    session = {"regulation": "strength-mp", "results": [{"board": 1, "ns": 7, "ew": "8", "ns_score": 50}]}
    assert [item["id"] for item in answer(session)["contestants"]] == [7, "8"]
