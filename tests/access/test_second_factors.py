"""Second factors: setting them up, signing in with them, being asked again, and losing them."""

import json
import re
import time
from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from allauth.usersessions.models import UserSession
from django.conf import settings as project_settings
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.management import call_command
from django.db import connection
from django.db.models import F
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from federation import asking, sign_in_limits
from players.models import AccountEvent, Role, Tally
from players.services import second_factors, sessions
from players.services.journal import held_until
from scoring.letters import sending
from tests import factories, second
from tests.access import matrix
from tests.pages import Page, open_page
from tests.sign_up_letters import letters_for_password, password_link

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
# What a browser answered when it made a passkey.
A_CREDENTIAL = {
    "id": "BQUFBQUFBQUFBQUFBQUFBQ",
    "rawId": "BQUFBQUFBQUFBQUFBQUFBQ",
    "type": "public-key",
    "clientExtensionResults": {},
    "response": {
        "clientDataJSON": (
            "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiZUhoNGVIaDRlSGg0ZUhoNGVIaDRlQSIsIm9yaWdpbiI6"
            "Imh0dHA6Ly9sb2NhbGhvc3QiLCJjcm9zc09yaWdpbiI6ZmFsc2V9"
        ),
        "attestationObject": (
            "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YViUSZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2NFAAAAAA"
            "AAAAAAAAAAAAAAAAAAAAAAEAUFBQUFBQUFBQUFBQUFBQWlAQIDJiABIVggAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB"
            "AQEBAQEBAQEiWCACAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg"
        ),
    },
}
HOME, AWAY = "192.0.2.1", "198.51.100.7"
pytestmark = pytest.mark.django_db


def code_now(secret: str = SECRET, steps: int = 0) -> str:
    """Return the code that an app shows now, or that many half minutes later."""
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30 + steps))


@pytest.fixture
def lola():
    """An account with an app."""
    account = factories.user("lola")
    second_factors.add_app(account, SECRET)
    return account


def password_step(client, login: str = "lola", address: str = HOME, **data):
    values = {"login": login, "password": factories.PASSWORD, **data}
    return client.post(reverse("account_login"), values, REMOTE_ADDR=address)


def code_step(client, code: str, address: str = HOME):
    return client.post(reverse("mfa_authenticate"), {"code": code}, REMOTE_ADDR=address)


def is_signed_in(client) -> bool:
    return "_auth_user_id" in client.session


def kinds(account) -> list[str]:
    return list(account.events.order_by("pk").values_list("kind", flat=True))


def earlier(client) -> None:
    """Let the time pass after which the account is asked again."""
    session = client.session
    for record in session.get("account_authentication_methods", []):
        record["at"] -= project_settings.ASK_AGAIN_AFTER.total_seconds() + 1
    session.save()


@pytest.fixture
def office():
    """A browser in which an account of the office is signed in."""
    client = Client()
    client.force_login(factories.office())
    return client


# --- Setting one up -------------------------------------------------------------------------------------
def test_setting_up_an_app_takes_its_code_and_shows_recovery_codes_once(client):
    account = factories.user("lola")
    client.force_login(account)
    page = open_page(client, reverse("app_add"))
    secret = page.the(class_="secret").text.replace(" ", "")
    assert page.the("img", class_="qr")["src"].startswith("data:image/svg+xml;base64,")
    assert client.post(reverse("app_add"), {"code": "000000"}).status_code == 422
    assert not second_factors.has_second_factor(account)
    answer = client.post(reverse("app_add"), {"code": code_now(secret)})
    codes = [item.text for item in Page(answer).main.the(class_="secret").all("li")]
    assert len(set(codes)) == 10 and all(re.fullmatch(r"\d{4} \d{4}", code) for code in codes)
    assert "no-store" in answer["Cache-Control"]
    assert kinds(account) == ["factor_on", "codes_made"]
    for name in ("account_security", "recovery_codes", "app_add"):
        shown = client.get(reverse(name), follow=True).content.decode()
        assert not [code for code in codes if code in shown]
    stored = Authenticator.objects.get(type="totp").data["secret"]
    assert secret not in stored  # encrypted


