"""Tables of the year-end category change."""

from typing import Any

import django_tables2 as tables
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from scoring.promotions.pure.selection import PlaceState
from scoring.promotions.wording import public_state
from ui.columns import (
    CategoryColumn,
    DateColumn,
    NumberColumn,
    PlayerColumn,
    PlayerNumberColumn,
    PointsColumn,
    RankColumn,
)
from ui.formatting import format_percent, format_signed_points
from ui.tables import BaseTable

ROOMY = {"cell": {"class": "roomy"}}


class LinkColumn(PlayerColumn):
    """A column whose text links to the record's `url`."""


class MarginColumn(PointsColumn):
    """A column of points above or below the cut, with a sign. Values are in hundredths.

    The cut is the fewest points that suffice for a place.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("verbose_name", _("To the cut"))
        super().__init__(*args, **kwargs)

    def render(self, value: int) -> str:
        return format_signed_points(value, get_language() or "")


class PercentColumn(NumberColumn):
    """A column of percentages with two decimals and the percent sign."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, attrs={"cell": {"class": "num percent"}}, **kwargs)

    def render(self, value: Any) -> str:
        return format_percent(value, get_language() or "")


class ClubColumn(tables.Column):
    """A column of clubs. It shows the region below the club, to save a column."""

    def __init__(self) -> None:
        super().__init__(verbose_name=_("Club and region"), accessor="club", exclude_from_export=True)

    def render(self, value: str, record: dict[str, Any]) -> SafeString:
        return format_html('<span>{} <span class="row-note">{}</span></span>', value, record["region"])


class ProseTable(BaseTable):
    """Base class of tables with long texts."""

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza prose"}


class CampaignTable(BaseTable):
    """The campaigns, newest first."""

    row_header = "year"
    caption = _("Campaigns so far")

    year = LinkColumn(verbose_name=_("Year"))
    state = tables.Column(verbose_name=_("State"))
    rules = tables.Column(verbose_name=_("Rules"), attrs=ROOMY)
    opened_by = tables.Column(verbose_name=_("Opened by"))
    opened_at = DateColumn(verbose_name=_("Opened on"))
    effective_on = DateColumn(verbose_name=_("New categories from"))


class ListsTable(BaseTable):
    """The lists of a campaign, one row per category."""

    row_header = "code"
    caption = _("Categories, highest first")

    code = CategoryColumn(linkify=lambda record: record["url"])
    target = CategoryColumn(verbose_name=_("Moves up to"))
    players = NumberColumn(verbose_name=_("Players"))
    moves = NumberColumn(verbose_name=_("Move"))
    cut = PointsColumn(verbose_name=_("Cut"))
    decided = NumberColumn(verbose_name=_("Decided by hand"))


class LogTable(ProseTable):
    """The log of a campaign, newest first."""

    row_header = "step"
    caption = _("Every step, newest first")

    at = tables.Column(verbose_name=_("When"), attrs={"cell": {"class": "date"}})
    step = tables.Column(verbose_name=_("Step"))
    by = tables.Column(verbose_name=_("Who"))
    reason = tables.Column(verbose_name=_("Why"))


class ReviewTable(BaseTable):
    """One category's list for the office and the committee, with links to the players' dossiers."""

    row_header = "name"
    printable = True

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza crowded"}

    rank = RankColumn()
    number = PlayerNumberColumn(visible=False)
    name = PlayerColumn(url="dossier")
    club_and_region = ClubColumn()
    club = tables.Column(verbose_name=_("Club"), visible=False)
    region = tables.Column(verbose_name=_("Region"), visible=False)
    in_person = PointsColumn(verbose_name=_("In person"))
    online = PointsColumn(verbose_name=_("Online"))
    points = PointsColumn(verbose_name=_("Points"))
    tournaments = NumberColumn(verbose_name=_("Tournaments"))
    boards = NumberColumn(verbose_name=_("Boards"))
    average = PercentColumn(verbose_name=_("Modified average"))
    margin = MarginColumn()
    words = tables.Column(verbose_name=_("State"), attrs={"cell": {"class": "state-words"}})
    target = CategoryColumn(verbose_name=_("Moves to"), visible=False)


