"""USEBIO files of all variants that scoring programs write."""

import json

import pytest

from tests.tournaments.formats import makers
from tournaments.formats import read_results
from tournaments.formats.types import ParsedResult


def codes(result):
    return [issue.code for issue in result.issues]


def read(event):
    return read_results("result.xml", event.data())


def test_a_session_of_pairs_with_one_winner_is_read():
    result = read(makers.Event(body=makers.participants(*(p.xml() for p in makers.one_winner_pairs()))))
    assert result.issues == ()
    assert result.format_name == "usebio"
    event = result.event
    assert (event.title, event.date, event.kind) == ("Torneo de prueba", "2026-03-14", "pairs")
    assert (event.club_name, event.club_number, event.source_id) == ("Club Inventado", "77", "4711")
    assert (event.winner_type, event.scoring, event.session_count) == (1, "match_points", 1)
    assert (event.boards, event.boards_scheduled) == (None, None)
    first = result.entries[0]
    assert (first.number, first.place, first.percentage, first.direction) == ("1", "1", "65.25", None)
    assert [person.number for person in first.people] == ["500001", "500002"]


def test_a_session_with_two_winners_is_read_with_directions_and_travellers():
    result = read(makers.mitchell(4, 12))
    assert result.issues == ()
    assert [entry.direction for entry in result.entries] == ["NS", "EW"] * 4
    assert (result.event.boards, result.event.boards_scheduled) == (12, 12)
    assert len(result.boards) == 48
    assert result.boards[0].ns == ("1NS",)
    assert (result.boards[0].score, result.boards[0].ns_points, result.boards[0].declarer) == (
        "420",
        "4",
        "N",
    )


def test_pairs_with_the_same_number_are_distinguished_by_direction():
    event = makers.mitchell(3, 9, suffix=False)
    # Pair 1 North-South sat out the last board, but pair 1 East-West did not.
    event.body = event.body.replace(makers.line("1", "1", extra=makers.LIN), "", 1)
    result = read(event)
    assert result.event.winner_type == 2
    assert (result.event.boards, result.event.boards_scheduled) == (8, 9)


def test_a_blank_direction_is_taken_from_the_pair_number():
    event = makers.mitchell(3, 6)
    event.body = event.body.replace("<DIRECTION>NS</DIRECTION>", "<DIRECTION></DIRECTION>")
    assert [entry.direction for entry in read(event).entries] == ["NS", "EW"] * 3


def test_butler_scores_may_be_negative_and_the_scoring_may_have_an_old_name():
    pairs = makers.one_winner_pairs(4)
    for pair, score in zip(pairs, ("25.00", "3.50", "-5.00", "-23.50"), strict=True):
        pair.percentage, pair.score = "", score
    event = makers.Event(
        "BUTLER_PAIRS",
        heading="<SCORING_METHOD>IMPS</SCORING_METHOD>",
        body=makers.participants(*(pair.xml() for pair in pairs)),
    )
    result = read(event)
    assert result.issues == ()
    assert result.event.scoring == "butler_imps"
    assert [entry.score for entry in result.entries] == ["25.00", "3.50", "-5.00", "-23.50"]


def test_sections_inside_a_session_are_read():
    pairs = makers.one_winner_pairs(4)
    lists = [makers.participants(*(pair.xml() for pair in half)) for half in (pairs[:2], pairs[2:])]
    body = '<SESSION SESSION_ID="1">'
    for name, items, numbers in (("A", lists[0], ("1", "2")), ("B", lists[1], ("3", "4"))):
        boards = makers.board(1, makers.line(*numbers)) + makers.board(2, makers.line(*numbers))
        body += f'<SECTION SECTION_ID="{name}">{items}{boards}</SECTION>'
    result = read(makers.Event(body=body + "</SESSION>"))
    assert result.issues == ()
    assert [entry.section for entry in result.entries] == ["A", "A", "B", "B"]
    assert [board.section for board in result.boards] == ["A", "A", "B", "B"]
    assert result.event.boards == 2


def test_an_individual_event_may_have_ties_and_unlisted_players_in_its_travellers():
    result = read(makers.individual([("1", "60"), ("2=", "55"), ("2=", "55"), ("4", "40.5")]))
    assert result.issues == ()
    assert result.event.kind == "individual"
    assert [entry.place for entry in result.entries] == ["1", "2=", "2=", "4"]
    assert [len(entry.people) for entry in result.entries] == [1, 1, 1, 1]
    assert result.boards[0].ns == ("1", "101")
    assert result.event.boards == 22


