"""Remember who the names in a club's files are, as its directors decided on the review.

A name is learnt when the upload is confirmed, and applies to the club's later files. Nothing crosses clubs.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from django.db.models import Q, QuerySet
from django.utils import timezone

from players.models import Club, Player
from tournaments.formats.licence import normalise
from tournaments.models import RememberedName, ResultUpload
from ui.text import words_of

from .matching import players_by_number
from .people import seats_of

if TYPE_CHECKING:
    from .drafts import Draft

KEY_LENGTH = RememberedName._meta.get_field("key").max_length


def key_of(name: str) -> str:
    """Return the words of a name without case, accents and punctuation, by which it is remembered."""
    return " ".join(words_of(name))[:KEY_LENGTH]


def learn(upload: ResultUpload, draft: "Draft", user) -> None:
    """Store the players that the director chose for names of a file, and delete names decided as guests.

    A name that stands for two players in the file is not stored. The name of the only member of the club who
    is called so is deleted, because that needs no memory, and another player's would contradict it. Four
    queries.
    """
    players: dict[str, set[Player]] = {}
    written: dict[str, str] = {}
    guests: set[str] = set()
    for seat, person, _line in seats_of(draft.entries):
        choice, key = draft.choices.get(seat), key_of(person.name)
        if choice and choice.guest:
            guests.add(key)
        elif choice and key and (player := draft.player_of(person)):
            players.setdefault(key, set()).add(player)
            written[key] = person.name[:KEY_LENGTH]
    members = _members_by_name(upload.club_id) if players else {}
    exact = {key for key, chosen in players.items() if members.get(key) == [player.pk for player in chosen]}
    forgotten = (guests - players.keys()) | exact
    RememberedName.objects.filter(club=upload.club_id, key__in=forgotten).delete()
    rows = [
        RememberedName(club_id=upload.club_id, key=key, written=written[key], player=player, updated_by=user)
        for key, (player, *others) in players.items()
        if not others and key not in exact
    ]
    RememberedName.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["club", "key"],
        update_fields=["written", "player", "updated_at", "updated_by"],
    )


def _members_by_name(club_id: int) -> dict[str, list[int]]:
    """Return {key of a name: ids of the members of the club who have exactly this name}. One query."""
    members: dict[str, list[int]] = {}
    rows = Player.objects.unmerged().filter(club=club_id).values_list("pk", "given_name", "surname")
    for pk, given_name, surname in rows:
        for name in (f"{given_name} {surname}", f"{surname} {given_name}"):
            members.setdefault(key_of(name), []).append(pk)
    return members


def recall(names: Iterable[str], club_id: int) -> dict[str, Player]:
    """Return {name: player} for the names that the club remembers. One query.

    A player whose number was merged is returned as the surviving player.
    """
    keys = {name: key for name in names if (key := key_of(name))}
    rows = RememberedName.objects.filter(club=club_id, key__in=set(keys.values()))
    players = {row.key: row.player.current for row in rows.select_related("player__merged_into")}
    return {name: players[key] for name, key in keys.items() if key in players}


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


def change(club: Club, numbers: Mapping[int, str], user) -> tuple[int, dict[int, str]]:
    """Store other players for remembered names, in three queries.

    Return the number of changed names, and {id: typed text} of the texts that are not a player's number.

    numbers: {id of a remembered name: typed number}; ids of other clubs are ignored
    """
    names = RememberedName.objects.filter(club=club).select_related("player__merged_into").in_bulk(numbers)
    typed = {
        pk: text for pk, text in numbers.items() if pk in names and text != names[pk].player.current.number
    }
    players = players_by_number(typed.values())
    changed, wrong = [], {}
    for pk, text in typed.items():
        if player := players.get(normalise(text) or ""):
            names[pk].player, names[pk].updated_by, names[pk].updated_at = player, user, timezone.now()
            changed.append(names[pk])
        else:
            wrong[pk] = text
    RememberedName.objects.bulk_update(changed, ["player", "updated_by", "updated_at"])
    return len(changed), wrong
