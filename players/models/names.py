"""An index of the words of players' names, which finds players by words of their names in any order."""

from collections.abc import Collection, Iterable
from itertools import permutations

from django.db import models

from ui.chunks import chunks
from ui.text import PARTICLES, words_of

LENGTH = 30  # letters of a word that are kept
MOST_WORDS = 8  # words of a name that are kept
MARK = "1"  # separates a word from an initial; every collation orders it before letters


def key_words(name: str) -> list[str]:
    """Return the different words of a name by which players are looked up, without particles such as "de"."""
    words = (word[:LENGTH] for word in words_of(name) if word not in PARTICLES)
    return list(dict.fromkeys(words))[:MOST_WORDS]


def stem_of(word: str, second: str) -> str:
    """Return `NamePair.stem` for a word and another word of the name, or the beginning of the other word."""
    return f"{word}{MARK}{second[:1]}"


class NamePair(models.Model):
    """Two different words of a player's name.

    A name has a row for each two of its words, in both orders. A name of one word has one row, whose second
    word is empty. So one index answers which players have two given words, which have one word and another
    that begins with some letters, and which have a word that begins with some letters.

    `Player.save`, and `bulk_create` and `bulk_update` of players, keep the rows up to date.

    stem: the first word, `MARK`, and the initial of the second word
    """

    player = models.ForeignKey("players.Player", models.CASCADE, related_name="name_pairs")
    stem = models.CharField(max_length=LENGTH + 2)
    second = models.CharField(max_length=LENGTH)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["stem", "second", "player"], name="name_pair_once")]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.stem} {self.second}"


def pairs_of(name: str) -> set[tuple[str, str]]:
    """Return (stem, second word) of each row for a name."""
    words = key_words(name)
    if len(words) == 1:
        return {(stem_of(words[0], ""), "")}
    return {(stem_of(first, second), second) for first, second in permutations(words, 2)}


def index_names(names: Iterable[tuple[int, str]], new: Collection[int] = ()) -> None:
    """Store the rows of players' names, instead of those stored before.

    names: (player id, name)
    new: ids of players who have no rows yet
    """
    for part in chunks(names):
        NamePair.objects.filter(player__in=[pk for pk, _name in part if pk not in new]).delete()
        NamePair.objects.bulk_create(
            (
                NamePair(player_id=pk, stem=stem, second=second)
                for pk, name in part
                for stem, second in sorted(pairs_of(name))
            ),
            batch_size=5_000,
        )
