"""The browser's Back button after a form was refused: the form again, never an error of the browser."""

import pytest
from django.urls import reverse

from tests import factories as make
from tests.browser.conftest import follow

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("action", ["person_change", "person_new"])
def test_going_back_to_a_refused_form_opens_the_page_it_was_sent_from(page, live_url, sign_in, action):
    """Refused by the page of the form, and by an address that only takes forms."""
    sign_in(make.office())
    player = make.player()
    asked = reverse("person_new") if action == "person_new" else reverse("person", args=[player.number])
    page.goto(live_url + asked)
    form = page.locator("main form", has=page.locator("[name=reason]")).first
    form.evaluate("form => { form.noValidate = true; form.closest('details')?.setAttribute('open', '') }")
    form.locator("[name=reason]").fill("")
    follow(form.locator("button[type=submit]"))
    assert page.locator(".is-invalid").count()
    assert page.url == live_url + asked
    page.goto(live_url + reverse("help"))
    assert page.go_back().status == 200
    assert page.url == live_url + asked and page.locator("[name=reason]").count()

    # Signed out, on a computer that others use, the page is not in the browser any more.
    page.context.clear_cookies()
    page.goto(live_url + reverse("help"))
    page.go_back()
    assert page.url.startswith(live_url + reverse("account_login"))


def test_a_refused_form_can_be_sent_again_where_the_address_only_takes_forms(page, live_url, sign_in):
    sign_in(make.office())
    player = make.player()
    page.goto(live_url + reverse("person", args=[player.number]))
    for surname in ("", "Nueva"):
        form = page.locator("main form", has=page.locator("[name=surname]")).first
        form.evaluate("form => { form.noValidate = true; form.closest('details')?.setAttribute('open', '') }")
        form.locator("[name=surname]").fill(surname)
        form.locator("[name=reason]").fill("Boda")
        follow(form.locator("button[type=submit]"))
    player.refresh_from_db()
    assert player.surname == "Nueva"
