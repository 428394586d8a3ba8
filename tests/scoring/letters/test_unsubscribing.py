"""The links in letters that stop them: scanners, mail programs, readers, and what the links reveal."""

import base64
import re
from datetime import timedelta

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from scoring.letters import choices, kinds, weekly
from scoring.letters.models import Letter, Reader
from scoring.letters.notifying import next_monday, notify
from scoring.letters.registry import KINDS
from scoring.letters.unsubscribing import token_of
from tests import factories as make
from tests import servers
from tests.pages import Page
from tests.scoring.letters.test_letters import linked, post
from tests.scoring.letters.test_notices import plain_notices

pytestmark = pytest.mark.django_db


@pytest.fixture
def server(settings):
    """A mail server that the application uses."""
    with servers.mail_server() as started:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", started.port
        settings.EMAIL_USE_TLS, settings.EMAIL_TIMEOUT = False, 1
        yield started


@pytest.fixture
def account():
    return linked(make.player(), kinds.CATEGORY)


def link_of(message) -> str:
    """Return the path of the link by which mail programs stop a letter."""
    (url,) = re.fullmatch(r"<(.*)>", message["List-Unsubscribe"].strip()).groups()
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    for part in ("plain", "html"):
        content = message.get_body([part]).get_content()
        assert url in content or url in content.replace("&amp;", "&")
    assert url.startswith(settings.SITE_ADDRESS)
    return url.removeprefix(settings.SITE_ADDRESS)


def one_click(path: str) -> int:
    """POST as mail programs do (RFC 8058): no session, no token for CSRF, one field."""
    return Client(enforce_csrf_checks=True).post(path, {"List-Unsubscribe": "One-Click"}).status_code


def test_a_scanner_that_opens_the_link_changes_nothing_and_one_click_stops_the_kind(server, account):
    plain_notices(account, 1)
    post()
    path = link_of(server.taken[0])
    for method in ("get", "head"):
        assert getattr(Client(), method)(path).status_code == 200
    for body in ({}, {"q": "1"}):  # a scanner that also sends forms
        assert "Vuelves a recibir" not in Client().post(path, body).content.decode()
    assert choices.choices_of(account)["category"] == "once"
    assert one_click(path) == 200
    assert choices.choices_of(account)["category"] == "none"
    assert choices.choices_of(account)["own_points"] == "none"  # as it was
    plain_notices(account, 1)
    post()
    assert len(server.taken) == 1


def test_the_page_after_it_offers_to_undo_it(server, account):
    plain_notices(account, 1)
    post()
    path, reader = link_of(server.taken[0]), Client(enforce_csrf_checks=True)
    assert "¿No quieres recibir más correos como este?" in reader.get(path).content.decode()
    button = Page(reader.get(path)).the("button", name="List-Unsubscribe")
    assert 'name="resume"' in reader.post(path, {button["name"]: button["value"]}).content.decode()
    assert 'name="resume"' in reader.get(path).content.decode()
    assert "Vuelves a recibir estos correos." in reader.post(path, {"resume": "1"}).content.decode()
    assert choices.choices_of(account)["category"] == "once"
    assert one_click(path) == one_click(path) == 200  # twice is once
    assert choices.choices_of(account)["category"] == "none"


def test_the_link_of_a_weekly_letter_stops_all_weekly_kinds_and_restores_them(server, account):
    choices.choose(account, {"category": "weekly", "awards": "weekly", "own_points": "once"})
    plain_notices(account, 1)
    weekly.queue_weekly_letters(next_monday(make.today()))
    post()
    path = link_of(server.taken[0])
    one_click(path)
    chosen = choices.choices_of(account)
    assert (chosen["category"], chosen["awards"], chosen["own_points"]) == ("none", "none", "once")
    Client().post(path, {"resume": "1"})
    chosen = choices.choices_of(account)
    assert (chosen["category"], chosen["awards"], chosen["own_points"]) == ("weekly", "weekly", "once")


