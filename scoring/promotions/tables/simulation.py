"""Tables of a simulation. With two rule sets, the columns are labelled with their names."""

import django_tables2 as tables
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.promotions.tables.campaigns import ROOMY, PercentColumn
from ui.columns import CategoryColumn, NumberColumn, PlayerColumn, PointsColumn
from ui.tables import BaseTable


class OutcomeTable(BaseTable):
    """The result for each category, one record of `scoring.promotions.views.simulation` each."""

    row_header = "code"

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza crowded"}

    code = CategoryColumn()
    target = CategoryColumn(verbose_name=gettext_lazy("Moves up to"))
    listed = NumberColumn(verbose_name=gettext_lazy("Players in the list"))


class MoverTable(BaseTable):
    """The players who would move."""

    row_header = "name"
    exports = ("csv", "xlsx")

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza crowded"}

    category = CategoryColumn()
    name = PlayerColumn(attrs=ROOMY)
    points = PointsColumn(verbose_name=gettext_lazy("Points of the year"))
    tournaments = NumberColumn(verbose_name=gettext_lazy("Tournaments"))
    average = PercentColumn(verbose_name=gettext_lazy("Modified average"))


def outcome_columns(first: str, second: str) -> list[tuple[str, tables.Column]]:
    """Return the columns for one rule set or two, by their names; `second` is "" for only one."""
    if not second:
        return [
            ("cut", PointsColumn(verbose_name=_("Cut"))),
            ("up", NumberColumn(verbose_name=_("Move up"))),
            ("down", NumberColumn(verbose_name=_("Move down"))),
        ]
    return [
        ("cut", PointsColumn(verbose_name=_("Cut, %(name)s") % {"name": first})),
        ("other_cut", PointsColumn(verbose_name=_("Cut, %(name)s") % {"name": second})),
        ("moving", NumberColumn(verbose_name=_("Move, %(name)s") % {"name": first})),
        ("other_moving", NumberColumn(verbose_name=_("Move, %(name)s") % {"name": second})),
        ("only", NumberColumn(verbose_name=_("Only by %(name)s") % {"name": first})),
        ("other_only", NumberColumn(verbose_name=_("Only by %(name)s") % {"name": second})),
    ]


def mover_columns(first: str, second: str) -> list[tuple[str, tables.Column]]:
    """Return a column per rule set with a player's result. Arguments as in `outcome_columns`."""
    if not second:
        return [("first", tables.Column(verbose_name=_("State")))]
    return [
        ("first", tables.Column(verbose_name=first)),
        ("second", tables.Column(verbose_name=second)),
    ]