def test_a_second_app_is_refused_and_the_first_one_goes_on(client, lola):
    client.force_login(lola)
    client.post(reverse("app_add"), {"again-code": code_now(), "again-page": "1"})
    secret = open_page(client, reverse("app_add")).the(class_="secret").text.replace(" ", "")
    assert client.post(reverse("app_add"), {"code": code_now(secret)}).status_code == 422
    assert second_factors.matching_factor(lola, code_now(steps=1))


def test_a_changed_key_reads_old_secrets_only_while_it_is_named(lola, settings):
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another-key"
    assert second_factors.matching_factor(lola, code_now())
    settings.SECRET_KEY_FALLBACKS = []
    assert second_factors.matching_factor(lola, code_now(steps=1)) is None


# --- Signing in -----------------------------------------------------------------------------------------
def test_the_password_alone_does_not_sign_in(client, lola):
    answer = password_step(client, next="/oficina/")
    assert answer.url == reverse("mfa_authenticate")
    assert not is_signed_in(client)
    assert not is_signed_in(client) and client.get(reverse("account_security")).status_code == 302
    assert Page(code_step(client, "000000")).main.all(class_="invalid-feedback")
    assert not is_signed_in(client)
    assert code_step(client, code_now()).url == "/oficina/"
    assert is_signed_in(client)


def test_a_code_works_once_and_no_earlier_one_after_it(lola):
    assert second_factors.matching_factor(lola, code_now())
    assert second_factors.matching_factor(lola, code_now()) is None
    assert second_factors.matching_factor(lola, code_now(steps=-1)) is None
    assert second_factors.matching_factor(lola, f" {code_now(steps=1)[:3]} {code_now(steps=1)[3:]} ")
    assert second_factors.matching_factor(lola, code_now(steps=2)) is None  # too far in the future


def test_a_recovery_code_signs_in_once_and_the_owner_is_told(client, lola):
    codes = second_factors.make_recovery_codes(lola)
    password_step(client)
    code_step(client, codes[3])
    assert is_signed_in(client)
    assert second_factors.recovery_codes_left(lola) == 9
    other = Client()
    password_step(other)
    code_step(other, codes[3])
    assert not is_signed_in(other)
    assert kinds(lola) == ["factor_on", "codes_made", "code_used"]
    second_factors.make_recovery_codes(lola)
    code_step(other, codes[4])  # the new codes replace all old ones
    assert not is_signed_in(other)


def test_wrong_codes_are_limited_in_the_database_and_delay_nobody_elsewhere(client, lola):
    free = sign_in_limits.CODES["together"].free
    guesser = Client()
    password_step(guesser, address=AWAY)
    for _attempt in range(free):
        code_step(guesser, "000000", AWAY)
    assert "minuto" in code_step(guesser, code_now(), AWAY).content.decode()
    assert not is_signed_in(guesser)
    password_step(client)
    code_step(client, code_now())
    assert is_signed_in(client)
    Tally.objects.update(last_at=F("last_at") - sign_in_limits.MINUTES)
    code_step(guesser, code_now(steps=1), AWAY)
    assert is_signed_in(guesser)


def test_many_addresses_together_guess_few_codes(lola):
    for number in range(sign_in_limits.CODES["account"].free):
        guesser = Client()
        password_step(guesser, address=f"198.51.100.{number}")
        code_step(guesser, "000000", f"198.51.100.{number}")
    late = Client()
    password_step(late, address=AWAY)
    assert "minuto" in code_step(late, code_now(), AWAY).content.decode()


