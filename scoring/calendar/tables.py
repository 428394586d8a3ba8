"""The table of announced tournaments."""

from typing import Any

import django_tables2 as tables
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from ui.tables import BaseTable


class CalendarTable(BaseTable):
    """A table of announced tournaments. Its records come from `scoring.calendar.queries.records`."""

    row_header = "title"
    key_column = "day"
    caption = _("Announced tournaments, the next first")

    day = tables.Column(verbose_name=_("Date"), attrs={"cell": {"class": "date"}})
    title = tables.Column(verbose_name=_("Tournament"))
    club = tables.Column(verbose_name=_("Club"))
    type = tables.Column(verbose_name=_("Type"))
    hour = tables.Column(verbose_name=_("Hour"), default="", attrs={"cell": {"class": "num"}})

    def render_title(self, value: str, record: dict[str, Any]) -> SafeString:
        # On narrow screens the row shows little else, and most clubs call their tournaments alike.
        return format_html(
            '<a href="{}">{}</a>{} <span class="narrow-only muted">{}</span>',
            record["url"],
            value,
            f" ({record['state']})" if record["state"] else "",
            record["club"],
        )
