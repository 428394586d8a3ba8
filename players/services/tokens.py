"""Make, revoke and check the tokens with which a club's computer sends files.

A token never allows more than the account that made it, as its roles are now:

* sending files needs the right to manage the club, that is, to say who uploads for it
* confirming needs the right to upload for the club, too
* a closed account's tokens allow nothing
"""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.access import manageable_clubs, uploadable_clubs
from players.models import AccountEvent, Club, ClubToken
from players.services.journal import note

START = "baza_"  # begins every secret, so that people and programs recognise one
SHOWN = len(START) + 5  # characters of a secret that lists show
RANDOM_BYTES = 32
LIFE = timedelta(days=365)
USED_EVERY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Grant:
    """What a valid token allows now.

    may_confirm: whether it may confirm, given its own setting and the roles of the account that made it
    """

    token: ClubToken
    may_confirm: bool


def may_make(user, club: Club) -> bool:
    """Return whether the account may make tokens for the club, so that tokens in its name are valid."""
    return user.is_active and club.active and manageable_clubs(user).filter(pk=club.pk).exists()


def may_grant_confirming(user, club: Club) -> bool:
    """Return whether the account may make a token that confirms, because it may confirm itself."""
    return uploadable_clubs(user).filter(pk=club.pk).exists()


@transaction.atomic
def make(club: Club, name: str, user, *, may_confirm: bool = False, by=None) -> tuple[ClubToken, str]:
    """Make a token. Return it with its secret, which cannot be shown again.

    Raises ValidationError if the account may not do what the token would allow.

    user: the account in whose name the token acts
    by: the account that makes it, for the journal; None for the command line
    """
    if not may_make(user, club):
        raise ValidationError(_("This account does not manage the club, so it cannot make tokens for it."))
    if may_confirm and not may_grant_confirming(user, club):
        raise ValidationError(
            _("Only a director of the club may let a token confirm: become a director first.")
        )
    secret = START + secrets.token_urlsafe(RANDOM_BYTES)
    token = ClubToken.objects.create(
        club=club,
        name=name,
        prefix=secret[:SHOWN],
        digest=digest_of(secret),
        may_confirm=may_confirm,
        made_by=user,
        expires_at=timezone.now() + LIFE,
    )
    note(user, AccountEvent.Kind.TOKEN_MADE, by, token=str(token), club=club.name)
    return token, secret


@transaction.atomic
def revoke(token: ClubToken, by) -> bool:
    """Revoke a token for ever. Return False if it was revoked before."""
    current = ClubToken.objects.select_for_update().select_related("club", "made_by").get(pk=token.pk)
    if current.revoked_at:
        return False
    current.revoked_at, current.revoked_by = timezone.now(), by
    current.save(update_fields=["revoked_at", "revoked_by"])
    kind = AccountEvent.Kind.TOKEN_REVOKED
    note(current.made_by, kind, by, token=str(current), club=current.club.name)
    return True


def check(secret: str) -> Grant | None:
    """Return what the token with this secret allows now; None if there is none, or it allows nothing."""
    tokens = ClubToken.objects.current().select_related("club", "made_by")
    token = tokens.filter(digest=digest_of(secret)).first()
    if token is None or not may_make(token.made_by, token.club):
        return None
    return Grant(token, token.may_confirm and may_grant_confirming(token.made_by, token.club))


def record_use(token: ClubToken) -> None:
    """Store that the token was used now, unless a use within the last minute is stored."""
    now = timezone.now()
    if token.last_used_at is None or token.last_used_at <= now - USED_EVERY:
        ClubToken.objects.filter(pk=token.pk).update(last_used_at=now)


def digest_of(secret: str) -> str:
    """Return the stored digest of a secret. It needs no salt: a secret has 256 random bits."""
    return hashlib.sha256(secret.encode()).hexdigest()
