"""Decide whether a written name may belong to a registered player. No database access.

Families play together, so the usual mistake is a relative's number. A written name can be divided into given
names and surnames in several ways ("readings"): given names first, surnames first, or surnames alone. The
name may be the player's if, in one reading, both the given names and the surnames agree with the register.
Abbreviations and one spelling mistake (a "slip") are allowed. A relative's given name must never count as a
spelling mistake.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import IntEnum
from functools import lru_cache
from itertools import combinations

from ui.text import PARTICLES, fold

from .given_names import ALSO_SURNAMES, GIVEN_NAMES
from .models import Player

MAX_WORDS = 8  # words of a name; further ones are ignored
CACHED = 50_000  # results about words that are kept, because few words make most names
MAX_SLIPS = 1  # spelling mistakes (slips) in a name
DIFFERENT = MAX_SLIPS + 1
LIKENESS = 0.85  # similarity from which a long word with more than one wrong letter counts as one slip
MIN_LONG = 7  # letters from which a word is long
MIN_CUT = 3  # letters of a truncated surname, if the written name has no given name
LINKS = frozenset({"y", "i"})  # particles between surnames, initials elsewhere
TITLES = frozenset({"d", "don", "dna", "dona", "sr", "sra", "dr", "dra"})
VOWELS = frozenset("aeiou")
WORD = re.compile(r"([^\W_]+)(\s?\.)?")
RAISED_LETTER = re.compile(r"\.?\s?([ªº])\.?")
REMARK = re.compile(r"\([^()]*\)")
APOSTROPHE = re.compile(r"(?<=\w)['’´`](?=\w)")
SAME_SOUND = str.maketrans({"h": "", "y": "i", "v": "b", "x": "j"})


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a name, without case and accents.

    abbreviated: whether a full stop or a raised letter ends it
    """

    text: str
    abbreviated: bool = False


MARIA = Word("maria")


class Match(IntEnum):
    """Why two words count as the same word. A lower value is a better reason."""

    EQUAL = 0
    SHORT = 1  # one is an abbreviation of the other
    SLIP = 2  # a spelling mistake


Words = Sequence[Word]
Compare = Callable[[Word, Word], Match | None]


def names_differ(written: str, player: Player) -> bool:
    """Return whether a written name is probably not the name of the player."""
    if fold(written) == fold(player.full_name):
        return False  # whatever its punctuation
    before, _comma, after = written.partition(",")
    words, rest = _words(before), _words(after)
    given_names, surnames = _words(player.given_name), _words(player.surname)
    if not (words or rest):
        return False
    if not rest and words in ([*given_names, *surnames], [*surnames, *given_names]):
        return False  # a short cut for most names
    if not (given_names and surnames):
        return _surname_slips([*words, *rest], [*given_names, *surnames]) > MAX_SLIPS
    readings = [(rest, words)] if rest else _readings(words)
    return all(_slips(*reading, given_names, surnames) > MAX_SLIPS for reading in readings)


def is_abbreviated(written: str, player: Player) -> bool:
    """Return whether a written name is the player's with words omitted, abbreviated or cut off.

    It must have a given name or its initial, and a surname or its beginning, and no spelling mistake.
    """
    before, comma, after = written.partition(",")
    words, rest = _words(before), _words(after)
    given_names, surnames = _words(player.given_name), _words(player.surname)
    if not (given_names and surnames):
        return False
    readings = [(rest, words)] if comma else _readings(words)
    return any(all(reading) and not _slips(*reading, given_names, surnames) for reading in readings)


@lru_cache(maxsize=CACHED)
def words_resemble(written: str, registered: str) -> bool:
    """Return whether a word may stand for one of a player's name, however unlikely.

    It may be equal, the beginning, a contraction, a spelling mistake, or initials ("JM" for José María).
    """
    has_initials = len(written) <= 2 and registered.startswith(written[0])
    return has_initials or _compare_surnames(Word(written, abbreviated=True), Word(registered)) is not None


def _words(name: str) -> list[Word]:
    """Return the words of a name. Particles, remarks in brackets and numbers are left out."""
    text = fold(RAISED_LETTER.sub(r"\1.", APOSTROPHE.sub("", REMARK.sub(" ", name))))
    words = [Word(match[1], bool(match[2])) for match in WORD.finditer(text) if not match[1].isdecimal()]
    last = len(words) - 1
    return [
        MARIA if word.text == "ma" and (word.abbreviated or place < last) else word
        for place, word in enumerate(words)
        if not _is_particle(word, between=0 < place < last)
    ][:MAX_WORDS]


