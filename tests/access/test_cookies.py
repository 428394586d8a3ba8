"""The cookies of the site, and that no other site may read its pages."""

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests import factories
from tests.access.matrix import MATRIX, PUBLIC, READING
from tests.access.test_matrix import address

ORIGIN = {"Origin": "https://evil.example.com"}


@pytest.fixture
def signed_in(db) -> Client:
    """A client with every cookie of the site: it signed in, and a message waits."""
    factories.user("lola")
    client = Client()
    client.get(reverse("account_login"))
    client.post(reverse("account_login"), {"login": "lola", "password": factories.PASSWORD})
    client.get(reverse("account_security"))
    return client


def test_every_cookie_is_lax_and_scripts_read_only_the_one_for_them(signed_in):
    cookies = signed_in.cookies
    assert {settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME, settings.SIGNED_IN_COOKIE} <= set(
        cookies
    )
    assert {cookie["samesite"] for cookie in cookies.values()} == {"Lax"}
    kept = {name: cookie for name, cookie in cookies.items() if cookie.value}
    assert {name for name, cookie in kept.items() if not cookie["httponly"]} == {settings.SIGNED_IN_COOKIE}
    assert {(cookie["path"], cookie["domain"]) for cookie in cookies.values()} == {("/", "")}
    assert cookies[settings.SIGNED_IN_COOKIE].value == "1"


def test_no_response_allows_another_origin(world, client):
    for name in [*PUBLIC, *READING, "account_login", "api:openapi-json", "api:upload_send"]:
        for method in ("get", "options"):
            response = getattr(client, method)(address(name, world), headers=ORIGIN)
            allowed = [header for header in response.headers if header.startswith("Access-Control")]
            assert allowed == [], name
    assert "api:upload_send" in MATRIX
