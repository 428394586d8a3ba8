"""Find which names written for guests are those of hidden players, so that public pages do not show them.

A director may enter a hidden player as a guest, under the name in the file. Nobody is asked about it: the
question would tell who is hidden to a director who may not know, for any name that they try.
"""

import re
from collections.abc import Collection, Iterable
from itertools import combinations

from django.db.models import Q

from ui.chunks import chunks
from ui.text import PARTICLES, words_of

from .models import NamePair
from .models.names import key_words, stem_of

STEMS = 5_000  # stems in one query
REMARK = re.compile(r"\([^()]*\)")


def names_of_hidden_players(names: Iterable[str]) -> set[str]:
    """Return those of the names that may be a hidden player's, of any club.

    Such a name has all words of the player's name, or only words of it: a given name and a surname, or all
    surnames. Some of the words may only begin one of the player's ("Z. Quiroste Gil"), but two are whole.
    Case, accents and order do not count. One query for `STEMS` stems, none without names.
    """
    pairs = {name: _pairs_of(name) for name in names}
    stems = sorted({stem for own in pairs.values() for stem, _second in own})
    by_pair: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for part in chunks(stems, STEMS):
        is_hidden = Q(player__hidden=True) | Q(player__merged_into__hidden=True)
        rows = NamePair.objects.filter(is_hidden, stem__in=part)
        columns = ("stem", "second", "player__given_name", "player__surname")
        for stem, second, given_name, surname in rows.values_list(*columns):
            by_pair.setdefault((stem, second), set()).add((given_name, surname))
    return {
        name
        for name, own in pairs.items()
        if any(_may_be(name, *player) for pair in own for player in by_pair.get(pair, ()))
    }


def _pairs_of(name: str) -> list[tuple[str, str]]:
    """Return the rows of the index that a player with two words of the name has, one for each two words."""
    words = sorted(key_words(name))
    if len(words) == 1:
        return [(stem_of(words[0], ""), "")]
    return [(stem_of(first, second), second) for first, second in combinations(words, 2) if len(first) > 1]


def _may_be(name: str, given_name: str, surname: str) -> bool:
    """Return whether a name that shares two words with a player's may be the player's."""
    written, given_names, surnames = map(_words, (name, given_name, surname))
    if given_names | surnames <= written:
        return True
    return (
        all(_begins(word, given_names | surnames) for word in written)
        and any(_begins(word, surnames) for word in written)
        and (surnames <= written or any(_begins(word, given_names) for word in written))
    )


def _words(name: str) -> frozenset[str]:
    """Return the words of a name without particles and remarks in brackets."""
    return frozenset(words_of(REMARK.sub(" ", name))) - PARTICLES


def _begins(beginning: str, words: Collection[str]) -> bool:
    return any(word.startswith(beginning) for word in words)
