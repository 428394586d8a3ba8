"""Accounts as the office lists them."""

from django.contrib.auth import get_user_model
from django.db.models import Prefetch, Q, QuerySet

from players.models import AccountEvent, Role


def listed(text: str = "", kind: str = "") -> QuerySet:
    """Accounts with their roles and player, by username."""
    roles = Role.objects.select_related("club", "region")
    found = get_user_model().objects.select_related("player").prefetch_related(Prefetch("roles", roles))
    for word in text.split():
        found = found.filter(
            Q(username__icontains=word)
            | Q(first_name__icontains=word)
            | Q(last_name__icontains=word)
            | Q(email__icontains=word)
            | Q(player__number=word)
        )
    if kind:
        found = found.filter(roles__kind=kind).distinct()
    return found.order_by("username")


def events() -> QuerySet[AccountEvent]:
    """The journal, latest first, with the accounts concerned."""
    return AccountEvent.objects.select_related("account", "by", "proposal__prepared_by").order_by(
        "-at", "-pk"
    )
