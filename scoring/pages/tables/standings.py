"""Tables of the standings pages."""

import django_tables2 as tables
from django.utils.translation import gettext_lazy as _

from ui.columns import CategoryColumn, NumberColumn, PlayerColumn, PointsColumn, RankColumn
from ui.tables import BaseTable


class StandingTable(BaseTable):
    """The standings of one category; records of `scoring.ledger.queries.standings`."""

    row_header = "name"
    exports = ("csv", "xlsx")
    export_param = "formato"
    printable = True

    rank = RankColumn(orderable=False)
    name = PlayerColumn(orderable=False)
    club = tables.Column(verbose_name=_("Club"), orderable=False)
    points = PointsColumn(verbose_name=_("Points"))
    points_in_person = PointsColumn(verbose_name=_("In person"))
    points_online = PointsColumn(verbose_name=_("Online"))
    tournaments = NumberColumn(verbose_name=_("Tournaments"), orderable=False)


class CategoryTable(BaseTable):
    """The categories with their number of players and their leader's points."""

    row_header = "code"
    own_field = "code"
    caption = _("Categories, highest first")

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza narrow"}

    code = CategoryColumn(orderable=False, linkify=lambda record: record["url"])
    players = NumberColumn(verbose_name=_("Licensed players with points"), orderable=False)
    most = PointsColumn(verbose_name=_("Points of the first"), orderable=False)
