"""E-mails about addresses and invitations look like the federation's other letters."""

import pytest
from allauth.account.adapter import get_adapter
from allauth.core.context import request_context
from django.conf import settings
from django.core import mail
from django.utils import timezone

from federation.accounts import ACTS
from players.models import Club, Invitation
from tests import factories
from tests.pages import Page

LINK = "https://baza.example.org/enlace/abc/"
NAMES = ("address_confirm", "address_changed", "address_taken", "invitation")


@pytest.mark.parametrize("name", NAMES)
def test_an_account_mail_has_the_head_of_our_letters_and_at_most_one_button(rf, db, english, name):
    prefix = f"account/email/{name}"
    club = Club(name="Club Norte")
    context = {
        "link": LINK,
        "user": factories.user("lola"),
        "email": "new@example.org",
        "invitation": Invitation(club=club, email="lola@example.org", sent_at=timezone.now()),
        "federation": settings.FEDERATION_NAME,
    }
    with request_context(rf.get("/")):
        get_adapter().send_mail(prefix, "lola@example.org", context)
    (message,) = mail.outbox
    (html,) = message.alternatives
    page = Page(html.content)
    buttons = [(link["href"], link.text) for link in page.all("a", class_="button")]
    assert buttons == ([(LINK, str(ACTS[prefix]))] if prefix in ACTS else [])
    assert page.all("p")[0].text == settings.FEDERATION_NAME
    (heading,) = page.headings(1)
    assert heading in message.subject
    paragraphs = [item.text for item in page.all("p")[1:] if not item.all("a")]
    assert paragraphs and all(text in message.body for text in paragraphs)
    assert message.body.count(LINK) == len(buttons)
    assert message.body.endswith(f"-- \n{settings.FEDERATION_NAME}\n")
    assert message.extra_headers["Auto-Submitted"] == "auto-generated"
