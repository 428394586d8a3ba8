"""Read accounts and the journal of their changes for the office."""

from django.contrib.auth import get_user_model
from django.db.models import Prefetch, Q, QuerySet

from players.models import AccountEvent, Role


def find_accounts(text: str = "", kind: str = "") -> QuerySet:
    """Return the accounts that match every word of `text` and have a role of this kind.

    They are ordered by username. Their roles and players are prefetched.

    kind: kind of role; "" for accounts with any roles or none
    """
    roles = Role.objects.select_related("club", "region")
    accounts = get_user_model().objects.select_related("player").prefetch_related(Prefetch("roles", roles))
    for word in text.split():
        accounts = accounts.filter(
            Q(username__icontains=word)
            | Q(first_name__icontains=word)
            | Q(last_name__icontains=word)
            | Q(email__icontains=word)
            | Q(player__number=word)
        )
    if kind:
        accounts = accounts.filter(roles__kind=kind).distinct()
    return accounts.order_by("username")


def account_events() -> QuerySet[AccountEvent]:
    """Return the journal of accounts, latest first, with the accounts concerned."""
    return AccountEvent.objects.select_related("account", "by", "proposal__prepared_by").order_by(
        "-at", "-pk"
    )