def test_a_team_gets_its_place_from_its_own_element_and_its_people_from_its_pairs():
    result = read(makers.teams(4, boards=6))
    assert result.issues == ()
    assert result.event.kind == "teams"
    assert [entry.team for entry in result.entries] == [f"Equipo {n}" for n in range(1, 5)]
    assert [len(entry.people) for entry in result.entries] == [4] * 4
    assert (result.entries[0].score, result.entries[0].number) == ("60", "1")
    # Two rounds of six boards with the same numbers count as twelve boards.
    assert (result.event.boards, result.event.boards_scheduled) == (12, 12)
    first, second = result.boards[:2]
    assert (first.ns, first.ew, second.ns, second.ew) == (("1",), ("2",), ("2",), ("1",))


def test_adjusted_scores_are_kept_as_written():
    event = makers.Event(
        body=makers.participants(*(p.xml() for p in makers.one_winner_pairs(2)))
        + makers.board(1, makers.line("1", "2", score="A6040"))
    )
    assert read(event).boards[0].score == "A6040"


def test_a_heading_with_another_number_of_boards_than_the_travellers_gives_a_warning():
    event = makers.mitchell(3, 9)
    event.heading = "<BOARDS_PLAYED>24</BOARDS_PLAYED>"
    result = read(event)
    (results,) = result.issues
    assert (results.code, results.severity) == ("boards_differ", "warning")
    assert results.params == {"stated": 24, "counted": 9}
    assert (result.event.boards, result.event.boards_scheduled) == (9, 24)


@pytest.mark.parametrize("number", ["0", "1", ""])
def test_a_director_who_stands_in_has_no_federation_number(number):
    pairs = makers.one_winner_pairs(3)
    pairs[1].people[0] = makers.Player(number, "DIRECTOR")
    result = read(makers.Event(body=makers.participants(*(p.xml() for p in pairs))))
    (results,) = result.issues
    assert (results.code, results.severity, results.value) == ("stand_in", "warning", "DIRECTOR")
    assert results.line == result.entries[1].people[0].line
    assert result.entries[1].people[0].number is None


def test_two_stand_ins_with_the_same_number_are_not_duplicates():
    pairs = makers.one_winner_pairs(3)
    pairs[0].people[0] = makers.Player("1", "DIRECTOR PLAYING")
    pairs[1].people[0] = makers.Player("1", "DIRECTOR PLAYING")
    result = read(makers.Event(body=makers.participants(*(p.xml() for p in pairs))))
    assert codes(result) == ["stand_in", "stand_in"]


def test_a_guest_without_a_number_keeps_the_seat():
    pairs = makers.one_winner_pairs(3)
    pairs[2].people[1] = makers.Player("", "Invitada De Fuera")
    result = read(makers.Event(body=makers.participants(*(p.xml() for p in pairs))))
    assert codes(result) == ["no_number"]
    assert result.entries[2].people[1].name == "Invitada De Fuera"


@pytest.mark.parametrize(
    ("text", "iso"), [("9/4/2025", "2025-04-09"), ("2025-04-09", "2025-04-09"), ("09.04.2025", "2025-04-09")]
)
def test_dates_are_read_with_the_day_first_or_in_iso_format(text, iso):
    assert read(makers.Event(date=text)).event.date == iso


@pytest.mark.parametrize("text", ["04/13/2025", "9/4/25", "April 9, 2025", "2025-02-30", "45012"])
def test_unreadable_dates_are_never_guessed(text):
    event = makers.Event(date=text, body=makers.participants(*(p.xml() for p in makers.one_winner_pairs())))
    result = read(event)
    (results,) = result.issues
    assert (results.code, results.severity, results.value, results.field) == (
        "bad_date",
        "error",
        text,
        "DATE",
    )
    assert results.line == 9
    assert result.event.date is None
    assert len(result.entries) == 6


def test_unknown_event_type_is_refused_by_name():
    result = read(makers.Event("CHESS", body=makers.participants(makers.one_winner_pairs()[0].xml())))
    (results,) = result.issues
    assert (results.code, results.value, results.line) == ("unknown_event_type", "CHESS", 5)
    assert result.entries == ()


