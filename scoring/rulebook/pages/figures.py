"""Numbers of a page in the reader's language, and the axes of its charts."""

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
    """A count: 1,234."""
    return format_whole(number, get_language() or "")


def short(number: Number, digits: int = 4) -> str:
    """At most so many decimals."""
    return format_decimal(_decimal(number), get_language() or "", digits)


def fixed(number: Number, digits: int) -> str:
    """Exactly so many decimals."""
    return format_fixed(_decimal(number), get_language() or "", digits)


def signed(number: Number, digits: int) -> str:
    """A change, with its sign."""
    text = fixed(number, digits)
    return text if _decimal(number) < 0 else f"+{text}"


def points(hundredths: int, decimals: int) -> str:
    """Points with the decimals of the scheme."""
    return format_points(hundredths, get_language() or "", decimals)


def printed(text: str) -> str:
    """A number as the document prints it, with the decimal sign of the reader."""
    return fixed(Decimal(text), len(text.partition(".")[2]))


def ratio(value: Fraction) -> str:
    """A fraction as it is printed, 6/7, or a whole number."""
    return str(value)


def plot(
    title: str,
    desc: str,
    axes: tuple[str, str],
    series: Sequence[Series],
    digits: tuple[int, int] = (0, 2),
    **options: Any,
) -> Plot:
    """A chart; ``axes`` are the names of x and y, ``digits`` their decimals at the most."""

    def written(number: int) -> Callable[[Any], str]:
        return lambda value: short(value, number)

    return Plot(
        Chart(
            title=title,
            desc=desc,
            x_label=axes[0],
            y_label=axes[1],
            series=series,
            x_format=written(digits[0]),
            y_format=written(digits[1]),
            **options,
        )
    )