def answers_of_other_shapes() -> list[str]:
    """Return what a program could send in place of a passkey's answer, as JSON or not."""
    response = A_CREDENTIAL["response"]
    changed = [
        {"id": "AA"},
        {"rawId": 5},
        {"response": 1},
        {"response": {"userHandle": 5}},
        {"response": {**response, "userHandle": "MQ", "authenticatorData": "AA", "signature": "AA"}},
        *(
            {"response": {**response, name: value}}
            for name in response
            for value in ("", "A", "é", 5, {}, [])
        ),
    ]
    shapes = [{**A_CREDENTIAL, **values} for values in changed]
    shapes += [
        {key: value for key, value in A_CREDENTIAL.items() if key != left_out} for left_out in A_CREDENTIAL
    ]
    return ["", "{", "[]", "{}", '"x"', "1", "null", *map(json.dumps, shapes)]


def test_a_passkeys_answer_of_any_shape_is_refused_without_an_error(client, lola):
    for credential in answers_of_other_shapes():
        client.get(reverse("mfa_login_webauthn"), HTTP_ACCEPT="application/json")
        answer = client.post(reverse("mfa_login_webauthn"), {"credential": credential, "next": "/oficina/"})
        assert answer.url == reverse("account_login") + "?next=%2Foficina%2F", credential
        assert not is_signed_in(client), credential
    answer = client.post(reverse("mfa_login_webauthn"), {"credential": "", "next": "https://else.example/"})
    assert answer.url == reverse("account_login")
    account = factories.user("eva")
    client.force_login(account)
    for credential in answers_of_other_shapes():
        client.get(reverse("passkey_add"))
        assert client.post(reverse("passkey_add"), {"credential": credential}).status_code == 422, credential
    assert not Authenticator.objects.filter(user=account).exists()


@pytest.mark.parametrize(
    ("host", "works"),
    [("localhost:8000", True), ("127.0.0.1:8000", False), ("[::1]:8000", False)],
)
def test_a_passkey_page_on_a_bare_address_says_to_open_the_site_by_name(client, settings, host, works):
    settings.SITE_ADDRESS = "https://baza.example.org"
    client.force_login(factories.user())
    page = Page(client.get(reverse("passkey_add"), headers={"host": host}))
    assert bool(page.main.all("button", data_passkey="create")) is works
    assert ("https://baza.example.org/cuenta/llaves/nueva/" in page.main.addresses) is not works


def test_signing_in_can_begin_again_after_the_password(client, lola):
    factories.user("eva")
    password_step(client)
    assert client.get(reverse("account_login")).url == reverse("mfa_authenticate")
    assert client.post(reverse("account_logout")).url == reverse("account_login")
    password_step(client, "eva")
    assert client.session["_auth_user_id"] != str(lola.pk)


def test_what_the_register_does_not_know_is_a_dash(client):
    for year, shown in ((None, "año de nacimiento —"), (1950, "año de nacimiento 1950")):
        client.force_login(factories.player(birth_year=year, user=factories.user()).user)
        assert shown in open_page(client, reverse("account_security")).text


def test_an_account_without_an_address_reads_what_that_means(client):
    for email, act in (("", "Añadir un correo"), ("eva@example.org", "Cambiar el correo")):
        client.force_login(factories.user(email=email))
        page = open_page(client, reverse("account_security"))
        assert page.link(act)
        assert ("Allí van los enlaces" in page.text) == bool(email)
        assert ("La dirección antigua" in open_page(client, reverse("account_address")).text) == bool(email)


def test_a_player_reads_what_the_register_has_of_them(client):
    for year, words in ((None, "año de nacimiento —."), (1950, "año de nacimiento 1950.")):
        account = factories.user()
        factories.player(user=account, birth_year=year)
        client.force_login(account)
        assert words in open_page(client, reverse("account_security")).text


def test_signing_out_is_confirmed_at_once(client):
    client.force_login(factories.user("eva"))
    page = Page(client.post(reverse("account_logout"), follow=True))
    assert page.messages == ["Has cerrado la sesión."]


