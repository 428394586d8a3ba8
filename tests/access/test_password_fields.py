"""How passwords are typed and checked, and that a closed account has no session."""

from datetime import timedelta

import pytest
from django.contrib.auth import authenticate
from django.urls import reverse
from django.utils import timezone

from tests import factories
from tests.pages import open_page

FIELDS = {"password": "current-password", "oldpassword": "current-password", "password1": "new-password"}


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("account_login", {"password"}),
        ("account_change_password", {"oldpassword", "password1", "password2"}),
        ("account_code", {"password1", "password2"}),
    ],
)
def test_password_fields_are_masked_and_filled_by_password_managers(page, names, client, db):
    if page == "account_change_password":
        client.force_login(factories.user())
    form = open_page(client, reverse(page))
    assert form.headings(1)
    for name in names:
        field = form.the("input", name=name)
        assert field["type"] == "password", name
        assert field["autocomplete"] == FIELDS.get(name, "new-password"), name
        assert not {"onpaste", "maxlength"} & field.attributes.keys(), name


@pytest.mark.parametrize("password", ["  two spaces around  ", "Ñandú ¡olé! ﬁ", "a1" * 40 + "Z", "x y" * 60])
def test_a_password_is_checked_exactly_as_it_was_typed(password, client, db):
    account = factories.user("lola")
    client.force_login(account)
    data = {"oldpassword": factories.PASSWORD, "password1": password, "password2": password}
    assert client.post(reverse("account_change_password"), data).status_code == 302
    account.refresh_from_db()
    assert account.check_password(password)
    for other in (password.strip() + "!", password.swapcase(), password[:-1]):
        assert not account.check_password(other)


def test_a_password_of_years_ago_still_signs_in(rf, db):
    account = factories.user("lola", date_joined=timezone.now() - timedelta(days=4000))
    assert authenticate(rf.post("/"), username="lola", password=factories.PASSWORD) == account


def test_closing_an_account_ends_its_sessions(client, db):
    account = factories.user("lola")
    client.force_login(account)
    assert client.get(reverse("account_security")).status_code == 200
    account.is_active = False
    account.save()
    assert client.get(reverse("account_security")).status_code == 302
