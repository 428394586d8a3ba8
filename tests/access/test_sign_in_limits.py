"""Limits on sign-in attempts: guessing passwords is slow, but nobody can lock out another person.

The limits also work without a cache.
"""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from federation import sign_in_limits
from players.models import Tally
from players.services import limits
from players.services.limits import Limit
from tests import factories
from tests.sign_up_letters import letters_for_password, password_link, post
from tests.threads import at_once

HOME, AWAY, THIRD = "192.0.2.1", "198.51.100.7", "203.0.113.9"
FREE = sign_in_limits.PASSWORDS["together"].free


@pytest.fixture
def lola(db):
    return factories.user("lola")


def sign_in(client, password=factories.PASSWORD, login="lola", address=HOME) -> bool:
    data = {"login": login, "password": password}
    response = client.post(reverse("account_login"), data, REMOTE_ADDR=address)
    assert response.status_code in (200, 302)
    return "_auth_user_id" in client.session


def fail_to_sign_in(times: int, login="lola", address=AWAY, client=None) -> None:
    for _attempt in range(times):
        assert not sign_in(client or Client(), "not-the-password", login, address)


def advance_clock(span: timedelta) -> None:
    Tally.objects.update(last_at=F("last_at") - span)


def test_each_wrong_password_makes_the_next_wait_longer(lola):
    fail_to_sign_in(FREE)
    waits = []
    for _attempt in range(12):
        with pytest.raises(limits.TooSoon) as early:
            limits.take({f"password account {lola.pk} from {AWAY}": sign_in_limits.PASSWORDS["together"]})
        waits.append(round(early.value.wait.total_seconds()))
        assert not sign_in(Client(), address=AWAY)  # not even with the right password
        advance_clock(timedelta(seconds=waits[-1] + 1))
        fail_to_sign_in(1)
    assert waits[:4] == [30, 60, 120, 240]
    assert max(waits) == waits[-1] == 15 * 60


def test_the_page_says_how_long_to_wait(lola):
    fail_to_sign_in(FREE + 2)
    data = {"login": "lola", "password": factories.PASSWORD}
    page = Client().post(reverse("account_login"), data, REMOTE_ADDR=AWAY).content.decode()
    assert "un minuto" in page


def test_guessing_from_one_address_does_not_lock_out_the_owner_at_another(lola):
    fail_to_sign_in(3 * FREE)
    assert sign_in(Client(), address=HOME)


def test_guessing_from_many_addresses_is_slowed_down_but_not_in_a_known_browser(lola):
    own = Client()
    assert sign_in(own, address=HOME)
    own.post(reverse("account_logout"))
    for number in range(sign_in_limits.PASSWORDS["account"].free):
        fail_to_sign_in(1, address=f"198.51.100.{number}")
    assert not sign_in(Client(), address=THIRD)
    assert sign_in(own, address=THIRD)


def test_attempts_from_a_known_browser_are_limited_separately(lola):
    own = Client()
    assert sign_in(own)
    own.session.flush()
    fail_to_sign_in(FREE, client=own, address=HOME)
    assert not sign_in(own, address=AWAY)  # from every address
    assert sign_in(Client(), address=HOME)  # and nobody else is delayed


def test_a_forged_cookie_does_not_make_a_browser_known(lola):
    forger = Client()
    forger.cookies["browser"] = f'["x",{lola.pk}]:1abc:signature'
    fail_to_sign_in(FREE, client=forger)
    assert not sign_in(forger, address=AWAY)


def test_attempts_on_many_accounts_from_one_address_are_slowed_down(db, monkeypatch):
    monkeypatch.setitem(
        sign_in_limits.PASSWORDS, "address", Limit(3, timedelta(minutes=1), timedelta(hours=1))
    )
    for number in range(3):
        fail_to_sign_in(1, login=f"nobody{number}")
    factories.user("lola")
    assert not sign_in(Client(), address=AWAY)
    assert sign_in(Client(), address=HOME)


def test_attempts_by_username_and_by_email_count_together(lola):
    fail_to_sign_in(FREE - 1)
    fail_to_sign_in(1, login="LOLA@example.org")
    assert not sign_in(Client(), address=AWAY)


