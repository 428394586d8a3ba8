"""Every response has the headers of `tests.headers`; the matrix of tests/access checks them for every URL."""

import re

import pytest
from django.core.exceptions import BadRequest
from django.db import OperationalError
from django.test import Client

from federation import headers
from scoring.pages.views import home
from tests.headers import wrong_headers
from ui.styles import NAME

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser() -> Client:
    return Client(raise_request_exception=False)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/no-such-page/", 404),
        ("/static/no-such-file.js", 404),
        ("/static/img/emblem.svg", 200),
        ("/static/js/theme.js", 200),
        (f"/static/{NAME}", 200),
        ("/robots.txt", 200),
        ("/salud/", 200),
        ("/en", 301),
        ("/api/v1/openapi.json", 200),
        ("/api/v1/nothing/", 404),
        ("/jugadores/%00/", 404),
    ],
)
def test_pages_files_redirects_and_errors_have_the_headers(path, status, browser):
    response = browser.get(path)
    assert (response.status_code, wrong_headers(response)) == (status, [])


@pytest.mark.parametrize(
    ("error", "status"),
    [(ValueError("bug"), 500), (OperationalError("database is locked"), 503), (BadRequest(), 400)],
)
def test_error_pages_have_the_headers(error, status, browser, monkeypatch):
    def fail(*_args) -> None:
        raise error

    monkeypatch.setattr(home, "standings_state", fail)
    response = browser.get("/")
    assert (response.status_code, wrong_headers(response)) == (status, [])


def test_an_unknown_host_gets_the_headers(browser):
    response = browser.get("/", HTTP_HOST="evil.example.com")
    assert (response.status_code, wrong_headers(response)) == (400, [])


def test_an_unchanged_page_and_an_unchanged_file_have_the_headers(browser):
    for path, header in (("/privacidad/", "ETag"), ("/static/img/emblem.svg", "Last-Modified")):
        first = browser.get(path).headers[header]
        condition = "If-None-Match" if header == "ETag" else "If-Modified-Since"
        again = browser.get(path, headers={condition: first})
        assert (again.status_code, wrong_headers(again)) == (304, [])
        assert "Content-Length" not in again.headers


def test_each_feature_of_browsers_is_named_once_and_only_passkeys_are_allowed():
    named = re.findall(r"([a-z-]+)=(\([a-z]*\))", headers.PERMISSIONS_POLICY)
    assert len(named) == len(dict(named)) >= 30
    assert {name for name, allowed in named if allowed != "()"} == set(headers.OWN_FEATURES)