def test_the_link_reveals_no_address_and_cannot_be_forged(account):
    token = token_of(account.pk, "once", ["category"])
    padded = token.split(":")[0] + "=="
    assert account.email.encode() not in base64.urlsafe_b64decode(padded)
    path = reverse("unsubscribe", args=[token])
    page = Client().get(path)
    assert account.email not in page.content.decode() and account.username not in page.content.decode()
    assert "no-store" in page["Cache-Control"] and "noindex" in page.content.decode()
    other = token_of(make.user().pk, "once", ["category"])
    forged = f"{token.split(':')[0]}:{other.split(':')[1]}"
    for wrong in (forged, "x", f"{token}x", token.split(":")[0]):
        assert Client().post(reverse("unsubscribe", args=[wrong])).status_code == 404
    assert choices.choices_of(account)["category"] == "once"


def test_the_link_works_for_years_and_for_an_account_that_is_closed_or_gone(account):
    path = reverse("unsubscribe", args=[token_of(account.pk, "once", ["category", "no such kind"])])
    account.is_active = False
    account.save()
    assert one_click(path) == 200 and choices.choices_of(account)["category"] == "none"
    other = make.user()  # an account that decided nothing; accounts with decisions about their data stay
    gone = reverse("unsubscribe", args=[token_of(other.pk, "once", ["category"])])
    other.delete()
    assert Client().get(gone).status_code == one_click(gone) == 200


def test_a_link_signed_with_a_former_key_still_works(account, settings):
    token = token_of(account.pk, "once", ["category"])
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another-key-that-is-long-enough-for-this-test-of-links"
    assert one_click(reverse("unsubscribe", args=[token])) == 200
    assert choices.choices_of(account)["category"] == "none"


def test_letters_that_cannot_be_chosen_have_no_link(server, account, monkeypatch):
    fixed = KINDS["category"]
    monkeypatch.setitem(
        KINDS,
        "category",
        type(fixed)(fixed.code, fixed.label, fixed.audience, fixed.write, "once", fixed=True),
    )
    plain_notices(account, 1)
    post()
    (message,) = server.taken
    assert message["List-Unsubscribe"] is None and message["List-Unsubscribe-Post"] is None
    assert "/avisos/baja/" not in message.get_body(["plain"]).get_content()


# --- Addresses ------------------------------------------------------------------------------------------
def test_a_letter_goes_to_the_address_that_the_account_has_when_it_is_sent(server, account):
    plain_notices(account, 1)
    account.email = "nueva@example.org"
    account.save()
    post()
    assert [message["To"] for message in server.taken] == ["nueva@example.org"]


def test_a_refused_address_is_shown_in_the_settings_until_it_is_changed_or_taken(server, account, client):
    def warned() -> bool:
        return "El servidor de correo rechazó" in client.get(reverse("notice_settings")).content.decode()

    client.force_login(account)
    assert not warned()
    server.recipient_answer = "550 No such mailbox"
    plain_notices(account, 1)
    post()
    assert Letter.objects.get().state == Letter.State.LOST and warned()
    server.recipient_answer = "250 OK"
    former = account.email
    type(account).objects.filter(pk=account.pk).update(email="nueva@example.org")
    assert not warned()
    type(account).objects.filter(pk=account.pk).update(email=former)
    plain_notices(account, 1)
    post()
    assert not warned() and Reader.objects.get(account=account).refused == ""


@pytest.mark.parametrize("case", ["closed", "deceased"])
def test_nothing_is_sent_to_an_account_closed_or_a_player_deceased_meanwhile(server, account, case):
    plain_notices(account, 1)
    if case == "closed":
        type(account).objects.filter(pk=account.pk).update(is_active=False)
    else:
        type(account.player).objects.filter(user=account).update(deceased_on=make.today() - timedelta(days=1))
    post()
    assert server.received == [] and Letter.objects.get().state == Letter.State.DROPPED
    notify(kinds.CATEGORY, [account.pk], "later", {})
    assert Letter.objects.count() == 1