def test_a_successful_sign_in_is_not_counted_as_an_attempt(lola):
    for _round in range(3):
        fail_to_sign_in(FREE - 1)
        assert sign_in(Client(), address=AWAY)
    # One counter for the account and one for the address.
    assert set(Tally.objects.values_list("count", flat=True)) == {3 * (FREE - 1)}


def test_an_hour_without_attempts_lowers_the_count_and_old_counters_are_deleted(lola):
    fail_to_sign_in(FREE)
    advance_clock(timedelta(hours=1))
    assert sign_in(Client(), address=AWAY)
    advance_clock(limits.FORGOTTEN)
    assert limits.prune() and not Tally.objects.exists()


def test_choosing_a_new_password_ends_the_wait(lola, client):
    fail_to_sign_in(FREE)
    (letter,) = letters_for_password(client, "lola@example.org", REMOTE_ADDR=AWAY)
    form = client.get(password_link(letter), follow=True).redirect_chain[-1][0]
    new = "another-long-password"
    client.post(form, {"password1": new, "password2": new}, REMOTE_ADDR=AWAY)
    assert sign_in(client, new, address=AWAY)


def test_password_emails_are_limited_whether_or_not_the_account_exists(lola):
    def ask(email: str):
        return Client().post(reverse("account_reset_password"), {"email": email}, REMOTE_ADDR=AWAY)

    for email in ("lola@example.org", "nadie@example.org"):
        answers = [ask(email) for _attempt in range(sign_in_limits.LETTERS["together"].free + 1)]
        assert [answer.status_code for answer in answers] == [302, 302, 302, 200]
        assert "email" in answers[-1].context["form"].errors
    assert len(post()) == sign_in_limits.LETTERS["together"].free


def test_the_present_password_cannot_be_guessed_in_a_browser_left_signed_in(lola, client):
    client.force_login(lola)
    new = "another-long-password"
    for _attempt in range(FREE):
        client.post(
            reverse("account_change_password"), {"oldpassword": "guess", "password1": new, "password2": new}
        )
    data = {"oldpassword": factories.PASSWORD, "password1": new, "password2": new}
    assert client.post(reverse("account_change_password"), data).status_code == 200
    lola.refresh_from_db()
    assert lola.check_password(factories.PASSWORD)


def test_signing_in_and_password_emails_work_without_the_cache(lola, client, monkeypatch):
    def away(*_args, **_kwargs):
        raise OSError("Redis is away")

    for name in ("get", "set", "add", "delete", "incr", "get_many", "set_many"):
        monkeypatch.setattr(cache._connections[cache._alias], name, away, raising=False)
    assert client.post(reverse("account_reset_password"), {"email": "lola@example.org"}).status_code == 302
    fail_to_sign_in(1, client=client)
    assert sign_in(client)


def test_ipv6_addresses_of_one_subscriber_count_as_one_address():
    network = sign_in_limits.network_of
    assert network("2001:db8::1") == network("2001:db8::ffff") != network("2001:db8:0:1::1")
    assert network(HOME) != network(AWAY)


def test_a_last_attempt_stored_in_the_future_refuses_no_free_attempt(db):
    """A last attempt whose stored time is in the future neither refuses free attempts nor lengthens the wait.

    The stored time can be ahead of this server's clock for two reasons. Another server may have stored it by
    its own clock. Or a simultaneous attempt stored it while this one waited for the row's lock.
    """
    rule = {"password x": Limit(2, timedelta(minutes=1), timedelta(hours=1))}
    limits.take(rule)
    Tally.objects.update(last_at=timezone.now() + timedelta(seconds=30))
    limits.take(rule)
    Tally.objects.update(last_at=timezone.now() + timedelta(seconds=30))
    with pytest.raises(limits.TooSoon) as refused:
        limits.take(rule)
    assert refused.value.wait == timedelta(minutes=1)


@pytest.mark.django_db(transaction=True)
def test_simultaneous_attempts_are_all_counted():
    rule = {"password x": Limit(3, timedelta(minutes=1), timedelta(hours=1))}
    refused = at_once([lambda: limits.take(rule)] * 8)
    assert len(refused) == 5 and {type(item) for item in refused} == {limits.TooSoon}
    assert Tally.objects.get().last_at <= timezone.now()