def _is_particle(word: Word, *, between: bool) -> bool:
    return word.text in PARTICLES and not word.abbreviated and (between or word.text not in LINKS)


def _readings(words: Words) -> Iterator[tuple[Words, Words]]:
    """Yield every division of a name into (given names, surnames). The name has no comma."""
    for place in range(len(words) + 1):
        yield words[:place], words[place:]
        yield words[place:], words[:place]


def _slips(given_names: Words, surnames: Words, registered_given: Words, registered_surnames: Words) -> int:
    """Count the spelling mistakes between a written and a registered name.

    Return DIFFERENT or more if they are the names of different people.

    given_names, surnames: the words of the written name, divided in one possible way
    registered_given, registered_surnames: the words of the registered name
    """
    if not given_names:
        return _count(_align(surnames, registered_surnames, _compare_lone_surnames))
    own, others = ({word.text for word in words} for words in (registered_given, registered_surnames))
    if not (others - own).isdisjoint(word.text for word in given_names):
        return DIFFERENT
    if own & others and len(given_names) > len(registered_given):
        return DIFFERENT  # "Juan Martín" may be a brother of Martín Martín
    if not surnames:
        return _count(_align(given_names, registered_given, _compare_given_names))
    slips = _given_name_slips(given_names, registered_given)
    if slips and all(map(_is_initial, surnames)):
        return DIFFERENT  # a misspelt given name with mere initials is no evidence
    return slips + _surname_slips(surnames, registered_surnames)


def _given_name_slips(written: Words, registered: Words) -> int:
    """Count the spelling mistakes in given names. Return DIFFERENT or more if the given names differ.

    Either name may omit some given names, but not if the rest is a name of the other sex. So José and María
    José differ.
    """
    if len(written) > 1 and written[0].text in TITLES:
        written = written[1:]
    if len(registered) > 1 and _joined(written) in (_joined(registered), _initials(registered)):
        return 0
    longer, matches = registered, _align(written, registered, _compare_given_names)
    if matches is None:
        longer, matches = written, _align(registered, written, lambda r, w: _compare_given_names(w, r))
        if matches is None or not _may_have_added(written, matches):
            return DIFFERENT
    return DIFFERENT if _is_of_other_sex(longer, matches) else _count(matches)


def _surname_slips(written: Words, registered: Words) -> int:
    """Count the spelling mistakes in surnames. Return DIFFERENT or more if the surnames differ.

    Either name may omit some surnames. One equal and one different surname indicate a relative.
    """
    if {word.text for word in written} == {word.text for word in registered}:
        return 0  # in any order
    matches = _align(written, registered, _compare_surnames)
    if matches is None:
        matches = _align(registered, written, _compare_surnames)
        if matches and (0 not in matches or any(matches.values())):
            return DIFFERENT
    return _count(matches)


def _align(short: Words, long: Words, compare: Compare) -> dict[int, Match] | None:
    """Match each word of `short` with a word of `long`, in the same order, and choose the best such match.

    Return {index in `long`: reason of the match}, or None if a word of `short` has no match.
    """
    best = None
    for places in combinations(range(len(long)), len(short)):
        matches = [compare(word, long[place]) for word, place in zip(short, places, strict=True)]
        if None not in matches and (best is None or sum(matches) < sum(best.values())):
            best = dict(zip(places, matches, strict=True))
    return best


def _count(matches: dict[int, Match] | None) -> int:
    return DIFFERENT if matches is None else list(matches.values()).count(Match.SLIP)


def _joined(words: Words) -> str:
    return "".join(word.text for word in words)


def _initials(words: Words) -> str:
    return "".join(word.text[0] for word in words)


def _may_have_added(written: Words, matches: dict[int, Match]) -> bool:
    """Return whether the unmatched written words may be given names that the register does not have.

    matches: {index in `written`: reason of the match}
    """
    added = [word for place, word in enumerate(written) if place not in matches]
    matched = [written[place] for place in matches]
    if Match.SLIP in matches.values():
        return False
    if any(map(_is_initial, matched)):
        return 0 in matches and all(map(_is_initial, added))
    return all(_is_initial(word) or word.text in GIVEN_NAMES - ALSO_SURNAMES for word in added)


def _is_initial(word: Word) -> bool:
    return len(word.text) == 1


