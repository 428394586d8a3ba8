"""The tables of tournaments' pages."""

from collections.abc import Set
from decimal import Decimal
from typing import Any

import django_tables2 as tables
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from ui.columns import DateColumn, NumberColumn, PlayerColumn, PointsColumn, RankColumn
from ui.formatting import decimals_in, format_fixed, format_percent
from ui.tables import BaseTable
from ui.templatetags.ui import category_html


class CountedColumn(tables.Column):
    """Whether a tournament counts, in words; None while its points are being worked out.

    The record says by `annulled` whether it counted once.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, empty_values=(), **kwargs)

    def render(self, value: bool | None, record: dict[str, Any]) -> str:
        if record["annulled"]:
            return gettext("annulled")
        if value is None and record["waits"]:
            return gettext("waiting for approval")
        if value is None:
            return gettext("being scored")
        return gettext("yes") if value else gettext("no")


class TournamentTable(BaseTable):
    """A list of tournaments; records of `scoring.pages.queries.tournaments.summary`."""

    row_header = "title"

    day = DateColumn(verbose_name=_("Date"), orderable=False)
    title = PlayerColumn(verbose_name=_("Tournament"), orderable=False)
    club = tables.Column(verbose_name=_("Club"), orderable=False)
    type = tables.Column(verbose_name=_("Type"), orderable=False)
    format = tables.Column(verbose_name=_("Format"), orderable=False)
    boards = NumberColumn(verbose_name=_("Boards"), orderable=False)
    eligible = CountedColumn(verbose_name=_("Counts"), orderable=False)


def _person(person: dict[str, Any]) -> SafeString:
    """The name, linked where there is a page, and the category that C4 was computed with."""
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
    """A tournament's ranking; records of `scoring.pages.queries.tournaments.ranked`."""

    row_header = "people"
    exports = ("csv", "xlsx")
    export_param = "formato"

    place = RankColumn(orderable=False)
    people = tables.Column(verbose_name=_("Players"), orderable=False)
    percentage = tables.Column(verbose_name="%", orderable=False, attrs={"cell": {"class": "num"}})
    score = tables.Column(verbose_name=_("Result"), orderable=False, attrs={"cell": {"class": "num"}})
    points = PointsColumn(verbose_name=_("Points"), orderable=False)

    def __init__(self, data: list[dict[str, Any]], **options: Any) -> None:
        self.score_digits = decimals_in(record["score"] for record in data)
        super().__init__(data, **options)

    def is_own(self, record: dict[str, Any]) -> bool:
        ids: Set[int | None] = record["player_ids"]
        return self.own_id is not None and self.own_id in ids

    def render_people(self, value: list[dict[str, Any]], record: dict[str, Any]) -> SafeString:
        names = format_html_join(" – ", "{}", ((_person(person),) for person in value))
        # One element: on a telephone the cell is a row of elements, and names are not columns.
        team = format_html("{}: ", record["team"]) if record["team"] else ""
        return format_html("<span>{}{}</span>", team, names)

    def render_percentage(self, value: Decimal) -> str:
        return format_percent(value, get_language() or "")

    def render_score(self, value: Decimal) -> str:
        return format_fixed(value, get_language() or "", self.score_digits)
