"""Convert texts of regulations, which are stored as data, to the active language."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

from django.utils.translation import get_language, gettext

from scoring.engine.rounding import decimal_of
from scoring.ledger.wording import citation, regulation_name
from scoring.regulations.texts import Amount, Category, Citation, Counted, Day, Name, Number, Text, Words
from ui.counting import counted, counted_points
from ui.formatting import format_date, format_decimal, format_fixed, format_points, format_share, format_whole
from ui.templatetags.ui import category_html


def say(words: Words) -> str:
    """Return a text of a regulation in the active language."""
    return SAY[type(words)](words)


def _text(text: Text) -> str:
    message = gettext(text.message) if text.marked else text.message
    return message % {name: say(value) for name, value in text.values.items()} if text.values else message


def decimal(amount: Amount) -> Decimal:
    """Convert a number to a Decimal. A float becomes the shortest decimal that converts back to it."""
    if isinstance(amount, Fraction):
        return decimal_of(amount)
    return Decimal(repr(amount)) if isinstance(amount, float) else Decimal(amount)


def _number(number: Number) -> str:
    lang, value = get_language() or "", number.value
    if number.style == "whole":
        return format_whole(int(value), lang)
    if number.style == "points":
        return format_points(int(value), lang, number.decimals)
    if number.style == "share":
        return format_share(decimal(value), lang)
    if number.style == "short":
        return format_decimal(decimal(value), lang, number.decimals)
    text = format_fixed(decimal(value), lang, number.decimals)
    return f"+{text}" if number.style == "signed" and value >= 0 else text


def _counted(words: Counted) -> str:
    if words.noun == "point":
        return counted_points(words.number, words.decimals)
    return counted(words.number, words.noun)


SAY: dict[type, Callable[..., str]] = {
    str: str,
    int: str,
    Text: _text,
    Number: _number,
    Counted: _counted,
    Day: lambda day: format_date(day.day, get_language() or ""),
    Name: lambda name: regulation_name(name.regulation),
    Category: lambda category: category_html(category.code, get_language() or ""),
    Citation: lambda source: citation(source.regulation, source.article, source.table),
}
