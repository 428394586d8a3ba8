"""Browsers from which an account has signed in before.

Sign-in attempts from such a browser are counted separately, so that failed attempts from elsewhere do not
delay the account's owner. A signed cookie holds a random name for the browser and the accounts that signed in
from it. It grants no access.
"""

from typing import NamedTuple

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import get_random_string

SALT = "known-browser"
AGE = 400 * 24 * 3600  # seconds; browsers keep no cookie longer
MOST = 20  # accounts remembered for one browser; several people use a club's computer


class Browser(NamedTuple):
    """A browser, as identified by its signed cookie.

    name: a random name; empty for an unknown browser
    accounts: ids of the accounts that signed in from it, the most recent last
    """

    name: str = ""
    accounts: tuple[int, ...] = ()


def browser_of(request: HttpRequest) -> Browser:
    """Return the browser that the cookie identifies; an unknown one if the cookie is missing or invalid."""
    try:
        name, *accounts = signing.loads(
            request.COOKIES.get(settings.KNOWN_BROWSER_COOKIE, ""), salt=SALT, max_age=AGE
        )
    except signing.BadSignature:
        return Browser()
    return Browser(name, tuple(accounts))


def remember(request: HttpRequest, response: HttpResponse, account: int) -> None:
    """Set a cookie that records that this account signed in from this browser."""
    known = browser_of(request)
    accounts = [*(pk for pk in known.accounts if pk != account), account][-MOST:]
    response.set_cookie(
        settings.KNOWN_BROWSER_COOKIE,
        signing.dumps([known.name or get_random_string(22), *accounts], salt=SALT),
        max_age=AGE,
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
        samesite="Lax",
    )
