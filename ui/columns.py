"""Columns for the project's tables: numbers, points, ranks, categories, players, days.

`render` returns what the screen shows, in the active language; `value` returns a number, a date or plain text
for spreadsheets.
"""

from datetime import date, datetime
from decimal import Decimal
from typing import Any, ClassVar

import django_tables2 as tables
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from ui.formatting import decimals_in, format_date, format_points, format_whole
from ui.templatetags.ui import category_html


def field_of(record: Any, name: str, default: Any = None) -> Any:
    """Return a field of a record, which is a dictionary or an object; `default` if it has no such field."""
    return record.get(name, default) if isinstance(record, dict) else getattr(record, name, default)


def exact_format(value: Decimal) -> str:
    """Return the XLSX number format that shows all decimals of a number, and groups thousands."""
    decimals = -value.as_tuple().exponent
    return f"#,##0.{'0' * decimals}" if decimals > 0 else "#,##0"


class Column(tables.Column):
    """Base class of columns with default arguments, which a subclass sets in `defaults`.

    defaults: {argument of the constructor: value}; an argument passed to the constructor takes precedence
    """

    defaults: ClassVar[dict[str, Any]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **self.defaults | kwargs)

    def number_format(self, value: Decimal) -> str:
        """Return the number format of a cell of an XLSX file.

        value: the content of the cell, as the method `value` returned it
        """
        return exact_format(value)


class NumberColumn(Column):
    """A column of whole numbers, right-aligned, with grouped thousands.

    The first click on the header sorts the largest number first.
    """

    defaults: ClassVar = {"attrs": {"cell": {"class": "num"}}, "initial_sort_descending": True}

    def render(self, value: int) -> str:
        return format_whole(value, get_language())

    def value(self, value: Any) -> Any:
        return value


class PointsColumn(NumberColumn):
    """A column of points, stored as integer hundredths: "1.234,56" on screen, Decimal("1234.56") in a file.

    decimals: the least number of decimals on screen and in files; a number with more keeps them. The table's
        option `points_decimals` sets it for all columns.
    """

    def __init__(self, *args: Any, decimals: int = 2, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.decimals = decimals

    def render(self, value: int) -> str:
        return format_points(value, get_language(), self.decimals)

    def value(self, value: int | None) -> Decimal | None:
        if value is None:
            return None
        points = Decimal(value).scaleb(-2)
        if self.decimals >= 2:
            return points
        return points.quantize(Decimal(1).scaleb(-max(self.decimals, decimals_in([points]))))


class DecimalColumn(Column):
    """A column of results and percentages. A file has them unrounded, with up to three decimals.

    The table's `render_FOO` formats them for the screen.
    """

    def value(self, value: Decimal | None) -> Decimal | None:
        return value

    def number_format(self, value: Decimal) -> str:
        return "#,##0.00#"


class RankColumn(NumberColumn):
    """A column of places in a ranking, with "=" in front of a place that several share.

    shared: name of the record's boolean field that is true for a shared place; a record may lack it
    """

    defaults: ClassVar = {"attrs": {"cell": {"class": "num place"}}, "verbose_name": _("Place")}

    def __init__(self, *args: Any, shared: str = "shared", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.shared = shared

    def render(self, value: int, record: Any) -> str:
        text = format_whole(value, get_language())
        return f"={text}" if field_of(record, self.shared) else text


class CategoryColumn(Column):
    """A column of category codes with their suits, and their full names for screen readers."""

    defaults: ClassVar = {"verbose_name": _("Category")}

    def render(self, value: str) -> SafeString:
        return category_html(str(value), get_language() or "")

    def value(self, value: Any) -> str | None:
        return None if value is None else str(value)


class PlayerColumn(Column):
    """A column of players' names, linked to the players' pages.

    The value in the record must be the public name, because the column does not replace hidden names.

    url: name of the record's field with the URL of the player's page; no link if that field is empty
    """

    defaults: ClassVar = {"verbose_name": _("Player")}

    def __init__(self, *args: Any, url: str = "url", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.url = url

    def render(self, value: str, record: Any) -> SafeString | str:
        url = field_of(record, self.url)
        return format_html('<a href="{}">{}</a>', url, value) if url else value

    def value(self, value: Any) -> Any:
        return value


class PlayerNumberColumn(Column):
    """A column of federation numbers: text on screen, numbers in a file. The number of a guest is empty."""

    defaults: ClassVar = {"verbose_name": _("Federation number")}

    def value(self, value: str) -> int | str:
        return int(value) if value else value


class DateColumn(Column):
    """A column of days: "14 mar 2026" on screen, a date in a file.

    Datetimes are converted to the local time zone.
    """

    defaults: ClassVar = {"attrs": {"cell": {"class": "date"}}}

    def render(self, value: date | datetime) -> str:
        return format_date(self.value(value), get_language())

    def value(self, value: date | datetime | None) -> date | None:
        if isinstance(value, datetime):
            return (timezone.localtime(value) if timezone.is_aware(value) else value).date()
        return value


class YesNoColumn(tables.Column):
    """A column of booleans, shown as "yes" or "no"."""

    def render(self, value: bool) -> str:
        return gettext("yes") if value else gettext("no")
