"""Requests that are refused: each with a status, a code and what to do, before anything is stored."""

import json
from datetime import timedelta
from io import BytesIO
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError
from django.test import Client

from players.services import limits, tokens
from scoring.api import authentication, body
from scoring.api.problems import CONTENT_TYPE, ISSUES, STATUS
from tests import factories
from tests.access.test_matrix import write_statements
from tests.pages import client_of
from tests.scoring.api.program import Program
from tests.scoring.uploads.makers import csv_of
from tournaments.models import ResultUpload

pytestmark = pytest.mark.django_db
BOUNDARY = "----x"
FORM = f"multipart/form-data; boundary={BOUNDARY}"


def part(name: str, content: bytes, file_name: str = "") -> bytes:
    named = f'; filename="{file_name}"' if file_name else ""
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"{named}\r\n\r\n'
    return head.encode() + content + b"\r\n"


def form(*parts: bytes) -> bytes:
    return b"".join(parts) + f"--{BOUNDARY}--\r\n".encode()


FILE = part("file", b"a;b", "martes.csv")


def refused(program: Program, code: str) -> None:
    """Check the last answer, which has to be this problem and to have stored nothing."""
    document = json.loads(program.answer.content)
    assert (document["code"], program.answer.status_code) == (code, STATUS.get(code, 400))
    assert document["status"] == program.answer.status_code
    assert document["detail"] and document["remedy"] and "%" not in document["detail"]
    assert program.answer["Cache-Control"] == "no-store"
    assert not ResultUpload.objects.exists()


@pytest.mark.parametrize(
    ("header", "code"),
    [
        (None, "token_missing"),
        ("", "token_missing"),
        ("Basic YTpi", "token_missing"),
        ("Bearer", "token_refused"),
        ("Bearer nonsense", "token_refused"),
        ("Bearer baza_" + 43 * "A", "token_refused"),
        ("Bearer baza_" + 43 * "Á", "token_refused"),
        ("Bearer baza_" + 100_000 * "A", "token_refused"),
    ],
)
def test_requests_without_a_valid_token_are_refused_without_reading_them(program, header, code):
    program.headers = {"Authorization": header} if header is not None else {}
    for answer in (
        program.client.get(f"{program.base}/{uuid4()}", headers=program.headers),
        program.client.post(f"{program.base}/{uuid4()}/confirm", headers=program.headers),
        program.client.post(program.base, b"x", content_type=FORM, headers=program.headers),
    ):
        program.answer = answer
        refused(program, code)
        assert answer["WWW-Authenticate"].startswith("Bearer")
        assert not answer.wsgi_request._read_started


def test_cookies_never_open_the_interface(club, administrator):
    client = client_of(administrator)
    answer = client.post(f"/api/v1/clubs/{club.code}/uploads", {"file": SimpleUploadedFile("a.csv", b"a")})
    assert answer.status_code == 401


def test_a_token_of_another_club_learns_nothing(program, pairs):
    document = program.send(csv_of(pairs))
    far = factories.club()
    stranger = Program(far.code, tokens.make(far, "Far", factories.office())[1])
    assert stranger.show(document["id"])["code"] == "nothing_here"
    answers = []
    for code in (program.base.split("/")[4], "NONE", "%00", "a" * 5000):
        stranger.base = f"/api/v1/clubs/{code}/uploads"
        stranger.show(document["id"])
        answers.append((stranger.answer.status_code, stranger.answer.content))
    assert len(set(answers)) == 1 and answers[0][0] == 404


@pytest.mark.parametrize(
    "address", ["/api/v1/clubs/A/uploads/nonsense", "/api/v1/", "/api/v2/x", "/api/v1/x"]
)
def test_unknown_addresses_are_problems_too(program, address):
    program.answer = program.client.get(f"/api/{address}", headers=program.headers)
    refused(program, "nothing_here")


