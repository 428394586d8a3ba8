"""Tables of standings, players and tournaments."""

from typing import Any

import django_tables2 as tables
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.ledger.tables import AwardTable
from ui.columns import (
    CategoryColumn,
    DateColumn,
    NumberColumn,
    PlayerColumn,
    PlayerNumberColumn,
    PointsColumn,
    RankColumn,
    YesNoColumn,
)
from ui.tables import BaseTable

FOLDED = {"cell": {"class": "num folded"}}  # on wide screens only in files


class StandingTable(BaseTable):
    """A table of the standings of one category. Its records come from `scoring.ledger.queries.standings`."""

    row_header = "name"
    key_column = "points"
    printable = True

    rank = RankColumn()
    number = PlayerNumberColumn(visible=False)
    name = PlayerColumn()
    club = tables.Column(verbose_name=_("Club"))
    category = CategoryColumn(visible=False)
    tournaments = NumberColumn(verbose_name=_("Tournaments"))
    points_in_person = PointsColumn(verbose_name=_("In person"), orderable=True, attrs=FOLDED)
    points_online = PointsColumn(verbose_name=_("Online"), orderable=True, attrs=FOLDED)
    points = PointsColumn(verbose_name=_("Points"), orderable=True)


class CategoryTable(BaseTable):
    """A table of the categories, with the number of players and the leader's points."""

    row_header = "code"
    own_field = "code"
    caption = _("Categories, highest first")

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza narrow stays"}

    code = CategoryColumn(linkify=lambda record: record["url"])
    players = NumberColumn(verbose_name=_("Licensed players with points"))
    most = PointsColumn(verbose_name=_("Points of the first"))


class ExpiredTable(AwardTable):
    """A table of a player's awards that are too old to count in the twelve-month standings."""

    leaves = DateColumn(verbose_name=_("Left on"), attrs={"cell": {"class": "date num"}})


class WithoutPointsTable(BaseTable):
    """Base class of tables of a player's tournaments that gave no points."""

    row_header = "title"

    class Meta:
        attrs = {"class": "baza prose"}

    day = DateColumn(verbose_name=_("Date"))
    title = PlayerColumn(verbose_name=_("Tournament"), attrs={"cell": {"class": "roomy"}})
    club = tables.Column(verbose_name=_("Club"), attrs={"cell": {"class": "roomy"}})


class NotCountedTable(WithoutPointsTable):
    """A table of a player's tournaments that did not count, with the reasons."""

    caption = _("Tournaments that did not count")
    why = tables.Column(verbose_name=_("Why it does not count"))


class AwaitingTable(WithoutPointsTable):
    """A table of a player's tournaments whose points wait for approval."""

    caption = _("Tournaments whose points wait for approval")
    who = tables.Column(verbose_name=_("Approved by"))


class PlayerTable(BaseTable):
    """A table of players. Its records come from `scoring.pages.queries.members.player_records`."""

    row_header = "name"
    key_column = "points"

    name = PlayerColumn()
    number = PlayerNumberColumn()
    category = CategoryColumn()
    club = tables.Column(verbose_name=_("Club"))
    points = PointsColumn(verbose_name=_("Points of 12 months"))
    licensed = YesNoColumn(verbose_name=_("Licence"))


class CountedColumn(tables.Column):
    """A column that says whether a tournament counts. The value is None before the tournament's first run."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, empty_values=(), **kwargs)

    def render(self, value: bool | None, record: dict[str, Any]) -> str:
        if record["annulled"]:
            return gettext("annulled")
        if value is None and record["waits"]:
            return gettext("waiting for approval")
        if value is None:
            return gettext("being scored")
        return gettext("yes") if value else gettext("no")


class CorrectionTable(BaseTable):
    """A table of corrections. Its records come from `scoring.pages.queries.corrections.records`.

    The columns with numbers are only in the files.
    """

    caption = _("Corrections, latest first")
    row_header = "title"
    key_column = "day"

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza prose"}

    day = DateColumn(verbose_name=_("Date"))
    title = PlayerColumn(verbose_name=_("Tournament"), attrs={"cell": {"class": "roomy"}})
    club = tables.Column(verbose_name=_("Club"), attrs={"cell": {"class": "roomy"}})
    act = tables.Column(verbose_name=_("Decision"))
    what = tables.Column(verbose_name=_("What changed"), attrs={"cell": {"class": "roomy"}})
    places = NumberColumn(verbose_name=_("Players with another place"), visible=False)
    players = NumberColumn(verbose_name=_("Players with other points"), visible=False)
    most = PointsColumn(verbose_name=_("Largest difference"), visible=False)
    reason = tables.Column(verbose_name=_("Reason"), attrs={"cell": {"class": "roomy"}})
    by = tables.Column(verbose_name=_("Decided by"))


class TournamentTable(BaseTable):
    """A table of tournaments. Its records come from `scoring.pages.queries.tournaments.summary`."""

    row_header = "title"
    key_column = "day"

    day = DateColumn(verbose_name=_("Date"))
    title = PlayerColumn(verbose_name=_("Tournament"))
    club = tables.Column(verbose_name=_("Club"))
    type = tables.Column(verbose_name=_("Type"))
    format = tables.Column(verbose_name=_("Format"))
    boards = NumberColumn(verbose_name=_("Boards"))
    eligible = CountedColumn(verbose_name=_("Counts"))
