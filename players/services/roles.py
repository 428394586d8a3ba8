"""Add and remove the tournament directors of a club. Club administrators do this on their own pages."""

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from players.models import Club, Role
from players.services.role_changes import GiveRole, TakeRole


def account_named(text: str):
    """Return the open account with this username or e-mail address.

    Raises ValidationError if there is none, or more than one.
    """
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
    """Make an account a tournament director of a club, so that it may upload results.

    Raises ValidationError if the account is a director of the club already, or is closed.
    """
    change = GiveRole(account, Role.Kind.DIRECTOR, club)
    if obstacles := change.obstacles():
        raise ValidationError(obstacles)
    change.apply(by)


@transaction.atomic
def remove_director(role: Role, by) -> None:
    """Remove a tournament director's role. The account's uploads are kept."""
    TakeRole(role.user, Role.Kind.DIRECTOR, role.club).apply(by)