def _is_of_other_sex(longer: Words, matches: dict[int, Match]) -> bool:
    """Return whether two given names that share words belong to different sexes, as María José and José do.

    longer: the longer of the two given names
    matches: {index in `longer`: reason of the match}, for the words that the shorter name has too
    """
    if 0 in matches:
        return False
    kept = {longer[place].text for place in matches}
    return kept == {"maria"} or (longer[0].text == "maria" and kept <= {"jose", "jesus"})


def _compare_given_names(written: Word, registered: Word) -> Match | None:
    """Return why two words may be the same given name, or None if they differ.

    A common given name, or a different final vowel (María, Mario), is never a spelling mistake.
    """
    text, other = written.text, registered.text
    if _sound(text) == _sound(other):
        return Match.EQUAL
    if _is_short_for(written, other) or _is_short_for(registered, text):
        return Match.SHORT
    if text in GIVEN_NAMES or _has_another_ending(text, other):
        return None
    return Match.SLIP if _is_slip(text, other) else None


def _compare_surnames(first: Word, second: Word) -> Match | None:
    """Return why two words may be the same surname, or None if they differ.

    Used if the given names agree; `_compare_lone_surnames` is stricter.
    """
    short, long = sorted((first.text, second.text), key=len)
    if _sound(short) == _sound(long):
        return Match.EQUAL
    if long.startswith(short) or _is_contraction(first, second.text) or _is_contraction(second, first.text):
        return Match.SHORT
    return Match.SLIP if _is_slip(short, long) else None


def _compare_lone_surnames(written: Word, registered: Word) -> Match | None:
    """Compare two surnames of which the written one stands in a name without given names.

    Return why they may be the same, or None if they differ. A word that is a common given name is never
    taken for a misspelt surname. "Gómez Mario" is therefore not the player Gómez Marín, but a relative.
    """
    text, other = written.text, registered.text
    if text == other:
        return Match.EQUAL
    is_cut = len(text) >= MIN_CUT and text not in GIVEN_NAMES and other.startswith(text)
    if is_cut or _is_contraction(written, other):
        return Match.SHORT
    return Match.SLIP if text not in GIVEN_NAMES and _is_slip(text, other) else None


def _is_short_for(word: Word, full: str) -> bool:
    """Return whether a word is the beginning of the given name `full`, or a contraction such as "Fco"."""
    if full.startswith(word.text):
        return len(word.text) < len(full) and (word.abbreviated or word.text not in GIVEN_NAMES)
    return _is_contraction(word, full)


def _is_contraction(word: Word, full: str) -> bool:
    """Return whether a word is a contraction of `full`: its first letter, some inner ones and its last.

    The inner letters must be in the same order as in `full`. A word without a full stop must begin with two
    consonants, and its second letter must differ from that of `full`. "Fco" and "Glez" are contractions, but
    Ana is not a contraction of Andrea.
    """
    text = word.text
    if not 2 <= len(text) <= len(full) - 2 or (text[0], text[-1]) != (full[0], full[-1]):
        return False
    letters = iter(full)
    in_order = all(letter in letters for letter in text)
    return in_order and (word.abbreviated or (text[1] != full[1] and VOWELS.isdisjoint(text[:2])))


def _has_another_ending(text: str, other: str) -> bool:
    """Return whether `text` is `other` with another vowel at the end, or with a vowel added at the end."""
    return text[-1] in VOWELS and (text[:-1] == other or (text[:-1] == other[:-1] and other[-1] in VOWELS))


@lru_cache(maxsize=CACHED)
def _sound(text: str) -> str:
    """Return a word as it sounds: "Ester" and "Esther" give the same result.

    So do "Xavier" and "Javier", and "Giménez" and "Jiménez".
    """
    text = re.sub(r"g(?=[ei])", "j", text.replace("ph", "f"))
    return re.sub(r"(.)\1+", r"\1", text.translate(SAME_SOUND))


def _is_slip(first: str, second: str) -> bool:
    """Return whether two words differ only by a spelling mistake.

    This is one wrong, missing or extra letter, or two swapped letters. Long words may differ a little more.
    """
    short, long = sorted((first, second), key=len)
    if len(short) >= MIN_LONG and SequenceMatcher(None, short, long).ratio() >= LIKENESS:
        return True
    if len(long) - len(short) > 1 or len(short) < 2:
        return False
    same = next((place for place, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(short) < len(long):
        return short[same:] == long[same + 1 :]
    swapped = short[same + 1 : same + 2] + short[same : same + 1] + short[same + 2 :]
    return short[same + 1 :] == long[same + 1 :] or swapped == long[same:]
