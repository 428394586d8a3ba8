"""Tables on the pages of players."""

import django_tables2 as tables
from django.utils.translation import gettext_lazy as _

from scoring.ledger.tables import AwardTable
from ui.columns import (
    CategoryColumn,
    DateColumn,
    PlayerColumn,
    PlayerNumberColumn,
    PointsColumn,
    YesNoColumn,
)
from ui.tables import BaseTable


class ExpiredTable(AwardTable):
    """A table of a player's awards that are too old to count in the twelve-month standings."""

    exports = ()
    leaves = DateColumn(verbose_name=_("Left on"), attrs={"cell": {"class": "date num"}})


class NotCountedTable(BaseTable):
    """A table of a player's tournaments that did not count, with the reasons."""

    row_header = "title"

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza prose"}

    day = DateColumn(verbose_name=_("Date"))
    title = PlayerColumn(verbose_name=_("Tournament"), attrs={"cell": {"class": "roomy"}})
    club = tables.Column(verbose_name=_("Club"), attrs={"cell": {"class": "roomy"}})
    why = tables.Column(verbose_name=_("Why it does not count"))


class AwaitingTable(BaseTable):
    """A table of a player's tournaments whose points wait for approval."""

    caption = _("Tournaments whose points wait for approval")
    row_header = "title"

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza prose"}

    day = DateColumn(verbose_name=_("Date"))
    title = PlayerColumn(verbose_name=_("Tournament"), attrs={"cell": {"class": "roomy"}})
    club = tables.Column(verbose_name=_("Club"), attrs={"cell": {"class": "roomy"}})
    who = tables.Column(verbose_name=_("Approved by"))


class PlayerTable(BaseTable):
    """A table of players. Its records come from `scoring.pages.queries.members.player_records`."""

    row_header = "name"

    name = PlayerColumn()
    number = PlayerNumberColumn()
    category = CategoryColumn()
    club = tables.Column(verbose_name=_("Club"))
    points = PointsColumn(verbose_name=_("Points of 12 months"))
    licensed = YesNoColumn(verbose_name=_("Licence"))
