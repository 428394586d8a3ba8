"""The table of dumps."""

from datetime import date, datetime
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

    caption = _("Dumps")
    row_header = "day"
    empty_text = _("No dump was written yet: the first one comes during the night.")

    day = DateColumn(verbose_name=_("Day"))
    size = NumberColumn(verbose_name=_("Size"))
    awards = NumberColumn(verbose_name=_("Number of awards"))
    schema = NumberColumn(verbose_name=_("Schema version"))
    log_size = NumberColumn(verbose_name=_("Entries in the log"))
    sha256 = Column(verbose_name="SHA-256")

    def render_day(self, value: date, record: dict[str, Any]) -> SafeString | str:
        text = format_date(value, get_language() or "")
        return format_html('<a href="{}" download>{}</a>', record["url"], text) if record["url"] else text

    def render_size(self, value: int, record: dict[str, Any]) -> str:
        withdrawn: datetime | None = record["withdrawn_at"]
        if withdrawn:
            return gettext("withdrawn")
        return f"{format_fixed(Decimal(value) / 1_000_000, get_language() or '', 1)} MB"

    def render_sha256(self, value: str) -> SafeString:
        return format_html('<code class="digest">{}</code>', value)
