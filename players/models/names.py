"""An index of the words of names, which finds players, clubs and tournaments by words in any order."""

from collections.abc import Collection, Iterable, Sequence
from functools import reduce
from itertools import permutations, takewhile
from operator import and_
from typing import Any, ClassVar, Self

from django.db import models, transaction
from django.db.models import Q

from ui.chunks import chunks, rows_in
from ui.text import PARTICLES, words_of

LENGTH = 30  # letters of a word that are kept
MOST_WORDS = 8  # words of a player's name that are kept
MARK = "1"  # separates a word from an initial; every collation orders it before letters
SEARCHED = 220  # characters of a name that are searched

# How a search uses the index (`_narrowing`).
MOST_SOUGHT = 4  # words of a search that are looked up in the index; the row decides about the others
FEW = 500  # rows of the index up to which a query gets the ids themselves
RARE = 10_000  # rows of the index of a word up to which words are compared by how rare they are
MANY = 50_000  # rows of the index from which reading the list in its order is quicker


# --- Words -------------------------------------------------------------------------------------------------
def key_words(name: str, most: int = MOST_WORDS) -> list[str]:
    """Return the different words of a name by which it is looked up, without particles such as "de"."""
    words = (word[:LENGTH] for word in words_of(name) if word not in PARTICLES)
    return list(dict.fromkeys(words))[:most]


def stem_of(word: str, second: str) -> str:
    """Return `WordPair.stem` for a word and another word of the name, or the beginning of the other word."""
    return f"{word}{MARK}{second[:1]}"


def pairs_of(name: str, most: int = MOST_WORDS) -> set[tuple[str, str]]:
    """Return (stem, second word) of each row for a name."""
    words = key_words(name, most)
    if len(words) == 1:
        return {(stem_of(words[0], ""), "")}
    return {(stem_of(first, second), second) for first, second in permutations(words, 2)}


def search_text_of(name: str, most: int = MOST_WORDS) -> str:
    """Return the words of a name as a search compares them, up to the last one that the index keeps."""
    kept, words = set(key_words(name, most)), []
    for word in words_of(name):
        if word not in PARTICLES and word[:LENGTH] not in kept:
            break
        words.append(word)
    return " ".join(words)[:SEARCHED]


# --- The index ---------------------------------------------------------------------------------------------
class WordPair(models.Model):
    """Two different words of a name. A subclass has the foreign key to the row whose name it is.

    A name has a row for each two of its words, in both orders. A name of one word has one row, whose second
    word is empty. So one index answers which names have two given words, which have one word and another
    that begins with some letters, and which have a word that begins with some letters.

    `save`, `bulk_create` and `bulk_update` of what has the name keep the rows up to date (`Named`).

    stem: the first word, `MARK`, and the initial of the second word
    """

    OWNER: ClassVar[str]  # name of the foreign key
    MOST: ClassVar[int] = MOST_WORDS  # words of a name that are kept

    stem = models.CharField(max_length=LENGTH + 2)
    second = models.CharField(max_length=LENGTH)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{getattr(self, f'{self.OWNER}_id')}: {self.stem} {self.second}"

    @classmethod
    def index(cls, names: Iterable[tuple[int, str]], new: Collection[int] = ()) -> None:
        """Store the rows of names, instead of those stored before.

        names: (id of what has the name, its `search_text`)
        new: ids that have no rows yet
        """
        owner = f"{cls.OWNER}_id"
        for part in chunks(names):
            wanted = {(pk, *pair) for pk, name in part for pair in pairs_of(name, cls.MOST)}
            stored = cls._stored([pk for pk, _name in part if pk not in new])
            for rows in chunks([stored[row] for row in stored.keys() - wanted]):
                cls._default_manager.filter(pk__in=rows).delete()
            cls._default_manager.bulk_create(
                (
                    cls(**{owner: pk, "stem": stem, "second": second})
                    for pk, stem, second in sorted(wanted - stored.keys())
                ),
                batch_size=5_000,
            )

    @classmethod
    def _stored(cls, owners: Collection[int]) -> dict[tuple[int, str, str], int]:
        """Return {(id of the owner, stem, second word): id of the row} for these owners."""
        if not owners:
            return {}
        rows = cls._default_manager.filter(**{f"{cls.OWNER}__in": owners})
        columns = rows.values_list(f"{cls.OWNER}_id", "stem", "second", "pk")
        return {(owner, stem, second): pk for owner, stem, second, pk in columns}


class NamePair(WordPair):
    """Two different words of a player's name."""

    OWNER = "player"

    player = models.ForeignKey("players.Player", models.CASCADE, related_name="name_pairs")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["stem", "second", "player"], name="name_pair_once")]


class ClubPair(WordPair):
    """Two different words of a club's name, town and code."""

    OWNER = "club"
    MOST = 12

    club = models.ForeignKey("players.Club", models.CASCADE, related_name="name_pairs")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["stem", "second", "club"], name="club_pair_once")]


