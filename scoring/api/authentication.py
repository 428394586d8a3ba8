"""Identify the sender of a request by the token of a club, never by a cookie, and limit the requests."""

import math
import re
from datetime import timedelta

from allauth.account.adapter import get_adapter
from django.http import HttpRequest
from ninja.security import HttpBearer

from players.services import limits, tokens
from players.services.limits import Limit, network_of
from players.services.tokens import Grant
from scoring.api.problems import Problem

SECRET = re.compile(rf"{tokens.START}[A-Za-z0-9_-]{{43}}")
FIRST, LONGEST = timedelta(seconds=10), timedelta(minutes=15)
# Limits on requests by token and by network address, and on wrong tokens by address.
LIMITS = {
    "token": Limit(120, FIRST, LONGEST),
    "address": Limit(600, FIRST, LONGEST),
    "wrong": Limit(20, FIRST, LONGEST),
}


class ClubToken(HttpBearer):
    """Accept a valid token of a club (`players.services.tokens`) in the header Authorization."""

    def __call__(self, request: HttpRequest) -> Grant:
        grant = super().__call__(request)
        if grant is None:
            raise Problem("token_missing", headers={"WWW-Authenticate": "Bearer"})
        return grant

    def authenticate(self, request: HttpRequest, token: str) -> Grant:
        """Return what the token allows. Raises Problem if it is invalid, or used too often."""
        network = network_of(get_adapter(request).get_client_ip(request))
        grant = tokens.check(token) if SECRET.fullmatch(token) else None
        if grant is None:
            _count({f"api wrong token from {network}": LIMITS["wrong"]})
            challenge = 'Bearer error="invalid_token"'
            raise Problem("token_refused", headers={"WWW-Authenticate": challenge})
        name = f"api token {grant.token.pk}"
        _count({name: LIMITS["token"], f"api from {network}": LIMITS["address"]})
        request.limit_headers = {
            "X-RateLimit-Limit": str(LIMITS["token"].free),
            "X-RateLimit-Remaining": str(limits.left(name, LIMITS["token"])),
        }
        tokens.record_use(grant.token)
        return grant


def _count(counters: dict[str, Limit]) -> None:
    """Count a request. Raises Problem if there were too many.

    counters: name -> limit; the headers of a refusal name the first
    """
    try:
        limits.take(counters)
    except limits.TooSoon as error:
        seconds = math.ceil(error.wait.total_seconds())
        headers = {
            "Retry-After": str(seconds),
            "X-RateLimit-Limit": str(next(iter(counters.values())).free),
            "X-RateLimit-Remaining": "0",
        }
        raise Problem("too_many_requests", headers=headers, seconds=seconds) from error