def test_the_second_step_on_a_bare_address_names_the_site_where_passkeys_work(client, lola, settings):
    settings.SITE_ADDRESS = "https://baza.example.org"
    second_factors.add_passkey(lola, "Telephone", A_CREDENTIAL)
    for host, works in (("127.0.0.1", False), ("localhost", True)):
        browser = Client(SERVER_NAME=host)
        password_step(browser)
        main = open_page(browser, reverse("mfa_authenticate")).main
        assert bool(main.all("button", data_passkey="get")) is works
        assert ("https://baza.example.org/cuenta/entrar/codigo/" in main.addresses) is not works


# --- Who must have one ----------------------------------------------------------------------------------
@pytest.fixture
def required(settings):
    settings.SECOND_FACTOR_REQUIRED = settings.ASK_PASSWORD_AGAIN = True


OFFICE_ROLES = [Role.Kind.OFFICE, Role.Kind.COMMITTEE, Role.Kind.AUDITOR]


@pytest.mark.parametrize("role", OFFICE_ROLES)
def test_who_must_have_a_second_factor_is_led_to_set_one_up(client, required, role):
    account = factories.user("lola")
    factories.role(account, role)
    answer = password_step(client, next="/oficina/por-aprobar/")
    assert answer.url == reverse("account_security")
    assert Page(client.get(answer.url)).main.all(class_="note-caution")
    for name in ("proposals", "office", "campaigns", "account_login"):
        assert client.get(reverse(name)).url == reverse("account_security")
    assert client.post(reverse("account_new"), {"username": "eva"}).url == reverse("account_security")
    second_factors.add_app(account, SECRET)
    assert client.get(reverse("proposals")).status_code == 200


def test_public_pages_stay_open_to_whoever_lacks_a_second_factor(required, world):
    client = Client()
    client.force_login(world.accounts["office"])
    for name, page in {**matrix.PUBLIC, **matrix.API}.items():
        answer = client.get(reverse(name, args=page.args(world)), page.query)
        assert answer.headers.get("Location") != reverse("account_security"), name


def test_a_page_that_does_not_ask_who_reads_it_needs_no_session(required, client, rf):
    client.force_login(factories.office())
    request = rf.get(reverse("help"))
    request.session = client.session
    request.session.accessed = False
    middleware = asking.SecondFactorMiddleware(lambda request: HttpResponse())
    middleware(request)
    assert not request.session.accessed
    assert request.user.is_anonymous and request.session.accessed


def test_only_the_named_roles_and_superusers_must_have_one(required, settings):
    director = factories.director(factories.club())
    assert not second_factors.lacks_second_factor(director)
    settings.SECOND_FACTOR_ROLES = {*settings.SECOND_FACTOR_ROLES, "director"}
    assert second_factors.lacks_second_factor(director)
    assert second_factors.lacks_second_factor(factories.user(is_superuser=True))
    assert not second_factors.lacks_second_factor(factories.user())


def test_a_role_granted_during_a_session_counts_at_once(client, required):
    account = factories.user()
    client.force_login(account)
    assert client.get(reverse("proposals")).status_code == 200
    factories.role(account, Role.Kind.OFFICE)
    assert client.get(reverse("proposals")).url == reverse("account_security")


def test_the_last_second_factor_of_who_must_have_one_stays(client, required, lola):
    factories.role(lola, Role.Kind.OFFICE)
    password_step(client)
    code_step(client, code_now())
    assert client.post(reverse("app_remove")).status_code == 422
    assert second_factors.has_second_factor(lola)
    lola.roles.all().delete()
    assert client.post(reverse("app_remove")).status_code == 302
    assert not Authenticator.objects.filter(user=lola).exists()


def test_in_the_demo_nobody_must_have_one_and_the_page_says_so(client):
    office = factories.office()
    client.force_login(office)
    assert client.get(reverse("office")).status_code == 200
    assert open_page(client, reverse("account_security")).main.all("p", class_="note")