# --- What has a name that is searched ------------------------------------------------------------------
class NamedQuerySet(models.QuerySet):
    """Rows of a subclass of `Named`."""

    def search(self, text: str) -> Self:
        """Return the rows whose name has words that begin with those of `text`.

        Names are compared without case and accents. A text without words admits every row.
        """
        return self.filter(matching(text, self.model.PAIRS))

    def bulk_create(self, objs: Iterable[Any], *args, **options) -> list[Any]:
        """Create rows, and index their names."""
        rows = list(objs)
        for row in rows:
            row.derive_from_name()
        with transaction.atomic(savepoint=False):
            rows = super().bulk_create(rows, *args, **options)
            if any(options.get(name) for name in ("ignore_conflicts", "update_conflicts")):
                key = self.model.NATURAL_KEY
                stored = self.model._default_manager.values_list("pk", "search_text")
                self.model.PAIRS.index(rows_in(stored, key, (getattr(row, key) for row in rows)))
            else:
                self.model.PAIRS.index(
                    [(row.pk, row.search_text) for row in rows], new={row.pk for row in rows}
                )
        return rows

    bulk_create.alters_data = True

    def bulk_update(self, objs: Iterable[Any], fields: Iterable[str], *args, **options) -> int:
        """Update rows, and index their names if these change."""
        rows, fields = list(objs), list(fields)
        count = super().bulk_update(rows, fields, *args, **options)
        if "search_text" in fields:
            self.model.PAIRS.index((row.pk, row.search_text) for row in rows)
        return count

    bulk_update.alters_data = True


class Named(models.Model):
    """A row with a name that `PAIRS` indexes. A subclass has the column `search_text`.

    The name is indexed by `save`, and by `bulk_create` and `bulk_update` of its query set. Code that writes
    names in another way has to call `PAIRS.index` itself.
    """

    PAIRS: ClassVar[type[WordPair]]
    NATURAL_KEY: ClassVar[str] = "pk"  # a unique column that is known before the row is stored

    name: str
    search_text: str

    class Meta:
        abstract = True

    def save(self, *args, **kwargs) -> None:
        self.derive_from_name()
        is_new, updated = self._state.adding, kwargs.get("update_fields")
        with transaction.atomic(savepoint=False):
            super().save(*args, **kwargs)
            if updated is None or "search_text" in updated:
                self.PAIRS.index([(self.pk, self.search_text)], new=[self.pk] if is_new else [])

    def derive_from_name(self) -> None:
        """Set `search_text`, and what else is derived from the name. `save` and `bulk_create` call this.

        A subclass whose name is not in the column `name` alone overrides it.
        """
        self.search_text = search_text_of(self.name, self.PAIRS.MOST)


# --- Searching -----------------------------------------------------------------------------------------
def matching(text: str, pairs: type[WordPair], prefix: str = "") -> Q:
    """Return the condition that each word of a text begins a word of the name, without case and accents.

    The condition compares `search_text`. The index only spares the database most rows: this function reads
    a bounded part of it to learn how many rows the words have. An empty text admits every row; a text of
    punctuation alone admits none.

    prefix: the relation that leads to what has the name, such as `player__`
    """
    words = list(dict.fromkeys(words_of(text)))
    if text.strip() and not words:
        return Q((f"{prefix}pk__in", []))
    column = f"{prefix}search_text"
    own = (Q((f"{column}__startswith", word)) | Q((f"{column}__contains", f" {word}")) for word in words)
    return reduce(and_, own, _narrowing(words, pairs, prefix))


def _narrowing(words: Sequence[str], pairs: type[WordPair], prefix: str) -> Q:
    """Return a condition that rows with these words fulfil, and few others.

    Of the pairs that have the rarest word, or the longest one if all are common, the rarest is taken. The
    condition is empty if so many rows have it that reading the list in its order is quicker.
    """
    sought = _sought(words)
    if not sought:
        return Q()
    if len(sought) > 1:
        sought.sort(key=lambda word: _count(_range(pairs, word), RARE))
    first, *others = sought
    ranges = [_range(pairs, first, other) for other in others or [""]]
    counts = [_count(rows, MANY) for rows in ranges]
    fewest = min(counts)
    if fewest > MANY:
        return Q()
    ids = ranges[counts.index(fewest)].values_list(f"{pairs.OWNER}_id", flat=True)
    return Q((f"{prefix}pk__in", sorted(set(ids)) if fewest <= FEW else ids))


def _range(pairs: type[WordPair], word: str, other: str = "") -> models.QuerySet:
    """Return the rows of the index whose first word, and whose second, begin so."""
    conditions = [*_beginning("stem", word), *_beginning("second", other)]
    return pairs._default_manager.filter(*map(Q, conditions)).order_by()


def _count(rows: models.QuerySet, most: int) -> int:
    """Count rows of the index, `most` + 1 at most."""
    return rows.values("pk")[: most + 1].count()


def _sought(words: Sequence[str]) -> list[str]:
    """Return the beginnings of words that are looked up in the index, the longest first.

    Particles are not indexed, so a word with which one begins may be that particle. A word with which another
    one begins is left out: one word of the name can have both beginnings. What remains has to be in different
    words of the name, as the rows of the index are.
    """
    usable = {_comparable(word) for word in words if not _begins_one(word, PARTICLES)} - {""}
    sought = [word for word in usable if not _begins_one(word, usable - {word})]
    return sorted(sought, key=lambda word: (-len(word), word))[:MOST_SOUGHT]


def _begins_one(word: str, others: Iterable[str]) -> bool:
    return any(other.startswith(word) for other in others)


def _comparable(word: str) -> str:
    """Return the beginning of a word that every collation orders alike: letters from a to z, and digits."""
    return "".join(takewhile(lambda char: char.isascii(), word))[:LENGTH]


def _beginning(column: str, word: str) -> list[tuple[str, str]]:
    """Return the conditions of the range of an index with all texts that begin with `word`.

    The range ends before the next text of the same length, whatever the letters are that follow in a text.
    """
    stem = word.rstrip("z")
    end = stem and stem[:-1] + ("a" if stem[-1] == "9" else chr(ord(stem[-1]) + 1))
    return [(f"{column}__gte", word), *([(f"{column}__lt", end)] if end else [])] if word else []
