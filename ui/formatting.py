"""Format numbers, dates and categories in Spanish and English.

Pure functions: no Django and no active language; the caller passes the language. Spanish groups thousands
with a point and has a decimal comma, English the reverse. CLDR does not group Spanish numbers of four digits
(1234,56); here they are grouped (1.234,56), because a column of points is then easier to compare.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

MINUS = "\N{MINUS SIGN}"
NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
# Selects the text glyph: telephones otherwise show suits as emoji.
TEXT_GLYPH = "\N{VARIATION SELECTOR-15}"

_ENGLISH_POINTS = re.compile(r"[+-]?([0-9]{1,3}(,[0-9]{3})+|[0-9]+)(\.[0-9]{1,2})?")
_SPANISH_POINTS = re.compile(r"[+-]?([0-9]{1,3}(\.[0-9]{3})+|[0-9]+)(,[0-9]{1,2})?")
_TO_SPANISH = str.maketrans(",.", ".,")
_SOUNDS_AS_I = re.compile(r"h?[ií](?![aeoáéó])", re.IGNORECASE)
_MONTHS = {
    "es": ("ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"),
    "en": ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
}
_MONTH_NAMES = {
    "es": (
        *("enero", "febrero", "marzo", "abril", "mayo", "junio"),
        *("julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"),
    ),
    "en": (
        *("January", "February", "March", "April", "May", "June"),
        *("July", "August", "September", "October", "November", "December"),
    ),
}
_BETWEEN = {"es": " de ", "en": " "}  # what stands between day, month and year in words


def language(code: str | None) -> str:
    """Reduce a language code ("es-es", "en", None) to a supported one: "es" or "en"."""
    return "en" if (code or "").lower().startswith("en") else "es"


def _localise(text: str, lang: str) -> str:
    """Convert "-1,234.50" to the notation of the language, with a typographic minus sign."""
    if text.startswith("-"):
        text = MINUS + text[1:]
    return text if language(lang) == "en" else text.translate(_TO_SPANISH)


def format_points(hundredths: int, lang: str, decimals: int = 2) -> str:
    """Format integer hundredths as points: 123456 -> "1.234,56" (es), "1,234.56" (en).

    decimals: the least number of decimals to show; a number with more keeps them, so that nothing is rounded
    """
    whole, rest = divmod(abs(hundredths), 100)
    digits = f"{rest:02}".rstrip("0").ljust(decimals, "0")
    return _localise(f"{'-' if hundredths < 0 else ''}{whole:,}{'.' if digits else ''}{digits}", lang)


def format_signed_points(hundredths: int, lang: str, decimals: int = 2) -> str:
    """Format a difference like :func:`format_points`, with a sign unless it is zero."""
    text = format_points(hundredths, lang, decimals)
    return f"+{text}" if hundredths > 0 else text


def format_whole(number: int, lang: str) -> str:
    """Format a count with grouped thousands: 1234 -> "1.234" (es), "1,234" (en)."""
    return _localise(f"{number:,}", lang)


def format_decimal(number: Decimal | Fraction | int, lang: str, digits: int = 4) -> str:
    """Round a coefficient half up to `digits` decimals, without trailing zeros: "0,6928", "12"."""
    if isinstance(number, Fraction):
        number = Decimal(number.numerator) / Decimal(number.denominator)
    rounded = Decimal(number).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    text = f"{rounded:,f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return _localise("0" if text == "-0" else text, lang)


def format_fixed(number: Decimal | int, lang: str, digits: int) -> str:
    """Round a number half up to exactly `digits` decimals, for a column: "57,50". Zero has no sign."""
    rounded = Decimal(number).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP) + 0
    return _localise(f"{rounded:,f}", lang)


def decimals_in(numbers: Iterable[Decimal | None]) -> int:
    """Return how many decimals are needed to show all these numbers exactly, but not more than two."""
    exponents = (number.normalize().as_tuple().exponent for number in numbers if number is not None)
    return min(2, max([0, *(-exponent for exponent in exponents)]))


def format_percent(number: Decimal | int, lang: str) -> str:
    """Format a percentage with two decimals: 57.5 -> "57,50 %" (es), "57.50%" (en)."""
    return _with_sign(format_fixed(number, lang, 2), lang)


def format_share(number: Decimal | Fraction | int, lang: str) -> str:
    """Format a percentage without trailing zeros: 10 -> "10 %" (es), "10%" (en)."""
    return _with_sign(format_decimal(number, lang, 2), lang)


def _with_sign(number: str, lang: str) -> str:
    return f"{number}{'' if language(lang) == 'en' else NO_BREAK_SPACE}%"


def format_list(words: Sequence[str], lang: str) -> str:
    """Join words as a sentence does: "Ana, Eva y Luis" (es), "Ana, Eva and Luis" (en).

    Before the sound of "i", the Spanish "y" becomes "e": "Ana e Inés".
    """
    if len(words) < 2:
        return "".join(words)
    spanish = "e" if _SOUNDS_AS_I.match(words[-1]) else "y"
    conjunction = "and" if language(lang) == "en" else spanish
    return f"{', '.join(words[:-1])} {conjunction} {words[-1]}"


def format_date(day: date, lang: str) -> str:
    """Format a day: "14 mar 2026" (es), "14 Mar 2026" (en)."""
    return f"{day.day} {_MONTHS[language(lang)][day.month - 1]} {day.year}"


def format_days(first: date, last: date, lang: str, year: bool = True) -> str:
    """Format a span of days: "28–29 nov 2026", "30 nov – 1 dic 2026"; a single day as :func:`format_date`.

    year: False to leave out the year of the last day
    """
    end = format_date(last, lang) if year else format_date(last, lang).rpartition(" ")[0]
    if first == last:
        return end
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}–{end}"
    begin = format_date(first, lang)
    return f"{begin if first.year != last.year else begin.rpartition(' ')[0]} – {end}"


def format_month(day: date, lang: str) -> str:
    """Format the month of a day: "mar 2026"."""
    return f"{_MONTHS[language(lang)][day.month - 1]} {day.year}"


def _month_name(day: date, lang: str) -> str:
    return _MONTH_NAMES[language(lang)][day.month - 1]


def format_day_in_words(day: date, lang: str) -> str:
    """Format a day for a sentence: "1 de diciembre de 2026" (es), "1 December 2026" (en)."""
    return f"{day.day}{_BETWEEN[language(lang)]}{format_month_in_words(day, lang)}"


def format_month_in_words(day: date, lang: str) -> str:
    """Format the month of a day for a sentence: "noviembre de 2026" (es), "November 2026" (en)."""
    return f"{_month_name(day, lang)}{_BETWEEN[language(lang)]}{day.year}"


def format_days_in_words(first: date, last: date, lang: str) -> tuple[str, str]:
    """Format the first and the last day of a span for a sentence such as "from 28 to 29 November 2026".

    The first day has no month or year if the last has the same.
    """
    begin = format_day_in_words(first, lang)
    if first.year == last.year:
        begin = f"{first.day}{_BETWEEN[language(lang)]}{_month_name(first, lang)}"
        begin = f"{first.day}" if first.month == last.month else begin
    return begin, format_day_in_words(last, lang)


def name_of_time(name: str, lang: str) -> str:
    """Return the name of a weekday or month as within a sentence: small in Spanish, capital in English."""
    return name if language(lang) == "en" else name.lower()


def format_ordinal(rank: int, lang: str) -> str:
    """Format a place for running text: "17th" in English, "17" in Spanish.

    In Spanish the text says "puesto 17", because an ordinal would need a grammatical gender.
    """
    if language(lang) == "es":
        return format_whole(rank, "es")
    suffix = "th" if 10 <= rank % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{format_whole(rank, 'en')}{suffix}"


def parse_points(text: str, lang: str) -> int:
    """Parse points as :func:`format_points` writes them, grouped or not, into integer hundredths.

    Raises ValueError for any other text, for example with more than two decimals. "1.234" in English must
    not be read as one thousand two hundred and thirty-four.
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
    """The texts that display a category.

    text: the code of the category
    glyph: the suit, "" for titles
    suit: the suit's CSS class suffix: "d", "c", "p" or ""
    spoken: the full name, for screen readers
    """

    text: str
    glyph: str
    suit: str
    spoken: str


def category_name(code: str, lang: str) -> CategoryName:
    """Return the name of a category of the 2022 or the 2026 ladder, such as "2P", "1D", "MN" or "MM-O".

    An unknown code is shown unchanged, so that a new regulation's category cannot break a page.
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
