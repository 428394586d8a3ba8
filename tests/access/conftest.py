"""Fixtures for the access tests: a federation built once per module. Each test's changes are rolled back."""

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client

from federation import errors
from tests.access import world as worlds
from tests.undone import rolled_back


@pytest.fixture(scope="module")
def built(django_db_setup, django_db_blocker):
    with rolled_back(django_db_blocker):
        world = worlds.build()
        world.sessions = {actor: session_of(account) for actor, account in world.accounts.items() if account}
        yield world


def session_of(account) -> str:
    """Sign the account in and return its session cookie.

    Signing in for every request would take as long as the requests themselves.
    """
    client = Client()
    client.force_login(account)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


@pytest.fixture
def world(built, db):
    return built


@pytest.fixture
def short_refusals(monkeypatch) -> None:
    """Answer 403 and 404 without a page: most requests of the matrix are refused, with the same two pages."""
    monkeypatch.setattr(errors, "render", lambda _request, _template, status: HttpResponse(status=status))