# --- Asked again ----------------------------------------------------------------------------------------
ACTS = sorted(asking.ASKED)


@pytest.mark.parametrize("name", ACTS)
def test_each_act_asks_for_the_second_factor_and_keeps_what_was_entered(name, world):
    account = next(
        world.accounts[actor]
        for actor in reversed(matrix.ACTORS)
        if matrix.MATRIX[name].post[actor] == matrix.IN
    )
    second_factors.add_app(account, SECRET)
    client = Client()
    client.force_login(account)
    address = reverse(name, args=matrix.MATRIX[name].args(world)) + "?a=1"
    data = {"reason": "«Uno» & dos", "seen": ["x", "y"], "action": "nothing"}
    before = AccountEvent.objects.count()
    form = Page(client.post(address, data)).form("again-code")
    assert form.action == address
    assert form.values["reason"] == [data["reason"]] and form.values["seen"] == data["seen"]
    wrong = client.post(address, {**data, "again-code": "000000"})
    assert wrong.status_code == 422 and Page(wrong).form("again-code").values["seen"] == data["seen"]
    assert AccountEvent.objects.count() == before
    answer = client.post(address, {**data, "again-code": code_now()})
    assert not answer.context or "kept" not in answer.context
    # Not asked again for a while, and then again.
    answer = client.post(address, data)
    assert not answer.context or "kept" not in answer.context
    earlier(client)
    assert "kept" in client.post(address, data).context


def test_pages_with_secrets_ask_before_they_are_shown(client, lola):
    client.force_login(lola)
    for name in ("app_add", "app_remove", "passkey_add"):
        page = open_page(client, reverse(name))
        assert page.main.fields == {"csrfmiddlewaretoken", "again-page", "again-code"}
    answer = client.post(reverse("passkey_add"), {"again-page": "1", "again-code": code_now()})
    assert answer.url == reverse("passkey_add")
    page = Page(client.get(answer.url, headers={"host": "localhost"}))
    assert page.main.all("button", data_passkey="create")


def test_without_a_second_factor_production_asks_for_the_password(client, settings):
    settings.ASK_PASSWORD_AGAIN = True
    club = factories.club()
    admin = factories.user("lola")
    factories.role(admin, Role.Kind.CLUB_ADMIN, club=club)
    password_step(client)
    address, data = reverse("club_invite", args=[club.slug]), {"email": "eva@example.org"}
    assert client.post(address, data).status_code == 302  # the password was given just now
    earlier(client)
    form = Page(client.post(address, data)).form("again-password")
    assert form.values["email"] == [data["email"]]
    assert client.post(address, {**data, "again-password": "not-the-password"}).status_code == 422
    assert client.post(address, {**data, "again-password": factories.PASSWORD}).status_code == 302


def test_signing_in_with_a_code_counts_as_having_answered(client, lola):
    factories.role(lola, Role.Kind.OFFICE)
    password_step(client)
    code_step(client, code_now())
    data = {"username": "eva"}
    assert client.post(reverse("account_new"), data).status_code == 302
    earlier(client)
    assert "kept" in client.post(reverse("account_new"), {"username": "ana"}).context


# --- Sessions -------------------------------------------------------------------------------------------
FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.5 Mobile/15E148 Safari/604.1"
)


def browsers(*agents: str) -> list[Client]:
    clients = [Client(headers={"user-agent": agent}) for agent in agents]
    for client in clients:
        password_step(client)
    return clients


