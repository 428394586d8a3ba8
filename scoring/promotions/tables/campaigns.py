"""Tables of the year-end category change."""

from typing import Any

import django_tables2 as tables
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from ui.columns import CategoryColumn, DateColumn, NumberColumn, PlayerColumn, PointsColumn, RankColumn
from ui.formatting import format_percent, format_signed_points
from ui.tables import BaseTable

NUM = {"cell": {"class": "num"}}
ROOMY = {"cell": {"class": "roomy"}}


class LinkColumn(PlayerColumn):
    """A text linked to the address in the record."""


class MarginColumn(tables.Column):
    """Hundredths above or below the cut, with a sign."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("verbose_name", _("To the cut"))
        super().__init__(*args, attrs=NUM, **kwargs)

    def render(self, value: int) -> str:
        return format_signed_points(value, get_language() or "")


class PercentColumn(NumberColumn):
    """A percentage with two decimals and the percent sign."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, attrs={"cell": {"class": "num percent"}}, **kwargs)

    def render(self, value: Any) -> str:
        return format_percent(value, get_language() or "")


class ClubColumn(tables.Column):
    """A club with its region below it, to save a column."""

    def __init__(self) -> None:
        super().__init__(verbose_name=_("Club and region"), orderable=False)

    def render(self, value: str, record: dict[str, Any]) -> SafeString:
        return format_html('<span>{} <span class="row-note">{}</span></span>', value, record["region"])


class CampaignTable(BaseTable):
    """The campaigns, newest first."""

    row_header = "year"
    caption = _("Campaigns so far")

    year = LinkColumn(verbose_name=_("Year"), orderable=False)
    state = tables.Column(verbose_name=_("State"), orderable=False)
    rules = tables.Column(verbose_name=_("Rules"), orderable=False, attrs=ROOMY)
    opened_by = tables.Column(verbose_name=_("Opened by"), orderable=False)
    opened_at = DateColumn(verbose_name=_("Opened on"), orderable=False)
    effective_on = DateColumn(verbose_name=_("New categories from"), orderable=False)


class ListsTable(BaseTable):
    """The lists of a campaign, one row per category."""

    row_header = "code"
    caption = _("Categories, highest first")

    code = CategoryColumn(orderable=False, linkify=lambda record: record["url"])
    target = CategoryColumn(verbose_name=_("Moves up to"), orderable=False)
    players = NumberColumn(verbose_name=_("Players"), orderable=False)
    moves = NumberColumn(verbose_name=_("Move"), orderable=False)
    cut = PointsColumn(verbose_name=_("Cut"), orderable=False)
    decided = NumberColumn(verbose_name=_("Decided by hand"), orderable=False)


class LogTable(BaseTable):
    """The log of a campaign, newest first."""

    row_header = "step"
    caption = _("Every step, newest first")

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza prose"}

    at = tables.Column(verbose_name=_("When"), orderable=False, attrs={"cell": {"class": "date"}})
    step = tables.Column(verbose_name=_("Step"), orderable=False)
    by = tables.Column(verbose_name=_("Who"), orderable=False)
    reason = tables.Column(verbose_name=_("Why"), orderable=False)


class ReviewTable(BaseTable):
    """One category's list for the office and the committee, with links to the dossiers."""

    row_header = "name"
    exports = ("csv", "xlsx")
    printable = True

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza crowded"}

    rank = RankColumn(orderable=False)
    name = PlayerColumn(url="dossier", orderable=False)
    club = ClubColumn()
    in_person = PointsColumn(verbose_name=_("In person"), orderable=False)
    online = PointsColumn(verbose_name=_("Online"), orderable=False)
    points = PointsColumn(verbose_name=_("Points"), orderable=False)
    tournaments = NumberColumn(verbose_name=_("Tournaments"), orderable=False)
    boards = NumberColumn(verbose_name=_("Boards"), orderable=False)
    average = PercentColumn(verbose_name=_("Modified average"), orderable=False)
    margin = MarginColumn(orderable=False)
    words = tables.Column(verbose_name=_("State"), orderable=False, attrs={"cell": {"class": "state-words"}})


class OfficialTable(BaseTable):
    """One category's list for the public."""

    row_header = "name"
    exports = ("csv", "xlsx")
    printable = True

    rank = RankColumn(orderable=False)
    name = PlayerColumn(orderable=False)
    club = tables.Column(verbose_name=_("Club"), orderable=False)
    points = PointsColumn(verbose_name=_("Points of the year"), orderable=False)
    margin = MarginColumn(orderable=False)
    words = tables.Column(verbose_name=_("State"), orderable=False, attrs=ROOMY)


