"""Find persons of the register by anything that the office knows of them.

Each way to find somebody reads a range of an index and returns at most `MOST` players, so that the search is
as fast with 150,000 players as with 100. Hidden players and merged numbers are found too.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import reduce
from itertools import product
from operator import or_
from string import ascii_lowercase
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import OuterRef, Q, Subquery
from django.db.models.functions import Lower, Upper
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from players.models import Club, ClubPair, Licence, NamePair, Player
from players.models.names import MARK, matching, stem_of
from players.names import words_resemble
from tournaments.formats.licence import normalise
from ui.chunks import chunks, rows_in
from ui.text import PARTICLES, words_of

MOST = 1_000  # players that a search returns at most
MOST_ROWS = 8 * MOST  # rows of the index of names that one query reads at most
MOST_WORDS = 6  # words of the text that are used
MOST_ALIKE = 12  # registered words that a misspelt word may stand for
SHORTEST_ALIKE = 4  # letters from which a word is looked up as misspelt
AFTER = "z" * 8  # follows a beginning in the order of all words that begin like it
# Beginnings that sound alike, for words whose first letters are misspelt.
SAME_BEGINNING = {
    "h": "",
    "b": "v",
    "v": "b",
    "j": "g",
    "g": "j",
    "y": "i",
    "i": "y",
    "x": "j",
    "z": "s",
    "s": "z",
}
FIRST_YEAR = 1900


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a search.

    ids: ids of players, the most likely first
    how: {player id: by what the player was found}, if it was not by the name
    complete: False if there are more than `MOST` players
    alike: whether only names that are spelt alike were found
    """

    ids: Sequence[int]
    how: dict[int, str]
    complete: bool = True
    alike: bool = False


def find(text: str, day: date, *, sees_private: bool = True) -> Result:
    """Find persons by name, number, e-mail address, account name, club, year of birth or foreign licence.

    text: what the office typed; several words all have to fit, in any order
    day: today
    sees_private: whether to look for addresses and years of birth of the register, which auditors do not see
    """
    how: dict[int, Any] = {}
    for reason, ids in _exact(text.strip(), sees_private=sees_private):
        for pk in ids:
            how.setdefault(pk, reason)
    words, years = _words_and_years(text, day)
    years = years if sees_private else []
    if not words:
        for pk in (born := _born_in(years)):
            how.setdefault(pk, _("year of birth"))
        return _as_result([*how, *born], how)
    named, members = _named(words), _members(words)
    if alike := not (how or named or members):
        named = _alike(words)
    ids = [*how, *_of_years(_by_name(named), years), *_of_years(members, years)]
    for pk in members:
        if pk not in named:
            how.setdefault(pk, _("club"))
    return _as_result(ids, how, alike)


def _as_result(ids: Iterable[int], how: dict[int, Any], alike: bool = False) -> Result:
    unique = list(dict.fromkeys(ids))
    return Result(unique[:MOST], how, len(unique) <= MOST, alike and bool(unique))


def _words_and_years(text: str, day: date) -> tuple[list[str], list[int]]:
    """Return the words of a text that may be names, and the numbers that may be years of birth."""
    words, years = [], []
    for word in words_of(text):
        if word.isdecimal():
            if len(word) == 4 and FIRST_YEAR <= int(word) <= day.year:
                years.append(int(word))
        elif word not in PARTICLES:
            words.append(word)
    return words[:MOST_WORDS], years


# --- By what identifies a person --------------------------------------------------------------------------
def _exact(text: str, *, sees_private: bool) -> Iterator[tuple[Any, Collection[int]]]:
    """Yield (how they were found, ids of players) for each kind of identification that the text may be."""
    if not text:
        return
    if numbers := _numbers(text):
        yield _("number"), Player.objects.filter(number__in=numbers).values_list("pk", flat=True)
    key = text.lower()
    if "@" in text and sees_private:
        players = Player.objects.alias(key=Lower("email")).filter(key=key)
        yield _("e-mail address"), players.values_list("pk", flat=True)[:MOST]
    yield _("account"), _of_accounts(key)
    if len(text) >= 2:
        foreign = Licence.objects.exclude(issuer="").alias(key=Upper("issuer")).filter(key=text.upper())
        yield _("foreign licence"), foreign.values_list("player_id", flat=True)[:MOST]


