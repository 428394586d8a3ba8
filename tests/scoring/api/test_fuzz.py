"""Requests that schemathesis makes from the description of the interface, valid and invalid ones."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode, checks
from schemathesis.specs.openapi import checks as openapi_checks

from players.services.limits import Limit
from scoring.api import authentication
from scoring.api.interface import interface
from tests.scoring.uploads.makers import csv_of

pytestmark = pytest.mark.django_db
OPERATIONS = {
    "send": ("/api/v1/clubs/{code}/uploads", "POST", 12),
    "show": ("/api/v1/clubs/{code}/uploads/{upload_id}", "GET", 12),
    "confirm": ("/api/v1/clubs/{code}/uploads/{upload_id}/confirm", "POST", 12),
}
READING = {
    "awards": "/api/v1/players/{number}/awards",
    "clubs": "/api/v1/clubs",
    "player": "/api/v1/players/{number}",
    "player standing": "/api/v1/players/{number}/standing",
    "promotion": "/api/v1/promotions/{year}/{category}",
    "ratings": "/api/v1/ratings",
    "regulation": "/api/v1/regulations/{code}",
    "regulations": "/api/v1/regulations",
    "standings": "/api/v1/standings/{category}",
    "tournament": "/api/v1/tournaments/{tournament_id}",
    "tournaments": "/api/v1/tournaments",
}
SCORE = "/api/v1/score"
WANTED = [
    checks.not_a_server_error,
    openapi_checks.status_code_conformance,
    openapi_checks.content_type_conformance,
    openapi_checks.response_schema_conformance,
]


@contextmanager
def connection_kept() -> Iterator[None]:
    """Keep requests from closing the connection in whose transaction the test runs."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in signals:
            signal.connect(close_old_connections)


def application(environ: dict, start_response):
    """Call the project's WSGI application, with the client's address as a server passes it."""
    return WSGIHandler()({**environ, "REMOTE_ADDR": "127.0.0.1"}, start_response)


def check(
    path: str, method: str, mode: GenerationMode, most: int, real: dict[str, str], **headers: str
) -> None:
    """Send requests made from the description; every answer has a status, a type and a document of it.

    most: how many requests
    real: values for parameters of the path, in place of those made
    """
    with connection_kept():
        description = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", application)

        @given(case=description[path][method].as_strategy(generation_mode=mode))
        @settings(
            max_examples=most,
            deadline=None,
            database=None,
            derandomize=True,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        def answers_as_described(case) -> None:
            case.path_parameters = {**(case.path_parameters or {}), **real}
            # Called without a server, schemathesis does not unpack answers.
            case.call_and_validate(headers={"Accept-Encoding": "identity", **headers}, checks=WANTED)

        answers_as_described()


@pytest.mark.parametrize("near", [False, True], ids=["anywhere", "of the club"])
@pytest.mark.parametrize("mode", GenerationMode)
@pytest.mark.parametrize("name", OPERATIONS)
def test_every_answer_to_a_token_is_as_described(name, mode, near, program, token, pairs, monkeypatch):
    """Every answer is as described, and is no fault.

    near: whether the address is that of the token's club, and of an upload that it sent
    """
    free = Limit(10**6, authentication.FIRST, authentication.LONGEST)
    monkeypatch.setattr(authentication, "LIMITS", dict.fromkeys(authentication.LIMITS, free))
    upload = program.send(csv_of(pairs))["id"]
    path, method, most = OPERATIONS[name]
    real = {"code": token[0].club.code, "upload_id": upload} if near else {}
    real = {key: value for key, value in real.items() if f"{{{key}}}" in path}
    check(path, method, mode, most, real, Authorization=f"Bearer {token[1]}")


# Addresses without parameters have only valid requests.
CASES = [
    (name, mode, near)
    for name, path in READING.items()
    for mode in GenerationMode
    for near in ([False, True] if "{" in path else [False])
    if name != "regulations" or mode == GenerationMode.POSITIVE
]


@pytest.mark.parametrize(("name", "mode", "near"), CASES)
def test_every_document_for_everybody_is_as_described(name, mode, near, federation):
    """near: whether the address is that of something that exists"""
    path = READING[name]
    values = {
        "number": federation.hidden.number,
        "category": "2P",
        "tournament_id": str(federation.counted.pk),
        "code": "aeb-2026",
    }
    real = {key: value for key, value in values.items() if near and f"{{{key}}}" in path}
    check(path, "GET", mode, 12, real)


def test_every_address_is_tried():
    paths = set(interface.get_openapi_schema()["paths"])
    assert paths == {path for path, *_rest in OPERATIONS.values()} | set(READING.values()) | {SCORE}


@pytest.mark.parametrize("mode", GenerationMode)
def test_every_answer_to_events_is_as_described(mode, db):
    check(SCORE, "POST", mode, 40, {})