class SessionTable(BaseTable):
    """The sessions behind a modified average, latest first."""

    row_header = "name"
    empty_text = _("No session of pairs with percentages: there is no modified average.")

    day = DateColumn(verbose_name=_("Date"), orderable=False)
    name = PlayerColumn(verbose_name=_("Tournament"), orderable=False, attrs=ROOMY)
    boards = NumberColumn(verbose_name=_("Boards"), orderable=False)
    raw = PercentColumn(verbose_name=_("Result"), orderable=False)
    how = tables.Column(verbose_name=_("Adjusted by"), orderable=False, attrs=ROOMY)
    value = PercentColumn(verbose_name=_("Counts as"), orderable=False)


class DecidedTable(BaseTable):
    """A campaign's decisions in force, for the approver."""

    row_header = "name"
    caption = _("Players decided by hand, latest first")

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza prose"}

    name = PlayerColumn(orderable=False)
    target = tables.Column(verbose_name=_("Decision"), orderable=False)
    by = tables.Column(verbose_name=_("Who"), orderable=False)
    reason = tables.Column(verbose_name=_("Why"), orderable=False)


class DecisionTable(BaseTable):
    """The decisions on a player, newest first."""

    row_header = "target"
    caption = _("Decisions, newest first: the first one holds")

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza prose"}

    at = DateColumn(verbose_name=_("When"), orderable=False)
    target = tables.Column(verbose_name=_("Decision"), orderable=False)
    by = tables.Column(verbose_name=_("Who"), orderable=False)
    reason = tables.Column(verbose_name=_("Why"), orderable=False)


class ClaimTable(BaseTable):
    """The claims of a campaign, unanswered ones first."""

    row_header = "name"
    empty_text = _("Nobody has contested the lists.")

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza prose"}

    at = DateColumn(verbose_name=_("When"), orderable=False)
    name = PlayerColumn(orderable=False)
    text = tables.Column(verbose_name=_("Claim"), orderable=False)
    status = tables.Column(verbose_name=_("Answer"), orderable=False)


class ChangeTable(BaseTable):
    """What applying or reversing did for each player."""

    row_header = "name"
    export_param = "formato"

    name = PlayerColumn(orderable=False)
    number = tables.Column(verbose_name=_("Federation number"), orderable=False)
    category = CategoryColumn(verbose_name=_("Category before"), orderable=False)
    target = CategoryColumn(verbose_name=_("By the list"), orderable=False)
    since = DateColumn(verbose_name=_("Since"), orderable=False)
    words = tables.Column(verbose_name=_("Result"), orderable=False, attrs=ROOMY)


class VersionTable(BaseTable):
    """The frozen versions of a campaign's lists, newest first."""

    row_header = "version"
    caption = _("Frozen versions, newest first")

    version = LinkColumn(verbose_name=_("Version"), orderable=False)
    at = tables.Column(verbose_name=_("Frozen on"), orderable=False, attrs={"cell": {"class": "date"}})
    by = tables.Column(verbose_name=_("Who"), orderable=False)
    players = NumberColumn(verbose_name=_("Players"), orderable=False)
    digest = tables.Column(verbose_name=_("Digest"), orderable=False, attrs={"cell": {"class": "break"}})


class CauseTable(BaseTable):
    """Tournaments posted after the freeze, latest first."""

    row_header = "name"
    caption = _("Tournaments posted, corrected or annulled after the freeze, latest first")

    name = PlayerColumn(verbose_name=_("Tournament"), orderable=False, attrs=ROOMY)
    day = DateColumn(verbose_name=_("Date"), orderable=False)
    posted = tables.Column(verbose_name=_("Posted"), orderable=False, attrs={"cell": {"class": "date"}})
    players = NumberColumn(verbose_name=_("Players concerned"), orderable=False)
    who = tables.Column(verbose_name=_("Who"), orderable=False, attrs=ROOMY)


class DifferenceTable(BaseTable):
    """Players whose line differs between two lists."""

    row_header = "name"

    category = CategoryColumn(orderable=False)
    name = PlayerColumn(orderable=False)
    before = PointsColumn(verbose_name=_("Points before"), orderable=False)
    after = PointsColumn(verbose_name=_("Points after"), orderable=False)
    was = tables.Column(verbose_name=_("State before"), orderable=False)
    becomes = tables.Column(verbose_name=_("State after"), orderable=False)
