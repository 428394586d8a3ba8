"""Normalise texts for searching and sorting."""

import unicodedata

# Latin letters that Unicode does not decompose into a base letter and a mark.
PLAIN = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "þ": "th", "ı": "i"})
# Words that do not distinguish names.
PARTICLES = frozenset({"de", "del", "la", "las", "los", "el", "y", "i"})
ENYE = "\N{LATIN SMALL LETTER N}\N{COMBINING TILDE}"
# Invisible characters that change the direction of the text around them. U+202E alone, in a name, shows the
# rest of its line backwards, our own words included.
DIRECTION_MARKS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_WITHOUT_MARKS = str.maketrans("", "", DIRECTION_MARKS)
# Characters without width: a soft hyphen, and spaces and joiners that nobody sees in a name.
_WITHOUT_INVISIBLE = str.maketrans("", "", "\u00ad\u200b\u2060\ufeff")
_WITHOUT_CONTROL = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0)))


def fold(text: str) -> str:
    """Return the text in lower case, without accents or repeated spaces: 'Núñez  Ruiz' -> 'nunez ruiz'."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(c for c in decomposed if not unicodedata.combining(c)).split())


def one_line(text: str) -> str:
    """Return the text with each run of spaces and line breaks replaced by one space, and none at the ends.

    Characters that nobody sees are left out, so that two texts that look the same are the same.
    """
    return " ".join(text.translate(_WITHOUT_INVISIBLE).split())


def without_direction_marks(text: str) -> str:
    """Return the text without characters that change its direction.

    No text is stored with them: what is read from a file loses them (`tournaments.formats.child`), and a
    submitted form before its view reads it (`federation.middleware.DirectionMiddleware`).
    """
    return text.translate(_WITHOUT_MARKS)


def plain_line(text: str) -> str:
    """Return the text as `one_line`, without control characters, which XML and iCalendar do not allow."""
    return one_line(text).translate(_WITHOUT_CONTROL)


def printable(text: str) -> str:
    """Return a text of another program as one line that can be stored and shown.

    It has a space in place of each control character, which PostgreSQL may not store, and no direction marks.
    """
    shown = (char if char.isprintable() else " " for char in without_direction_marks(text))
    return "".join(shown).strip()


def words_of(name: str) -> list[str]:
    """Return the words of a name for comparison, without case, accents and punctuation."""
    return "".join(char if char.isalnum() else " " for char in fold(name)).split()


def sort_key(*parts: str) -> str:
    """Return a key that sorts in Spanish dictionary order: accents do not count, and ñ follows n.

    Databases differ in their collations. The key therefore has only digits and the letters a to z, which
    every collation orders alike. `0` ends a part, `1` ends a word, `2` precedes a digit, and n and ñ become
    `na` and `nb`. Letters of other alphabets come last, by code point.

    parts: texts to sort by, the most important first (surname, first name)
    """
    return "0".join("1".join(_word_key(word) for word in _words(part)) for part in parts)


def _words(text: str) -> list[str]:
    """Return the words of a text in lower case, without punctuation or accents other than the tilde of ñ."""
    decomposed = unicodedata.normalize("NFKD", text.casefold()).replace(ENYE, "ñ").translate(PLAIN)
    kept = (c for c in decomposed if not unicodedata.combining(c))
    return "".join(c if c.isalnum() else " " for c in kept).split()


def _word_key(word: str) -> str:
    return "".join(_character_key(c) for c in word)


def _character_key(character: str) -> str:
    if character == "n":
        return "na"
    if character == "ñ":
        return "nb"
    if "a" <= character <= "z":
        return character
    if "0" <= character <= "9":
        return "2" + character
    return f"zz{ord(character):06d}"
