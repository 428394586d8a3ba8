"""Every kind of invalid AEB event for `manage.py score` gives the right error, which names the field."""

import copy
import json

import pytest

from scoring.engine.errors import EngineError
from scoring.engine.strictjson import NotJSON, read_values
from scoring.regulations.answers import answer

POOL = {
    "regulation": "aeb-2026",
    "event_type": "pool",
    "format": "pairs",
    "boards": 24,
    "venue": "in_person",
    "contestants": [
        {"id": "p1", "place": 1, "players": [{"id": "101", "category": "1P", "licensed": True}, {"id": 102}]},
        {"id": "p2", "place": 2, "players": [{"id": 103, "category": None}, {"id": "104", "licensed": True}]},
    ],
}
GONE = object()


def changed(path, value):
    """Return POOL with the value at a path, such as contestants.0.place, replaced or added.

    The value GONE removes the field.
    """
    result = copy.deepcopy(POOL)
    *way, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    target = result
    for part in way:
        target = target[part]
    if value is GONE:
        del target[last]
    else:
        target[last] = value
    return result


def answer_text(text):
    (value,) = read_values(text)
    return answer(value)


def test_the_valid_pool_is_scored():
    result = answer(POOL)
    assert result["eligible"] is True
    assert [award["points"] for award in result["awards"]] == ["11.85", "0.12"]


WRONG = [
    ("regulation", "aeb-1999", "unknown_regulation", "regulation"),
    ("regulation", 2026, "wrong_type", "regulation"),
    ("regulation", GONE, "missing_field", "regulation"),
    ("family", "aeb", "conflicting_fields", "family"),
    ("date", "14/03/2026", "bad_date", "date"),
    ("date", "2026-02-30", "bad_date", "date"),
    ("date", "20260314", "bad_date", "date"),
    ("date", 20260314, "wrong_type", "date"),
    ("event_type", "mixed_women_teams_open", "unknown_event_type", "event_type"),
    ("event_type", GONE, "missing_field", "event_type"),
    ("event_type", None, "wrong_type", "event_type"),
    ("format", "triples", "unknown_format", "format"),
    ("format", GONE, "missing_field", "format"),
    ("boards", GONE, "missing_field", "boards"),
    ("boards", 0, "out_of_range", "boards"),
    ("boards", -24, "out_of_range", "boards"),
    ("boards", "24.0", "bad_number", "boards"),
    ("boards", " 24", "bad_number", "boards"),
    ("boards", "٢٤", "bad_number", "boards"),
    ("boards", "", "bad_number", "boards"),
    ("boards", True, "wrong_type", "boards"),
    ("boards", [24], "wrong_type", "boards"),
    ("boards", None, "wrong_type", "boards"),
    ("boards_scheduled", 0, "out_of_range", "boards_scheduled"),
    ("venue", "at_home", "unknown_venue", "venue"),
    ("venue", GONE, "missing_field", "venue"),
    ("ties", "worst", "unknown_ties", "ties"),
    ("place_rule", "worst", "unknown_place_rule", "place_rule"),
    ("c4", "1,5", "bad_number", "c4"),
    ("c4", "1e2", "bad_number", "c4"),
    ("c4", "NaN", "bad_number", "c4"),
    ("c4", "0", "out_of_range", "c4"),
    ("c4", "-1.2", "out_of_range", "c4"),
    ("c4", "1001", "out_of_range", "c4"),
    ("c4", None, "wrong_type", "c4"),
    ("contestant_count", 1, "contestant_count", "contestant_count"),
    ("contestant_count", 0, "out_of_range", "contestant_count"),
    ("contestants", GONE, "missing_field", "contestants"),
    ("contestants", [], "no_contestants", "contestants"),
    ("contestants", {}, "wrong_type", "contestants"),
    ("contestants.1", "p2", "wrong_type", "contestants[1]"),
    ("contestants.1.id", GONE, "missing_field", "contestants[1].id"),
    ("contestants.1.id", "p1", "duplicate_id", "contestants[1].id"),
    ("contestants.1.id", "  ", "wrong_type", "contestants[1].id"),
    ("contestants.1.id", False, "wrong_type", "contestants[1].id"),
    ("contestants.1.place", 3, "place_sequence", "contestants[1].place"),
    ("contestants.1.place", 0, "place_sequence", "contestants[1].place"),
    ("contestants.1.place", "-2", "place_sequence", "contestants[1].place"),
    ("contestants.1.place", "second", "bad_number", "contestants[1].place"),
    ("contestants.1.place", GONE, "missing_field", "contestants[1].place"),
    ("contestants.1.i", "1.5", "conflicting_fields", "contestants[1].i"),
    ("contestants.1.players", GONE, "missing_field", "contestants[1].players"),
    ("contestants.1.players.0.id", "101", "duplicate_id", "contestants[1].players[0].id"),
    ("contestants.1.players.1.id", 103, "duplicate_id", "contestants[1].players[1].id"),
    ("contestants.1.players.1.id", "103", "duplicate_id", "contestants[1].players[1].id"),
    ("contestants.1.players.1.category", "4D", "unknown_category", "contestants[1].players[1].category"),
    ("contestants.1.players.1.category", 1, "wrong_type", "contestants[1].players[1].category"),
    ("contestants.1.players.1.licensed", "yes", "wrong_type", "contestants[1].players[1].licensed"),
    ("contestants.1.players.1.licensed", 1, "wrong_type", "contestants[1].players[1].licensed"),
    ("board", 24, "unknown_field", "board"),
    ("tables", 6, "unknown_field", "tables"),
    ("session_seats", [], "unknown_field", "session_seats"),
    ("contestants.0.plaza", 1, "unknown_field", "contestants[0].plaza"),
    ("contestants.0.players.0.name", "N. N.", "unknown_field", "contestants[0].players[0].name"),
]


