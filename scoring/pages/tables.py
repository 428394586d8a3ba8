"""Tables of standings, players and tournaments."""

from decimal import Decimal
from typing import Any

import django_tables2 as tables
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, ngettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from scoring.ledger.tables import AwardTable, TitleColumn
from tournaments.models import Tournament
from ui.columns import (
    CategoryColumn,
    DateColumn,
    DecimalColumn,
    NumberColumn,
    PlayerColumn,
    PlayerNumberColumn,
    PointsColumn,
    RankColumn,
    YesNoColumn,
)
from ui.formatting import format_percent, format_points, format_signed_points, format_whole
from ui.tables import BaseTable

FOLDED = {"cell": {"class": "num folded"}}  # on wide screens only in files


class WeekColumn(tables.Column):
    """The places that a player gained or lost in the last week, as a triangle, a number and words.

    The value is None for a player who was not in the list a week ago.
    """

    def __init__(self) -> None:
        attrs = {"td": {"class": "num week", "data-label": _("This week")}, "th": {"class": "num"}}
        super().__init__(
            verbose_name=pgettext_lazy("change in the last week", "Week"),
            attrs=attrs,
            empty_values=(),
            exclude_from_export=True,
        )

    def render(self, value: int | None) -> SafeString | str:
        if value is None:
            return pgettext("in a list since this week", "new")
        if not value:
            return format_html('<span class="visually-hidden">{}</span>', gettext("the same as a week ago"))
        number = format_whole(abs(value), get_language() or "")
        words = (
            ngettext("%(number_text)s place up this week", "%(number_text)s places up this week", value)
            if value > 0
            else ngettext(
                "%(number_text)s place down this week", "%(number_text)s places down this week", -value
            )
        )
        return format_html(
            '<span aria-hidden="true"><span class="{}">{}</span> {}</span>'
            ' <span class="visually-hidden">{}</span>',
            "up" if value > 0 else "down",
            "▲" if value > 0 else "▼",
            number,
            words % {"number_text": number},
        )


class StandingTable(BaseTable):
    """A table of the standings of one category. Its records come from `scoring.ledger.queries.standings`."""

    row_header = "name"
    key_column = "points"
    printable = True

    rank = RankColumn()
    week = WeekColumn()
    number = PlayerNumberColumn(visible=False)
    name = PlayerColumn()
    club = tables.Column(verbose_name=_("Club"))
    category = CategoryColumn(visible=False)
    tournaments = NumberColumn(verbose_name=_("Tournaments"))
    margin = PointsColumn(verbose_name=_("To the cut"), exclude_from_export=True)
    points_in_person = PointsColumn(verbose_name=_("In person"), orderable=True, attrs=FOLDED)
    points_online = PointsColumn(verbose_name=_("Online"), orderable=True, attrs=FOLDED)
    points = PointsColumn(verbose_name=_("Points"), orderable=True)

    def render_margin(self, value: int) -> str:
        return format_signed_points(value, get_language() or "")


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


class LeaderTable(BaseTable):
    """The first player of each category. Its records come from `scoring.pages.queries.front`."""

    row_header = "name"
    key_column = "points"
    caption = _("Who leads each category")

    code = CategoryColumn(linkify=lambda record: record["category_url"], attrs={"cell": {"class": "place"}})
    players = NumberColumn(verbose_name=_("Players"))
    name = PlayerColumn(verbose_name=_("Leads"))
    points = PointsColumn(verbose_name=_("Points"))
    cut = PointsColumn(verbose_name=_("Cut"))

    def __init__(self, data: Any, *, year: int, **options: Any) -> None:
        super().__init__(data, **options)
        self.columns["cut"].column.verbose_name = gettext("Cut of %(year)s") % {"year": year}


class LatestTable(BaseTable):
    """The latest tournaments with their winners. Its records come from `scoring.pages.queries.front`."""

    row_header = "title"
    key_column = "result"
    caption = _("Latest tournaments")

    day = tables.Column(verbose_name=_("Date"), attrs={"cell": {"class": "date"}})
    title = tables.Column(verbose_name=_("Tournament"))
    winners = tables.Column(verbose_name=_("Win"), empty_values=())
    result = tables.Column(
        verbose_name=_("Result"), accessor="winners", attrs={"cell": {"class": "num"}}, empty_values=()
    )

    def render_day(self, value: str, record: dict[str, Any]) -> SafeString | str:
        # Repeated for the ear alone: the eye sees the day above.
        return format_html('<span class="visually-hidden">{}</span>', value) if record["repeated"] else value

    def render_title(self, value: str, record: dict[str, Any]) -> SafeString:
        note = f"{record['club']}, {contestants_of(record['format'], record['size'])}"
        return format_html(
            '<span><a href="{}">{}</a> <span class="row-note">{}</span></span>', record["url"], value, note
        )

    def render_winners(self, value: list[tuple[str, str]]) -> SafeString:
        return format_html_join("", '<span class="person">{}</span>', ((names,) for names, _result in value))

    def render_result(self, value: list[tuple[str, str]]) -> SafeString:
        return format_html_join("", '<span class="person">{}</span>', ((result,) for _names, result in value))


