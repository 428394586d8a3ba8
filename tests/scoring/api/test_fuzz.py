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
from tests.scoring.uploads.makers import csv_of

pytestmark = pytest.mark.django_db
OPERATIONS = {
    "send": ("/api/v1/clubs/{code}/uploads", "POST", 12),
    "show": ("/api/v1/clubs/{code}/uploads/{upload_id}", "GET", 12),
    "confirm": ("/api/v1/clubs/{code}/uploads/{upload_id}/confirm", "POST", 12),
}
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


@pytest.mark.parametrize("near", [False, True], ids=["anywhere", "of the club"])
@pytest.mark.parametrize("mode", GenerationMode)
@pytest.mark.parametrize("name", OPERATIONS)
def test_every_answer_is_as_described(name, mode, near, program, token, pairs, monkeypatch):
    """Every answer has a status, a content type and a document of the description, and is no fault.

    near: whether the address is that of the token's club, and of an upload that it sent
    """
    free = Limit(10**6, authentication.FIRST, authentication.LONGEST)
    monkeypatch.setattr(authentication, "LIMITS", dict.fromkeys(authentication.LIMITS, free))
    upload = program.send(csv_of(pairs))["id"]
    path, method, most = OPERATIONS[name]
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
            if near:
                real = {"code": token[0].club.code, "upload_id": upload}
                case.path_parameters = {key: real[key] for key in case.path_parameters}
            case.call_and_validate(headers={"Authorization": f"Bearer {token[1]}"}, checks=WANTED)

        answers_as_described()
