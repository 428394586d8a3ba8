"""The tables of the standings pages."""

import django_tables2 as tables
from django.utils.translation import gettext_lazy as _

from ui.columns import CategoryColumn, NumberColumn, PlayerColumn, PointsColumn, RankColumn
from ui.tables import BaseTable


class StandingTable(BaseTable):
    """One category's players; records as `scoring.ledger.queries.standings` makes them."""

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
    """The categories with their number of players; records with `code`, `url`, `players` and `most`."""

    row_header = "code"
    own_field = "code"
    caption = _("Categories, highest first")

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza narrow"}

    code = CategoryColumn(orderable=False, linkify=lambda record: record["url"])
    players = NumberColumn(verbose_name=_("Licensed players with points"), orderable=False)
    most = PointsColumn(verbose_name=_("Points of the first"), orderable=False)
