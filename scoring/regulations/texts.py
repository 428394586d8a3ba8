"""Texts of pages as data: a message to translate, and values to format.

The packages that render a page translate and format them in the language of the reader.
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

    marked: whether the message is translated; symbols of formulas and names of tables are not
    """

    message: str
    values: Mapping[str, Words] = field(default_factory=dict)
    marked: bool = True

    def __mod__(self, values: Mapping[str, Words]) -> Text:
        """Return the message with values, written as for a string: ``_("n = %(n)s") % {"n": whole(20)}``."""
        return replace(self, values=values)


@dataclass(frozen=True, slots=True)
class Number:
    """A number to show.

    style: ``whole``, ``short`` (at most ``decimals`` decimals), ``fixed`` (exactly ``decimals``), ``signed``
    (the same with its sign), ``share`` (a percentage) or ``points`` (the value is in hundredths)
    """

    value: Amount
    style: Literal["whole", "short", "fixed", "signed", "share", "points"]
    decimals: int = 0


@dataclass(frozen=True, slots=True)
class Counted:
    """A number to show with its noun, in the singular or the plural: "1 board".

    noun: a key of `ui.counting.NOUNS`; or "point", for hundredths, shown with ``decimals`` decimals
    """

    number: int
    noun: str
    decimals: int = 0


@dataclass(frozen=True, slots=True)
class Day:
    """A date to show."""

    day: date


@dataclass(frozen=True, slots=True)
class Name:
    """The usual name of a regulation, by its code."""

    regulation: str


@dataclass(frozen=True, slots=True)
class Category:
    """The name of a category of players, by its code."""

    code: str


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a regulation prints a rule. SUMMARY stands for the text before the first article."""

    regulation: str
    article: str
    table: str = ""


Words = str | int | Text | Number | Counted | Day | Name | Category | Citation
SUMMARY = "0"


def _(message: str) -> Text:
    """Return a message to translate."""
    return Text(message)


def verbatim(message: str) -> Text:
    """Return a message that is not translated; its values still are."""
    return Text(message, marked=False)


def joined(parts: Iterable[Words], separator: str = ", ") -> Text:
    """Return the parts as one text, with ``separator`` between them."""
    values = {f"part{number}": part for number, part in enumerate(parts)}
    return Text(separator.join(f"%({name})s" for name in values), values, marked=False)


def whole(number: int) -> Number:
    """Show an integer: 1,234."""
    return Number(number, "whole")


def counted(number: int, noun: str) -> Counted:
    """Show an integer with its noun: 1 board, 2 boards."""
    return Counted(number, noun)


def short(number: Amount, decimals: int = 4) -> Number:
    """Return a number to show with at most ``decimals`` decimals."""
    return Number(number, "short", decimals)


def fixed(number: Amount, decimals: int) -> Number:
    """Return a number to show with exactly ``decimals`` decimals."""
    return Number(number, "fixed", decimals)


def signed(number: Amount, decimals: int) -> Number:
    """Return a change to show with its sign and exactly ``decimals`` decimals."""
    return Number(number, "signed", decimals)


def share(per_cent: Amount) -> Number:
    """Show a percentage."""
    return Number(per_cent, "share")


def points(hundredths: int, decimals: int) -> Number:
    """Show hundredths of a point with the scheme's decimals."""
    return Number(hundredths, "points", decimals)


def counted_points(hundredths: int, decimals: int) -> Counted:
    """Show hundredths of a point with the scheme's decimals and the noun: 1 point, 1.00 points."""
    return Counted(hundredths, "point", decimals)


def printed(text: str) -> Number:
    """Show a number with the decimals with which a document prints it."""
    return fixed(Decimal(text), len(text.partition(".")[2]))
