"""Form fields for the figures of promotion rules, with localized input."""

from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import get_language, gettext

from ui.formatting import format_points, parse_points

HUNDRED = Decimal(100)


class ShareField(forms.DecimalField):
    """A field for a share, entered as a percentage: "12,5" becomes Decimal("0.125")."""

    def __init__(self, **kwargs) -> None:
        super().__init__(max_digits=5, decimal_places=2, localize=True, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        return (value * HUNDRED).normalize() if isinstance(value, Decimal) else value

    def clean(self, value: Any) -> Decimal | None:
        percent = super().clean(value)
        if percent is None:
            return None
        if not 0 < percent <= HUNDRED:
            raise ValidationError(gettext("A share is more than 0 % and 100 % at most."))
        return percent / HUNDRED


class HundredthsField(forms.CharField):
    """A field for points as pages write them, for example "1.234,56".

    The cleaned value is an integer in hundredths.
    """

    MOST = 2_000_000_000

    def prepare_value(self, value: Any) -> Any:
        return format_points(value, get_language()) if isinstance(value, int) else value

    def clean(self, value: Any) -> int | None:
        text = super().clean(value)
        if not text:
            return None
        try:
            points = parse_points(text, get_language())
        except ValueError:
            raise ValidationError(gettext("Write points with at most two decimals.")) from None
        if not 0 <= points <= self.MOST:
            raise ValidationError(gettext("No player has that many points, or fewer than none."))
        return points


def two_decimals(label: Any, most: int, **kwargs) -> forms.DecimalField:
    """Return a field for a localized number from 0 to `most`, with two decimals."""
    return forms.DecimalField(
        label=label, min_value=0, max_value=most, max_digits=5, decimal_places=2, localize=True, **kwargs
    )