@pytest.mark.parametrize("event_type", ["SWISS_PAIRS", "SWISS_PAIRS_IMPS", "CROSS_IMP", "PAIRS"])
def test_old_and_new_event_types_of_pairs_are_recognised(event_type):
    body = makers.participants(*(p.xml() for p in makers.one_winner_pairs()))
    assert read(makers.Event(event_type, body=body)).event.kind == "pairs"


@pytest.mark.parametrize(
    ("event_type", "scoring"),
    [
        ("MP_PAIRS", "match_points"),
        ("BUTLER_PAIRS", "butler_imps"),
        ("CROSS_IMP", "cross_imps"),
        ("CROSS_IMPS", "cross_imps"),
        ("CROSS_IMP_PAIRS", "cross_imps"),
        ("AGGREGATE", "aggregate"),
    ],
)
def test_the_scoring_follows_from_the_event_type(event_type, scoring):
    body = makers.participants(*(pair.xml() for pair in makers.one_winner_pairs()))
    event = makers.Event(event_type, body=body)
    event.heading = ""
    assert read(event).event.scoring == scoring


def test_several_sessions_without_an_overall_ranking_are_refused():
    body = makers.participants(*(p.xml() for p in makers.one_winner_pairs()))
    result = read(makers.Event(body=makers.in_session(body) + makers.in_session(body)))
    assert codes(result) == ["several_sessions"]


def test_an_overall_ranking_is_preferred_to_those_of_sessions():
    body = makers.participants(*(p.xml() for p in makers.one_winner_pairs()))
    result = read(makers.Event(body=body + makers.in_session(body) + makers.in_session(body)))
    assert result.issues == ()
    assert len(result.entries) == 6


def test_contact_data_and_names_in_travellers_are_not_stored():
    event = makers.mitchell(3, 6)
    event.heading = "<CONTACT><FULL_NAME>Persona Contacto</FULL_NAME><TELEPHONE>600</TELEPHONE></CONTACT>"
    event.tail = "<HANDSET><BOARD><BOARD_NUMBER>1</BOARD_NUMBER></BOARD></HANDSET>"
    kept = json.dumps(read(event).to_json())
    assert "Persona" not in kept
    assert "600<" not in kept


def test_a_result_survives_conversion_to_json_and_back():
    for event in (makers.mitchell(3, 6), makers.teams(), makers.individual([("1", "50"), ("2", "")])):
        result = read(event)
        assert ParsedResult.from_json(json.loads(json.dumps(result.to_json()))) == result


def test_the_error_for_a_wrong_percentage_has_its_line():
    pairs = makers.one_winner_pairs(3)
    pairs[1].percentage = "abc"
    result = read(makers.Event(body=makers.participants(*(p.xml() for p in pairs))))
    (results,) = result.issues
    assert (results.code, results.field, results.value) == ("bad_number", "PERCENTAGE", "abc")
    assert results.line == result.entries[1].line


@pytest.mark.parametrize(
    ("declaration", "encoding", "used", "expected"),
    [
        ('<?xml version="1.0" encoding="iso-8859-1"?>', "cp1252", "cp1252", []),
        ('<?xml version="1.0" encoding="windows-1252"?>', "cp1252", "cp1252", []),
        ('<?xml version="1.0" encoding="iso-8859-1"?>', "utf-8", "utf-8", ["encoding_mismatch"]),
        ('<?xml version="1.0" encoding="utf-8"?>', "cp1252", "cp1252", ["encoding_mismatch"]),
        ('<?xml version="1.0" encoding="utf-16"?>', "utf-8", "utf-8", ["encoding_mismatch"]),
        ('<?xml version="1.0" encoding="klingon"?>', "cp1252", "cp1252", ["unknown_encoding"]),
        ('<?xml version="1.0" encoding="hex"?>', "utf-8", "utf-8", ["unknown_encoding"]),
        ('<?xml version="1.0"?>', "utf-8-sig", "utf-8", []),
        ('<?xml version="1.0"?>', "utf-16", "utf-16", []),
        ('<?xml version="1.0"?>', "cp1252", "cp1252", ["code_page_used"]),
    ],
)
def test_files_in_all_declared_encodings_are_decoded(declaration, encoding, used, expected):
    pairs = makers.one_winner_pairs(2)
    pairs[0].people[0].name = "Íñigo O’Núñez"
    event = makers.Event(declaration=declaration, body=makers.participants(*(p.xml() for p in pairs)))
    result = read_results("result.xml", event.data(encoding))
    assert codes(result) == expected
    assert {issue.line for issue in result.issues if issue.code == "encoding_mismatch"} <= {1}
    assert result.encoding == used
    assert result.entries[0].people[0].name == "Íñigo O’Núñez"


