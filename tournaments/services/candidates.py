"""Find the players whom a written name may mean, by an index of the words of names.

The index (`players.models.NamePair`) has a row for each two words of a player's name. A candidate has one
word of the written name, and another word that is similar to another word of the written name.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from heapq import nsmallest
from itertools import permutations
from operator import or_
from string import ascii_lowercase
from typing import Any

from django.db.models import Q

from players.models import NamePair, Player
from players.models.names import key_words, stem_of
from ui.chunks import chunks
from ui.text import words_of

from .matching import is_similar

MOST = 200  # candidates for a name
MOST_ALONE = 40  # different other words that players with the only word of a written name may have
# What one query asks for at most. Planning a query of many conditions joined by OR takes PostgreSQL long.
STEMS, KEYS, PLAYERS = 5_000, 200, 5_000
FIELDS = ("pk", "number", "given_name", "surname", "club_id", "hidden", "merged_into_id", "search_text")

Pair = tuple[str, str]  # the stem and the second word of a row of the index
Shared = frozenset[str]  # two words of a written name, to which a row of the index is similar


@dataclass(frozen=True)
class Candidates:
    """The players whom a written name may mean, each with the words of the player's name.

    complete: False if players who share all words with the name may be missing, because there are too many
    """

    players: Sequence[tuple[Player, list[str]]]
    complete: bool = True


def candidates_for(names: Iterable[str], club_id: int, taken: Collection[int]) -> dict[str, Candidates]:
    """Return {written name: candidates} for the names that have any.

    Three queries, or more for hundreds of names. None reads the whole register. A name with more than `MOST`
    candidates keeps the members of the club, and of the others those who share most words with it. A name of
    a single word has candidates only if few players have that word.

    club_id: the uploading club. Its hidden members are candidates, other hidden players are not.
    taken: ids of players to leave out
    """
    asked = {name: list(_asked(key_words(name))) for name in names}
    seconds = _seconds({stem for pairs in asked.values() for pair in pairs for stem in _stems(*pair)})
    names_of: dict[Pair, list[tuple[str, Shared]]] = defaultdict(list)
    for name, pairs in asked.items():
        for pair, shared in _similar(pairs, seconds):
            names_of[pair].append((name, shared))
    rows = list(_rows(names_of))
    players = _visible({player for _pair, player in rows}.difference(taken), club_id)
    shares: dict[str, dict[int, set[Shared]]] = defaultdict(lambda: defaultdict(set))
    for pair, player in rows:
        for name, shared in names_of[pair] if player in players else ():
            shares[name][player].add(shared)
    members = {pk for pk, values in players.items() if values["club_id"] == club_id}
    result = {}
    for name, own in shares.items():
        kept = _most_alike(own, members)
        most = len({frozenset(pair) for pair in asked[name]})
        complete = all(len(own[pk]) < most for pk in own.keys() - kept)
        near = [(Player(**players[pk]), words_of(players[pk]["search_text"])) for pk in kept]
        result[name] = Candidates(near, complete)
    return result


def _most_alike(shares: Mapping[int, Collection[Shared]], members: Collection[int]) -> list[int]:
    """Return the ids of at most `MOST` players: members first, then those who share most words."""
    return nsmallest(MOST, shares, key=lambda pk: (pk not in members, -len(shares[pk]), pk))


def _asked(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (a word that candidates must have, a word to which another one of theirs must be similar).

    The second word is "" for a name of one word.
    """
    if len(words) == 1:
        yield words[0], ""
    # Too many players have a word that is only an initial.
    yield from ((word, other) for word, other in permutations(words, 2) if len(word) > 1)


def _stems(word: str, other: str) -> list[str]:
    """Return the stems in the index of a word and another one; of any other one if that is ""."""
    return [stem_of(word, start) for start in ([other] if other else ["", *ascii_lowercase])]


def _seconds(stems: Iterable[str]) -> dict[str, list[str]]:
    """Return {stem: second words that the index has for it}."""
    seconds = defaultdict(list)
    for part in chunks(sorted(stems), STEMS):
        rows = NamePair.objects.filter(stem__in=part).values_list("stem", "second").distinct()
        for stem, second in rows:
            seconds[stem].append(second)
    return seconds


def _similar(
    asked: Iterable[tuple[str, str]], seconds: Mapping[str, Sequence[str]]
) -> Iterator[tuple[Pair, Shared]]:
    """Yield the rows of the index that are similar to two words of a name, with these words.

    asked: as from `_asked`
    """
    for word, other in asked:
        known = ((stem, second) for stem in _stems(word, other) for second in seconds.get(stem, ()))
        similar = [pair for pair in known if not other or is_similar(other, pair[1])]
        if other or len(similar) <= MOST_ALONE:
            yield from ((pair, frozenset((word, other))) for pair in similar)


def _rows(pairs: Iterable[Pair]) -> Iterator[tuple[Pair, int]]:
    """Yield (stem and second word, player id) of these rows of the index."""
    for part in chunks(pairs, KEYS):
        seconds = defaultdict(list)
        for stem, second in part:
            seconds[stem].append(second)
        # Each condition is a range of the index. Two lists for both columns would combine all with all.
        is_asked = reduce(or_, (Q(stem=stem, second__in=own) for stem, own in seconds.items()))
        for stem, second, player in NamePair.objects.filter(is_asked).values_list("stem", "second", "player"):
            yield (stem, second), player


def _visible(ids: Iterable[int], club_id: int) -> dict[int, dict[str, Any]]:
    """Return {player id: values of `FIELDS`}, without merged players and hidden ones of other clubs.

    The caller makes model objects of the few that it needs, because making them of all would take longer.
    """
    return {
        values["pk"]: values
        for part in chunks(sorted(ids), PLAYERS)
        for values in Player.objects.filter(pk__in=part).values(*FIELDS)
        if not values["merged_into_id"] and (not values["hidden"] or values["club_id"] == club_id)
    }
