"""A member makes an account in a real browser: home page, letter, password, own page."""

import re

import pytest
from django.core import mail

from scoring.signups import sending
from scoring.signups.models import SignUpLetter
from tests import factories
from tests.browser.conftest import check_page, follow

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PASSWORD = "a-long-and-odd-password"


def choose_password(page) -> None:
    page.fill("[name=password1]", PASSWORD)
    page.fill("[name=password2]", PASSWORD)


def test_a_member_signs_up_by_letter_from_the_home_page(page, live_url, settings):
    settings.SITE_ADDRESS = live_url
    player = factories.player(number="462158", category="2P", email="member@example.org")
    page.goto(live_url)
    follow(page.get_by_role("link", name="Crear mi cuenta"))
    check_page(page)
    page.fill("[name=number]", "0046 2158")
    page.fill("[name=email]", "member@example.org")
    follow(page.get_by_role("button", name="Enviarme el enlace"))
    check_page(page)
    sending.send(SignUpLetter.objects.get().pk)
    follow_link = re.search(r"http\S+", mail.outbox[0].body)[0]
    page.goto(follow_link)
    check_page(page)
    choose_password(page)
    page.check("#id_of_age")
    follow(page.get_by_role("button", name="Crear mi cuenta"))
    assert player.full_name in page.inner_text("main")
    player.refresh_from_db()
    assert player.user.get_username() == "462158"


def test_a_member_signs_up_with_a_printed_code_and_signs_in_with_the_number(page, live_url, sign_in):
    club = factories.club()
    player = factories.player(number="462159", club=club, birth_year=1950)
    sign_in(factories.office())
    page.goto(f"{live_url}/oficina/invitaciones/")
    check_page(page)
    follow(page.get_by_role("button", name="Imprimir 1 hoja con código"))
    check_page(page)
    code = page.inner_text(".code")
    page.context.clear_cookies()
    page.goto(f"{live_url}/cuenta/alta/codigo/")
    check_page(page)
    page.fill("[name=number]", player.number)
    page.fill("[name=code]", code)
    follow(page.get_by_role("button", name="Continuar"))
    choose_password(page)
    follow(page.get_by_role("button", name="Crear mi cuenta"))
    page.context.clear_cookies()
    page.goto(f"{live_url}/cuenta/entrar/")
    page.fill("[name=login]", player.number)
    page.fill("[name=password]", PASSWORD)
    follow(page.locator("main button[type=submit]"))
    page.goto(f"{live_url}/cuenta/")
    assert player.number in page.inner_text("main")
    check_page(page)