def test_over_http_a_program_is_refused_and_not_redirected(program, settings):
    settings.SECURE_SSL_REDIRECT = True
    for address in (program.base, f"{program.base}/{uuid4()}", "/api/v1/openapi.json", "/api/v1/nothing"):
        program.answer = program.client.post(address, headers=program.headers)
        refused(program, "plain_http")
        assert not program.answer.wsgi_request._read_started
    assert program.client.get("/torneos/").status_code == 301
    assert program.client.get("/api/v1/openapi.json", secure=True).status_code == 200


@pytest.mark.parametrize(
    ("sent", "content_type", "code"),
    [
        (b"{}", "application/json", "not_multipart"),
        (b"a=b", "application/x-www-form-urlencoded", "not_multipart"),
        (FILE, "multipart/form-data", "body_malformed"),
        (FILE, "multipart/form-data; boundary=" + 300 * "x", "body_malformed"),
        (FILE, "multipart/form-data; boundary=é", "body_malformed"),
        (form(), FORM, "file_missing"),
        (b"", FORM, "not_multipart"),
        (b"\x00\xff" * 50, FORM, "file_missing"),
        (form(part("file", b"a;b")), FORM, "file_missing"),
        (form(part("file", b"", "a.csv")), FORM, "empty_file"),
        (form(FILE, FILE), FORM, "several_files"),
        (form(FILE, part("other", b"a", "b.csv")), FORM, "unknown_field"),
        (form(FILE, part("colour", b"red")), FORM, "unknown_field"),
        (form(FILE, part("club", b"1")), FORM, "unknown_field"),
        (form(FILE, part("name", b"a"), part("name", b"b")), FORM, "repeated_field"),
        (form(FILE, *(part(f"f{number}", b"x") for number in range(10_000))), FORM, "too_many_fields"),
        (form(FILE, *(part(f"f{number}", b"x") for number in range(13_000))), FORM, "too_many_fields"),
        (form(*(part("file", b"x", "a.csv") for _number in range(101))), FORM, "too_many_fields"),
        (form(FILE, part("name", b"\xff\xfe")), FORM, "body_malformed"),
        (form(FILE, part("name", b"a\x00b")), FORM, "field_invalid"),
        (form(FILE, part("name", 151 * b"a")), FORM, "field_invalid"),
        (form(FILE, part("boards", b"24.5")), FORM, "field_invalid"),
    ],
)
def test_bodies_that_cannot_be_used(program, sent, content_type, code):
    program.answer = program.client.post(
        program.base, sent, content_type=content_type, headers=program.headers
    )
    refused(program, code)


@pytest.mark.parametrize(
    ("length", "code"),
    [(None, "length_missing"), ("x", "length_missing"), ("-1", "length_missing"), ("²", "length_missing")],
)
def test_a_request_states_its_length(program, length, code):
    program.answer = program.client.generic(
        "POST", program.base, form(FILE), FORM, headers=program.headers, CONTENT_LENGTH=length
    )
    refused(program, code)


def test_a_larger_body_is_refused_before_it_is_read(program, settings):
    length = settings.UPLOAD_LIMIT + body.FORM_BYTES + 1
    program.answer = program.client.generic(
        "POST", program.base, b"x", FORM, headers=program.headers, CONTENT_LENGTH=str(length)
    )
    refused(program, "upload_too_large")
    assert not program.answer.wsgi_request._read_started


def test_a_file_just_over_the_limit_is_refused(program, settings):
    settings.UPLOAD_LIMIT = 2**20
    program.answer = program.client.post(
        program.base,
        form(part("file", b"x" * (2**20 + 1), "a.csv")),
        content_type=FORM,
        headers=program.headers,
    )
    refused(program, "upload_too_large")


def test_a_body_that_ends_early_is_not_taken_for_a_form_without_a_file(program):
    whole = form(part("file", b"1234567890", "a.csv"))
    environ = {"CONTENT_LENGTH": str(len(whole)), "wsgi.input": BytesIO(whole[:-30])}
    program.answer = program.client.generic(
        "POST", program.base, whole, FORM, headers=program.headers, **environ
    )
    refused(program, "body_incomplete")


