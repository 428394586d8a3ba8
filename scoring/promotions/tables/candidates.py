"""The table of a category's promotion candidates."""

import django_tables2 as tables
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from scoring.promotions.pure.selection import PlaceState
from scoring.promotions.wording import public_state
from ui.columns import PlayerColumn, PointsColumn, RankColumn
from ui.formatting import format_signed_points
from ui.tables import BaseTable


class CandidateTable(BaseTable):
    """The licensed players of a category with points in the year, most points first."""

    row_header = "name"
    exports = ("csv", "xlsx")
    export_param = "formato"
    printable = True

    rank = RankColumn()
    name = PlayerColumn()
    club = tables.Column(verbose_name=_("Club"))
    points = PointsColumn(verbose_name=_("Points of the year"))
    margin = tables.Column(verbose_name=_("To the cut"), attrs={"cell": {"class": "num"}})
    state = tables.Column(verbose_name=_("State"))

    def render_margin(self, value: int) -> str:
        return format_signed_points(value, get_language() or "")

    def render_state(self, value: PlaceState) -> str:
        return public_state(value)
