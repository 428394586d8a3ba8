"""Tables of rankings and of a player's entries, shared by several features."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import django_tables2 as tables
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from scoring.ledger.models import LedgerEntry
from scoring.ledger.wording import CARD_OF, FIELD_NAMES
from tournaments.models import Revision
from ui.columns import DateColumn, DecimalColumn, PlayerColumn, PlayerNumberColumn, PointsColumn, RankColumn
from ui.formatting import MINUS, decimals_in, format_fixed, format_percent, format_whole
from ui.tables import BaseTable
from ui.templatetags.ui import category_html


def _person(person: dict[str, Any]) -> SafeString:
    """Render a person's name and the category used for the coefficient of the field's strength (C4).

    The name is a link if the person has a page.
    """
    name = (
        format_html('<a href="{}">{}</a>', person["url"], person["name"])
        if person["url"]
        else format_html("{}", person["name"] or gettext("guest"))
    )
    if not person.get("category"):
        return name
    category = category_html(person["category"], get_language() or "")
    return format_html('{} <span class="muted nowrap">{}</span>', name, category)


def by_person(rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Convert records of contestants to records of persons: exported files have one row per person."""
    for row in rows:
        for person in row["people"]:
            yield {**row, **person}


class FieldColumn(tables.Column):
    """A contestant's field (North-South or East-West) if the session has two. Only in exported files."""

    def __init__(self) -> None:
        super().__init__(verbose_name=_("Line"), visible=False)

    def value(self, value: str) -> str:
        return str(FIELD_NAMES[value])


def in_lines(people: Iterable[SafeString | str]) -> SafeString:
    """Return people's names, each on a line. The dash between them is for readers who hear the page."""
    return format_html_join(
        mark_safe('<span class="visually-hidden"> – </span>'),
        '<span class="person">{}</span>',
        ((name,) for name in people),
    )


class OwnPeopleMixin:
    """A mixin for tables whose records have `player_ids`, among which the reader may be."""

    own_id: Any

    def is_own(self, record: dict[str, Any]) -> bool:
        return self.own_id is not None and self.own_id in record["player_ids"]


class ContestantTable(OwnPeopleMixin, BaseTable):
    """Base of tables with one row per contestant. The column `people` shows the names of its persons."""

    row_header = "people"

    field = FieldColumn()
    place = RankColumn()
    number = PlayerNumberColumn(visible=False)
    name = PlayerColumn(visible=False)
    people = tables.Column(verbose_name=_("Players"), exclude_from_export=True)

    def render_people(self, value: list[dict[str, Any]], record: dict[str, Any]) -> SafeString:
        names = in_lines(_person(person) for person in value)
        # Wrap in one element: on narrow screens the cell is a flex row, and names must not become columns.
        team = format_html("{}: ", record["team"]) if record["team"] else ""
        return format_html("<span>{}{}</span>", team, names)


SCALE_STEP = 10


@dataclass(frozen=True, slots=True)
class Scale:
    """The axis on which a ranking's results are drawn, symmetric about the mean.

    middle: the mean of a field: 50 percent or 0 IMPs
    reach: the distance from the middle to both ends, a multiple of SCALE_STEP
    unit: the unit written behind the upper end
    """

    middle: int
    reach: int
    unit: str

    def at(self, value: Decimal) -> str:
        """Return the horizontal position of a value in the drawing, as a CSS percentage of its width."""
        share = (value - self.middle + self.reach) / (2 * self.reach)
        return f"{4 + 92 * float(share):.2f}%"


def scale_of(rows: Sequence[dict[str, Any]]) -> Scale | None:
    """Return the axis for the results of a ranking; None if the mean of the results is not known.

    It is known of percentages, and of IMPs, which are positive and negative.
    """
    percentages = [row["percentage"] for row in rows if row["percentage"] is not None]
    if percentages:
        return Scale(50, _reach(percentages, 50), "%")
    scores = [row["score"] for row in rows if row["score"] is not None]
    if scores and min(scores) < 0 < max(scores):
        return Scale(0, _reach(scores, 0), "")
    return None


