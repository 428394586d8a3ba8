"""Letting somebody choose a new password: by a letter, or by a code that the office prints.

The office never knows a password. A code is one of Django's tokens: it holds for PASSWORD_RESET_TIMEOUT, and
only until the account's password changes or somebody signs in.
"""

import re
from datetime import datetime, timedelta

from allauth.account.forms import ResetPasswordForm
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from players.models import AccountEvent
from players.services.journal import note

Kind = AccountEvent.Kind
HASH_LENGTH = 32  # of a token, behind its time
GROUP = 4  # characters printed together


class _Codes(PasswordResetTokenGenerator):
    key_salt = "players.services.passwords"


_codes = _Codes()


def wants_letter(account) -> bool:
    """Whether a letter can reach the account; a printed code is for those that none can."""
    return bool(settings.MAIL and account.email)


@transaction.atomic
def send_letter(request: HttpRequest, account) -> None:
    """Send the account's address a link with which a new password can be chosen."""
    form = ResetPasswordForm({"email": account.email})
    if form.is_valid():
        form.save(request)
    note(account, Kind.LETTER, request.user)


@transaction.atomic
def print_code(account, by) -> str:
    """A new code for the account, in groups for the eye."""
    note(account, Kind.CODE, by)
    plain = _codes.make_token(account).replace("-", "").upper()
    return " ".join(plain[start : start + GROUP] for start in range(0, len(plain), GROUP))


def code_expires() -> datetime:
    """When a code that is made now ends."""
    return timezone.now() + timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT)


def account_of_code(username: str, code: str):
    """The open account with this name that the code is for; None where either is wrong, used or too old."""
    account = get_user_model().objects.filter(username=username.strip(), is_active=True).first()
    plain = re.sub(r"[^0-9a-z]", "", code.lower())
    token = f"{plain[:-HASH_LENGTH]}-{plain[-HASH_LENGTH:]}"
    return account if _codes.check_token(account, token) else None


@transaction.atomic
def use_code(username: str, code: str, password: str):
    """Set the password and return the account, if the code still holds; otherwise None.

    Used at the same moment twice, it holds once.
    """
    account = account_of_code(username, code)
    locked = account and get_user_model().objects.select_for_update().get(pk=account.pk)
    if not locked or locked.password != account.password:
        return None
    locked.set_password(password)
    locked.save(update_fields=["password"])
    was_reset(locked)
    return locked


def was_reset(account) -> None:
    """Write down a password chosen by letter or code; one that the office sent makes approvals wait."""
    note(account, Kind.RESET, account, holds=_came_from_office(account))


def _came_from_office(account) -> bool:
    last = account.events.filter(kind=Kind.RESET).values_list("at", flat=True).first()
    since = timezone.now() - timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT)
    sent = account.events.filter(kind__in=[Kind.LETTER, Kind.CODE], by__isnull=False)
    return sent.filter(at__gt=max(last, since) if last else since).exists()


def was_changed(account, by) -> None:
    """Write down that a password was changed: by its owner, or on the command line (`by` None)."""
    note(account, Kind.PASSWORD, by)
