"""What was typed is kept while its author signs in again."""

from dataclasses import replace

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from federation import kept_forms
from scoring.cases.models import Case
from tests import factories
from tests.pages import Page, open_page

pytestmark = pytest.mark.django_db
TYPED = {"kind": "other", "text": "Jugué el jueves con Rosa. 😀", "day": "", "club": ""}
OPEN = "/mi/consultas/nueva/?tipo=missing"


def sign_in(client, address: str, login: str = "lola"):
    return client.post(address, {"login": login, "password": factories.PASSWORD})


@pytest.fixture
def lola():
    return factories.player(user=factories.user("lola")).user


def test_a_form_sent_after_the_session_ended_is_sent_after_signing_in(lola):
    client = Client(enforce_csrf_checks=False)
    answer = client.post(OPEN, TYPED)
    assert answer.url.startswith(reverse("account_login")) and not Case.objects.exists()
    assert "se conserva" in open_page(client, answer.url).messages[0]
    assert sign_in(client, answer.url).url == reverse("kept_form")
    assert 0 <= 12 * 3600 - client.session.get_expiry_age() < 60  # that of every sign-in
    page = open_page(client, reverse("kept_form"))
    assert "lola" in page.lead and OPEN in page.addresses
    form = page.form("text")
    assert form.action == OPEN
    sent = Page(client.post(form.action, form.values, follow=True))
    assert "Jugué el jueves con Rosa. 😀" in sent.text
    assert Case.objects.get().opened_by == lola


def test_a_page_from_before_signing_in_again_elsewhere_is_sent_by_going_back(lola):
    """Browsers show the text again on going back, and lose it on reloading."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(lola)
    old = open_page(client, OPEN).form("text")
    client.force_login(lola)  # in another tab
    client.cookies.pop(settings.CSRF_COOKIE_NAME)
    token = open_page(client, OPEN).form("text").values["csrfmiddlewaretoken"]
    refused = client.post(OPEN, {**old.values, **TYPED})
    assert refused.status_code == 403
    assert "Vuelve atrás y envíalo otra vez: lo que escribiste sigue ahí." in Page(refused).text
    assert client.post(OPEN, {**TYPED, "csrfmiddlewaretoken": token}).status_code == 302


def test_a_kept_form_ends_with_its_time_and_with_signing_out(lola, monkeypatch):
    client = Client()
    sign_in(client, client.post(OPEN, TYPED).url)
    monkeypatch.setattr(kept_forms, "KEPT_SECONDS", -1)
    assert client.get(reverse("kept_form")).url == reverse("my_place")
    monkeypatch.undo()
    assert client.get(reverse("kept_form")).url == reverse("my_place")
    client.logout()
    sign_in(client, client.post(OPEN, TYPED).url)
    client.post(reverse("account_logout"))
    client.force_login(factories.user())
    assert client.get(reverse("kept_form")).url == reverse("my_place")


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"text": " "},
        {"text": "x" * (kept_forms.MOST_CHARACTERS + 1)},
        {"text": "x", "password1": "correct horse"},
        {"text": "x", "file": SimpleUploadedFile("a.csv", b"a")},
    ],
)
def test_what_cannot_be_kept_leads_to_the_sign_in_page_as_before(data):
    client = Client()
    answer = client.post(OPEN, data)
    assert answer.url.startswith(reverse("account_login")) and "next=/mi/consultas/" in answer.url
    assert kept_forms.KEPT not in client.session


def test_a_form_without_a_token_is_not_kept():
    client = Client(enforce_csrf_checks=True)
    assert client.post(OPEN, TYPED).status_code == 403
    assert kept_forms.KEPT not in client.session


def test_a_part_of_a_page_is_not_kept():
    client = Client()
    client.post(OPEN, TYPED, headers={"hx-request": "true"})
    assert kept_forms.KEPT not in client.session


def test_a_network_that_sends_many_forms_gets_the_sign_in_page_alone(monkeypatch):
    monkeypatch.setattr(kept_forms, "PER_NETWORK", replace(kept_forms.PER_NETWORK, free=1))
    kept, refused = Client(), Client()
    assert kept.post(OPEN, TYPED).status_code == refused.post(OPEN, TYPED).status_code == 302
    assert kept_forms.KEPT in kept.session and kept_forms.KEPT not in refused.session