class OfficialTable(BaseTable):
    """One category's list for the public."""

    row_header = "name"
    printable = True

    rank = RankColumn()
    number = PlayerNumberColumn(visible=False)
    name = PlayerColumn()
    club = tables.Column(verbose_name=_("Club"))
    points = PointsColumn(verbose_name=_("Points of the year"))
    margin = MarginColumn()
    words = tables.Column(verbose_name=_("State"), attrs=ROOMY)
    target = CategoryColumn(verbose_name=_("Moves to"), visible=False)


class CandidateTable(BaseTable):
    """The licensed players of a category with points in the year, most points first."""

    row_header = "name"
    key_column = "points"
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


class SessionTable(BaseTable):
    """The sessions behind a modified average, latest first."""

    row_header = "name"
    empty_text = _("No session of pairs with percentages: there is no modified average.")

    day = DateColumn(verbose_name=_("Date"))
    name = PlayerColumn(verbose_name=_("Tournament"), attrs=ROOMY)
    boards = NumberColumn(verbose_name=_("Boards"))
    raw = PercentColumn(verbose_name=_("Result"))
    how = tables.Column(verbose_name=_("Adjusted by"), attrs=ROOMY)
    value = PercentColumn(verbose_name=_("Counts as"))


class DecidedTable(ProseTable):
    """A campaign's decisions in force, shown to whoever approves the lists."""

    row_header = "name"
    caption = _("Players decided by hand, latest first")

    name = PlayerColumn()
    target = tables.Column(verbose_name=_("Decision"))
    by = tables.Column(verbose_name=_("Who"))
    reason = tables.Column(verbose_name=_("Why"))


class DecisionTable(ProseTable):
    """The decisions of a campaign on one player, newest first."""

    row_header = "target"
    caption = _("Decisions, newest first: the first one holds")

    at = DateColumn(verbose_name=_("When"))
    target = tables.Column(verbose_name=_("Decision"))
    by = tables.Column(verbose_name=_("Who"))
    reason = tables.Column(verbose_name=_("Why"))


class ClaimTable(ProseTable):
    """The claims of a campaign, unanswered ones first."""

    row_header = "name"

    at = DateColumn(verbose_name=_("When"))
    name = PlayerColumn()
    text = tables.Column(verbose_name=_("Claim"))
    status = tables.Column(verbose_name=_("Answer"))


class ChangeTable(BaseTable):
    """The category changes that applying and reversing a campaign made, or would make, one row per player."""

    row_header = "name"
    file_sequence = ("number", "...")

    name = PlayerColumn()
    number = PlayerNumberColumn()
    club = tables.Column(verbose_name=_("Club"), visible=False)
    category = CategoryColumn(verbose_name=_("Category before"))
    target = CategoryColumn(verbose_name=_("By the list"))
    since = DateColumn(verbose_name=_("Since"))
    words = tables.Column(verbose_name=_("Result"), attrs=ROOMY)


class VersionTable(BaseTable):
    """The frozen versions of a campaign's lists, newest first."""

    row_header = "version"
    caption = _("Frozen versions, newest first")

    version = LinkColumn(verbose_name=_("Version"))
    at = tables.Column(verbose_name=_("Frozen on"), attrs={"cell": {"class": "date"}})
    by = tables.Column(verbose_name=_("Who"))
    players = NumberColumn(verbose_name=_("Players"))
    digest = tables.Column(verbose_name=_("Digest"), attrs={"cell": {"class": "break"}})


class CauseTable(BaseTable):
    """Tournaments whose points were posted or reversed after the freeze, latest first."""

    row_header = "name"
    caption = _("Tournaments posted, corrected or annulled after the freeze, latest first")

    name = PlayerColumn(verbose_name=_("Tournament"), attrs=ROOMY)
    day = DateColumn(verbose_name=_("Date"))
    posted = tables.Column(verbose_name=_("Posted"), attrs={"cell": {"class": "date"}})
    players = NumberColumn(verbose_name=_("Players concerned"))
    who = tables.Column(verbose_name=_("Who"), attrs=ROOMY)


class DifferenceTable(BaseTable):
    """Players whose rows differ between two versions of the lists."""

    row_header = "name"

    category = CategoryColumn()
    name = PlayerColumn()
    before = PointsColumn(verbose_name=_("Points before"))
    after = PointsColumn(verbose_name=_("Points after"))
    was = tables.Column(verbose_name=_("State before"))
    becomes = tables.Column(verbose_name=_("State after"))
