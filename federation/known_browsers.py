"""Browsers an account has signed in from before: failed attempts made elsewhere do not delay these.

A signed cookie names the browser by chance and the accounts that signed in from it. It opens nothing: it only
chooses which attempts are counted together.
"""

from typing import NamedTuple

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import get_random_string

SALT = "known-browser"
AGE = 400 * 24 * 3600  # seconds; browsers keep no cookie for longer
MOST = 20  # accounts of one browser: a club's computer has several


class Browser(NamedTuple):
    """Its name, empty for one never seen, and ids of the accounts that signed in from it, latest last."""

    name: str = ""
    accounts: tuple[int, ...] = ()


def browser_of(request: HttpRequest) -> Browser:
    """What its cookie says; a browser never seen where there is none, or not one of ours."""
    try:
        name, *accounts = signing.loads(
            request.COOKIES.get(settings.KNOWN_BROWSER_COOKIE, ""), salt=SALT, max_age=AGE
        )
    except signing.BadSignature:
        return Browser()
    return Browser(name, tuple(accounts))


def remember(request: HttpRequest, response: HttpResponse, account: int) -> None:
    """Note that this account signed in from this browser."""
    known = browser_of(request)
    accounts = [*(each for each in known.accounts if each != account), account][-MOST:]
    response.set_cookie(
        settings.KNOWN_BROWSER_COOKIE,
        signing.dumps([known.name or get_random_string(22), *accounts], salt=SALT),
        max_age=AGE,
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
        samesite="Lax",
    )
