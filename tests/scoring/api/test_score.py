"""`POST /api/v1/score` takes and gives what `manage.py score` does, within limits."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from scoring import regulations
from scoring.api.description import EVENT
from scoring.api.limits import SCORE_BYTES, SCORE_EVENTS, SCORE_ITERATIONS
from scoring.engine import strictjson
from tests.folders import ROOT
from tests.scoring.api.reader import Reader

pytestmark = pytest.mark.django_db
LINES = "application/x-ndjson"
EXAMPLES = sorted((ROOT / "scoring/regulations").glob("*/examples/*.input.json"))
NUMBER = len(regulations.ALL)


def command(data: bytes, folder) -> str:
    """Return what the command prints."""
    file, output = folder / "events.json", io.StringIO()
    file.write_bytes(data)
    try:
        call_command("score", str(file), stdout=output)
    except CommandError as error:
        assert error.returncode == 1
    return output.getvalue()


def refused(reader, code: str, status: int) -> dict:
    document = json.loads(reader.answer.content)
    assert (reader.answer.status_code, document["code"]) == (status, code)
    assert document["detail"] and "%(" not in document["detail"]
    assert reader.answer.headers["Cache-Control"] == "no-store"
    return document


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name.partition(".")[0])
def test_every_example_gives_what_the_command_gives(reader, tmp_path, path):
    data = path.read_bytes()
    answer = reader.post("score", data)
    assert reader.answer.status_code == 200
    assert reader.answer.headers["Content-Type"] == "application/json"
    assert answer.decode() == command(data, tmp_path)
    assert json.loads(answer) == json.loads(path.with_name(path.name.replace("input", "output")).read_text())


def test_there_is_an_example_of_every_regulation():
    assert len(EXAMPLES) == NUMBER


def test_json_lines_give_a_line_for_each_event_in_their_order(reader, tmp_path):
    events = [json.loads(path.read_bytes()) for path in EXAMPLES]
    events[3:3] = [{"regulation": "aeb-1999"}, [], 5, None, "text", {"x": 1.5}]
    data = "\r\n\n".join(json.dumps(event) for event in events).encode()
    answer = reader.post("score", data, LINES)
    assert reader.answer.headers["Content-Type"] == LINES
    assert answer.decode() == command(data, tmp_path)
    lines = [json.loads(line) for line in answer.splitlines()]
    assert ["error" in line for line in lines] == [3 <= number < 9 for number in range(len(events))]


def test_an_event_that_cannot_be_scored_is_answered_with_its_error(reader, tmp_path):
    data = json.dumps(EVENT | {"boards": 0}).encode()
    answer = reader.post("score", data)
    assert reader.answer.status_code == 200 and answer.decode() == command(data, tmp_path)
    assert json.loads(answer)["error"]["field"] == "boards"


def test_what_only_strict_reading_notices_is_an_error_here_too(reader):
    for data, code in (
        (b'{"regulation": "aeb-2026", "regulation": "aeb-2022"}', "duplicate_key"),
        (b'{"regulation": "aeb-2026", "boards": 24.5}', "float"),
        (b'{"boards": ' + b"9" * 5000 + b"}", "number_too_long"),
        (b"[" * 50 + b"]" * 50, "wrong_type"),
    ):
        assert json.loads(reader.post("score", data))["error"]["code"] == code


def test_nothing_is_stored_and_no_query_made(reader, django_assert_num_queries):
    with django_assert_num_queries(0):
        reader.post("score", json.dumps(EVENT).encode())
    assert reader.answer.status_code == 200 and not reader.answer.cookies


# --- Refused ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "data", [b" \n ", b"{", b"\xff\xfe{}", b"NaN", b'{"a": Infinity}', b"[" * 200_000], ids=range(6)
)
@pytest.mark.parametrize("content_type", ["application/json", LINES])
def test_what_is_not_json_is_refused(reader, data, content_type):
    reader.post("score", data, content_type)
    refused(reader, "not_json", 400)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b" \n ", "it is empty"),
        (b"\xef\xbb\xbf{}\xff", "byte 6 is not UTF-8"),
        (b'{"a": NaN}', "NaN is no value of JSON"),
        (b"[" * 200_000, "it is nested too deeply"),
        (b'{"a" 1}', "line 1 cannot be read from column 6 on"),
        (b'{}\n{"a" 1}\n', "line 2 cannot be read from column 6 on"),
    ],
    ids=range(6),
)
def test_the_reason_is_in_the_language_of_the_reader(reader, data, reason):
    document = json.loads(reader.post("score", data, LINES))
    assert document["detail"] == f"The request is not JSON in UTF-8: {reason}."
    assert reason not in json.loads(Reader("es").post("score", data, LINES))["detail"]


@pytest.mark.parametrize(
    "content_type", ["text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded", ""]
)
def test_other_content_types_are_refused(reader, content_type):
    reader.post("score", json.dumps(EVENT).encode(), content_type)
    refused(reader, "not_json_type", 415)


def test_the_type_may_name_its_charset(reader):
    reader.post("score", json.dumps(EVENT).encode(), "application/json; charset=utf-8")
    assert reader.answer.status_code == 200


def test_ten_thousand_events_are_refused_with_the_number_allowed(reader):
    document = json.loads(reader.post("score", b"{}\n" * 10_000, LINES))
    refused(reader, "too_many_events", 413)
    assert document["detail"] == f"Events in the request: 10000; at most: {SCORE_EVENTS}."
    answer = reader.post("score", b"{}\n" * SCORE_EVENTS, LINES)
    assert reader.answer.status_code == 200 and len(answer.splitlines()) == SCORE_EVENTS


def test_a_json_document_is_one_event(reader):
    reader.post("score", b"{}\n{}")
    document = refused(reader, "too_many_events", 413)
    assert "application/x-ndjson" in document["remedy"]


def test_a_larger_request_is_refused_before_it_is_read(reader):
    data = json.dumps(EVENT).encode()
    reader.post("score", data + b" " * (SCORE_BYTES - len(data)))
    assert reader.answer.status_code == 200
    reader.post("score", data + b" " * (SCORE_BYTES - len(data) + 1))
    document = refused(reader, "body_too_large", 413)
    assert f"{SCORE_BYTES // 1024} KB" in document["detail"]
    assert not reader.answer.wsgi_request._read_started


def test_a_request_states_its_length(reader):
    reader.answer = reader.client.generic(
        "POST", "/api/v1/score", b"{}", "application/json", CONTENT_LENGTH=None
    )
    refused(reader, "length_missing", 411)


def test_many_iterations_are_refused_because_their_output_would_be_long(reader):
    event = json.loads((ROOT / "scoring/regulations/strength/examples/strength-mp.input.json").read_bytes())
    for iterations in (SCORE_ITERATIONS + 1, str(SCORE_ITERATIONS + 1), 10**30):
        reader.post("score", json.dumps(event | {"iterations": iterations}).encode())
        document = refused(reader, "too_many_iterations", 422)
        assert str(SCORE_ITERATIONS) in document["detail"]
    reader.post("score", json.dumps(event | {"iterations": SCORE_ITERATIONS}).encode())
    assert reader.answer.status_code == 200
    answer = json.loads(reader.post("score", json.dumps(event | {"iterations": 1.5}).encode()))
    assert answer["error"]["code"] == "float"


def test_a_fault_of_the_engine_is_a_problem(reader, monkeypatch):
    def fail(_text):
        raise RuntimeError("secret")

    monkeypatch.setattr(strictjson, "_parse", fail)
    reader.client.raise_request_exception = False
    reader.post("score", b"{}")
    refused(reader, "fault", 500)
    assert b"secret" not in reader.answer.content
