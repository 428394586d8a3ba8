"""The limits on attempts to sign in, on codes of second factors, and on e-mails with links.

Attempts are counted by account and network address together, so that nobody can delay a person at another
address. They are also counted by account alone and by address alone, with limits beyond normal use. Attempts
from a browser from which the account has signed in before are counted separately from all others.

A browser is known by a signed cookie, which holds a random name for it and the accounts that signed in from
it. The cookie grants no access: it only decides which attempts are counted together.
"""

from datetime import timedelta
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core import signing
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import get_random_string

from players.services.limits import Limit, network_of
from players.services.sign_in import account_with_number

SECONDS, MINUTES, HOUR = timedelta(seconds=30), timedelta(minutes=15), timedelta(hours=1)
# Limits on wrong passwords, and on letters for a new password: by account and address together, by account
# alone, and by address alone.
PASSWORDS = {
    "together": Limit(5, SECONDS, MINUTES),
    "account": Limit(20, SECONDS, timedelta(minutes=5)),
    "address": Limit(50, SECONDS, MINUTES),
}
LETTERS = {
    "together": Limit(3, 2 * SECONDS, HOUR),
    "account": Limit(10, 2 * SECONDS, HOUR),
    "address": Limit(20, 2 * SECONDS, HOUR),
}
# Wrong codes of a second factor, which has six digits: whoever tries them knows the password already.
CODES = {
    "together": Limit(5, SECONDS, MINUTES),
    "account": Limit(10, SECONDS, MINUTES),
    "address": Limit(50, SECONDS, MINUTES),
}
# The cookie that names a browser.
SALT = "known-browser"
AGE = 400 * 24 * 3600  # seconds; browsers keep no cookie longer
MOST = 20  # accounts remembered for one browser; several people use a club's computer


def account_id_for(login: str) -> int | None:
    """Return the id of the account with this federation number, username or e-mail address, or None."""
    if account := account_with_number(login):
        return account.pk
    return (
        get_user_model()
        .objects.filter(Q(username__iexact=login) | Q(email__iexact=login))
        .order_by("pk")
        .values_list("pk", flat=True)
        .first()
    )


def names_for(kind: str, limits: dict[str, Limit], request: HttpRequest, address: str, login: str) -> dict:
    """Return {counter name: limit} for every counter that an attempt increments (`players.services.limits`).

    kind: "password", "code" or "letter"; part of the counters' names
    limits: PASSWORDS, CODES or LETTERS
    address: the client's IP address
    login: the username or e-mail address entered
    """
    account_id = account_id_for(login)
    account = f"login {login.casefold()}" if account_id is None else f"account {account_id}"
    browser = browser_of(request)
    if account_id in browser.accounts:
        return {f"{kind} {account} browser {browser.name}": limits["together"]}
    network = network_of(address)
    return {
        f"{kind} {account} from {network}": limits["together"],
        f"{kind} {account}": limits["account"],
        f"{kind} from {network}": limits["address"],
    }


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
