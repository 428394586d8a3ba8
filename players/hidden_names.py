"""Find which names written for guests may be those of hidden players, so that public pages do not show them.

A director may enter a hidden player as a guest, under the name in the file. Nobody is asked about it: the
question would tell who is hidden to a director who may not know, for any name that they try.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import permutations
from string import ascii_lowercase

from django.db.models import Q

from ui.chunks import chunks
from ui.text import PARTICLES, words_of

from .given_names import written_out
from .models import NamePair, Player
from .models.names import key_words, stem_of
from .names import names_differ

STEMS = 5_000  # stems in one query
Words = frozenset[str]
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
    stems = {name: {stem for text in own for stem in _stems(text)} for name, own in texts.items()}
    players: dict[str, set[tuple[str, str]]] = {}
    for part in chunks(sorted(set().union(*stems.values())), STEMS):
        is_hidden = Q(player__hidden=True) | Q(player__merged_into__hidden=True)
        rows = NamePair.objects.filter(is_hidden, stem__in=part).distinct()
        for stem, given_name, surname in rows.values_list("stem", "player__given_name", "player__surname"):
            players.setdefault(stem, set()).add((given_name, surname))
    return {
        name
        for name, own in texts.items()
        if any(
            _may_be(text, *player)
            for player in set().union(*(players.get(stem, ()) for stem in stems[name]))
            for text in own
        )
    }


def _stems(name: str) -> Iterator[str]:
    """Yield the stems in the index of players with one word of the name and another that begins like one."""
    words = key_words(REMARK.sub(" ", name))
    if len(words) == 1:
        yield from (stem_of(words[0], start) for start in ("", *ascii_lowercase))
    for word, other in permutations(words, 2):
        if len(word) > 1:
            yield from (stem_of(word, start) for start in SAME_START.get(other[0], other[0]))


def _may_be(name: str, given_name: str, surname: str) -> bool:
    """Return whether a name that shares a word with a player's may be the player's."""
    written, given_names, surnames = map(_words, (name, given_name, surname))
    if given_names | surnames <= written or _has_only_words(written, given_names, surnames):
        return True
    return len(written) > 1 and not names_differ(name, Player(given_name=given_name, surname=surname))


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
