"""Signing in and out, passwords, and the absence of a sign-up page."""

import re
from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import NoReverseMatch, reverse
from django.utils import timezone

from tests import factories
from tests.pages import open_page
from tests.sign_up_letters import letters_for_password, password_link, post

NEW_PASSWORD = "another-long-password"


def sign_in(client, login: str, password: str = factories.PASSWORD, **data):
    return client.post(reverse("account_login"), {"login": login, "password": password, **data})


@pytest.mark.parametrize("login", ["lola", "lola@example.org"])
def test_signing_in_by_username_or_email_leads_back_to_the_requested_page(client, db, login):
    factories.user("lola")
    response = sign_in(client, login, next="/oficina/importar/")
    assert (response.status_code, response.url) == (302, "/oficina/importar/")
    assert 0 <= 12 * 3600 - client.session.get_expiry_age() < 600


def test_signing_in_never_redirects_to_another_site(client, db):
    factories.user("lola")
    assert sign_in(client, "lola", next="https://example.com/").url == reverse("my_place")


def test_a_protected_page_asks_to_sign_in_and_remembers_itself(client, db):
    response = client.get(reverse("office_imports"))
    assert response.url == f"{reverse('account_login')}?next={reverse('office_imports')}"
    # The form for the password has it, and the one for a passkey.
    assert open_page(client, response.url).main.values("next") == 2 * [reverse("office_imports")]


@pytest.mark.parametrize("login", ["lola", "nadie"])
def test_a_wrong_password_and_an_unknown_account_give_the_same_error(client, db, login):
    factories.user("lola")
    response = sign_in(client, login, "not-the-password")
    assert response.status_code == 200
    assert "_auth_user_id" not in client.session
    assert list(response.context["form"].errors) == ["__all__"] or list(response.context["form"].errors) == [
        "password"
    ]


def test_a_username_that_is_the_number_of_another_account_still_signs_in(client, db):
    """The password decides: a number is its player's, and an older account may have it as its username."""
    member = factories.player(number="4711", user=factories.user("member")).user
    older = factories.user("4711")
    older.set_password(NEW_PASSWORD)
    older.save()
    for password, account in ((factories.PASSWORD, member), (NEW_PASSWORD, older), ("neither", None)):
        client.logout()
        sign_in(client, "4711", password)
        assert client.session.get("_auth_user_id") == (account and str(account.pk)), password


def test_after_five_wrong_passwords_even_the_right_one_is_refused(client, db):
    factories.user("lola")
    for _attempt in range(5):
        sign_in(client, "lola", "not-the-password")
    sign_in(client, "lola")  # after too many attempts, even the right password is refused
    assert "_auth_user_id" not in client.session


def test_a_deactivated_account_cannot_sign_in(client, db):
    factories.user("lola", is_active=False)
    assert sign_in(client, "lola").url == reverse("account_inactive")
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize("name", ["account_signup", "account_email", "account_set_password"])
def test_there_are_none_of_allauths_pages_to_sign_up_or_to_list_addresses(name):
    with pytest.raises(NoReverseMatch):
        reverse(name)


def test_changing_the_password_ends_other_sessions(client, db):
    from django.test import Client

    account = factories.user("lola")
    elsewhere = Client()
    for item in (client, elsewhere):
        sign_in(item, "lola")
    data = {"oldpassword": factories.PASSWORD, "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    assert client.post(reverse("account_change_password"), data).status_code == 302
    assert client.session["_auth_user_id"] == str(account.pk)
    assert client.get(reverse("account_change_password")).status_code == 200
    assert elsewhere.get(reverse("account_change_password")).status_code == 302


def test_a_mailed_link_lets_the_owner_choose_a_new_password(client, db):
    factories.user("lola")
    (letter,) = letters_for_password(client, "lola@example.org")
    link = password_link(letter)
    response = client.get(link, follow=True)
    form_url = response.redirect_chain[-1][0]
    data = {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    assert client.post(form_url, data).url == reverse("account_reset_password_from_key_done")
    sign_in(client, "lola", NEW_PASSWORD)
    assert "_auth_user_id" in client.session
    assert client.get(link, follow=True).context["token_fail"] is True


def test_requesting_a_password_email_does_not_reveal_whether_an_account_exists(client, db):
    factories.user("lola")
    answers, statements = [], []
    for address in ("first@example.org", "lola@example.org", "nadie@example.org"):  # the first fills caches
        with CaptureQueriesContext(connection) as queries:
            answers.append(client.post(reverse("account_reset_password"), {"email": address}))
        statements.append([re.sub(r"'[^']*'|s\d+_x\d+|\b\d+\b", "?", query["sql"]) for query in queries])
    first, known, unknown = answers
    assert (known.status_code, known.url) == (unknown.status_code, unknown.url) == (302, first.url)
    # Only a worker speaks to the mail server, so that the time of the answer tells nothing.
    assert statements[1] == statements[2] and mail.outbox == []
    assert [letter.to for letter in post()] == [["lola@example.org"]]


@pytest.mark.parametrize(
    "name",
    [
        "account_login",
        "account_reset_password",
        "account_reset_password_done",
        "account_inactive",
        "account_reset_password_from_key_done",
    ],
)
def test_account_pages_have_one_h1_and_the_site_navigation(client, db, name):
    page = open_page(client, reverse(name))
    (heading,) = page.headings(1)
    assert heading
    assert page.all(class_="site-nav")


def test_the_administration_site_uses_our_sign_in_page(client, db):
    response = client.get(reverse("admin:login"), {"next": "/admin/"})
    assert response.status_code == 302
    assert response.url.startswith(reverse("account_login"))


def test_account_forms_have_no_placeholders_and_no_formal_spanish(client, db):
    client.force_login(factories.user())
    main = open_page(client, reverse("account_change_password")).main
    assert not [field["name"] for field in main.controls if "placeholder" in field.attributes]
    for formal in ("su contraseña", "Su contraseña", "Ha olvidado"):
        assert formal not in main.text


def test_a_session_ends_twelve_hours_after_signing_in_however_much_it_is_used(client, db):
    account = factories.user("lola")
    sign_in(client, "lola")
    session = client.session
    assert session[SESSION_KEY] == str(account.pk)
    end = session.get_expiry_date()
    assert timedelta(hours=11, minutes=50) < end - timezone.now() <= timedelta(hours=12)
    session["note"] = "changed"
    session.save()
    assert client.session.get_expiry_date() == end
    assert Session.objects.get().expire_date == end


def test_signing_in_gives_the_browser_another_session(client, db):
    factories.user("lola")
    first = client.session
    first["before"] = 1
    first.save()
    client.cookies[settings.SESSION_COOKIE_NAME] = first.session_key
    sign_in(client, "lola")
    assert client.cookies[settings.SESSION_COOKIE_NAME].value != first.session_key
    assert not Session.objects.filter(session_key=first.session_key).exists()
