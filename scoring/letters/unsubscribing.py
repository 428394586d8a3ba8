"""The links in letters by which readers stop them without signing in.

A link holds a signed token with the account's id and the kinds, and no address. It never expires, because
letters are read late. Opening the link changes nothing, because scanners of mail servers open all links; the
button there, or the mail program (RFC 8058), sends a POST request.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.core.signing import BadSignature, Signer

from scoring.letters import choices
from scoring.letters.models import Delivery
from scoring.letters.registry import KINDS

_SIGNER = {"salt": "scoring.letters.unsubscribing"}


@dataclass(frozen=True, slots=True)
class Subscription:
    """The kinds of notices that a letter's link stops, and how the account got them by e-mail."""

    account: int
    delivery: str
    kinds: tuple[str, ...]

    @property
    def labels(self) -> list[str]:
        """When the notices come, as clauses."""
        return [str(KINDS[code].label) for code in self.kinds if code in KINDS]


def token_of(account: int, delivery: str, kinds: Iterable[str]) -> str:
    """Return the token of a link that stops these kinds."""
    return Signer(**_SIGNER).sign_object([account, delivery, list(kinds)])


def read_token(token: str) -> Subscription | None:
    """Return what a token says; None if it was not signed here."""
    try:
        account, delivery, kinds = Signer(**_SIGNER).unsign_object(token)
    except BadSignature:
        return None
    return Subscription(account, delivery, tuple(kinds))


def stop(subscription: Subscription) -> None:
    """Send the account no more e-mails of these kinds. Do nothing if the account no longer exists."""
    _choose(subscription, Delivery.NONE)


def resume(subscription: Subscription) -> None:
    """Send the account e-mails of these kinds again, as before."""
    _choose(subscription, subscription.delivery)


def is_stopped(subscription: Subscription) -> bool:
    """Return whether the account gets none of these kinds by e-mail."""
    account = User.objects.filter(pk=subscription.account).first()
    chosen = choices.choices_of(account) if account else {}
    return all(chosen.get(code, Delivery.NONE) == Delivery.NONE for code in subscription.kinds)


def _choose(subscription: Subscription, delivery: str) -> None:
    account = User.objects.filter(pk=subscription.account).first()
    if account:
        choices.choose(account, dict.fromkeys(subscription.kinds, delivery))
