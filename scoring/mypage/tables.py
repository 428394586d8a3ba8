"""Tables of the player's own pages."""

from decimal import Decimal

from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from scoring.pages.tables import ResultTable
from ui.columns import NumberColumn, PlayerColumn, PointsColumn
from ui.formatting import format_percent
from ui.tables import BaseTable


class GroupTable(BaseTable):
    """Base of tables of groups of awards: tournaments, mean percentage, points, and the most of one."""

    row_header = "name"
    key_column = "sum"

    tournaments = NumberColumn(verbose_name=_("Tournaments"), orderable=True)
    mean = NumberColumn(verbose_name=_("Mean"), orderable=True)
    sum = PointsColumn(verbose_name=_("Points"), orderable=True)
    best = PointsColumn(verbose_name=_("Best"), orderable=True)

    class Meta:
        sequence = ("name", "tournaments", "mean", "best", "sum")

    def render_mean(self, value: Decimal) -> str:
        return format_percent(value, get_language() or "")


class PartnerTable(GroupTable):
    """The persons with whom the player played. Records come from `results.partners_of`."""

    name = PlayerColumn(verbose_name=_("Partner"))


class ClubTable(GroupTable):
    """The clubs where the player played. Records come from `habits.clubs_played`."""

    name = PlayerColumn(verbose_name=_("Club"))


class BestTable(ResultTable):
    """The best results of a year."""

    class Meta(ResultTable.Meta):
        exclude = ("kind", "reason", "leaves")
