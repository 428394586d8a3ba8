"""The tables of players' pages."""

from typing import Any

import django_tables2 as tables
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from ui.columns import CategoryColumn, DateColumn, PlayerColumn, PointsColumn, YesNoColumn
from ui.formatting import format_whole
from ui.tables import BaseTable


def place_text(place: int | None, size: int | None) -> str:
    """A place in its field: "3 of 24"."""
    if place is None:
        return "—"
    lang = get_language() or ""
    if size is None:
        return format_whole(place, lang)
    return gettext("%(place)s of %(size)s") % {
        "place": format_whole(place, lang),
        "size": format_whole(size, lang),
    }


class TitleColumn(tables.Column):
    """A tournament's name, linked where it has a page here; what else the line is, in words."""

    WORDS = {
        "reversal": _("taken back"),
        "opening": _("brought in from before"),
        "adjustment": _("adjustment"),
    }

    def render(self, value: str, record: dict[str, Any]) -> SafeString:
        name = format_html('<a href="{}">{}</a>', record["url"], value) if record["url"] else value
        note = ", ".join(filter(None, (self._kind(record), self._fate(record))))
        if not note:
            return format_html("<span>{}</span>", name)
        if record["reason"]:
            note = f"{note}: {record['reason']}"
        # One element: on a telephone the cell is a row of elements.
        return format_html('<span>{} <span class="row-note">({})</span></span>', name, note)

    def _kind(self, record: dict[str, Any]) -> str:
        """What the line is, where it is no award."""
        if record["moved"]:
            return gettext("moved from another number")
        return str(self.WORDS.get("reversal" if record["takes_back"] else record["kind"], ""))

    def _fate(self, record: dict[str, Any]) -> str:
        """What became of the line, where it does not count any more."""
        if record["annulled"]:
            return gettext("annulled")
        if record["replaced"]:
            return gettext("replaced")
        return gettext("taken back") if record["taken_back"] else ""


class AwardTable(BaseTable):
    """A player's lines of the ledger; records of `scoring.ledger.queries.awards.award_records`."""

    row_header = "title"
    exports = ("csv", "xlsx")
    export_param = "formato"

    day = DateColumn(verbose_name=_("Date"), orderable=False)
    title = TitleColumn(verbose_name=_("Tournament"), orderable=False)
    club = tables.Column(verbose_name=_("Club"), orderable=False, attrs={"cell": {"class": "roomy"}})
    place = tables.Column(verbose_name=_("Place"), orderable=False, attrs={"cell": {"class": "num"}})
    points = PointsColumn(verbose_name=_("Points"), orderable=False)
    leaves = DateColumn(verbose_name=_("Leaves on"), orderable=False, attrs={"cell": {"class": "date num"}})
    receipt = tables.Column(verbose_name=_("Why"), orderable=False, attrs={"cell": {"class": "nowrap"}})

    def render_place(self, value: int, record: dict[str, Any]) -> str:
        return place_text(value, record["size"])

    def render_receipt(self, value: str, record: dict[str, Any]) -> SafeString:
        words = gettext("Receipt")
        about = gettext("of %(tournament)s") % {"tournament": record["title"]}
        return format_html('<a href="{}">{}<span class="visually-hidden"> {}</span></a>', value, words, about)


class ExpiredTable(AwardTable):
    """What has left the twelve months."""

    exports = ()
    leaves = DateColumn(verbose_name=_("Left on"), orderable=False, attrs={"cell": {"class": "date num"}})


class NotCountedTable(BaseTable):
    """Tournaments of a player that gave nothing, and why."""

    row_header = "title"

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza prose"}

    day = DateColumn(verbose_name=_("Date"), orderable=False)
    title = PlayerColumn(verbose_name=_("Tournament"), orderable=False, attrs={"cell": {"class": "roomy"}})
    club = tables.Column(verbose_name=_("Club"), orderable=False, attrs={"cell": {"class": "roomy"}})
    why = tables.Column(verbose_name=_("Why it does not count"), orderable=False)


class AwaitingTable(BaseTable):
    """Tournaments of a player whose points wait for a second person."""

    caption = _("Tournaments whose points wait for approval")
    row_header = "title"

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza prose"}

    day = DateColumn(verbose_name=_("Date"), orderable=False)
    title = PlayerColumn(verbose_name=_("Tournament"), orderable=False, attrs={"cell": {"class": "roomy"}})
    club = tables.Column(verbose_name=_("Club"), orderable=False, attrs={"cell": {"class": "roomy"}})
    who = tables.Column(verbose_name=_("Approved by"), orderable=False)


class PlayerTable(BaseTable):
    """A list of players: of the federation, of a search, of a club."""

    row_header = "name"

    name = PlayerColumn(orderable=False)
    number = tables.Column(verbose_name=_("Federation number"), orderable=False)
    category = CategoryColumn(orderable=False)
    club = tables.Column(verbose_name=_("Club"), orderable=False)
    points = PointsColumn(verbose_name=_("Points of 12 months"), orderable=False)
    licensed = YesNoColumn(verbose_name=_("Licence"), orderable=False)
