"""What the log says about signing in and refused requests, and what it never says."""

import logging
import re

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories

pytestmark = pytest.mark.django_db
AWAY = "203.0.113.9"


def sign_in(login: str, password: str, **options):
    return Client(REMOTE_ADDR=AWAY, **options).post(
        reverse("account_login"), {"login": login, "password": password}
    )


def test_failed_sign_ins_are_logged_without_what_was_typed(caplog):
    caplog.set_level(logging.INFO)
    account = factories.user("lola")
    sign_in("lola", "wrong-and-secret")
    sign_in("typed-in-the-wrong-field", "wrong-and-secret")
    assert len(re.findall(r"a sign-in from network [0-9a-f]{12} failed", caplog.text)) == 2
    sign_in("lola", factories.PASSWORD)
    assert re.search(rf"account {account.pk} signed in from network [0-9a-f]{{12}}", caplog.text)
    for typed in (AWAY, "wrong-and-secret", "typed-in-the-wrong-field", factories.PASSWORD, "lola"):
        assert typed not in caplog.text


def test_refused_pages_and_limits_are_logged(caplog, settings):
    client = Client(REMOTE_ADDR=AWAY, raise_request_exception=False, enforce_csrf_checks=True)
    client.force_login(factories.user())
    client.get(reverse("office"))
    assert f"Forbidden (Permission denied): {reverse('office')}" in caplog.text
    client.post(reverse("account_login"), {"login": "lola"})
    assert "Forbidden (CSRF" in caplog.text
    client.get("/", HTTP_HOST="evil.example.com")
    assert "Invalid HTTP_HOST header" in caplog.text
    for _turn in range(6):
        sign_in("nobody-of-this-name", "x")
    assert re.search(r"too many attempts \(password\) from network [0-9a-f]{12}", caplog.text)


def test_no_request_can_write_a_line_of_its_own_into_the_log(caplog):
    client = Client(raise_request_exception=False)
    client.get("/nothing%0a2026-01-01 CRITICAL forged/")
    client.get("/", headers={"Host": "evil\r\nforged"})
    forged = [record for record in caplog.records if "\n" in record.getMessage()]
    assert forged == []
