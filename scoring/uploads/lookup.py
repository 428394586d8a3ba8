"""Look up players while a director types a name: first the club's members, then the register."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from django.db.models import F, Max, QuerySet

from players.models import Licence, Player
from scoring.uploads.people_to_match import light_of
from tournaments.models import Seat
from ui.text import fold, sort_key

MOST = 8  # players that are shown
SHORTEST = 2  # letters from which the club's members are looked up
SHORTEST_SURNAME = 3  # letters of a word that is looked up among the surnames of the register
MOST_WORDS = 4  # words of the text that are used
AFTER = "z" * 8  # follows a beginning of a sort key in the order of all sort keys that begin like it


def players_like(text: str, club_id: int, day: date | None) -> list[dict[str, Any]]:
    """Return up to MOST players whom a text may mean, as records of `uploads/_lookup.html`.

    Make at most eight queries, none of which reads the whole register: members of the club are selected by
    the club, other players by their number or the beginning of their surname. Hidden players are shown by
    name if they are members of the club, and otherwise by number only, if that number is the text. Show the
    result only to directors of the club.

    day: the tournament's last day, on which the licences are wanted
    """
    words = fold(text).split()[:MOST_WORDS]
    if sum(map(len, words)) < SHORTEST:
        return []
    members = Player.objects.unmerged().filter(club=club_id)
    if text.strip().isdecimal():
        number = text.strip().lstrip("0")[:12]
        players = _unique([*_numbered(number), *members.filter(number__startswith=number)[:MOST]])
    else:
        players = list(_containing(members, words)[:MOST])
        players = _unique([*players, *_registered(text, MOST - len(players))])
    return _records(players[:MOST], club_id, day)


def _containing(players: QuerySet[Player], words: Iterable[str]) -> QuerySet[Player]:
    for word in words:
        players = players.filter(search_text__contains=word)
    return players.order_by("sort_key", "pk")


def _numbered(number: str) -> list[Player]:
    """Return the player with this number, or the player into whom it was merged."""
    return [player.current for player in Player.objects.filter(number=number).select_related("merged_into")]


def _registered(text: str, most: int) -> list[Player]:
    """Return visible players with a surname that begins with a word of the text, and with its other words.

    One query for each word, so that the database can read a range of the index of surnames.
    """
    players: list[Player] = []
    words = text.split()[:MOST_WORDS]
    for word in words:
        beginning = sort_key(word)
        if len(fold(word)) >= SHORTEST_SURNAME and beginning and len(players) < most:
            others = fold(" ".join(other for other in words if other != word)).split()
            surnames = Player.objects.unmerged().filter(
                hidden=False, sort_key__gte=beginning, sort_key__lt=beginning + AFTER
            )
            players += _containing(surnames, others)[:MOST]
    return players[: max(most, 0)]


def _unique(players: Iterable[Player]) -> list[Player]:
    return list({player.pk: player for player in players}.values())


def _records(players: list[Player], club_id: int, day: date | None) -> list[dict[str, Any]]:
    ids = [player.pk for player in players]
    clubs = dict(Player.objects.filter(pk__in=ids).values_list("pk", "club__name"))
    licensed = set()
    if day:
        licensed = set(
            Licence.objects.valid_on(day).filter(player__in=ids).values_list("player_id", flat=True)
        )
    here = Seat.objects.filter(
        player__in=ids,
        revision__tournament__club=club_id,
        revision__tournament__published=F("revision"),
    )
    last = dict(
        here.order_by()
        .values("player")
        .annotate(day=Max("revision__tournament__end_date"))
        .values_list("player", "day")
    )
    return [
        {
            "number": player.number,
            "name": player.desk_name if player.club_id == club_id else player.public_name,
            "club": clubs[player.pk] or "",
            "light": light_of(player.pk in licensed, day),
            "last": last.get(player.pk),
        }
        for player in players
    ]
