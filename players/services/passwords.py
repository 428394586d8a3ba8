"""Password resets, by e-mail or by a code that the office prints.

The office never knows a password. A code is one of Django's tokens, valid for PASSWORD_RESET_TIMEOUT. It
stops working when the account's password changes, when somebody signs in with the account, or when the
account gets a role with power over others (a role in GUARDED).
"""

import re
from datetime import datetime, timedelta

from allauth.account.forms import ResetPasswordForm
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from players.access import require
from players.models import AccountEvent
from players.services.journal import note
from players.services.role_changes import GUARDED, is_guarded
from players.services.sign_in import account_with_number

Kind = AccountEvent.Kind
HASH_LENGTH = 32  # characters of a token after its timestamp
GROUP = 4  # characters in each printed group


class _Codes(PasswordResetTokenGenerator):
    """Generator of the codes that the office prints.

    A code stops working when the account gets a role with power over others (a role in GUARDED). Otherwise
    the one person who printed the code could use that power.
    """

    key_salt = "players.services.passwords"

    def _make_hash_value(self, user, timestamp) -> str:
        kinds = sorted(str(kind) for kind in GUARDED)
        grants = user.events.filter(kind=Kind.ROLE_GIVEN, detail__role__in=kinds)
        last_grant = grants.values_list("pk", flat=True).first()
        return f"{super()._make_hash_value(user, timestamp)}{last_grant or ''}"


class _CommandLineCodes(PasswordResetTokenGenerator):
    """Generator of the codes that the command line prints.

    Unlike the office's codes, they keep working if the account gets a role with power over others.
    """

    key_salt = "players.services.passwords.command_line"


_codes, _command_line_codes = _Codes(), _CommandLineCodes()


def reachable_by_mail(account) -> bool:
    """Whether the account can be sent an e-mail; otherwise the office prints a code."""
    return bool(settings.MAIL and account.email)


@transaction.atomic
def send_letter(request: HttpRequest, account) -> None:
    """E-mail the account a link to choose a new password."""
    form = ResetPasswordForm({"email": account.email})
    if form.is_valid():
        form.users = [account]  # not the others who share the address
        form.save(request)
    note(account, Kind.LETTER, request.user)


def may_print_code(account) -> bool:
    """Whether one person may print a code for the account now.

    For an account with power over others, a second person must have approved an `AllowCode` first. The
    approval counts until the next password reset, and at most for PASSWORD_RESET_TIMEOUT.
    """
    if not is_guarded(account):
        return True
    return _since_last_reset(account, Kind.CODE_ALLOWED).filter(proposal__isnull=False).exists()


@transaction.atomic
def print_code(account, by) -> str:
    """Return a new code for the account, in groups of characters that are easy to read.

    by: the account that prints the code; None for the command line

    Raises PermissionDenied if a second person has to allow it first.
    """
    require(by is None or may_print_code(account))
    note(account, Kind.CODE, by)
    codes = _codes if by else _command_line_codes
    plain = codes.make_token(account).replace("-", "").upper()
    return " ".join(plain[start : start + GROUP] for start in range(0, len(plain), GROUP))


def code_expires() -> datetime:
    """Return when a code created now expires."""
    return timezone.now() + timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT)


def account_for_code(username: str, code: str):
    """Return the open account that the code is for, otherwise None.

    username: or the federation number of the account's player
    """
    account = account_with_number(username)
    if account is None or not account.is_active:
        account = get_user_model().objects.filter(username=username.strip(), is_active=True).first()
    plain = re.sub(r"[^0-9a-z]", "", code.lower())
    token = f"{plain[:-HASH_LENGTH]}-{plain[-HASH_LENGTH:]}"
    is_valid = any(codes.check_token(account, token) for codes in (_codes, _command_line_codes))
    return account if is_valid else None


@transaction.atomic
def use_code(username: str, code: str, password: str):
    """Set the password and return the account if the code is valid, otherwise return None.

    Of two simultaneous uses of a code only one succeeds.
    """
    account = account_for_code(username, code)
    locked = account and get_user_model().objects.select_for_update().get(pk=account.pk)
    if not locked or locked.password != account.password:
        return None
    locked.set_password(password)
    locked.save(update_fields=["password"])
    record_reset(locked)
    return locked


def record_reset(account) -> None:
    """Record in the journal that a password was reset by a letter or a code.

    If the office sent the letter or printed the code, the account's waiting days start.
    """
    note(account, Kind.RESET, account, holds=_since_last_reset(account, Kind.LETTER, Kind.CODE).exists())


def _since_last_reset(account, *kinds: Kind) -> QuerySet[AccountEvent]:
    """Return the journal's events of these kinds about the account since its last password reset.

    Events older than PASSWORD_RESET_TIMEOUT are left out, and so are events caused on the command line.
    """
    last = account.events.filter(kind=Kind.RESET).values_list("at", flat=True).first()
    since = timezone.now() - timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT)
    sent = account.events.filter(kind__in=kinds, by__isnull=False)
    return sent.filter(at__gt=max(last, since) if last else since)


def record_change(account, by) -> None:
    """Record a changed password in the journal.

    by: the account's owner, or None for the command line
    """
    note(account, Kind.PASSWORD, by)
