"""Tables of changeovers."""

from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, pgettext
from django.utils.translation import gettext_lazy as _

from scoring.changeover.models import Changeover
from ui.columns import Column, DateColumn, NumberColumn, PointsColumn
from ui.formatting import format_signed_points
from ui.tables import BaseTable


class ChangeoversTable(BaseTable):
    """All changeovers, latest first. Records are `Changeover`s."""

    caption = _("Changeovers")
    row_header = "created_at"
    empty_text = _("No points of a former program were brought in yet.")

    created_at = DateColumn(verbose_name=_("Day"))
    created_by = Column(verbose_name=_("By"), accessor="created_by__username")
    number = NumberColumn(verbose_name=_("Number of awards"))
    state = Column(verbose_name=_("State"), empty_values=())

    def render_created_at(self, value: Any, record: Changeover, column: DateColumn) -> SafeString:
        return format_html('<a href="{}">{}</a>', record.get_absolute_url(), column.render(value))

    def render_state(self, record: Changeover) -> str:
        return state_of(record)


def state_of(changeover: Changeover) -> str:
    """Return the state of a changeover in words."""
    if changeover.discarded_at:
        return pgettext("changeover", "Discarded")
    if changeover.is_under_way or changeover.state == Changeover.State.FAILED:
        return changeover.get_state_display()
    if changeover.undone_at:
        return pgettext("changeover", "Undone")
    return pgettext("changeover", "Applied") if changeover.applied_at else gettext("Under review")


class YearsTable(BaseTable):
    """What the awards of a changeover add up to, year by year. Records are from `reconciling.totals`."""

    caption = _("Awards by year")
    row_header = "year"

    year = Column(verbose_name=_("Year"))
    tournaments = NumberColumn(verbose_name=_("Tournaments"))
    players = NumberColumn(verbose_name=_("Players"))
    awards = NumberColumn(verbose_name=_("Number of awards"))
    points = PointsColumn(verbose_name=_("Points"))


class BalancesTable(BaseTable):
    """Players whose points differ from the old list. Records are from `queries.with_players`."""

    caption = _("Differences from the old list")
    row_header = "name"
    key_column = "difference"
    printable = True

    number = Column(verbose_name=_("Number"))
    name = Column(verbose_name=_("Name"), default=_("unknown number"))
    stated = PointsColumn(verbose_name=_("Old list"), default="—")
    computed = PointsColumn(verbose_name=_("Files"), default="—")
    difference = PointsColumn(verbose_name=_("Difference"))

    def render_difference(self, value: int) -> str:
        return format_signed_points(value, get_language() or "")
