"""Let club administrators add and remove the tournament directors of their club."""

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from players.models import Club, Role
from players.services.role_changes import GiveRole, TakeRole


def account_named(text: str):
    """Return the active account with this username or address. Raises ValidationError for none or several."""
    text = text.strip()
    accounts = get_user_model().objects.filter(is_active=True)
    matches = list(accounts.filter(Q(username=text) | Q(email__iexact=text))[:2]) if text else []
    if not matches:
        raise ValidationError(
            _("There is no account with that name or address: ask the federation office to make it.")
        )
    if len(matches) > 1:
        raise ValidationError(_("Several accounts have that address: give the username."))
    return matches[0]


@transaction.atomic
def add_director(club: Club, account, by) -> None:
    """Let an account upload results for a club. Raises ValidationError if it already may."""
    change = GiveRole(account, Role.Kind.DIRECTOR, club)
    if obstacles := change.obstacles():
        raise ValidationError(obstacles)
    change.apply(by)


@transaction.atomic
def remove_director(role: Role, by) -> None:
    """Remove a director's role; what the account uploaded stays."""
    TakeRole(role.user, Role.Kind.DIRECTOR, role.club).apply(by)
