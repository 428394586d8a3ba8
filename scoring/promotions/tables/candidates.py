"""The table of a category's promotion candidates."""

import django_tables2 as tables
from django.utils.translation import gettext_lazy as _

from scoring.promotions.pure.selection import PlaceState
from scoring.promotions.tables.campaigns import MarginColumn
from scoring.promotions.wording import public_state
from ui.columns import CategoryColumn, PlayerColumn, PlayerNumberColumn, PointsColumn, RankColumn
from ui.exports import FORMATS
from ui.tables import BaseTable


class CandidateTable(BaseTable):
    """The licensed players of a category with points in the year, most points first."""

    row_header = "name"
    exports = FORMATS
    printable = True

    rank = RankColumn()
    number = PlayerNumberColumn(visible=False)
    name = PlayerColumn()
    club = tables.Column(verbose_name=_("Club"))
    points = PointsColumn(verbose_name=_("Points of the year"))
    margin = MarginColumn()
    state = tables.Column(verbose_name=_("State"))
    target = CategoryColumn(verbose_name=_("Moves up to"), visible=False)

    def render_state(self, value: PlaceState) -> str:
        return public_state(value)