@pytest.mark.parametrize(("path", "value", "code", "field"), WRONG)
def test_invalid_values_give_an_error_that_names_the_field(path, value, code, field):
    text = json.dumps(changed(path, value))
    error = answer_text(text)["error"]
    assert (error["code"], error["field"]) == (code, field)
    assert error["message"]


IN_TEXT = [
    ('{"boards": 24.0}', "float", "boards"),
    ('{"boards": 1e3}', "float", "boards"),
    ('{"contestants": [{"i": 1.5}]}', "float", "contestants[0].i"),
    ('{"unheard_of": {"deep": [1, 2.5]}}', "float", "unheard_of.deep[1]"),
    ('{"boards": ' + "9" * 5000 + "}", "number_too_long", "boards"),
    ('{"boards": 24, "boards": 24}', "duplicate_key", "boards"),
    ('{"contestants": [{"id": 1, "id": 2}]}', "duplicate_key", "contestants[0].id"),
    ("[]", "wrong_type", ""),
    ("7", "wrong_type", ""),
    ("2.5", "float", ""),
    ("null", "wrong_type", ""),
    ('"text"', "wrong_type", ""),
    ('{"family": "aeb"}', "missing_field", "date"),
    ('{"family": "aeb", "date": "2021-12-31"}', "no_regulation", "date"),
    ('{"family": "bridge", "date": "2026-01-01"}', "unknown_family", "family"),
    ('{"contestants": ' + "[" * 100 + "]" * 100 + "}", "wrong_type", "contestants" + "[0]" * 16),
]


@pytest.mark.parametrize(("text", "code", "field"), IN_TEXT, ids=range(len(IN_TEXT)))
def test_invalid_json_values_give_an_error_that_names_the_field(text, code, field):
    error = answer_text(text)["error"]
    assert (error["code"], error["field"]) == (code, field)


def test_an_error_has_a_documented_code():
    with pytest.raises(ValueError, match="undocumented"):
        EngineError("surprise", "", "an undocumented code")


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\n ",
        "{",
        "nope",
        '{"a": 1} {"b": 2}',
        '{"a": NaN}',
        '{"a": Infinity}',
        "{'a': 1}",
        "[" * 100_000,
    ],
)
def test_text_that_is_not_json_is_refused(text):
    with pytest.raises(NotJSON):
        read_values(text)


def test_an_error_of_parsing_names_the_line():
    with pytest.raises(NotJSON, match="line 3"):
        read_values('{"a": 1}\n\n{"b": }\n{"c": 3}\n')


def test_json_lines_and_one_object_over_several_lines_are_read():
    assert read_values('{"a":\n 1}\n') == [{"a": 1}]
    assert read_values('\n{"a": 1}\r\n\n{"a": "x\u2028y"}\n') == [{"a": 1}, {"a": "x\u2028y"}]


def test_numbers_can_be_given_as_strings():
    as_strings = changed("boards", "24")
    as_strings["contestants"][0]["place"] = "1"
    assert answer(as_strings) == answer(POOL)


def test_ids_are_returned_with_the_type_in_which_they_were_given():
    awards = answer(changed("contestants.0.id", 7))["awards"]
    assert [(award["contestant"], award["players"]) for award in awards] == [
        (7, ["101", 102]),
        ("p2", [103, "104"]),
    ]


def test_family_and_date_choose_the_regulation():
    by_date = changed("regulation", GONE) | {"family": "aeb", "date": "2025-12-31"}
    assert answer(by_date)["regulation"] == "aeb-2022"
    assert answer(POOL | {"date": "2025-12-31"})["regulation"] == "aeb-2026"


def test_positions_can_be_given_instead_of_places():
    middle = {
        "regulation": "aeb-2022",
        "event_type": "zonal",
        "format": "teams",
        "boards": 80,
        "venue": "in_person",
        "c4": "1.15",
        "contestant_count": 3,
        "contestants": [{"id": "middle", "i": "3.50"}, {"id": "second", "place": 2}],
    }
    awards = answer(middle)["awards"]
    assert [(a["place"], a["i"], a["points"]) for a in awards] == [(None, "3.5", "51.60"), (2, "3", "64.86")]


def test_without_licence_fields_licences_are_not_checked():
    unnamed = copy.deepcopy(POOL)
    for contestant in unnamed["contestants"]:
        for player in contestant["players"]:
            player.pop("licensed", None)
    assert answer(unnamed)["eligible"] is True
    without = changed("contestants.0.players.1.licensed", False)
    assert answer(without)["reasons"] == ["too_few_licences"]
    assert answer(without)["awards"] == []
    assert answer(without)["p_max"] == answer(POOL)["p_max"]
