"""What is counted of attempts to sign in, of letters asked for and of present passwords typed wrong.

By address and account together first, so that nobody can hold up anybody elsewhere; by the account alone and
the address alone only where it goes beyond what people do. A browser from which the account has signed in
before is counted for itself.
"""

import ipaddress
from datetime import timedelta

from django.contrib.auth import get_user_model
from django.db.models import Q
from django.http import HttpRequest

from federation.known_browsers import browser_of
from players.services.limits import Limit

SECONDS, MINUTES, HOUR = timedelta(seconds=30), timedelta(minutes=15), timedelta(hours=1)
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


def account_named(login: str) -> int | None:
    """Id of the account that signs in by this name or address, None if there is none."""
    named = Q(username__iexact=login) | Q(email__iexact=login)
    return get_user_model().objects.filter(named).order_by("pk").values_list("pk", flat=True).first()


def names_for(kind: str, limits: dict[str, Limit], request: HttpRequest, address: str, login: str) -> dict:
    """What to count an attempt against: names and limits for `players.services.limits.take`."""
    found = account_named(login)
    account = f"login {login.casefold()}" if found is None else f"account {found}"
    browser = browser_of(request)
    if found in browser.accounts:
        return {f"{kind} {account} browser {browser.name}": limits["together"]}
    near = network_of(address)
    return {
        f"{kind} {account} from {near}": limits["together"],
        f"{kind} {account}": limits["account"],
        f"{kind} from {near}": limits["address"],
    }


def network_of(address: str) -> str:
    """An address as it is counted: of IPv6 the network, which is what one subscriber has."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 4:
        return str(parsed)
    return str(ipaddress.ip_network((parsed, 64), strict=False))
