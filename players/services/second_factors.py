"""Second factors: codes of an app (TOTP), passkeys, and recovery codes for when both are lost.

allauth stores them as `Authenticator` rows. Codes are checked here instead of by allauth, which keeps the
codes already used in the cache: a used code would be valid again when the cache is lost.
"""

import logging

from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from allauth.mfa.utils import decrypt
from allauth.mfa.webauthn.internal.auth import WebAuthn
from cryptography.fernet import InvalidToken
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from players.models import AccountEvent, Proposal
from players.services import sessions
from players.services.journal import note

logger = logging.getLogger(__name__)
Event, Type = AccountEvent.Kind, Authenticator.Type
# What counts as a second factor. Recovery codes alone do not: they only replace one of these.
FACTORS = [Type.TOTP, Type.WEBAUTHN]
CODE_GROUP = 4  # digits in each printed group of a recovery code


def has_second_factor(account) -> bool:
    """Whether the account has codes of an app or a passkey."""
    return Authenticator.objects.filter(user=account, type__in=FACTORS).exists()


def needs_second_factor(account) -> bool:
    """Whether the account must have a second factor, because of its roles or as a superuser."""
    if not settings.SECOND_FACTOR_REQUIRED:
        return False
    return account.is_superuser or account.roles.filter(kind__in=settings.SECOND_FACTOR_ROLES).exists()


def lacks_second_factor(account) -> bool:
    """Whether the account must have a second factor and has none."""
    return needs_second_factor(account) and not has_second_factor(account)


@transaction.atomic
def matching_factor(account, code: str) -> Authenticator | None:
    """Return the account's factor for which the typed code is valid now, or None. The code is used up.

    code: a code of the app, or a recovery code; spaces and hyphens do not matter
    """
    typed = "".join(character for character in code if character.isalnum())
    codes = [Type.TOTP, Type.RECOVERY_CODES]
    for factor in Authenticator.objects.select_for_update().filter(user=account, type__in=codes):
        if not _is_readable(factor):
            continue
        if factor.type == Type.TOTP and _use_app_code(factor, typed):
            return factor
        if factor.type == Type.RECOVERY_CODES and factor.wrap().validate_code(typed):
            note(account, Event.RECOVERY_USED, account)
            return factor
    return None


def _is_readable(factor: Authenticator) -> bool:
    """Whether the stored secret can be decrypted, which needs the SECRET_KEY with which it was stored."""
    try:
        decrypt(factor.data["secret" if factor.type == Type.TOTP else "seed"])
    except InvalidToken:
        logger.warning("the secret of second factor %s was stored with another key", factor.pk)
        return False
    return True


def _use_app_code(factor: Authenticator, typed: str) -> bool:
    """Whether a code of the app is valid. Neither it nor an earlier code is valid again afterwards."""
    secret = decrypt(factor.data["secret"])
    for counter in yield_hotp_counters_from_time():
        fits = constant_time_compare(typed, format_hotp_value(hotp_value(secret, counter)))
        if fits and counter > factor.data.get("last_counter", 0):
            factor.data["last_counter"] = counter
            factor.save(update_fields=["data"])
            return True
    return False


@transaction.atomic
def add_app(account, secret: str) -> None:
    """Store the secret of an app, whose codes the account can then be asked for.

    Raises ValidationError if the account has an app already.
    """
    _lock(account)
    if Authenticator.objects.filter(user=account, type=Type.TOTP).exists():
        raise ValidationError(_("Your account has an app already: remove that one first."))
    TOTP.activate(account, secret)
    note(account, Event.FACTOR_ADDED, account)


@transaction.atomic
def add_passkey(account, name: str, credential: dict) -> None:
    """Store a passkey.

    credential: the browser's answer, already checked
    """
    WebAuthn.add(account, name, credential)
    note(account, Event.PASSKEY_ADDED, account, passkey=name)


@transaction.atomic
def make_recovery_codes(account) -> list[str]:
    """Replace the account's recovery codes, and return the new ones in groups of digits.

    Raises ValidationError if the account has no second factor.
    """
    _lock(account)
    if not has_second_factor(account):
        raise ValidationError(_("Recovery codes replace a second factor: set one up first."))
    Authenticator.objects.filter(user=account, type=Type.RECOVERY_CODES).delete()
    codes = RecoveryCodes.activate(account).generate_codes()
    note(account, Event.RECOVERY_MADE, account)
    return [f"{code[:CODE_GROUP]} {code[CODE_GROUP:]}" for code in codes]


def recovery_codes_left(account) -> int:
    """Return how many recovery codes of the account are unused."""
    factor = Authenticator.objects.filter(user=account, type=Type.RECOVERY_CODES).first()
    return len(factor.wrap().get_unused_codes()) if factor and _is_readable(factor) else 0


@transaction.atomic
def remove(factor: Authenticator) -> None:
    """Remove one factor of an account for its owner. Without another one its recovery codes go too.

    Raises ValidationError if the account needs a second factor and this is the only one.
    """
    account = factor.user
    _lock(account)
    others = Authenticator.objects.filter(user=account, type__in=FACTORS).exclude(pk=factor.pk)
    if not others.exists() and needs_second_factor(account):
        raise ValidationError(_("Your role needs a second factor: add another one before you remove this."))
    if factor.type == Type.TOTP:
        note(account, Event.FACTOR_REMOVED, account)
    else:
        note(account, Event.PASSKEY_REMOVED, account, passkey=factor.wrap().name)
    factor.delete()
    if not others.exists():
        Authenticator.objects.filter(user=account).delete()


@transaction.atomic
def remove_lost(account, by, proposal: Proposal | None = None) -> None:
    """Remove all second factors of an account whose owner lost them, and end its sessions.

    Its waiting days start, unless the command line removes them.

    by: the account that does it; None for the command line
    """
    _lock(account)
    Authenticator.objects.filter(user=account).delete()
    sessions.end_all(account)
    note(account, Event.FACTORS_LOST, by, holds=True, proposal=proposal)


def _lock(account) -> None:
    """Lock the account's row, so that its factors change one after another."""
    get_user_model().objects.select_for_update().get(pk=account.pk)