def test_blank_lines_before_the_declaration_do_not_shift_line_numbers():
    event = makers.Event(date="pronto", body=makers.participants(makers.one_winner_pairs()[0].xml()))
    result = read_results("result.xml", b"\r\n\r\n" + event.data())
    assert [(issue.code, issue.line) for issue in result.issues] == [("bad_date", 11)]


def test_an_individual_event_by_match_points_is_recognised():
    event = makers.individual([("1", "60"), ("2", "50"), ("3", "40"), ("4", "30")])
    event.event_type = "MP_INDIVIDUAL"
    result = read(event)
    assert (result.event.kind, result.event.scoring) == ("individual", "match_points")
    assert len(result.entries) == 4


def test_a_file_without_an_event_or_with_several_is_refused():
    text = makers.Event(body=makers.participants(*(p.xml() for p in makers.one_winner_pairs()))).text()
    event = text[text.index("<EVENT ") : text.index("</EVENT>") + len("</EVENT>")]
    assert codes(read_results("a.xml", text.replace(event, "").encode())) == ["no_event"]
    (result,) = read_results("a.xml", text.replace(event, f"{event}\n{event}").encode()).issues
    assert (result.code, result.params["count"]) == ("several_events", 2)
    assert result.line == (text[: text.index(event)] + event).count("\n") + 2


def test_an_event_may_have_no_date():
    event = makers.Event(body=makers.participants(*(p.xml() for p in makers.one_winner_pairs())))
    for text in (event.text().replace("<DATE>14/03/2026</DATE>", ""), event.text().replace("14/03/2026", "")):
        result = read_results("a.xml", text.encode())
        assert (result.issues, result.event.date) == ((), None)


def test_matches_inside_a_section_are_read():
    whole = makers.teams()
    section = '<SECTION SECTION_ID="A">'
    sectioned = makers.teams()
    sectioned.body = whole.body.replace("<MATCH>", f"{section}<MATCH>", 1).replace(
        "</SESSION>", "</SECTION></SESSION>"
    )
    boards, expected = read(sectioned).boards, read(whole).boards
    assert {board.section for board in boards} == {"A"}
    assert [(item.ns, item.ew, item.board, item.round_number) for item in boards] == [
        (item.ns, item.ew, item.board, item.round_number) for item in expected
    ]


def test_a_file_with_only_contact_data_is_refused():
    issues = read_results("a.xml", b'<?xml version="1.0"?><CONTACT><TELEPHONE>1</TELEPHONE></CONTACT>').issues
    assert [(issue.code, issue.value) for issue in issues] == [("unknown_xml", "CONTACT")]


def test_boards_without_a_number_are_left_out_with_a_warning():
    event = makers.mitchell(3, 6)
    event.body = event.body.replace("<BOARD_NUMBER>6</BOARD_NUMBER>", "<BOARD_NUMBER>last</BOARD_NUMBER>")
    result = read(event)
    (results,) = [issue for issue in result.issues if issue.code == "boards_unreadable"]
    assert (results.severity, results.params["count"]) == ("warning", 3)
    assert {line.board for line in result.boards} == {1, 2, 3, 4, 5}


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("<EVENT_IDENTIFIER>4711</EVENT_IDENTIFIER>", "4711"),
        ("<EVENT_ID>0815</EVENT_ID>", "0815"),
        ("<EVENT_ID>0815</EVENT_ID><EVENT_IDENTIFIER>4711</EVENT_IDENTIFIER>", "0815"),
        ("", None),
    ],
)
def test_the_number_of_the_event_is_read_from_several_elements(written, number):
    event = makers.Event(body=makers.participants(*(p.xml() for p in makers.one_winner_pairs())))
    text = event.text().replace("<EVENT_IDENTIFIER>4711</EVENT_IDENTIFIER>", written)
    assert read_results("result.xml", text.encode()).event.source_id == number
