"""Numbers and charts of a page in the active language."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.utils.translation import get_language

from scoring.engine.rounding import decimal_of
from ui.formatting import format_decimal, format_fixed, format_points, format_whole
from ui.plots import Chart, Series

from .blocks import Plot

Number = Decimal | Fraction | float | int


def _decimal(value: Number) -> Decimal:
    if isinstance(value, Fraction):
        return decimal_of(value)
    return Decimal(repr(value)) if isinstance(value, float) else Decimal(value)


def whole(number: int) -> str:
    """Format an integer: 1,234."""
    return format_whole(number, get_language() or "")


def short(number: Number, digits: int = 4) -> str:
    """Format a number with at most ``digits`` decimals."""
    return format_decimal(_decimal(number), get_language() or "", digits)


def fixed(number: Number, digits: int) -> str:
    """Format a number with exactly ``digits`` decimals."""
    return format_fixed(_decimal(number), get_language() or "", digits)


def signed(number: Number, digits: int) -> str:
    """Format a change with its sign and exactly ``digits`` decimals."""
    text = fixed(number, digits)
    return text if _decimal(number) < 0 else f"+{text}"


def points(hundredths: int, decimals: int) -> str:
    """Format hundredths of a point with the scheme's decimals."""
    return format_points(hundredths, get_language() or "", decimals)


def printed(text: str) -> str:
    """Format a number with the document's decimals and the decimal sign of the active language."""
    return fixed(Decimal(text), len(text.partition(".")[2]))


def plot(
    title: str,
    desc: str,
    axes: tuple[str, str],
    series: Sequence[Series],
    digits: tuple[int, int] = (0, 2),
    **options: Any,
) -> Plot:
    """Return a chart; ``axes`` are the labels of x and y, ``digits`` the most decimals of each."""

    def formatter(decimals: int) -> Callable[[Any], str]:
        return lambda value: short(value, decimals)

    return Plot(
        Chart(
            title=title,
            desc=desc,
            x_label=axes[0],
            y_label=axes[1],
            series=series,
            x_format=formatter(digits[0]),
            y_format=formatter(digits[1]),
            **options,
        )
    )
