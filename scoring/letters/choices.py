"""Read and change which notices come to an account by e-mail."""

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.db import transaction
from django.dispatch import Signal

from scoring.letters.models import Choice, Delivery
from scoring.letters.registry import KINDS, Kind, audiences_of

# Sent inside the transaction of a change, with `account` and `changed`: {code of a kind: (old, new)}.
choices_changed = Signal()


def choices_of(account: User) -> dict[str, str]:
    """Return {code of a kind: how the account gets its notices by e-mail} for all kinds. One query."""
    chosen = {code: str(kind.default) for code, kind in KINDS.items()}
    for code, delivery in Choice.objects.filter(account=account).values_list("kind", "delivery"):
        if code in KINDS and not KINDS[code].fixed:
            chosen[code] = delivery
    return chosen


def offered_to(account: User) -> list[Kind]:
    """Return the kinds that an account can choose: those of its audiences, and those chosen before.

    A kind that says itself to whom it is offered (`Kind.offered`) is offered to no other account.
    """
    audiences = audiences_of(account)
    chosen = set(Choice.objects.filter(account=account).values_list("kind", flat=True))
    return [
        kind
        for kind in KINDS.values()
        if not kind.fixed
        and (kind.audience in audiences or kind.code in chosen)
        and (kind.offered is None or kind.offered(account))
    ]


@transaction.atomic
def choose(account: User, deliveries: Mapping[str, str]) -> None:
    """Store how an account gets notices by e-mail. Kinds that cannot be chosen are ignored.

    deliveries: {code of a kind: a value of Delivery}
    """
    before = choices_of(account)
    changed = {}
    for code, delivery in deliveries.items():
        may_choose = code in KINDS and not KINDS[code].fixed and delivery in Delivery.values
        if may_choose and before[code] != delivery:
            Choice.objects.update_or_create(account=account, kind=code, defaults={"delivery": delivery})
            changed[code] = (before[code], delivery)
    if changed:
        choices_changed.send(sender=Choice, account=account, changed=changed)
