"""Letters about accounts and forgotten passwords, which a worker writes."""

import re
from datetime import timedelta

from django.core import mail
from django.db.models import F
from django.urls import reverse

from scoring.signups import sending
from scoring.signups.models import SignUpLetter


def post() -> list:
    """Send what waits, like a worker that comes when all waiting times are over. Return the letters."""
    mail.outbox.clear()
    SignUpLetter.objects.update(created_at=F("created_at") - timedelta(seconds=10), not_before=None)
    waiting = SignUpLetter.objects.filter(state=SignUpLetter.State.PENDING)
    for pk in list(waiting.values_list("pk", flat=True)):
        sending.send(pk)
    return list(mail.outbox)


def letters_for_password(client, address: str, **extra) -> list:
    """Ask with `client` for a new password, and return the letters that come."""
    answer = client.post(reverse("account_reset_password"), {"email": address}, **extra)
    assert answer.url == reverse("account_reset_password_done")
    return post()


def password_link(letter) -> str:
    """Return the path of the page to choose a new password, to which the letter leads."""
    return re.search(r"https?://[^/]+(/\S*clave/nueva/\S+)", letter.body)[1]
