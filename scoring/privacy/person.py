"""A person: the account and all numbers of the register that belong to it."""

from dataclasses import dataclass
from typing import Any

from players.models import Player


@dataclass(frozen=True, slots=True)
class Person:
    """An account, its player and the ids of the player's numbers; either may be missing.

    players: ids of the player and of the numbers merged into it
    """

    account: Any
    player: Player | None
    players: tuple[int, ...]


def of_account(account: Any) -> Person:
    """Return the person to whom an account belongs."""
    player = Player.objects.filter(user=account).first()
    return Person(account, player, _numbers(player) if player else ())


def of_player(player: Player) -> Person:
    """Return the person with a player's number."""
    current = player.current
    return Person(current.user, current, _numbers(current))


def _numbers(player: Player) -> tuple[int, ...]:
    return tuple(Player.objects.numbers_of(player).order_by("pk").values_list("pk", flat=True))
