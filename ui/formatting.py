"""Numbers, dates and categories as people read them, in Spanish and English.

Pure functions: no Django, no thread's language; whoever calls says which language. Spanish groups
thousands with a point and writes a decimal comma, English the reverse. CLDR leaves four-digit Spanish
numbers ungrouped (1234,56); a column of points is easier to compare when every number is grouped, so
here they are 1.234,56.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

MINUS = "\N{MINUS SIGN}"
NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
# Asks for the plain glyph: telephones otherwise draw suits as coloured pictures of their own.
TEXT_GLYPH = "\N{VARIATION SELECTOR-15}"

_ENGLISH_POINTS = re.compile(r"[+-]?([0-9]{1,3}(,[0-9]{3})+|[0-9]+)(\.[0-9]{1,2})?")
_SPANISH_POINTS = re.compile(r"[+-]?([0-9]{1,3}(\.[0-9]{3})+|[0-9]+)(,[0-9]{1,2})?")
_TO_SPANISH = str.maketrans(",.", ".,")
_MONTHS = {
    "es": ("ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"),
    "en": ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
}


def language(code: str | None) -> str:
    """Reduce a language code ("es-es", "en", None) to one that is spoken here: "es" or "en"."""
    return "en" if (code or "").lower().startswith("en") else "es"


def _localise(text: str, lang: str) -> str:
    """Turn "-1,234.50" into the language's own writing, with a real minus sign."""
    if text.startswith("-"):
        text = MINUS + text[1:]
    return text if language(lang) == "en" else text.translate(_TO_SPANISH)


def format_points(hundredths: int, lang: str, decimals: int = 2) -> str:
    """Points from integer hundredths: 123456 -> "1.234,56" (es), "1,234.56" (en).

    decimals: as many as the kind of points has; a number that has more keeps them, so that none is rounded
    """
    whole, rest = divmod(abs(hundredths), 100)
    digits = f"{rest:02}".rstrip("0").ljust(decimals, "0")
    return _localise(f"{'-' if hundredths < 0 else ''}{whole:,}{'.' if digits else ''}{digits}", lang)


def format_signed_points(hundredths: int, lang: str, decimals: int = 2) -> str:
    """Like :func:`format_points` with a sign in front of every number but zero, for differences."""
    text = format_points(hundredths, lang, decimals)
    return f"+{text}" if hundredths > 0 else text


def format_whole(number: int, lang: str) -> str:
    """A count with its thousands grouped: 1234 -> "1.234" (es), "1,234" (en)."""
    return _localise(f"{number:,}", lang)


def format_decimal(number: Decimal | Fraction | int, lang: str, digits: int = 4) -> str:
    """A coefficient rounded half up to `digits` decimals, without trailing zeros: "0,6928", "12"."""
    if isinstance(number, Fraction):
        number = Decimal(number.numerator) / Decimal(number.denominator)
    rounded = Decimal(number).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    text = f"{rounded:,f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return _localise("0" if text == "-0" else text, lang)


def format_fixed(number: Decimal | int, lang: str, digits: int) -> str:
    """A number rounded half up to exactly `digits` decimals, for a column: "57,50"."""
    rounded = Decimal(number).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    return _localise(f"{rounded:,f}", lang)


def decimals_in(numbers: Iterable[Decimal | None], most: int = 2) -> int:
    """How many decimals a column needs so that none of its numbers loses any, `most` at the most."""
    exponents = (number.normalize().as_tuple().exponent for number in numbers if number is not None)
    return min(most, max([0, *(-exponent for exponent in exponents)]))


def format_percent(number: Decimal | int, lang: str) -> str:
    """A result given in percent, with two decimals: 57.5 -> "57,50 %" (es), "57.50%" (en)."""
    return _with_sign(format_fixed(number, lang, 2), lang)


def format_share(number: Decimal | Fraction | int, lang: str) -> str:
    """A share of a rule given in percent, without needless decimals: 10 -> "10 %" (es), "10%" (en)."""
    return _with_sign(format_decimal(number, lang, 2), lang)


def _with_sign(number: str, lang: str) -> str:
    return f"{number}{'' if language(lang) == 'en' else NO_BREAK_SPACE}%"


def format_date(day: date, lang: str) -> str:
    """A day with its month in letters: "14 mar 2026" (es), "14 Mar 2026" (en)."""
    return f"{day.day} {_MONTHS[language(lang)][day.month - 1]} {day.year}"


def format_month(day: date, lang: str) -> str:
    """The month of a day, for an axis: "mar 2026"."""
    return f"{_MONTHS[language(lang)][day.month - 1]} {day.year}"


def format_ordinal(rank: int, lang: str) -> str:
    """A place in running text: "17th" (en), "17" (es, after "puesto": an ordinal would have a gender)."""
    if language(lang) == "es":
        return format_whole(rank, "es")
    tail = "th" if 10 <= rank % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{format_whole(rank, 'en')}{tail}"


def parse_points(text: str, lang: str) -> int:
    """Read points as :func:`format_points` writes them, grouped or not; at most two decimals.

    Returns integer hundredths; raises ValueError for anything else, so that "1.234" in English is not
    taken for twelve hundred.
    """
    english = language(lang) == "en"
    cleaned = text.strip().replace(MINUS, "-").replace(NO_BREAK_SPACE, "")
    if not (_ENGLISH_POINTS if english else _SPANISH_POINTS).fullmatch(cleaned):
        raise ValueError(f"not a number of points: {text!r}")
    plain = cleaned.replace(",", "") if english else cleaned.replace(".", "").replace(",", ".")
    return int(Decimal(plain) * 100)


# --- Categories -----------------------------------------------------------------------------------------

_SUITS = {
    "D": ("♦", {"es": "diamantes", "en": "diamonds"}),
    "C": ("♥", {"es": "corazones", "en": "hearts"}),
    "P": ("♠", {"es": "picas", "en": "spades"}),
}
_TITLES = {
    "MN": {"es": "Maestro Nacional", "en": "National Master"},
    "ME": {"es": "Maestro Europeo", "en": "European Master"},
    "MM": {"es": "Maestro Mundial", "en": "World Master"},
}
_FIELDS = {
    "O": {"es": "Open", "en": "Open"},
    "D": {"es": "Damas", "en": "Women"},
    "S": {"es": "Sénior", "en": "Senior"},
}
_OF = {"es": "{number} de {suit}", "en": "{number} of {suit}"}


@dataclass(frozen=True, slots=True)
class CategoryName:
    """How one category is written: `text` is what is seen, `glyph` its suit ("" for titles),
    `suit` the suit's class name ("d", "c", "p" or ""), `spoken` the name said aloud."""

    text: str
    glyph: str
    suit: str
    spoken: str


def category_name(code: str, lang: str) -> CategoryName:
    """Name a category of either ladder: "2P", "1D", "MN", "MM-O".

    An unknown code is shown as it is, so that a regulation's new step never breaks a page.
    """
    lang = language(lang)
    if len(code) == 2 and code[0].isdigit() and code[1] in _SUITS:
        glyph, names = _SUITS[code[1]]
        spoken = _OF[lang].format(number=code[0], suit=names[lang])
        return CategoryName(code, glyph + TEXT_GLYPH, code[1].lower(), spoken)
    title, _, field = code.partition("-")
    if title in _TITLES and (not field or field in _FIELDS):
        spoken = _TITLES[title][lang] + (f" {_FIELDS[field][lang]}" if field else "")
        return CategoryName(code, "", "", spoken)
    return CategoryName(code, "", "", code)
