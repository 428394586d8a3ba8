"""The table of what changed since somebody last looked."""

import django_tables2 as tables
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from ui.columns import DateColumn
from ui.tables import BaseTable


class ChangesTable(BaseTable):
    """Changes of all kinds, the latest first. Records come from `queries.changes.Changes`."""

    caption = _("What changed, the latest first")
    row_header = "title"

    at = DateColumn(verbose_name=_("Day"))
    kind = tables.Column(verbose_name=_("What"))
    title = tables.Column(verbose_name=_("Concerns"))
    by = tables.Column(verbose_name=_("Who"), default="—")
    reason = tables.Column(verbose_name=_("Why"), default="—")

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza prose"}
        empty_text = _("Nothing has changed.")

    def render_title(self, record: dict) -> SafeString | str:
        if not record["url"]:
            return record["title"]
        return format_html('<a href="{}">{}</a>', record["url"], record["title"])
