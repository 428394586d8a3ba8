"""The table of dumps."""

from decimal import Decimal
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from ui.columns import Column, DateColumn, NumberColumn
from ui.formatting import format_date, format_fixed
from ui.tables import BaseTable


class DumpTable(BaseTable):
    """The kept and the withdrawn dumps, latest first. Records are from `queries.records`."""

    caption = _("Data files")
    row_header = "day"
    empty_text = _("No data file was written yet: the first one comes during the night.")

    day = DateColumn(verbose_name=_("Day"))
    size = Column(verbose_name=_("File"))
    awards = NumberColumn(verbose_name=_("Number of awards"))
    schema = NumberColumn(verbose_name=_("Schema version"))
    log_size = NumberColumn(verbose_name=_("Entries in the log"))
    sha256 = Column(verbose_name=_("SHA-256 digest"), attrs={"cell": {"class": "prose"}})

    def render_size(self, value: int, record: dict[str, Any]) -> SafeString | str:
        if not record["url"]:
            return gettext("withdrawn")
        language = get_language() or ""
        text = gettext("Download (%(size)s)")
        size = f"{format_fixed(Decimal(value) / 1_000_000, language, 1)}\N{NO-BREAK SPACE}MB"
        day = format_date(record["day"], language)
        link = '<a href="{}" download>{}<span class="visually-hidden">: {}</span></a>'
        return format_html(link, record["url"], text % {"size": size}, day)

    def render_sha256(self, value: str) -> SafeString:
        return format_html('<code class="digest">{}</code>', value)