def contestants_of(form: str, number: int) -> str:
    """Return the number of contestants in words, by the tournament's format: "14 pairs"."""
    text = {
        Tournament.Format.PAIRS: ngettext("%(number)s pair", "%(number)s pairs", number),
        Tournament.Format.TEAMS: ngettext("%(number)s team", "%(number)s teams", number),
    }.get(Tournament.Format(form), ngettext("%(number)s player", "%(number)s players", number))
    return text % {"number": format_whole(number, get_language() or "")}


class ResultColumn(TitleColumn):
    """A tournament's name with notes, and below it with whom the player played, and where."""

    def render(self, value: str, record: dict[str, Any]) -> SafeString:
        title = super().render(value, record)
        people = [_linked(person) for person in record["partners"]]
        notes = []
        if people:
            notes.append(
                format_html(
                    gettext("with {people}"), people=format_html_join(", ", "{}", ((p,) for p in people))
                )
            )
        if record["away"]:
            notes.append(format_html("{}", record["club"]))
        if not notes:
            return title
        below = format_html_join(", ", "{}", ((note,) for note in notes))
        return format_html('<span>{}<span class="row-note">{}</span></span>', title, below)


def _linked(person: dict[str, Any]) -> SafeString:
    name = person["name"] or gettext("guest")
    return (
        format_html('<a href="{}">{}</a>', person["url"], name) if person["url"] else format_html("{}", name)
    )


class ReportColumn(tables.Column):
    """A link to the form that reports what is wrong with a result. Shown on the player's own pages alone.

    accessor: the id of the award or of the tournament
    parameter: the parameter of the form's address for this id
    """

    def __init__(self, accessor: str, parameter: str) -> None:
        super().__init__(
            verbose_name=_("Something wrong?"), accessor=accessor, visible=False, exclude_from_export=True
        )
        self.parameter = parameter

    def render(self, value: int, record: dict[str, Any]) -> SafeString | str:
        if not record["url"]:
            return ""  # not of a tournament of this site
        return format_html(
            '<a href="{}?{}={}">{}<span class="visually-hidden">: {}</span></a>',
            reverse("case_open"),
            self.parameter,
            value,
            gettext("Report it"),
            record["title"],
        )


class ReceiptPointsColumn(PointsColumn):
    """Points, linked to the receipt that tells how they were computed."""

    def render(self, value: int, record: dict[str, Any]) -> SafeString:
        points = format_points(value, get_language() or "", record["decimals"])
        about = gettext("Receipt of %(tournament)s") % {"tournament": record["title"]}
        return format_html(
            '<a href="{}">{}<span class="visually-hidden"> {}</span></a>', record["receipt"], points, about
        )

    def value(self, value: int | None, record: dict[str, Any]) -> Any:
        self.decimals = record["decimals"]
        return super().value(value)


class ResultTable(AwardTable):
    """A player's results. Their records come from `scoring.pages.queries.results.result_records`."""

    title = ResultColumn(verbose_name=_("Tournament and partner"), attrs={"cell": {"class": "roomy"}})
    club = tables.Column(verbose_name=_("Club"), visible=False)
    partner = tables.Column(verbose_name=_("Partner"), accessor="partners", visible=False)
    percentage = tables.Column(verbose_name="%", attrs={"cell": {"class": "num"}}, exclude_from_export=True)
    percent = DecimalColumn(verbose_name=_("Percentage"), accessor="percentage", visible=False)
    points = ReceiptPointsColumn(verbose_name=_("Points"))
    leaves = DateColumn(verbose_name=_("Leaves on"), attrs={"cell": {"class": "date num"}})
    report = ReportColumn("pk", "partida")
    receipt = None

    class Meta(AwardTable.Meta):
        sequence = (
            "day",
            "kind",
            "title",
            "club",
            "partner",
            "place",
            "size",
            "percentage",
            "percent",
            "...",
        )

    def render_percentage(self, value: Decimal) -> str:
        return format_percent(value, get_language() or "")

    def value_partner(self, value: list[dict[str, Any]]) -> str:
        return ", ".join(person["name"] or gettext("guest") for person in value)


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
    report = ReportColumn("tournament", "torneo")


class AwaitingTable(WithoutPointsTable):
    """A table of a player's tournaments whose points wait for approval."""

    caption = _("Tournaments whose points wait for approval")
    who = tables.Column(verbose_name=_("Approved by"))
    report = ReportColumn("tournament", "torneo")


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