@pytest.mark.parametrize("key", ["x" * 256, "a b", "á", "a\x07"])
def test_bad_keys_are_refused(program, key):
    program.headers["Idempotency-Key"] = key
    program.answer = program.client.post(program.base, form(FILE), content_type=FORM, headers=program.headers)
    refused(program, "bad_key")


def test_requests_of_a_token_are_counted_and_limited(program, token, monkeypatch):
    limit = limits.Limit(2, timedelta(seconds=7), timedelta(minutes=1))
    monkeypatch.setitem(authentication.LIMITS, "token", limit)
    for left in (1, 0):
        program.show(str(uuid4()))
        assert program.answer["X-RateLimit-Limit"] == "2"
        assert program.answer["X-RateLimit-Remaining"] == str(left)
    program.show(str(uuid4()))
    refused(program, "too_many_requests")
    assert 0 < int(program.answer["Retry-After"]) <= 7
    assert (program.answer["X-RateLimit-Limit"], program.answer["X-RateLimit-Remaining"]) == ("2", "0")
    other = Program(token[0].club.code, tokens.make(token[0].club, "B", token[0].made_by)[1])
    assert other.show(str(uuid4()))["code"] == "nothing_here", "another token is not delayed"


def test_requests_of_an_address_are_limited_over_all_tokens(program, token, monkeypatch):
    monkeypatch.setitem(
        authentication.LIMITS, "address", limits.Limit(1, timedelta(minutes=1), timedelta(minutes=1))
    )
    program.show(str(uuid4()))
    other = Program(token[0].club.code, tokens.make(token[0].club, "B", token[0].made_by)[1])
    other.show(str(uuid4()))
    refused(other, "too_many_requests")


def test_wrong_tokens_are_limited_and_delay_no_right_one(program, token, monkeypatch):
    monkeypatch.setitem(
        authentication.LIMITS, "wrong", limits.Limit(1, timedelta(minutes=1), timedelta(minutes=1))
    )
    wrong = Program(token[0].club.code, token[1][:-1] + ("A" if token[1][-1] != "A" else "B"))
    wrong.show(str(uuid4()))
    refused(wrong, "token_refused")
    wrong.show(str(uuid4()))
    refused(wrong, "too_many_requests")
    assert program.show(str(uuid4()))["code"] == "nothing_here"


def test_looking_writes_only_counts_and_the_tokens_last_use(program, pairs):
    document = program.send(csv_of(pairs))
    written = write_statements(lambda: program.show(document["id"]))
    assert all("players_tally" in sql or "players_clubtoken" in sql for sql in written)


@pytest.mark.parametrize(
    ("error", "code"),
    [(RuntimeError("secret"), "fault"), (OperationalError("database is locked: secret"), "busy")],
)
def test_faults_and_a_missing_database_are_problems(program, monkeypatch, error, code):
    def fail(*_arguments):
        raise error

    monkeypatch.setattr("scoring.api.uploads.sending.sent_upload", fail)
    program.show(str(uuid4()))
    refused(program, code)
    assert b"secret" not in program.answer.content
    assert program.answer.get("Retry-After") == ("30" if code == "busy" else None)


def test_every_problem_has_a_status_of_an_issue():
    assert STATUS.keys() - ISSUES.keys() == {"upload_too_large", "empty_file"}


def test_other_methods_are_not_allowed(program):
    client = Client(enforce_csrf_checks=True)
    upload = f"{program.base}/{uuid4()}"
    for address, methods, allowed in (
        (program.base, ("get", "put", "patch", "delete", "options"), "POST"),
        (upload, ("post", "put", "options"), "GET, HEAD"),
        (f"{upload}/confirm", ("get", "delete"), "POST"),
        ("/api/v1/score", ("get", "put"), "POST"),
    ):
        for method in methods:
            program.answer = getattr(client, method)(address, headers=program.headers)
            refused(program, "method_not_allowed")
            assert program.answer.headers["Allow"] == allowed
        head = client.head(address, headers=program.headers)
        assert (head.status_code, head.headers["Content-Type"]) == (
            404 if "GET" in allowed else 405,
            CONTENT_TYPE,
        )
