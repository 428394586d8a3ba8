"""Tables of rankings and of a player's entries, shared by several features."""

from collections.abc import Set
from decimal import Decimal
from typing import Any

import django_tables2 as tables
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from ui.columns import DateColumn, PointsColumn, RankColumn
from ui.formatting import decimals_in, format_fixed, format_percent, format_whole
from ui.tables import BaseTable
from ui.templatetags.ui import category_html


def _person(person: dict[str, Any]) -> SafeString:
    """Render the name, linked if the person has a page, and the category that C4 was computed with."""
    name = (
        format_html('<a href="{}">{}</a>', person["url"], person["name"])
        if person["url"]
        else format_html("{}", person["name"] or gettext("guest"))
    )
    if not person.get("category"):
        return name
    category = category_html(person["category"], get_language() or "")
    return format_html('{} <span class="muted nowrap">{}</span>', name, category)


class RankingTable(BaseTable):
    """A tournament's ranking; records of `scoring.pages.queries.tournaments.ranking_of`."""

    row_header = "people"
    exports = ("csv", "xlsx")
    export_param = "formato"

    place = RankColumn()
    people = tables.Column(verbose_name=_("Players"))
    percentage = tables.Column(verbose_name="%", attrs={"cell": {"class": "num"}})
    score = tables.Column(verbose_name=_("Result"), attrs={"cell": {"class": "num"}})
    points = PointsColumn(verbose_name=_("Points"))

    def __init__(self, data: list[dict[str, Any]], **options: Any) -> None:
        self.score_digits = decimals_in(record["score"] for record in data)
        super().__init__(data, **options)

    def is_own(self, record: dict[str, Any]) -> bool:
        ids: Set[int | None] = record["player_ids"]
        return self.own_id is not None and self.own_id in ids

    def render_people(self, value: list[dict[str, Any]], record: dict[str, Any]) -> SafeString:
        names = format_html_join(" – ", "{}", ((_person(person),) for person in value))
        # Wrap in one element: on narrow screens the cell is a flex row, and names must not become columns.
        team = format_html("{}: ", record["team"]) if record["team"] else ""
        return format_html("<span>{}{}</span>", team, names)

    def render_percentage(self, value: Decimal) -> str:
        return format_percent(value, get_language() or "")

    def render_score(self, value: Decimal) -> str:
        return format_fixed(value, get_language() or "", self.score_digits)


def place_text(place: int | None, size: int | None) -> str:
    """Format a place in its field: "3 of 24"."""
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
    """A tournament's name, linked if it has a page, with a note on the kind and fate of the entry."""

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
        # Wrap in one element: on narrow screens the cell is a flex row.
        return format_html('<span>{} <span class="row-note">({})</span></span>', name, note)

    def _kind(self, record: dict[str, Any]) -> str:
        """Describe the kind of an entry that is not an award."""
        if record["moved"]:
            return gettext("moved from another number")
        return str(self.WORDS.get("reversal" if record["takes_back"] else record["kind"], ""))

    def _fate(self, record: dict[str, Any]) -> str:
        """Describe why an entry no longer counts."""
        if record["annulled"]:
            return gettext("annulled")
        if record["replaced"]:
            return gettext("replaced")
        return gettext("taken back") if record["taken_back"] else ""


class AwardTable(BaseTable):
    """A player's ledger entries; records of `scoring.ledger.queries.awards.award_records`."""

    row_header = "title"
    exports = ("csv", "xlsx")
    export_param = "formato"

    day = DateColumn(verbose_name=_("Date"))
    title = TitleColumn(verbose_name=_("Tournament"))
    club = tables.Column(verbose_name=_("Club"), attrs={"cell": {"class": "roomy"}})
    place = tables.Column(verbose_name=_("Place"), attrs={"cell": {"class": "num"}})
    points = PointsColumn(verbose_name=_("Points"))
    leaves = DateColumn(verbose_name=_("Leaves on"), attrs={"cell": {"class": "date num"}})
    receipt = tables.Column(verbose_name=_("Why"), attrs={"cell": {"class": "nowrap"}})

    def render_place(self, value: int, record: dict[str, Any]) -> str:
        return place_text(value, record["size"])

    def render_receipt(self, value: str, record: dict[str, Any]) -> SafeString:
        words = gettext("Receipt")
        about = gettext("of %(tournament)s") % {"tournament": record["title"]}
        return format_html('<a href="{}">{}<span class="visually-hidden"> {}</span></a>', value, words, about)
