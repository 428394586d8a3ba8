"""Invite people by e-mail to direct tournaments of a club, or to administer it.

Nothing here depends on whether the address has an account, so that nobody can find that out by inviting.
"""

import re
import secrets
from datetime import date, timedelta
from hashlib import sha256

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import ngettext

from players.access import manageable_clubs, require, roles_of
from players.models import Club, Invitation, Role
from players.services import accounts, limits
from players.services.limits import Limit
from players.services.role_changes import GiveRole

# Digits and letters without 0, 1, i, l and o, which look alike on paper. A code of 24 has 118 random bits.
ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
LENGTH, GROUP = 24, 4
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
PER_SENDER, PER_ADDRESS = Limit(20, MINUTE, HOUR), Limit(3, MINUTE, HOUR)
KEPT = timedelta(days=90)  # how long an unused invitation is kept; it can be sent again


def invite(
    club: Club, email: str, by, *, by_mail: bool, role: str = Role.Kind.DIRECTOR
) -> tuple[Invitation, str]:
    """Store an invitation, and return it with its code, which is not stored.

    If this address was invited to the same role already, the earlier code stops working.

    by: the account that invites
    by_mail: whether the code goes to the address by e-mail; otherwise it is printed
    role: director, or club administrator, to which only the office invites

    Raises ValidationError if `by`, or anybody to this address, has sent too many invitations.
    """
    require(may_invite(by, club, role))
    address = email.strip().lower()
    _take_limits(address, by)
    code = "".join(secrets.choice(ALPHABET) for _position in range(LENGTH))
    values = {"digest": _digest(code), "by_mail": by_mail, "invited_by": by, "sent_at": timezone.now()}
    invitation, _created = Invitation.objects.update_or_create(
        club=club, email=address, role=role, defaults=values
    )
    return invitation, code


def may_invite(by, club: Club, role: str) -> bool:
    """Whether the account may invite to the role: those who manage the club directors, the office all."""
    if role == Role.Kind.CLUB_ADMIN:
        return roles_of(by).office
    return manageable_clubs(by).filter(pk=club.pk).exists()


def _take_limits(address: str, by) -> None:
    try:
        limits.take({f"invitations by {by.pk}": PER_SENDER, f"invitations to {address}": PER_ADDRESS})
    except limits.TooSoon as error:
        text = ngettext(
            "Too many invitations were sent: try again in a minute.",
            "Too many invitations were sent: try again in %(minutes)s minutes.",
            error.minutes,
        )
        raise ValidationError(text % {"minutes": error.minutes}, code="too_soon") from error


def in_groups(code: str) -> str:
    """Return the code in groups of characters that are easy to read on paper."""
    return " ".join(code[start : start + GROUP] for start in range(0, LENGTH, GROUP)).upper()


def plain(text: str) -> str:
    """Return a typed code as it was made: in lower case, without spaces and hyphens."""
    return re.sub(r"[^0-9a-z]", "", text.lower())


def _digest(code: str) -> str:
    return sha256(code.encode()).hexdigest()


def valid_invitation(code: str) -> Invitation | None:
    """Return the invitation with this code, or None if the code is wrong, used, withdrawn or expired.

    An invitation is also void if the account that sent it is closed or may not invite any more, or if the
    club is no longer active.
    """
    invitations = Invitation.objects.select_related("club", "invited_by")
    invitation = invitations.filter(digest=_digest(plain(code)), club__active=True).first()
    if invitation is None or invitation.expired or not invitation.invited_by.is_active:
        return None
    is_valid = may_invite(invitation.invited_by, invitation.club, invitation.role)
    return invitation if is_valid else None


@transaction.atomic
def accept(code: str, account) -> Invitation | None:
    """Give the account the role in the inviting club, and use the invitation up.

    Return the invitation, or None if the code is not valid. Of two simultaneous uses only one succeeds.
    """
    invitation = _used_up(code)
    if invitation:
        change = GiveRole(account, invitation.role, invitation.club)
        if not change.held():
            change.apply(invitation.invited_by)
    return invitation


@transaction.atomic
def accept_with_new_account(code: str, username: str, first_name: str, last_name: str, password: str):
    """Create an account with the role in the inviting club, and use the invitation up.

    The account gets the invitation's address only if the code was sent there. Otherwise nobody has shown that
    the address is theirs.

    Return the account, or None if the code is not valid. Raises ValidationError if a field is invalid or the
    username is taken.
    """
    invitation = valid_invitation(code)
    if invitation is None:
        return None
    email = invitation.email if invitation.by_mail else ""
    account = accounts.create(username, email, first_name, last_name, invitation.invited_by)
    account.set_password(password)
    account.save(update_fields=["password"])
    if accept(code, account) is None:  # another request used the code meanwhile
        transaction.set_rollback(True)
        return None
    return account


def _used_up(code: str) -> Invitation | None:
    """Delete the invitation with this code and return it; None if the code is not valid."""
    invitation = valid_invitation(code)
    if invitation is None:
        return None
    deleted, _by_model = Invitation.objects.filter(digest=invitation.digest).delete()
    return invitation if deleted else None


def delete_old(day: date) -> None:
    """Delete the invitations that were sent more than `KEPT` before `day`, which is today."""
    Invitation.objects.filter(sent_at__date__lt=day - KEPT).delete()