def _reach(values: Iterable[Decimal], middle: int) -> int:
    widest = max(abs(value - middle) for value in values)
    return SCALE_STEP * max(1, math.ceil(widest / SCALE_STEP))


class ScaleColumn(tables.Column):
    """A drawing of each result as a stem and a dot on a common axis, for wide screens only.

    Screen readers skip it, because the figures are in the next column. `scale` is set by the table.
    """

    def __init__(self) -> None:
        cell = {"class": "on-scale", "data-label": ""}
        super().__init__(accessor="place", attrs={"td": cell, "th": cell}, exclude_from_export=True)
        self.scale: Scale | None = None

    @property
    def header(self) -> SafeString | str:
        if self.scale is None:
            return ""
        lang = get_language() or ""
        middle, reach = self.scale.middle, self.scale.reach
        ends = [
            f"{MINUS if end < 0 else ''}{format_whole(abs(end), lang)}" for end in (middle - reach, middle)
        ]
        last = f"{format_whole(middle + reach, lang)} {self.scale.unit}".strip()
        return format_html(
            '<span class="visually-hidden">{}</span><span class="axis" aria-hidden="true">'
            "<span>{}</span><span>{}</span><span>{}</span></span>",
            gettext("Result on a scale"),
            *ends,
            last,
        )

    def render(self, record: dict[str, Any]) -> SafeString | str:
        value = record["score"] if record["percentage"] is None else record["percentage"]
        if self.scale is None or value is None:
            return ""
        middle, at = self.scale.at(Decimal(self.scale.middle)), self.scale.at(value)
        return format_html(
            '<svg class="stem" width="100%" height="22" aria-hidden="true" focusable="false">'
            '<line class="middle" x1="{0}" x2="{0}" y1="4" y2="18"/>'
            '<line class="to" x1="{0}" x2="{1}" y1="11" y2="11"/><circle cx="{1}" cy="11" r="4.5"/></svg>',
            middle,
            at,
        )


class LabelColumn(tables.Column):
    """A contestant's number, linked to the card with all its boards if these are known."""

    def render(self, value: str, record: dict[str, Any]) -> SafeString | str:
        if not record["card"]:
            return value
        return format_html(
            '<a href="{}"><span class="visually-hidden">{}</span>{}</a>',
            record["card"],
            f"{CARD_OF[record['format']]} ",
            value,
        )

    def value(self, value: str) -> str:
        return value


class RankingTable(ContestantTable):
    """A tournament's ranking. Its records come from `scoring.pages.queries.tournaments.ranking_of`.

    unit: the unit of the scores, as in `Revision.unit`
    """

    key_column = "points"
    file_sequence = ("field", "place", "label", "number", "name", "...")

    label = LabelColumn(verbose_name=_("Number"), attrs={"cell": {"class": "num"}})
    scale = ScaleColumn()
    team = tables.Column(verbose_name=_("Team"), visible=False)
    percentage = tables.Column(verbose_name="%", attrs={"cell": {"class": "num"}}, exclude_from_export=True)
    percent = DecimalColumn(verbose_name=_("Percentage"), accessor="percentage", visible=False)
    score = DecimalColumn(verbose_name=_("Result"), attrs={"cell": {"class": "num"}})
    points = PointsColumn(verbose_name=_("Points"))

    class Meta:
        sequence = ("field", "place", "number", "name", "people", "label", "scale", "...")

    def __init__(self, data: list[dict[str, Any]], *, unit: str = "", **options: Any) -> None:
        self.score_digits = decimals_in(record["score"] for record in data)
        scale = scale_of(data)
        hidden = () if scale else ("scale",)
        super().__init__(data, exclude=(*options.pop("exclude", ()), *hidden), **options)
        if scale:
            self.columns["scale"].column.scale = scale
        if unit:
            self.columns["score"].column.verbose_name = Revision.Unit(unit).label

    def render_percentage(self, value: Decimal) -> str:
        return format_percent(value, get_language() or "")

    def render_score(self, value: Decimal) -> str:
        return format_fixed(value, get_language() or "", self.score_digits)


