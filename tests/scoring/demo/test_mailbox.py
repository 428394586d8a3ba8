"""The letters of an installation without a mail server: kept as files, and shown without running anything."""

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.urls import reverse

from scoring.demo import mailbox
from scoring.letters import kinds
from scoring.letters.models import Letter
from tests import factories as make
from tests.pages import open_page
from tests.scoring.letters.test_letters import linked, post
from tests.scoring.letters.test_notices import plain_notices


@pytest.fixture
def kept(settings, tmp_path):
    """Keep letters as files in a new folder, as outside production without a mail server."""
    settings.EMAIL_BACKEND, settings.VAR_DIR = mailbox.BACKEND, tmp_path
    return tmp_path / "letters"


def send(subject: str = "Hola", html: str = "<html><head></head><body><b>Hola</b></body></html>") -> None:
    message = EmailMultiAlternatives(subject, "Texto http://localhost:8000/ayuda/", to=["a@example.org"])
    message.attach_alternative(html, "text/html")
    message.send()


@pytest.mark.django_db
def test_letters_of_the_demo_are_listed_and_their_links_can_be_followed(client, kept):
    account = linked(make.player(), kinds.CATEGORY)
    plain_notices(account, 1)
    post()
    assert Letter.objects.get().state == Letter.State.DONE and len(list(kept.glob("*.eml"))) == 1
    page = open_page(client, reverse("demo_letters"))
    assert account.email in page.main.text
    letter = open_page(client, page.link("Baza: Cambia tu categoría"))
    assert "List-Unsubscribe-Post List-Unsubscribe=One-Click" in " ".join(letter.main.text.split())
    (stop,) = {address for address in letter.main.addresses if "/avisos/baja/" in address}
    assert client.get(stop.removeprefix("http://localhost:8000")).status_code == 200
    for address in (reverse("account_login"), reverse("help")):
        assert reverse("demo_letters") in client.get(address).content.decode()


@pytest.mark.django_db
def test_the_html_of_a_letter_runs_no_scripts_and_is_framed_by_this_site_alone(client, kept):
    send(html="<html><head></head><body><script>alert(1)</script></body></html>")
    (path,) = mailbox.paths()
    shown = client.get(reverse("demo_letter", args=[path.stem]))
    html = client.get(reverse("demo_letter_html", args=[path.stem]))
    assert "alert(1)" not in shown.content.decode()
    assert (
        "frame-src 'self'" in shown["Content-Security-Policy"]
        and "script-src 'self'" in shown["Content-Security-Policy"]
    )
    policy = html["Content-Security-Policy"]
    assert "sandbox allow-top-navigation-by-user-activation" in policy and "allow-scripts" not in policy
    assert "default-src 'none'" in policy and "frame-ancestors 'self'" in policy
    assert html["X-Frame-Options"] == "SAMEORIGIN" and '<base target="_top">' in html.content.decode()


@pytest.mark.django_db
def test_a_subject_with_html_is_text(client, kept):
    send(subject="<b>Hola</b>")
    page = client.get(reverse("demo_letters")).content.decode()
    assert "&lt;b&gt;Hola" in page and "<b>Hola" not in page


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["demo_letters", "demo_letter", "demo_letter_html"])
def test_the_pages_exist_only_outside_production_and_without_a_mail_server(client, settings, kept, name):
    send()
    args = [] if name == "demo_letters" else [mailbox.paths()[0].stem]
    assert client.get(reverse(name, args=args)).status_code == 200
    assert client.get(reverse(name, args=["other"] if args else [])).status_code == (404 if args else 200)
    settings.PRODUCTION = True
    assert client.get(reverse(name, args=args)).status_code == 404
    settings.PRODUCTION = False
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    assert client.get(reverse(name, args=args)).status_code == 404


def test_old_letters_are_deleted(kept, monkeypatch):
    monkeypatch.setattr(mailbox, "KEPT", 3)
    for number in range(5):
        send(f"Carta {number}")
    subjects = [mailbox.read_file(path)["Subject"] for path in mailbox.paths()]
    assert subjects == ["Carta 4", "Carta 3", "Carta 2"] and mail.outbox == []
