"""Tables of a simulated category change.

If the simulation compares two rule sets, the names of the sets label the columns.
"""

import django_tables2 as tables
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.promotions.tables.campaigns import ROOMY, PercentColumn
from ui.columns import CategoryColumn, NumberColumn, PlayerColumn, PlayerNumberColumn, PointsColumn
from ui.tables import BaseTable


class OutcomeTable(BaseTable):
    """The simulated result for each category. `scoring.promotions.views.simulation` makes the records."""

    row_header = "code"

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza crowded"}

    code = CategoryColumn()
    target = CategoryColumn(verbose_name=gettext_lazy("Moves up to"))
    listed = NumberColumn(verbose_name=gettext_lazy("Players in the list"))


class MoverTable(BaseTable):
    """The players who would move in a simulation."""

    row_header = "name"

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza crowded"}

    category = CategoryColumn()
    number = PlayerNumberColumn(visible=False)
    name = PlayerColumn(attrs=ROOMY)
    club = tables.Column(verbose_name=gettext_lazy("Club"), visible=False)
    points = PointsColumn(verbose_name=gettext_lazy("Points of the year"))
    in_person = PointsColumn(verbose_name=gettext_lazy("In person"), visible=False)
    online = PointsColumn(verbose_name=gettext_lazy("Online"), visible=False)
    tournaments = NumberColumn(verbose_name=gettext_lazy("Tournaments"))
    boards = NumberColumn(verbose_name=gettext_lazy("Boards"), visible=False)
    average = PercentColumn(verbose_name=gettext_lazy("Modified average"))


def outcome_columns(first: str, second: str) -> list[tuple[str, tables.Column]]:
    """Return the columns of `OutcomeTable` that depend on the rule sets, as (name, column).

    first, second: names of the rule sets, used as labels; `second` is "" if there is only one
    """
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
    """Return the columns of `MoverTable` with a player's result by each rule set, as (name, column).

    first, second: as in `outcome_columns`
    """
    columns = []
    for key, name in (("first", first), ("second", second)):
        if name:
            shown = tables.Column(verbose_name=name if second else _("State"), exclude_from_export=True)
            state = tables.Column(verbose_name=f"{name}: {_('State')}", accessor=key, visible=False)
            target = CategoryColumn(verbose_name=f"{name}: {_('Moves to')}", visible=False)
            columns += [(key, shown), (f"{key}_state", state), (f"{key}_target", target)]
    return columns
