"""Find which names written for guests may be those of hidden players, so that public pages do not show them.

A director may enter a hidden player as a guest, under the name in the file. Nobody is asked about it: the
question would tell who is hidden to a director who may not know, for any name that they try.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from itertools import permutations
from string import ascii_lowercase

from ui.chunks import chunks
from ui.text import PARTICLES, words_of

from .given_names import written_out
from .models import NamePair, Player
from .models.names import key_words, stem_of
from .models.people import is_hidden
from .names import names_differ, words_resemble

STEMS = 5_000  # stems in one query
CACHED = 20_000  # comparisons that are kept, because the pages of a tournament repeat them
Words = frozenset[str]
# {stem: {second word: {(given name, surname)}}} of rows of the index of the words of names
Index = dict[str, dict[str, set[tuple[str, str]]]]
REMARK = re.compile(r"\([^()]*\)")
# Letters with which a word may begin that sounds like a word with this first letter; see `names.SAME_SOUND`.
SAME_START = {
    "b": "bv",
    "v": "vb",
    "g": "gj",
    "j": "jgx",
    "x": "xj",
    "f": "fp",
    "p": "pf",
    "y": "yi",
    "i": "iyh",
    "h": "haeiou",
    **{vowel: f"{vowel}h" for vowel in "aeou"},
}


def names_of_hidden_players(names: Iterable[str]) -> set[str]:
    """Return those of the names that may be a hidden player's, of any club.

    Such a name

    - has all words of the player's name; or
    - has only words of it, some of them initials or cut off: a given name and a surname, or all surnames; or
    - may be the player's by `names_differ`, which allows abbreviations and a spelling mistake.

    Short forms such as Paco count as the names that they stand for. Case, accents and order do not count. At
    least one word must be written as in the player's name, because that is how the index finds the player. A
    single word that is a given name, or only one of several surnames, is not a player's name.

    One query for `STEMS` stems, none without names.
    """
    texts = {name: [name, *written_out(words_of(REMARK.sub(" ", name)))] for name in names}
    asked = {name: {pair for text in own for pair in _pairs_of(text)} for name, own in texts.items()}
    players = _hidden_players({stem for pairs in asked.values() for pair in pairs for stem in _stems(*pair)})
    return {
        name
        for name, pairs in asked.items()
        if any(_may_be(text, *player) for player in _candidates(pairs, players) for text in texts[name])
    }


def _pairs_of(name: str) -> Iterator[tuple[str, str]]:
    """Yield (a word that the player's name must have, a word that another one of the player's must resemble).

    The second word is "" for a name of one word.
    """
    words = key_words(REMARK.sub(" ", name))
    if len(words) == 1:
        yield words[0], ""
    yield from ((word, other) for word, other in permutations(words, 2) if len(word) > 1)


def _stems(word: str, other: str) -> list[str]:
    """Return the stems in the index of a word and one that resembles another; of any one if that is ""."""
    starts = SAME_START.get(other[0], other[0]) if other else ["", *ascii_lowercase]
    return [stem_of(word, start) for start in starts]


def _hidden_players(stems: Collection[str]) -> Index:
    """Return the names of the hidden players who have one of the stems in the index of names."""
    players: Index = {}
    columns = ("stem", "second", "player__given_name", "player__surname")
    for part in chunks(sorted(stems), STEMS):
        rows = NamePair.objects.filter(is_hidden("player__"), stem__in=part).values_list(*columns)
        for stem, second, given_name, surname in rows:
            players.setdefault(stem, {}).setdefault(second, set()).add((given_name, surname))
    return players


def _candidates(pairs: Iterable[tuple[str, str]], players: Index) -> set[tuple[str, str]]:
    """Return the names of the players who have one word of one of the pairs and resemble the other."""
    return {
        player
        for word, other in pairs
        for stem in _stems(word, other)
        for second, own in players.get(stem, {}).items()
        if not other or words_resemble(other, second)
        for player in own
    }


@lru_cache(maxsize=CACHED)
def _may_be(name: str, given_name: str, surname: str) -> bool:
    """Return whether a name that shares a word with a player's may be the player's."""
    written, given_names, surnames = map(_words, (name, given_name, surname))
    has_given_name = not given_names or _resembles_any(written, given_names)
    if not (has_given_name or all(_resembles_any([word], surnames) for word in written)):
        return False  # a short cut for most players
    if given_names | surnames <= written or _has_only_words(written, given_names, surnames):
        return True
    return len(written) > 1 and not names_differ(name, Player(given_name=given_name, surname=surname))


def _resembles_any(written: Iterable[str], registered: Words) -> bool:
    return any(words_resemble(word, name) for word in written for name in registered)


def _has_only_words(written: Words, given_names: Words, surnames: Words) -> bool:
    """Return whether a name has only words of a player's, among them a given name or all surnames."""
    return (
        all(_begins(word, given_names | surnames) for word in written)
        and any(_begins(word, surnames) for word in written)
        and (surnames <= written or any(_begins(word, given_names) for word in written))
    )


def _words(name: str) -> Words:
    """Return the words of a name without particles and remarks in brackets."""
    return frozenset(words_of(REMARK.sub(" ", name))) - PARTICLES


def _begins(beginning: str, words: Collection[str]) -> bool:
    return any(word.startswith(beginning) for word in words)