def test_sessions_are_listed_and_ended_one_or_all():
    account = factories.user("lola")
    here, phone, third = browsers(FIREFOX, IPHONE, "curl/8")
    shown = here.get(reverse("account_security")).context["sessions"]
    assert [(item.browser, item.is_current) for item in shown] == [
        ("Firefox, Windows", True), ("otro programa", False), ("Safari, iPhone", False),
    ]  # fmt: skip
    assert {item.address for item in shown} == {HOME}
    here.post(reverse("session_end", args=[shown[2].pk]))
    assert phone.get(reverse("account_security")).status_code == 302
    assert third.get(reverse("account_security")).status_code == 200
    here.post(reverse("sessions_end"))
    assert third.get(reverse("account_security")).status_code == 302
    assert here.get(reverse("account_security")).status_code == 200
    assert account.usersession_set.count() == 1


def test_three_sessions_and_passkeys_take_as_many_queries_as_one(django_assert_num_queries):
    account = factories.user("lola")
    (here,) = browsers(FIREFOX)
    second_factors.add_passkey(account, "First", A_CREDENTIAL)
    with CaptureQueriesContext(connection) as captured:
        here.get(reverse("account_security"))
    UserSession.objects.bulk_create(
        UserSession(user=account, session_key=key, ip=HOME, user_agent=IPHONE) for key in ("a", "b")
    )
    Session.objects.bulk_create(
        Session(session_key=key, session_data="", expire_date=timezone.now() + timedelta(hours=1))
        for key in ("a", "b")
    )
    for name in ("Second", "Third"):
        second_factors.add_passkey(account, name, A_CREDENTIAL)
    with django_assert_num_queries(len(captured)):
        page = here.get(reverse("account_security"))
    assert (len(page.context["sessions"]), len(page.context["passkeys"])) == (3, 3)


def test_nobody_ends_the_sessions_of_somebody_else(client):
    factories.user("lola")
    (hers,) = browsers(FIREFOX)
    pk = hers.get(reverse("account_security")).context["sessions"][0].pk
    client.force_login(factories.user())
    client.post(reverse("session_end", args=[pk]))
    client.post(reverse("sessions_end"))
    assert hers.get(reverse("account_security")).status_code == 200


def test_changing_or_resetting_the_password_deletes_the_other_sessions():
    account = factories.user("lola")
    here, _there = browsers(FIREFOX, IPHONE)
    new = "another-long-password"
    data = {"oldpassword": factories.PASSWORD, "password1": new, "password2": new}
    here.post(reverse("account_change_password"), data)
    assert len(here.get(reverse("account_security")).context["sessions"]) == 1
    (letter,) = letters_for_password(here, account.email)
    reader = Client()
    form = reader.get(password_link(letter), follow=True).redirect_chain[-1][0]
    reader.post(form, {"password1": new + "1", "password2": new + "1"})
    assert account.usersession_set.count() == 0
    assert here.get(reverse("account_security")).status_code == 302


def test_expired_sessions_are_forgotten_with_their_addresses():
    account = factories.user("lola")
    browsers(FIREFOX)
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    sessions.forget_expired(factories.today())
    assert not Session.objects.exists() and not account.usersession_set.exists()


def test_a_worker_whose_clock_is_ahead_signs_nobody_out(monkeypatch):
    account = factories.user("lola")
    browsers(FIREFOX)
    ahead = timezone.now() + timedelta(days=365)
    monkeypatch.setattr(timezone, "now", lambda: ahead)
    sessions.forget_expired(ahead.date())
    assert Session.objects.exists() and account.usersession_set.exists()


# --- The address ----------------------------------------------------------------------------------------
def ask_for_address(client, email: str):
    return client.post(reverse("account_address"), {"email": email})


def link_in(letter) -> str:
    return re.search(r"https?://testserver(/\S+)", letter.body)[1]


