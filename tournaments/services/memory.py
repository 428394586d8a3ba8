"""The names that a club remembers: who they are in its files, as its directors decided on the review.

`learning` stores them. They apply to the club's later files; nothing crosses clubs.
"""

from collections.abc import Iterable, Mapping

from django.db.models import Q, QuerySet
from django.utils import timezone

from players.models import Club, Player
from tournaments.formats.licence import normalise
from tournaments.models import RememberedName
from ui.text import words_of

from .matching import players_by_number

KEY_LENGTH = RememberedName._meta.get_field("key").max_length


def key_of(name: str) -> str:
    """Return the words of a name without case, accents and punctuation, by which it is remembered."""
    return " ".join(words_of(name))[:KEY_LENGTH]


def recall(names: Iterable[str], club_id: int) -> dict[str, Player]:
    """Return {name: player} for the names of players that the club remembers. One query.

    A player whose number was merged is returned as the surviving player.
    """
    keys, rows = _remembered(names, club_id)
    rows = rows.filter(player__isnull=False)
    players = {row.key: row.player.current for row in rows.select_related("player__merged_into")}
    return {name: players[key] for name, key in keys.items() if key in players}


def recall_guests(names: Iterable[str], club_id: int) -> dict[str, str]:
    """Return {name: ISO 3166 code of the country, or ""} for the guests that the club remembers.

    One query.
    """
    keys, rows = _remembered(names, club_id)
    countries = dict(rows.filter(player=None).values_list("key", "country"))
    return {name: countries[key] for name, key in keys.items() if key in countries}


def _remembered(names: Iterable[str], club_id: int) -> tuple[dict[str, str], QuerySet[RememberedName]]:
    """Return {name: its key}, and the stored names of the club with these keys."""
    keys = {name: key for name in names if (key := key_of(name))}
    return keys, RememberedName.objects.filter(club=club_id, key__in=set(keys.values()))


def names_of(club: Club, text: str = "") -> QuerySet[RememberedName]:
    """Return the names that a club remembers, sorted.

    text: words that the names must contain, or the number that their player must have; "" for all names
    """
    names = RememberedName.objects.filter(club=club)
    if text.isdecimal():
        number = text.lstrip("0")
        return names.filter(Q(player__number=number) | Q(player__merged_into__number=number)).order_by("key")
    for word in words_of(text):
        names = names.filter(key__contains=word)
    return names.order_by("key")


def number_of(name: RememberedName) -> str:
    """Return the number of the player of a remembered name; "" for a guest."""
    return name.player.current.number if name.player else ""


def change(club: Club, numbers: Mapping[int, str], user) -> tuple[int, dict[int, str]]:
    """Store other players for remembered names, in three queries.

    Return the number of changed names, and {id: typed text} of the texts that are not a player's number.

    numbers: {id of a remembered name: typed number}; ids of other clubs are ignored
    """
    names = RememberedName.objects.filter(club=club).select_related("player__merged_into").in_bulk(numbers)
    typed = {pk: text for pk, text in numbers.items() if pk in names and text != number_of(names[pk])}
    players = players_by_number(typed.values())
    changed, wrong = [], {}
    for pk, text in typed.items():
        if player := players.get(normalise(text) or ""):
            names[pk].player, names[pk].country = player, ""
            names[pk].updated_by, names[pk].updated_at = user, timezone.now()
            changed.append(names[pk])
        else:
            wrong[pk] = text
    RememberedName.objects.bulk_update(changed, ["player", "country", "updated_by", "updated_at"])
    return len(changed), wrong
