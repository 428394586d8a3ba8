"""Read players for lists as plain values, which takes less time than model instances."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import combinations
from typing import Any
from unicodedata import normalize

from django.db.models import QuerySet
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext

from players.hidden_names import names_of_hidden_players
from players.models import Player
from players.models.people import desk_name
from tournaments.federations import guest_label
from tournaments.models import Contestant, Seat

LABEL_LENGTH = Contestant._meta.get_field("label").max_length
TEAM_LENGTH = Contestant._meta.get_field("team_name").max_length
LONG_WORD = re.compile(r"[^\W\d_]{3}")  # three letters
FIELDS = ("number", "given_name", "surname", "hidden")


def current_fields(prefix: str = "") -> list[Coalesce]:
    """Return query expressions for a player's columns `FIELDS`.

    For a merged player they select the values of the surviving player.

    prefix: lookup path from the queried model to the player
    """
    return [Coalesce(f"{prefix}merged_into__{name}", f"{prefix}{name}") for name in FIELDS]


def display_name(number: str, given_name: str, surname: str, hidden: bool, *, desk: bool = False) -> str:
    """Return a player's name as pages show it: for the public or, with `desk`, for the office.

    Equal to `Player.public_name` and `Player.desk_name`. The public sees only the number of a hidden player.
    """
    name = f"{given_name} {surname}".strip()
    if desk:
        return desk_name(name, hidden)
    return gettext("Player %(number)s") % {"number": number} if hidden else name


def public_club(club: str | None, hidden: bool) -> str | None:
    """Return the name of a player's club for public pages; none for a hidden player.

    Equal to the name of `Player.public_club`.
    """
    return None if hidden else club


def player_url(prefix: str, number: str, given_name: str, surname: str, hidden: bool) -> str:
    """Return the URL of a player's page, equal to `Player.get_absolute_url`.

    prefix: URL of the list of players
    """
    slug = "" if hidden else slugify(f"{given_name} {surname}".strip())
    return f"{prefix}{number}-{slug}/" if slug else f"{prefix}{number}/"


def url_builder() -> Callable[..., str]:
    """Return the function `player_url` with its argument `prefix` filled in.

    A list of many players thus resolves the prefix only once.
    """
    return partial(player_url, reverse("players"))


def people(player_ids: Iterable[int], *, desk: bool = False) -> dict[int, dict[str, Any]]:
    """Return {player id: {"name", "url", "number", "club"}}. One query.

    The values of a merged player are those of the surviving player, except the club.

    desk: return the names for pages that only the office, the committee and auditors read; not for exports
    """
    url_of = url_builder()
    rows = Player.objects.filter(pk__in=set(player_ids)).values_list("pk", *current_fields(), "club__name")
    return {
        pk: {
            "name": display_name(*person, desk=desk),
            "url": url_of(*person),
            "number": person[0],
            "club": club if desk else public_club(club, person[3]),
        }
        for pk, *person, club in rows
    }


def seats_of(revision: int, contestants: Sequence[int] | None = None) -> dict[int, list[dict[str, Any]]]:
    """Return {contestant id: records of its persons} of a ranking. One query, and one if there are guests.

    A guest with the name of a hidden player has no name here.

    revision: id of the stored ranking
    contestants: ids of the contestants to return; None for all
    """
    rows = Seat.objects.filter(revision=revision)
    return _seats(rows if contestants is None else rows.filter(contestant__in=contestants))


def seats_of_contestants(contestants: Sequence[int]) -> dict[int, list[dict[str, Any]]]:
    """Return {contestant id: records of its persons}, as `seats_of`, for contestants of several rankings."""
    return _seats(Seat.objects.filter(contestant__in=contestants))


def _seats(rows: QuerySet[Seat]) -> dict[int, list[dict[str, Any]]]:
    url_of = url_builder()
    seats: dict[int, list[dict[str, Any]]] = {}
    rows = rows.order_by("contestant_id", "position")
    # Show merged players as the surviving player.
    current = [Coalesce("player__merged_into", "player_id"), *current_fields("player__")]
    written = ("guest_name", "guest_country")
    columns: tuple[str | Combinable, ...] = ("contestant_id", *written, "player_id", *current)
    listed_seats = list(rows.values_list(*columns))
    secret = names_of_hidden_players({guest_name for _row, guest_name, *_rest in listed_seats if guest_name})
    for contestant, guest_name, country, listed, player, *person in listed_seats:
        is_player = player is not None
        guest = "" if guest_name in secret else guest_label(guest_name, country)
        seats.setdefault(contestant, []).append(
            {
                "player_id": player,
                "seat": listed,
                "name": display_name(*person) if is_player else guest,
                "url": url_of(*person) if is_player else "",
                "number": person[0],
                "erased": is_player and person[1:] == ["", "", True],
            }
        )
    return seats


class Written:
    """Labels of contestants and names of teams, as the public sees them.

    Files write names of persons there, too. Not shown are a text of which some words may be the name of a
    hidden player, one that was cut off, and one of a contestant with a person whose data were erased. What
    cannot be a name is always shown, such as "7" and "12 NS". One query for each 5,000 stems of words.

    texts: all texts that will be asked for; others are never compared with the names of hidden players
    """

    def __init__(self, texts: Iterable[str]) -> None:
        phrases = {text: _phrases_of(text) for text in set(texts) if _may_name(text)}
        secret = names_of_hidden_players({phrase for parts in phrases.values() for phrase in parts})
        self._secret = {text for text, parts in phrases.items() if not secret.isdisjoint(parts)}

    def label(self, text: str, people: Iterable[dict[str, Any]]) -> str:
        """Return a contestant's label, or "" if it is not shown.

        people: the contestant's records of `seats_of`
        """
        return self._shown(text, people, LABEL_LENGTH)

    def team(self, text: str, people: Iterable[dict[str, Any]]) -> str:
        """Return a team's name, or "" if it is not shown. `people` as for `label`."""
        return self._shown(text, people, TEAM_LENGTH)

    def _shown(self, text: str, people: Iterable[dict[str, Any]], cut_at: int | None) -> str:
        if not _may_name(text):
            return text
        unknown = len(text) == cut_at or any(person["erased"] for person in people)
        return "" if unknown or text in self._secret else text


def _may_name(text: str) -> bool:
    """Return whether a text may have the name of a person: a word of three letters, or two words."""
    return bool(LONG_WORD.search(text)) or len(_words_of(text)) > 1


def _words_of(text: str) -> list[str]:
    """Return the words without digits. An accent that a file writes as a character of its own is composed."""
    words = re.findall(r"[^\W_]+", normalize("NFC", text))
    return [word for word in words if word.isalpha()]


def _phrases_of(text: str) -> set[str]:
    """Return a text, and all sequences of two and more of its words."""
    words = _words_of(text)
    return {
        text,
        *(" ".join(words[at:to]) for at, to in combinations(range(len(words) + 1), 2) if to - at > 1),
    }
