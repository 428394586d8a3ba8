"""Players as lists show them: light records instead of model instances."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext

from players.models import Player
from players.models.people import desk_name
from tournaments.models import Seat

FIELDS = ("number", "given_name", "surname", "hidden")


def current_fields(prefix: str = "") -> list[Coalesce]:
    """`FIELDS` of a player, or of the one they were merged into: whom pages show, as hidden as they are."""
    return [Coalesce(f"{prefix}merged_into__{name}", f"{prefix}{name}") for name in FIELDS]


def shown(number: str, given_name: str, surname: str, hidden: bool, *, desk: bool = False) -> str:
    """A player's name, as `Player.public_name` gives it, or for the `desk` as `Player.desk_name` does."""
    name = f"{given_name} {surname}".strip()
    if desk:
        return desk_name(name, hidden)
    return gettext("Player %(number)s") % {"number": number} if hidden else name


def address(prefix: str, number: str, given_name: str, surname: str, hidden: bool) -> str:
    """The player's page, as `Player.get_absolute_url` gives it; `prefix` is the list's own address."""
    slug = "" if hidden else slugify(f"{given_name} {surname}".strip())
    return f"{prefix}{number}-{slug}/" if slug else f"{prefix}{number}/"


def addresses():
    """`address` with its prefix: asking the resolver once a list, not once a row."""
    return partial(address, reverse("players"))


def people(player_ids: Iterable[int], *, desk: bool = False) -> dict[int, dict]:
    """Player id -> {"name", "url", "number", "club"} of the player, or of the one kept; one query.

    desk: for a page that only the office, the committee and auditors read; files are not, they are passed on
    """
    at = addresses()
    found = Player.objects.filter(pk__in=set(player_ids))
    rows = found.values_list("pk", *current_fields(), "club__name")
    return {
        pk: {
            "name": shown(number, given, surname, hidden, desk=desk),
            "url": at(number, given, surname, hidden),
            "number": number,
            "club": club,
        }
        for pk, number, given, surname, hidden, club in rows
    }


def seats_of(revision: int, contestants: Sequence[int] | None = None) -> dict[int, list[dict[str, Any]]]:
    """Contestant id -> its people as pages may name them, of all or of these contestants. One query."""
    at = addresses()
    seats: dict[int, list[dict[str, Any]]] = {}
    rows = Seat.objects.filter(revision=revision).order_by("contestant_id", "position")
    if contestants is not None:
        rows = rows.filter(contestant__in=contestants)
    # Whose number was merged is shown as the player kept.
    person = [Coalesce("player__merged_into", "player_id"), *current_fields("player__")]
    columns = ("contestant_id", "guest_name", "player_id", *person)
    for contestant, guest, own, player, *name in rows.values_list(*columns):
        known = player is not None
        seats.setdefault(contestant, []).append(
            {
                "player_id": player,
                "seat": own,
                "name": shown(*name) if known else guest,
                "url": at(*name) if known else "",
                "number": name[0],
            }
        )
    return seats
