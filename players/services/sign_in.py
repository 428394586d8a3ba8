"""Find the account that a sign-in name belongs to."""

import re

from django.utils.translation import gettext_lazy as _

from players.models import Player

ONLY_DIGITS = _("Digits alone are a federation number: add a letter.")  # the error for such a username


def normal_number(text: str) -> str:
    """Return a typed federation number without spaces, dots and leading zeros; "" if it is no number."""
    digits = re.sub(r"[\s.]", "", text).lstrip("0")
    return digits if re.fullmatch("[0-9]{1,12}", digits) else ""


def player_with_number(text: str) -> Player | None:
    """Return the player with the typed number, or None. A merged number leads to the surviving player."""
    players = Player.objects.select_related("user", "club", "merged_into__user", "merged_into__club")
    number = normal_number(text)
    player = players.filter(number=number).first() if number else None
    return player and player.current


def account_with_number(text: str):
    """Return the account of the player with the typed number, or None."""
    player = player_with_number(text)
    return player and player.user