def test_the_owner_changes_the_address_by_a_letter_to_the_new_one(client):
    lola = factories.user("lola")
    client.force_login(lola)
    assert ask_for_address(client, "new@example.org").status_code == 302
    (letter,) = mail.outbox
    assert letter.to == ["new@example.org"]
    reader = Client()
    reader.get(link_in(letter))
    lola.refresh_from_db()
    assert lola.email == "lola@example.org"  # opening the link changes nothing
    reader.post(link_in(letter))
    lola.refresh_from_db()
    assert lola.email == "new@example.org"
    assert mail.outbox[1].to == ["lola@example.org"]
    event = lola.events.get()
    assert (event.kind, event.detail) == (
        "address",
        {"before": "lola@example.org", "after": "new@example.org"},
    )
    assert held_until(lola)
    assert reader.get(link_in(letter)).status_code == 410


def test_a_changed_password_voids_the_link_for_an_address(client):
    lola = factories.user("lola")
    client.force_login(lola)
    ask_for_address(client, "new@example.org")
    lola.set_password("another-long-password")
    lola.save()
    assert Client().post(link_in(mail.outbox[0])).status_code == 410


def test_the_address_of_another_account_gives_the_same_answer(client):
    factories.user("eva", email="eva@example.org")
    client.force_login(factories.user("lola"))
    answers = [ask_for_address(client, email) for email in ("EVA@example.org", "new@example.org")]
    assert [(answer.status_code, answer.url) for answer in answers] == 2 * [
        (302, reverse("account_security"))
    ]
    taken, free = mail.outbox
    assert "/correo/" not in taken.body and "/correo/" in free.body


def test_letters_to_a_new_address_are_limited(client):
    client.force_login(factories.user("lola"))
    free = sign_in_limits.LETTERS["together"].free
    answers = [ask_for_address(client, "new@example.org").status_code for _attempt in range(free + 1)]
    assert answers == [302] * free + [422]


# --- Told -----------------------------------------------------------------------------------------------
def test_the_owner_is_told_of_each_change_in_the_page_and_by_letter(client, lola):
    codes = second_factors.make_recovery_codes(lola)
    assert second_factors.matching_factor(lola, codes[0])
    second_factors.add_passkey(lola, "Telephone", {})
    passkey, app = Authenticator.objects.get(type="webauthn"), Authenticator.objects.get(type="totp")
    second_factors.remove(passkey)
    second_factors.remove(app)
    events = [
        "factor_on", "codes_made", "code_used", "passkey_on", "passkey_off", "factor_off"
    ]  # fmt: skip
    assert kinds(lola) == events
    assert lola.letters.filter(kind="account_security").count() == len(events)
    for letter in lola.letters.order_by("pk"):
        sending.send(letter.pk)
    letters = [letter.subject + letter.body for letter in mail.outbox if letter.to == ["lola@example.org"]]
    assert len(letters) == len(events)
    assert "Telephone" in letters[3] and reverse("account_security") in letters[3]
    client.force_login(lola)
    assert "Telephone" in open_page(client, reverse("notices")).main.text
    settings_page = open_page(client, reverse("notice_settings")).main
    assert "account_security" not in settings_page.fields  # nobody can turn these off


# --- Lost -----------------------------------------------------------------------------------------------
def test_the_office_removes_a_lost_second_factor_with_a_second_person(office, lola):
    (hers,) = [Client()]
    password_step(hers)
    code_step(hers, code_now())
    address = reverse("account_change", args=[lola.pk])
    assert office.post(address, {"action": "factors"}).status_code == 422  # no reason
    assert office.post(address, {"action": "factors", "reason": "Telephone lost"}).status_code == 302
    assert second_factors.has_second_factor(lola)
    second.approve_all()
    assert not Authenticator.objects.filter(user=lola).exists()
    assert hers.get(reverse("account_security")).status_code == 302
    assert kinds(lola)[-1] == "factor_lost" and held_until(lola)
    assert office.get(reverse("account", args=[lola.pk])).context["has_second_factor"] is False


def test_the_command_line_removes_a_lost_second_factor(lola, capsys):
    call_command("remove_second_factor", "lola")
    assert not second_factors.has_second_factor(lola)
    assert lola.events.first().by is None
    assert held_until(lola) is None
