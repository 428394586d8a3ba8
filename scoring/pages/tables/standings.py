"""Tables on the pages of the standings."""

import django_tables2 as tables
from django.utils.translation import gettext_lazy as _

from ui.columns import (
    CategoryColumn,
    NumberColumn,
    PlayerColumn,
    PlayerNumberColumn,
    PointsColumn,
    RankColumn,
)
from ui.exports import FORMATS
from ui.tables import BaseTable


class StandingTable(BaseTable):
    """A table of the standings of one category. Its records come from `scoring.ledger.queries.standings`."""

    row_header = "name"
    exports = FORMATS
    printable = True

    rank = RankColumn()
    number = PlayerNumberColumn(visible=False)
    name = PlayerColumn()
    club = tables.Column(verbose_name=_("Club"))
    category = CategoryColumn(visible=False)
    points = PointsColumn(verbose_name=_("Points"), orderable=True)
    points_in_person = PointsColumn(verbose_name=_("In person"), orderable=True)
    points_online = PointsColumn(verbose_name=_("Online"), orderable=True)
    tournaments = NumberColumn(verbose_name=_("Tournaments"))


class CategoryTable(BaseTable):
    """A table of the categories, with the number of players and the leader's points."""

    row_header = "code"
    own_field = "code"
    caption = _("Categories, highest first")

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza narrow"}

    code = CategoryColumn(linkify=lambda record: record["url"])
    players = NumberColumn(verbose_name=_("Licensed players with points"))
    most = PointsColumn(verbose_name=_("Points of the first"))