def _numbers(text: str) -> list[str]:
    """Return the federation numbers in a text: the whole of it, or words of it that are no years."""
    if number := normalise(text):
        return [number]
    return [number for word in text.split()[:MOST_WORDS] if (number := normalise(word)) and len(number) > 4]


def _of_accounts(key: str) -> Collection[int]:
    """Return the ids of the players whose account has this username or e-mail address.

    key: in lower case
    """
    accounts = set(accounts_named(key).values_list("pk", flat=True))
    return Player.objects.filter(user__in=accounts).values_list("pk", flat=True) if accounts else ()


def accounts_named(key: str):
    """Return the accounts with this username or e-mail address, in lower case."""
    accounts = get_user_model().objects
    column = "email" if "@" in key else "username"
    return accounts.alias(key=Lower(column)).filter(key=key)


# --- By name ----------------------------------------------------------------------------------------------
def _named(words: Sequence[str]) -> set[int]:
    """Return the ids of the players whose name has, for each word, a word that begins with it."""
    longest, *others = sorted(words, key=lambda word: (-len(word), word))
    rows = NamePair.objects.filter(stem__gte=longest, stem__lt=longest + AFTER)
    if others:
        rows = rows.filter(second__startswith=others[0])
    ids = set(rows.order_by("stem", "second").values_list("player", flat=True)[:MOST_ROWS])
    return ids if len(words) <= 2 else _with_words(ids, words, str.startswith)


def _with_words(ids: Iterable[int], words: Sequence[str], fits) -> set[int]:
    """Return the ids of those players who have for each word one that fits.

    fits: function of (word of the name, word)
    """
    names = rows_in(Player.objects.values_list("pk", "search_text"), "pk", ids)
    return {pk for pk, name in names if all(any(fits(own, word) for own in words_of(name)) for word in words)}


def _alike(words: Sequence[str]) -> set[int]:
    """Return the ids of the players whose name is spelt like the words."""
    if len(words) == 1:
        registered = _registered_alike(words[0])
        rows = (
            NamePair.objects.filter(stem__gte=word + MARK, stem__lt=word + MARK + AFTER)
            for word in registered
        )
        return {pk for part in rows for pk in part.values_list("player", flat=True)[:MOST_ROWS]}
    ids: set[int] = set()
    for word, *others in _rotations(words):
        ids |= _beside(word, others[0])
    alike = {word: _registered_alike(word) for word in words}
    if all(alike.values()):
        ids |= _with_pairs(alike[words[0]], alike[words[1]])
    return _with_words(ids, words, lambda own, word: own.startswith(word) or words_resemble(word, own))


def _rotations(words: Sequence[str]) -> Iterator[list[str]]:
    """Yield the words with each one first."""
    for place in range(len(words)):
        yield [*words[place:], *words[:place]]


def _beside(word: str, other: str) -> set[int]:
    """Return the ids of the players who have `word`, and another word that resembles `other`."""
    stems = [stem_of(word, letter) for letter in ascii_lowercase]
    rows = NamePair.objects.filter(stem__in=stems).values_list("second", "player")[:MOST_ROWS]
    return {pk for second, pk in rows if words_resemble(other, second)}


def _registered_alike(word: str) -> list[str]:
    """Return the words of the register that `word` may be a misspelling of, with the same first two letters.

    Letters that sound alike count as the same.
    """
    if len(word) < SHORTEST_ALIKE:
        return [word]
    starts = {word[:2], SAME_BEGINNING.get(word[0], word[0]) + word[1 : 2 + (word[0] == "h")], f"h{word[0]}"}
    registered = {
        stem.split(MARK)[0]
        for start in starts
        for stem in NamePair.objects.filter(stem__gte=start, stem__lt=start + AFTER)
        .order_by("stem")
        .values_list("stem", flat=True)
        .distinct()
    }
    return [own for own in sorted(registered) if len(own) > 2 and words_resemble(word, own)][:MOST_ALIKE]


