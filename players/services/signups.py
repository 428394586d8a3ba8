"""Let members make an account for their federation number, or join the number to an account that they have.

A member needs a key: a link that goes to the e-mail address in the register, or a printed code. Keys are void
as soon as the number has an account; so no key gives access to an account that exists.
"""

import secrets
from collections.abc import Iterable
from datetime import date, timedelta
from enum import StrEnum

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from players.access import manageable_clubs, require, roles_of
from players.ages import is_under_14
from players.models import AccountEvent, Consent, Player, SignUpKey
from players.services import invitations, limits
from players.services.journal import note
from players.services.limits import Limit
from players.services.sign_in import player_with_number
from ui.clock import today

Kind, Way = AccountEvent.Kind, SignUpKey.Way
# 12 characters have 59 random bits. A shorter code than a director's, because members type it with their
# number, attempts are limited, and its digest needs the site's secret key.
CODE_LENGTH = 12
UID_LENGTH = 32  # hexadecimal characters
SECONDS, MINUTE, HOUR = timedelta(seconds=30), timedelta(minutes=1), timedelta(hours=1)
# Limits on asking for a letter, which count what was typed, whether or not it is in the register. Strangers
# who ask for letters for somebody's number delay its owner by a quarter of an hour at most.
ASKED = {
    "address": Limit(3, MINUTE, HOUR),
    "number": Limit(10, SECONDS, timedelta(minutes=15)),
    "network": Limit(20, MINUTE, HOUR),
}
# Limits on wrong codes.
TRIED = {
    "number": Limit(10, SECONDS, timedelta(minutes=15)),
    "network": Limit(30, SECONDS, timedelta(minutes=15)),
}
KEPT_DAYS = 400  # how long unused keys are kept: they show who was invited and did not come


class Refusal(StrEnum):
    """Why a player cannot make an account now."""

    HAS_ACCOUNT = "has_account"
    DECEASED = "deceased"
    ERASED = "erased"
    UNDER_14 = "under_14"


def refusal(player: Player) -> Refusal | None:
    """Return why the player cannot make an account, or None if they can.

    player: a surviving one (`Player.current`)
    """
    if player.user_id:
        return Refusal.HAS_ACCOUNT
    if player.deceased_on:
        return Refusal.DECEASED
    if player.erased_on:
        return Refusal.ERASED
    return Refusal.UNDER_14 if is_under_14(player.birth_year, today()) else None


def take_to_ask(number: str, email: str, network: str) -> None:
    """Count a request for a letter. Raises `limits.TooSoon` if it comes too early.

    network: as `limits.network_of` returns
    """
    names = {
        f"sign up to {email.casefold()}": ASKED["address"],
        f"sign up as {number}": ASKED["number"],
        f"sign up from {network}": ASKED["network"],
    }
    limits.take(names)


def take_to_try(number: str, network: str) -> list[str]:
    """Count an attempt with a code, and return the names of its counters for `limits.give_back`.

    Raises `limits.TooSoon` if it comes too early.
    """
    names = {
        f"sign up code of {number}": TRIED["number"],
        f"sign up code from {network}": TRIED["network"],
    }
    return limits.take(names)


# --- Making keys ----------------------------------------------------------------------------------------
@transaction.atomic
def make_link(player: Player, by=None) -> SignUpKey:
    """Return the key for a link that is sent to the player now.

    A link that still works keeps working: only its time starts again. So a second letter does not make the
    first one void.

    by: the account that invites; None if the player asked
    """
    keys = SignUpKey.objects.select_for_update().filter(player=player, way=Way.LINK)
    key = keys.first()
    if key is None or key.expired:
        keys.delete()
        key = SignUpKey(player=player, way=Way.LINK)
    key.made_by, key.made_at = by or key.made_by, timezone.now()
    key.save()
    return key


def may_print_for(user, player: Player) -> bool:
    """Return whether the account may print a code for the player: the office, or who manages the club."""
    return roles_of(user).office or (
        player.club_id is not None and manageable_clubs(user).filter(pk=player.club_id).exists()
    )


@transaction.atomic
def print_codes(players: Iterable[Player], by) -> dict[int, str]:
    """Make codes for players, and return {player id: code}. Codes made before for these players become void.

    Players who cannot make an account get none. Raises PermissionDenied if `by` may not print codes for one
    of the players.
    """
    wanted = sorted((player for player in players if refusal(player) is None), key=lambda player: player.pk)
    if not roles_of(by).office:
        clubs = set(manageable_clubs(by).values_list("pk", flat=True))
        require(all(player.club_id in clubs for player in wanted))
    alphabet = invitations.ALPHABET
    codes = {
        player.pk: "".join(secrets.choice(alphabet) for _position in range(CODE_LENGTH)) for player in wanted
    }
    SignUpKey.objects.filter(player__in=wanted, way=Way.CODE).delete()
    now = timezone.now()
    SignUpKey.objects.bulk_create(
        SignUpKey(player_id=pk, way=Way.CODE, digest=_digest(code), made_by=by, made_at=now)
        for pk, code in codes.items()
    )
    return codes


