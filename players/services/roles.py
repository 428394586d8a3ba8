"""Who directs tournaments for a club: its administrators add and remove them."""

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from players.models import Club, Role
from players.services.role_changes import GiveRole, TakeRole


def account_named(text: str):
    """The active account with this username or e-mail address. Raises ValidationError for none or several."""
    text = text.strip()
    accounts = get_user_model().objects.filter(is_active=True)
    found = list(accounts.filter(Q(username=text) | Q(email__iexact=text))[:2]) if text else []
    if not found:
        raise ValidationError(
            _("There is no account with that name or address: ask the federation office to make it.")
        )
    if len(found) > 1:
        raise ValidationError(_("Several accounts have that address: give the username."))
    return found[0]


@transaction.atomic
def add_director(club: Club, account, by) -> None:
    """Let an account upload results for a club. Raises ValidationError when it already may."""
    wanted = GiveRole(account, Role.Kind.DIRECTOR, club)
    if found := wanted.obstacles():
        raise ValidationError(found)
    wanted.apply(by)


@transaction.atomic
def remove_director(role: Role, by) -> None:
    """Take that right away; what the account uploaded stays as it is."""
    TakeRole(role.user, Role.Kind.DIRECTOR, role.club).apply(by)