def _with_pairs(first: Sequence[str], second: Sequence[str]) -> set[int]:
    """Return the ids of the players with a word of `first` and one of `second`."""
    ids: set[int] = set()
    for part in chunks(product(first, second), 50):
        pairs = reduce(or_, (Q(stem=stem_of(word, other), second=other) for word, other in part))
        ids |= set(NamePair.objects.filter(pairs).values_list("player", flat=True)[:MOST_ROWS])
    return ids


# --- By club, and the order -------------------------------------------------------------------------------
def _members(words: Sequence[str]) -> list[int]:
    """Return the ids of members of clubs whose name or code the words give, sorted by name.

    Some of the words may be of the person's name: "García Casino" finds the Garcías of the Casino.
    """
    has_one = reduce(or_, (matching(word, ClubPair) for word in words))
    # {club: the words that its name has}
    having = {
        pk: frozenset(word for word in words if _names_club(word, words_of(f"{name} {code}")))
        for pk, name, code in Club.objects.filter(has_one).values_list("pk", "name", "code")
    }
    most = max(map(len, having.values()), default=0)
    if not most:
        return []
    chosen = [pk for pk, own in having.items() if len(own) == most]
    rest = [word for word in words if word not in having[chosen[0]]]
    members = Player.objects.filter(club__in=chosen)
    for word in rest:
        members = members.filter(search_text__contains=word)
    return list(members.order_by("sort_key", "pk").values_list("pk", flat=True)[: MOST + 1])


def _names_club(word: str, names: Collection[str]) -> bool:
    """Return whether a word is one of a club's name or code, or the beginning of one."""
    return word in names or (len(word) > 2 and any(own.startswith(word) for own in names))


def _by_name(ids: Collection[int]) -> list[int]:
    """Return the ids sorted by the players' names."""
    rows = rows_in(Player.objects.order_by().values_list("sort_key", "pk"), "pk", ids)
    return [pk for _key, pk in sorted(rows)]


def _born_in(years: Collection[int]) -> list[int]:
    """Return the ids of the players born in one of these years, sorted by name."""
    if not years:
        return []
    players = Player.objects.filter(birth_year__in=years).order_by("sort_key", "pk")
    return list(players.values_list("pk", flat=True)[: MOST + 1])


def _of_years(ids: Sequence[int], years: Collection[int]) -> list[int]:
    """Return the ids, in order, of the players born in one of these years; all ids if there are no years."""
    if not years:
        return list(ids)
    born = set(rows_in(Player.objects.filter(birth_year__in=years).values_list("pk", flat=True), "pk", ids))
    return [pk for pk in ids if pk in born]


def same_names(given_name: str, surname: str) -> list[Player]:
    """Return the registered persons who may be the one with this name, for a warning before adding it."""
    words = [word for word in words_of(f"{given_name} {surname}") if word not in PARTICLES][:MOST_WORDS]
    ids = _named(words) or _alike(words) if len(words) > 1 else set()
    players = Player.objects.unmerged().filter(pk__in=sorted(ids)[:MOST]).select_related("club")
    return list(players.order_by("sort_key", "pk")[:10])


# --- Records ----------------------------------------------------------------------------------------------
def records(ids: Sequence[int], result: Result, day: date) -> list[dict[str, Any]]:
    """Return the records of `PersonTable` for these players, in their order. Two queries."""
    until = Licence.objects.counting().filter(player=OuterRef("pk")).order_by("-valid_to").values("valid_to")
    players = {
        player.pk: player
        for player in Player.objects.filter(pk__in=ids)
        .select_related("club", "user", "merged_into")
        .annotate(until=Subquery(until[:1]))
    }
    states = Licence.objects.states(day, ids)
    return [_record(players[pk], states[pk], result.how.get(pk, "")) for pk in ids if pk in players]


def _record(player: Any, state, how) -> dict[str, Any]:
    return {
        "name": player.desk_name,
        "url": reverse("person", args=[player.current.number]),
        "number": player.number,
        "kept": player.merged_into.number if player.merged_into else "",
        "club": player.club.name if player.club else "",
        "state": state,
        "until": player.until,
        "birth_year": player.birth_year,
        "account": player.user.get_username() if player.user else "",
        "how": how,
    }