def in_groups(code: str) -> str:
    """Return the code in groups of four characters, which are easy to read on paper."""
    return " ".join(code[start : start + 4] for start in range(0, len(code), 4)).upper()


def _digest(code: str) -> str:
    return salted_hmac("players.signups.code", code, algorithm="sha256").hexdigest()


# --- Checking keys --------------------------------------------------------------------------------------
def token_of(key: SignUpKey) -> str:
    """Return the secret part of the key's link.

    It depends on the e-mail address in the register, so another address makes the link void.
    """
    return f"{key.uid.hex}{_mac(key)}"


def _mac(key: SignUpKey) -> str:
    content = f"{key.uid.hex} {key.player.current.email.casefold()}"
    return salted_hmac("players.signups.link", content, algorithm="sha256").hexdigest()[:32]


def key_for_token(token: str) -> SignUpKey | None:
    """Return the key with this link, or None if the link does not work (any more)."""
    try:
        keys = _keys().filter(uid=token[:UID_LENGTH])
        key = keys.first()
    except ValidationError:  # not a UUID
        return None
    if key is None or not constant_time_compare(_mac(key), token[UID_LENGTH:]):
        return None
    return key if _works(key) else None


def key_for_code(number: str, code: str) -> SignUpKey | None:
    """Return the key with this printed code, or None if the code is not for this number or does not work."""
    player = player_with_number(number)
    key = _keys().filter(way=Way.CODE, digest=_digest(invitations.plain(code))).first()
    if key is None or player is None or key.player.current != player:
        return None
    return key if _works(key) else None


def _keys():
    return SignUpKey.objects.select_related("player__merged_into", "player__club", "made_by")


def _works(key: SignUpKey) -> bool:
    """Return whether the key is neither expired nor void.

    A code is void once the account that printed it is closed, or may not print codes for this player any
    more. A link is not: whoever has it reads the letters to the player's address.
    """
    player = key.player.current
    if key.expired or refusal(player) is not None:
        return False
    if key.way == Way.LINK:
        return bool(player.email)
    return key.made_by.is_active and may_print_for(key.made_by, player)


# --- Using keys -----------------------------------------------------------------------------------------
@transaction.atomic
def make_account(token: str, password: str, *, says_of_age: bool):
    """Create the account of the key's player, use the key up, and return the account.

    The account has the address in the register if the link went there; nobody has shown that the address is
    theirs otherwise. Return None if the key does not work any more. Of two simultaneous uses one succeeds.

    says_of_age: whether the person said that they are 14 or older, which is recorded
    """
    key = _locked_key(token)
    if key is None:
        return None
    player = key.player.current
    account = get_user_model()(
        username=free_username(player.number), email=player.email if key.way == Way.LINK else ""
    )
    account.set_password(password)
    account.full_clean()
    account.save(force_insert=True)
    note(account, Kind.CREATED, key.made_by or account, player=player.number, way=key.way)
    _join(key, account, says_of_age)
    return account


@transaction.atomic
def join_account(token: str, account, *, says_of_age: bool) -> bool:
    """Join the key's player to an account that exists, and use the key up.

    Return False if the key does not work any more. Raises ValidationError for an account that cannot be
    joined.

    says_of_age: as for `make_account`
    """
    key = _locked_key(token)
    if key is None:
        return False
    if text := obstacle(key, account):
        raise ValidationError(text)
    _join(key, account, says_of_age)
    return True


def obstacle(key: SignUpKey, account) -> str:
    """Return why the key's player cannot be joined to this account, as a sentence; "" if they can."""
    if other := Player.objects.filter(user=account).first():
        text = _("This account belongs to number %(number)s already. Sign out to make another account.")
        return text % {"number": other.number}
    if key.way == Way.CODE and key.made_by_id == account.pk:
        return _("You printed this code: whoever it is for has to use it, without your account.")
    return ""


def _locked_key(token: str) -> SignUpKey | None:
    """Return the key if it works, and lock its player, so that nobody else uses a key of this player."""
    key = key_for_token(token)
    if key is None:
        return None
    list(Player.objects.select_for_update().filter(pk=key.player.current.pk))
    return key_for_token(token)


def _join(key: SignUpKey, account, says_of_age: bool) -> None:
    player = key.player.current
    player.user = account
    player.save(update_fields=["user"])
    SignUpKey.objects.filter(player__in=Player.objects.numbers_of(player)).delete()
    detail = {"player": player.number, "way": key.way} | ({"of_age": True} if says_of_age else {})
    if says_of_age:
        Consent.objects.create(player=player, kind=Consent.Kind.OF_AGE, by=account)
    note(account, Kind.LINKED, key.made_by or account, holds=True, **detail)


def free_username(number: str) -> str:
    """Return the number, or the number with a suffix if another account has it as its username."""
    taken = set(
        get_user_model().objects.filter(username__startswith=number).values_list("username", flat=True)
    )
    names = (number, *(f"{number}-{suffix}" for suffix in range(2, len(taken) + 3)))
    return next(name for name in names if name not in taken)


def delete_old(day: date) -> None:
    """Delete the keys that were made more than `KEPT_DAYS` before `day`, which is today."""
    SignUpKey.objects.filter(made_at__date__lt=day - timedelta(days=KEPT_DAYS)).delete()
