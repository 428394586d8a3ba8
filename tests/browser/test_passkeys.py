"""Passkeys, with Chromium's virtual authenticator: adding one, signing in with it, and being asked again."""

from urllib.parse import urlsplit

import pytest
from allauth.mfa.models import Authenticator
from django.urls import reverse

from players.models import Role
from players.services import second_factors
from tests import factories
from tests.access.test_second_factors import SECRET, code_now
from tests.browser.conftest import follow, page_problems

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def device(page):
    """A device that keeps passkeys and always recognises its owner. `remove()` takes it away."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    device_id = devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]
    yield lambda verified: devtools.send(
        "WebAuthn.setUserVerified", {"authenticatorId": device_id, "isUserVerified": verified}
    )


@pytest.fixture
def at(live_url):
    """A function that returns the address of a page on `localhost`, because IP addresses get no passkeys."""
    port = urlsplit(live_url).port
    return lambda name, *args: f"http://localhost:{port}{reverse(name, args=args)}"


@pytest.fixture
def live_url(live_server) -> str:
    """The server by name, so that the fixture `page` does not take it for another host."""
    return f"http://localhost:{urlsplit(live_server.url).port}"


def sign_in_by_password(page, at, login: str) -> None:
    page.goto(at("account_login"))
    page.fill("#id_login", login)
    page.fill("#id_password", factories.PASSWORD)
    follow(page.locator("form:has(#id_password) button"))


def passkey_button(page):
    return page.locator("[data-passkey]")


def test_a_passkey_is_added_and_signs_in_alone(page, at, device):
    account = factories.user("lola")
    sign_in_by_password(page, at, "lola")
    page.goto(at("passkey_add"))
    assert page_problems(page) == []
    page.fill("#id_name", "Mi teléfono")
    follow(passkey_button(page))
    assert page.locator("ol.secret li").count() == 10
    assert page_problems(page) == []
    page.goto(at("account_security"))
    assert "Mi teléfono" in page.inner_text("main")
    assert page_problems(page) == []
    page.context.clear_cookies()
    page.goto(at("account_login") + "?next=" + reverse("help"))
    assert page_problems(page) == []
    follow(passkey_button(page))
    assert page.url == at("help")
    page.goto(at("account_security"))
    assert "Mi teléfono" in page.inner_text("main")
    assert list(account.events.order_by("pk").values_list("kind", flat=True)) == ["passkey_on", "codes_made"]


def test_a_passkey_is_the_second_step_after_the_password_and_is_asked_again_before_an_act(
    page, at, device, settings
):
    factories.role(factories.user("lola"), Role.Kind.OFFICE)
    sign_in_by_password(page, at, "lola")
    page.goto(at("passkey_add"))
    follow(passkey_button(page))
    page.context.clear_cookies()
    sign_in_by_password(page, at, "lola")
    assert page.url == at("mfa_authenticate")
    assert page_problems(page) == []
    follow(passkey_button(page))
    settings.ASK_AGAIN_AFTER = type(settings.ASK_AGAIN_AFTER)()
    page.goto(at("account_new"))
    page.fill("#id_username", "eva")
    follow(page.locator("main form button"))
    assert passkey_button(page).is_visible()
    assert page_problems(page) == []
    follow(passkey_button(page))
    assert "/oficina/cuentas/" in page.url and "eva" in page.inner_text("h1")


def test_a_refused_passkey_can_be_tried_again(page, at, device):
    account = factories.user("lola")
    sign_in_by_password(page, at, "lola")
    page.goto(at("passkey_add"))
    device(False)
    passkey_button(page).click()
    page.locator("[data-refused]").wait_for(state="visible")
    assert not Authenticator.objects.filter(user=account).exists()
    device(True)
    follow(passkey_button(page))
    assert Authenticator.objects.filter(user=account, type="webauthn").count() == 1


def test_an_app_is_set_up_by_its_picture_and_its_pages_have_no_problems(page, at):
    account = factories.user("lola")
    sign_in_by_password(page, at, "lola")
    page.goto(at("app_add"))
    assert page.eval_on_selector(".qr", "picture => picture.naturalWidth") > 0
    assert page_problems(page) == []
    page.context.clear_cookies()
    second_factors.add_app(account, SECRET)
    sign_in_by_password(page, at, "lola")
    assert page_problems(page) == []
    page.fill("#id_code", code_now())
    follow(page.locator("form:has(#id_code) button"))
    for name in ("app_remove", "recovery_codes", "account_address"):
        page.goto(at(name))
        assert page_problems(page) == [], name
