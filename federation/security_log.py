"""Log lines about signing in, for whoever watches the site.

They hold no personal data: an account is its number, and a network a digest, by which lines of one network
can be connected. Nothing that somebody typed is in them.

Refused pages, wrong tokens of forms and unknown hosts are logged by Django (`django.request`,
`django.security`); changes of accounts are in their journal.
"""

import logging
from typing import Any

from allauth.account.adapter import get_adapter
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from players.services.limits import network_of

logger = logging.getLogger("baza.security")


def note_signed_in(sender: Any, request: HttpRequest | None = None, user: Any = None, **_kwargs: Any) -> None:
    """Log who signed in. A receiver of `user_logged_in`."""
    logger.info("account %s signed in from network %s", user.pk, network_tag(request))


def note_signed_out(
    sender: Any, request: HttpRequest | None = None, user: Any = None, **_kwargs: Any
) -> None:
    """Log who signed out. A receiver of `user_logged_out`."""
    if user is not None:
        logger.info("account %s signed out from network %s", user.pk, network_tag(request))


def note_failed(sender: Any, request: HttpRequest | None = None, **_kwargs: Any) -> None:
    """Log a wrong name or password. What was typed may be a password in the wrong field: it is left out."""
    logger.warning("a sign-in from network %s failed", network_tag(request))


def note_limit(kind: str, request: HttpRequest, seconds: float) -> None:
    """Log an attempt that was refused, because there were too many."""
    logger.warning(
        "too many attempts (%s) from network %s: refused for %d s", kind, network_tag(request), seconds
    )


def network_tag(request: HttpRequest | None) -> str:
    """Return a digest of the network that sent a request; "unknown" if that cannot be told."""
    if request is None:
        return "unknown"
    try:
        network = network_of(get_adapter(request).get_client_ip(request))
    except (ImproperlyConfigured, PermissionDenied):
        return "unknown"
    return salted_hmac("federation.security_log", network, algorithm="sha256").hexdigest()[:12]