def place_text(place: int | None, size: int | None) -> str:
    """Format a place with the number of contestants of its field: "3 of 24"."""
    if place is None:
        return "—"
    lang = get_language() or ""
    if size is None:
        return format_whole(place, lang)
    return gettext("%(place)s of %(size)s") % {
        "place": format_whole(place, lang),
        "size": format_whole(size, lang),
    }


class TitleColumn(tables.Column):
    """A tournament's name, linked to its page if it has one, with notes on the entry's kind and reversal."""

    WORDS = {
        "reversal": _("taken back"),
        "opening": _("brought in from before"),
        "adjustment": _("adjustment"),
    }

    def render(self, value: str, record: dict[str, Any]) -> SafeString:
        name = format_html('<a href="{}">{}</a>', record["url"], value) if record["url"] else value
        note = ", ".join(filter(None, (self._kind(record), self._cancellation(record))))
        if not note:
            return format_html("<span>{}</span>", name)
        if record["reason"]:
            note = f"{note}: {record['reason']}"
        # Wrap in one element: on narrow screens the cell is a flex row.
        return format_html('<span>{} <span class="row-note">({})</span></span>', name, note)

    def value(self, value: str) -> str:
        return value

    def _kind(self, record: dict[str, Any]) -> str:
        """Return a note on the kind of an entry, or "" for an award."""
        if record["moved"]:
            return gettext("moved from another number")
        return str(self.WORDS.get("reversal" if record["takes_back"] else record["kind"], ""))

    def _cancellation(self, record: dict[str, Any]) -> str:
        """Return a note on why an entry no longer counts, or "" if it counts."""
        if record["annulled"]:
            return gettext("annulled")
        if record["replaced"]:
            return gettext("replaced")
        return gettext("taken back") if record["taken_back"] else ""


class ReceiptColumn(tables.Column):
    """A link to the receipt of points or of a rating.

    about: name of the record's field with the tournament's name, which screen readers add to the link's text
    """

    def __init__(self, *args: Any, about: str, **kwargs: Any) -> None:
        super().__init__(*args, verbose_name=_("Why"), **kwargs)
        self.about = about

    def render(self, value: str, record: dict[str, Any]) -> SafeString:
        about = gettext("of %(tournament)s") % {"tournament": record[self.about]}
        return format_html(
            '<a href="{}">{}<span class="visually-hidden"> {}</span></a>', value, gettext("Receipt"), about
        )


class AwardTable(BaseTable):
    """A player's ledger entries. Their records come from `scoring.ledger.queries.awards.award_records`."""

    row_header = "title"
    key_column = "points"

    day = DateColumn(verbose_name=_("Date"))
    kind = tables.Column(verbose_name=_("Kind"), visible=False)
    title = TitleColumn(verbose_name=_("Tournament"), attrs={"cell": {"class": "roomy"}})
    club = tables.Column(verbose_name=_("Club"))
    place = tables.Column(verbose_name=_("Place"), attrs={"cell": {"class": "num"}})
    size = tables.Column(verbose_name=_("Contestants"), visible=False)
    points = PointsColumn(verbose_name=_("Points"))
    leaves = DateColumn(verbose_name=_("Leaves on"), attrs={"cell": {"class": "date num"}})
    receipt = ReceiptColumn(about="title", attrs={"cell": {"class": "nowrap"}}, exclude_from_export=True)
    reason = tables.Column(verbose_name=_("Reason"), visible=False)

    def value_kind(self, value: str) -> str:
        return str(LedgerEntry.Kind(value).label)

    def render_place(self, value: int, record: dict[str, Any]) -> str:
        return place_text(value, record["size"])

    def value_place(self, value: int) -> int:
        return value
