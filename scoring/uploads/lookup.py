"""Look up players while a director types a name: first the club's members, then the register."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from django.db.models import F, Max, Q, QuerySet

from players.categories import categories_on
from players.given_names import NICKNAMES, written_out
from players.models import Licence, NamePair, Player
from tournaments.models import Seat
from ui.text import PARTICLES, fold, sort_key, words_of

MOST = 8  # players that are shown
SHORTEST = 2  # letters from which the club's members are looked up
SHORTEST_WORD = 3  # letters of a word that is looked up in the register
MOST_WORDS = 4  # words of the text that are used
MOST_ROWS = 2_000  # rows of the index of names that a query reads at most
MOST_OTHERS = 100  # players that a query of the register returns at most
CONTAINED = 2  # the order of names that merely contain the words of the text, from `_order`
AFTER = "z" * 8  # follows a beginning in the order of all sort keys, or words, that begin like it


def players_like(text: str, club_id: int, day: date | None) -> list[dict[str, Any]]:
    """Return up to MOST players whom a text may mean, as records of `uploads/_lookup.html`.

    Players whose names have words that begin with those of the text come first, among them the members of the
    club, and of names in the same order those that have its words whole. A short form such as Pepe stands for
    the names that proposals know.

    Make at most some fifteen queries, none of which reads the whole register: members of the club are
    selected by the club, other players by their number or the beginning of any word of their name. Accents
    and the tilde of ñ may be left out. Hidden players are shown by name if they are members of the club, and
    otherwise by number only, if that number is the text. Show the result only to directors of the club.

    day: the tournament's last day, on which the licences are wanted
    """
    words = words_of(text)[:MOST_WORDS]
    if sum(map(len, words)) < SHORTEST:
        return []
    members = Player.objects.unmerged().filter(club=club_id)
    if text.strip().isdecimal():
        number = text.strip().lstrip("0")[:12]
        players = _unique([*_numbered(number), *members.filter(number__startswith=number)[:MOST]])
    else:
        players = _unique([*_containing(members, words), *_registered(text, words)])
        order = {player.pk: _order(words, player) for player in players}
        players.sort(
            key=lambda player: (
                order[player.pk] == CONTAINED,
                player.club_id != club_id,
                order[player.pk],
                -_whole_words(words, player),
            )
        )
    return _records(players[:MOST], club_id, day)


def _containing(players: QuerySet[Player], words: Iterable[str]) -> QuerySet[Player]:
    """Return the players whose names contain each of the words, or a name for which it is the short form."""
    for word in words:
        meant = Q(search_text__contains=word)
        for name in NICKNAMES.get(word, ()):
            meant |= Q(*(("search_text__contains", part) for part in name.split()))
        players = players.filter(meant)
    return players.order_by("sort_key", "pk")


def _order(words: Sequence[str], player: Player) -> int:
    """Return where a player stands in the list; smaller is earlier.

    0 if successive words of the player's name begin with the typed words in their order, 1 if each typed word
    begins a word of the name, `CONTAINED` otherwise.
    """
    given_names, surnames = words_of(player.given_name), words_of(player.surname)
    result = CONTAINED
    for typed in [list(words), *(text.split() for text in written_out(words))]:
        for names in (given_names + surnames, surnames + given_names):
            if any(_begin(typed, names[start:]) for start in range(len(names))):
                return 0
        if all(any(name.startswith(word) for name in given_names + surnames) for word in typed):
            result = 1
    return result


def _whole_words(words: Sequence[str], player: Player) -> int:
    """Return how many of the typed words are whole words of the player's name, also if it is a short form."""
    names = set(words_of(player.full_name))
    return max(len(names.intersection(text)) for text in [words, *map(str.split, written_out(words))])


def _begin(typed: Sequence[str], names: Sequence[str]) -> bool:
    """Return whether the first names begin with the typed words, in the same order."""
    return len(names) >= len(typed) and all(map(str.startswith, names, typed))


def _numbered(number: str) -> list[Player]:
    """Return the player with this number, or the player into whom it was merged."""
    return [player.current for player in Player.objects.filter(number=number).select_related("merged_into")]


def _registered(text: str, words: Sequence[str]) -> list[Player]:
    """Return visible players with words that begin with those of the text, or with names of a short form.

    Players whose first surname begins with the text come first. Each query reads a range of an index: of the
    surnames, or of the words of names, for the longest word of the text.
    """
    visible = Player.objects.unmerged().filter(hidden=False)
    players: list[Player] = []
    beginning = sort_key(text)
    if len(fold(text)) >= SHORTEST_WORD and beginning:
        surnames = visible.filter(sort_key__gte=beginning, sort_key__lt=beginning + AFTER)
        players += surnames.order_by("sort_key", "pk")[:MOST_OTHERS]
    for typed in [list(words), *(name.split() for name in written_out(words))]:
        longest, *others = sorted(set(typed) - PARTICLES, key=lambda word: (-len(word), word)) or [""]
        if len(longest) < SHORTEST_WORD:
            continue
        rows = NamePair.objects.filter(stem__gte=longest, stem__lt=longest + AFTER)
        if others:
            rows = rows.filter(second__startswith=others[0])
        # Merged and hidden players are left out afterwards, so that the database reads the index in order.
        ids = set(rows.order_by("stem", "second", "player").values_list("player", flat=True)[:MOST_ROWS])
        players += _containing(visible.filter(pk__in=ids), others)[:MOST_OTHERS]
    return players


def _unique(players: Iterable[Player]) -> list[Player]:
    return list({player.pk: player for player in players}.values())


def _records(players: list[Player], club_id: int, day: date | None) -> list[dict[str, Any]]:
    ids = [player.pk for player in players]
    categories = categories_on(day, ids) if day else {}
    clubs = dict(Player.objects.filter(pk__in=ids).order_by().values_list("pk", "club__name"))
    licences = Licence.objects.states(day, ids)
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
            "category": categories[player.pk].code if player.pk in categories else None,
            "light": licences.get(player.pk, ""),
            "last": last.get(player.pk),
        }
        for player in players
    ]
