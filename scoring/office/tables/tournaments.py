"""The office's table of tournaments."""

from typing import Any

import django_tables2 as tables
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from ui.columns import DateColumn, PlayerColumn
from ui.tables import BaseTable


class OfficeTournamentTable(BaseTable):
    """Tournaments with their state. Records come from `queries.tournaments.records`."""

    caption = _("Tournaments, latest first")
    row_header = "title"
    key_column = "state"
    empty_text = _("No tournament fits.")

    day = DateColumn(verbose_name=_("Date"))
    title = PlayerColumn(verbose_name=_("Tournament"))
    club = tables.Column(verbose_name=_("Club"))
    kind = tables.Column(verbose_name=_("Type"))
    state = tables.Column(verbose_name=_("State"), attrs={"cell": {"class": "nowrap"}})
    acts = tables.Column(verbose_name=_("Acts"), attrs={"cell": {"class": "screen-only row-acts"}})

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza prose"}

    def render_acts(self, value: list[tuple[str, str]], record: dict[str, Any]) -> SafeString:
        hidden = format_html('<span class="visually-hidden">: {}, {}</span>', record["title"], record["day"])
        links = ((url, text, hidden) for text, url in value)
        return format_html("<div>{}</div>", format_html_join(" ", '<a href="{}">{}{}</a>', links))
