"""The table of what changed since somebody last looked."""

import django_tables2 as tables
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from ui.columns import CategoryColumn, DateColumn
from ui.counting import counted
from ui.tables import BaseTable


class ChangesTable(BaseTable):
    """Changes of all kinds, the latest first. Records come from `queries.changes.Changes`."""

    caption = _("What changed, the latest first")
    row_header = "title"

    at = DateColumn(verbose_name=_("Day"))
    kind = tables.Column(verbose_name=_("What"))
    title = tables.Column(verbose_name=_("Concerns"))
    by = tables.Column(verbose_name=_("Who"), default=_("command line"))
    reason = tables.Column(verbose_name=_("Why"), default="", attrs={"cell": {"class": "prose"}})

    class Meta(BaseTable.Meta):
        empty_text = _("Nothing has changed.")

    def render_title(self, record: dict) -> SafeString | str:
        title = record["title"]
        if record["url"]:
            title = format_html('<a href="{}">{}</a>', record["url"], title)
        if not record["number"]:
            return title
        opens = format_html('<a href="{}">{}</a>', record["opens"], counted(record["number"], "category"))
        return format_html("<span>{}: {}</span>", title, opens)


class ListGrantsTable(BaseTable):
    """The categories that an imported list gave. Records come from `queries.changes.GivenByList`."""

    caption = _("Categories that the list gave")
    row_header = "player"

    player = tables.Column(verbose_name=_("Player"), linkify=lambda record: record["url"])
    number = tables.Column(verbose_name=_("Number"))
    category = CategoryColumn(verbose_name=_("Category"))
    valid_from = DateColumn(verbose_name=_("From"))
    reason = tables.Column(verbose_name=_("Why"), default="—")
    revoked_at = DateColumn(verbose_name=_("Revoked on"), default="—")
