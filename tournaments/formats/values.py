"""Parse single cells: headings, numbers, dates, directions (NS or EW) and places."""

import re
import unicodedata
from datetime import date
from decimal import Decimal
from fractions import Fraction

_NUMBER = re.compile(r"([+-]?)([0-9]{1,12})(?:[.,]([0-9]{1,12}))?")
_WORD = re.compile(r"[^\W\d_]{2,}")
_DAY_FIRST = re.compile(r"([0-9]{1,2})[/.-]([0-9]{1,2})[/.-]([0-9]{4})")
_ISO = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_DIRECTIONS = {"ns": "NS", "nortesur": "NS", "northsouth": "NS", "ew": "EW", "eo": "EW"}
_DIRECTIONS |= {"esteoeste": "EW", "eastwest": "EW"}


def fold(text: str) -> str:
    """Return the words of a text in lower case, without accents and punctuation, for comparison of headings.

    For example, `N.º` gives `no`.
    """
    plain = unicodedata.normalize("NFKD", text)
    plain = "".join(char for char in plain if not unicodedata.combining(char)).casefold()
    plain = re.sub(r"\bn\s*\.\s*o\b", "no", plain)
    return " ".join(re.findall(r"[a-z0-9%]+", plain))


def lines_apart(text: str) -> str:
    """Return a cell of several lines with dashes between them; "" if the lines are not words.

    Such lines are usually the two people of a pair.
    """
    lines = [" ".join(line.split()) for line in text.splitlines()]
    lines = [line for line in lines if line]
    are_words = all(_WORD.search(line) for line in lines) and all(line[-1].isalpha() for line in lines[:-1])
    return " - ".join(lines) if len(lines) > 1 and are_words else ""


def decimal_text(text: str) -> str | None:
    """Return a number as text with a decimal point: `61,25`, `61.25` and `61.25 %` all give `61.25`.

    Return "" for `-` and for blank text, None for any other text.
    """
    compact = text.strip().removesuffix("%").strip().replace("\u2212", "-")
    if compact in ("", "-"):
        return ""
    match = _NUMBER.fullmatch(compact)
    if match is None:
        return None
    sign, whole, fraction = match.groups()
    whole = whole.lstrip("0") or "0"
    return f"{'-' if sign == '-' else ''}{whole}{'.' + fraction if fraction else ''}"


def thousandths(number: Decimal | Fraction) -> Decimal:
    """Cut a number off after three decimals, as results are stored.

    Pages show two decimals, rounded. Rounding to three decimals first would round 48.4848… twice, to 48.49.
    """
    return Decimal(int(Fraction(number) * 1000)).scaleb(-3)


def bare_number(number: str) -> str:
    """Return a contestant's number without a side at its end, which some programs append: 7NS gives 7."""
    bare = number.strip()
    return bare[:-2].rstrip() if bare[-2:].upper() in ("NS", "EW") else bare


def integer_text(text: str) -> str | None:
    """Return a whole number as text without leading zeros; "" for `-` or blank, None for other text.

    Decimals are accepted if they are all zeros: `07,0` gives `7`.
    """
    number = decimal_text(text)
    if not number:
        return number
    whole, _, fraction = number.partition(".")
    return None if fraction.strip("0") else whole


def count(text: str) -> int | None:
    """Return a whole number from 1 to 999, such as a number of boards; None for anything else."""
    number = integer_text(text)
    return int(number) if number and 0 < int(number) < 1000 else None


def date_text(text: str) -> str | None:
    """Convert a date in a file to ISO text. Return "" for blank text, None for text that is not such a date.

    The text must be in ISO format (2026-12-31) or begin with the day (31/12/2026). Two-digit years and names
    of months are not accepted, because a date is never guessed.
    """
    compact = text.strip()
    if not compact:
        return ""
    # A sheet's date cell may have midnight appended.
    compact = re.sub(r"[T ]00:00(:00)?$", "", compact)
    if match := _ISO.fullmatch(compact):
        year, month, day = (int(part) for part in match.groups())
    elif match := _DAY_FIRST.fullmatch(compact):
        day, month, year = (int(part) for part in match.groups())
    else:
        return None
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def direction_text(text: str) -> str | None:
    """Return NS or EW for the usual Spanish and English spellings, "" for blank text, else None."""
    letters = fold(text).replace(" ", "")
    return _DIRECTIONS.get(letters) if letters else ""


_PLACE = re.compile(
    r"[=t]?\s*([0-9]{1,5})\s*(?:[.ºª°]{1,2}|st|nd|rd|th)?\s*=?"
    r"(?:\s*[-/–]\s*([0-9]{1,5})\s*(?:[.ºª°]{1,2}|st|nd|rd|th)?\s*=?)?"
)


def place_number(text: str) -> int | None:
    """Return the place as a number: `5`, `5=`, `=5`, `T5`, `5.º`, `5th`, `5-6`, `5/6`, `5º-6º` all give 5.

    Return None for any other text, including blank text and a reversed range.
    """
    # Collapse blanks, because the pattern backtracks over every way to split a run of them.
    match = _PLACE.fullmatch(" ".join(text.lower().split()))
    if match is None:
        return None
    first, last = match.groups()
    if last is not None and int(last) <= int(first):
        return None
    return int(first)
