"""Texts and numbers of pages, as data without Django.

The packages that render a page translate and format them in the reader's language.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Literal

Amount = Decimal | Fraction | float | int


@dataclass(frozen=True, slots=True)
class Text:
    """A message with values for its placeholders, such as ``%(pairs)s``.

    marked: whether the message is to be translated; symbols of formulas and names of tables are not
    """

    message: str
    values: Mapping[str, Words] = field(default_factory=dict)
    marked: bool = True

    def __mod__(self, values: Mapping[str, Words]) -> Text:
        """Return the message with values for its placeholders: ``_("n = %(n)s") % {"n": whole(20)}``."""
        return replace(self, values=values)


@dataclass(frozen=True, slots=True)
class Number:
    """A number to show on a page.

    style: ``whole``, ``short`` (at most ``decimals`` decimals), ``fixed`` (exactly ``decimals`` decimals),
    ``signed`` (fixed, with a sign), ``share`` (a percentage) or ``points`` (the value is in hundredths)
    """

    value: Amount
    style: Literal["whole", "short", "fixed", "signed", "share", "points"]
    decimals: int = 0


@dataclass(frozen=True, slots=True)
class Counted:
    """A number to show with a noun in the singular or the plural: "1 board", "2 boards".

    noun: a key of `ui.counting.NOUNS`; if it is "point", the number is in hundredths of a point and is shown
    with ``decimals`` decimals
    """

    number: int
    noun: str
    decimals: int = 0


@dataclass(frozen=True, slots=True)
class Day:
    """A date to show on a page."""

    day: date


@dataclass(frozen=True, slots=True)
class Name:
    """A regulation to show by its usual name. ``regulation`` is the regulation's code."""

    regulation: str


@dataclass(frozen=True, slots=True)
class Category:
    """A category of players to show by its name. ``code`` is the category's code."""

    code: str


@dataclass(frozen=True, slots=True)
class Citation:
    """The place in a document where a rule is printed.

    regulation: the code of the document's regulation
    article: the article's number or code; SUMMARY for the text before the first article
    table: the table's name; may be empty
    """

    regulation: str
    article: str
    table: str = ""


Words = str | int | Text | Number | Counted | Day | Name | Category | Citation
SUMMARY = "0"


def _(message: str) -> Text:
    """Mark a message for translation and return it as a `Text`."""
    return Text(message)


def verbatim(message: str) -> Text:
    """Return a message that is not translated. The values of its placeholders are translated."""
    return Text(message, marked=False)


def joined(parts: Iterable[Words], separator: str = ", ") -> Text:
    """Return the parts as one text, with ``separator`` between them."""
    values = {f"part{number}": part for number, part in enumerate(parts)}
    return Text(separator.join(f"%({name})s" for name in values), values, marked=False)


def whole(number: int) -> Number:
    """Return an integer to show: 1,234."""
    return Number(number, "whole")


def counted(number: int, noun: str) -> Counted:
    """Return an integer to show with its noun: 1 board, 2 boards."""
    return Counted(number, noun)


def short(number: Amount, decimals: int = 4) -> Number:
    """Return a number to show with at most ``decimals`` decimals."""
    return Number(number, "short", decimals)


def fixed(number: Amount, decimals: int) -> Number:
    """Return a number to show with exactly ``decimals`` decimals."""
    return Number(number, "fixed", decimals)


def signed(number: Amount, decimals: int) -> Number:
    """Return a number to show with its sign and exactly ``decimals`` decimals."""
    return Number(number, "signed", decimals)


def share(per_cent: Amount) -> Number:
    """Return a percentage to show on a page. ``per_cent`` is 12 for 12 %."""
    return Number(per_cent, "share")


def points(hundredths: int, decimals: int) -> Number:
    """Return points to show, given in hundredths, with exactly ``decimals`` decimals."""
    return Number(hundredths, "points", decimals)


def counted_points(hundredths: int, decimals: int) -> Counted:
    """Return points to show, given in hundredths, with a noun: 1 point, 1.00 points."""
    return Counted(hundredths, "point", decimals)


def printed(text: str) -> Number:
    """Return a number to show with as many decimals as ``text``, the number as the document prints it."""
    return fixed(Decimal(text), len(text.partition(".")[2]))
