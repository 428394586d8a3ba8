"""Tables of the upload pages."""

from typing import Any

import django_tables2 as tables
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from ui.columns import DateColumn, PlayerColumn, PointsColumn, RankColumn
from ui.formatting import format_date, format_points
from ui.tables import BaseTable


class ChangesTable(BaseTable):
    """The players whose points a correction changes, with old and new points.

    Points are None if the player is not in the old or the new ranking.
    """

    caption = _("What the correction changes")
    row_header = "player"

    player = PlayerColumn()
    number = tables.Column(verbose_name=_("Number"))
    old = PointsColumn(verbose_name=_("Points now"), default=_("not in it"))
    new = PointsColumn(verbose_name=_("Points after"), default=_("not in it"))

    class Meta(BaseTable.Meta):
        empty_text = _("Nobody's points change.")


class DifferenceTable(BaseTable):
    """What a correction of boards changes, with the records of `board_words.difference_rows`.

    Each cell has the value before and after, except where both are the same.
    """

    caption = _("What the correction changes")
    row_header = "contestant"
    empty_text = _("No result changes.")
    key_column = "points"

    contestant = tables.Column(verbose_name=_("Pair, team or player"))
    result = tables.Column(verbose_name=_("Result"), attrs={"cell": {"class": "num"}})
    place = tables.Column(verbose_name=_("Place"), attrs={"cell": {"class": "num"}})
    points = tables.Column(verbose_name=_("Points each"), attrs={"cell": {"class": "num"}})

    def render_result(self, value: tuple[str, str]) -> SafeString:
        return _before_and_after(*value)

    def render_place(self, value: tuple[str, str]) -> SafeString:
        return _before_and_after(*value)

    def render_points(self, value: tuple[list[int | None], list[int | None]]) -> SafeString:
        return _before_and_after(*(self._points(points) for points in value))

    def _points(self, points: list[int | None]) -> str:
        lang, decimals = get_language() or "", 2 if self.points_decimals is None else self.points_decimals
        texts = [format_points(value or 0, lang, decimals) for value in points]
        return " / ".join(dict.fromkeys(texts)) or "–"


def _before_and_after(before: str, after: str) -> SafeString:
    if before == after:
        return format_html('<span class="nowrap">{}</span>', after)
    return format_html(
        '<span class="nowrap"><del>{}</del> <span aria-hidden="true">→</span> <ins>{}</ins></span>',
        before,
        after,
    )


class ComparisonTable(BaseTable):
    """An upload's ranking beside a confirmed one, with the records of `preview.comparison_rows`."""

    caption = _("Both rankings side by side")
    row_header = "people"

    people = tables.Column(verbose_name=_("Pair, team or player"))
    here = tables.Column(verbose_name=_("This ranking"), default=_("not in it"))
    there = tables.Column(verbose_name=_("That tournament"), default=_("not in it"))


class ReceiptTable(BaseTable):
    """The points of every contestant, with the records of `preview.receipt_rows`."""

    caption = _("Points by contestant")
    row_header = "players"
    key_column = "points"

    place = RankColumn()
    players = tables.Column(verbose_name=_("Players"))
    points = PointsColumn(verbose_name=_("Points each"))


class MemoryTable(BaseTable):
    """The names that a club remembers. Its records come from `views.memory`."""

    caption = _("Remembered names")
    row_header = "written"
    empty_text = _("No name is remembered yet. Names are learnt when a reviewed file is confirmed.")

    written = tables.Column(verbose_name=_("Name in the files"))
    player = tables.Column(verbose_name=_("Player"))
    number = tables.Column(verbose_name=_("Number"))
    at = DateColumn(verbose_name=_("Decided on"))
    by = tables.Column(verbose_name=_("By"))
    forget = tables.Column(verbose_name=_("Forget"), accessor="pk")

    def render_number(self, record: dict[str, Any]) -> SafeString:
        """Render the number in a text box, with the text that could not be stored if there is one."""
        return format_html(
            '<input class="form-control{}" name="number_{}" value="{}" maxlength="60" inputmode="numeric"'
            ' aria-label="{}"{}>',
            " is-invalid" if record["wrong"] else "",
            record["pk"],
            record["typed"],
            gettext("Number of %(name)s") % {"name": record["written"]},
            mark_safe(' aria-invalid="true"') if record["wrong"] else "",
        )

    def render_forget(self, value: int, record: dict[str, Any]) -> SafeString:
        return format_html(
            '<button class="btn-plain" type="submit" name="forget" value="{}" aria-label="{}">{}</button>',
            value,
            gettext("Forget %(name)s") % {"name": record["written"]},
            gettext("Forget"),
        )


class TickColumn(tables.Column):
    """A column of checkboxes, to select rows for an action on several uploads."""

    def __init__(self) -> None:
        super().__init__(verbose_name=_("Tick"), accessor="pk", attrs={"cell": {"class": "place"}})

    def render(self, value: Any, record: dict[str, Any]) -> SafeString | str:
        if not record["may_tick"]:
            return ""
        label = gettext("Tick %(title)s") % {"title": record["title"] or gettext("Untitled")}
        return format_html(
            '<input class="form-check-input" type="checkbox" autocomplete="off" name="upload" value="{}"'
            ' aria-label="{}">',
            value,
            label,
        )


class UploadTable(BaseTable):
    """Table of uploads. Its records come from `queries.records`."""

    caption = _("Uploads")
    row_header = "title"
    key_column = "state"
    empty_text = _("No results have been uploaded yet.")

    tick = TickColumn()
    title = tables.Column(verbose_name=_("Tournament"), empty_values=())
    played_on = DateColumn(verbose_name=_("Last day"))
    club = tables.Column(verbose_name=_("Club"))
    state = tables.Column(verbose_name=_("State"))
    problems = tables.Column(verbose_name=_("Problems"))
    created_at = DateColumn(verbose_name=_("Uploaded"))
    by = tables.Column(verbose_name=_("By"))

    def render_title(self, value: str, record: dict[str, Any]) -> SafeString:
        day = format_date(record["played_on"], get_language() or "") if record["played_on"] else ""
        return format_html(
            '<a href="{}">{}{}</a><span class="row-note narrow-only">{}</span>',
            record["url"],
            value or gettext("Untitled"),
            f" ({record['correction']})" if record["correction"] else "",
            day,
        )

    def render_problems(self, value: tuple[int, int]) -> str:
        """Render the numbers of errors and of unticked warnings."""
        errors, unticked = value
        parts = []
        if errors:
            parts.append(ngettext("%(count)s error", "%(count)s errors", errors) % {"count": errors})
        if unticked:
            text = ngettext("%(count)s warning to tick", "%(count)s warnings to tick", unticked)
            parts.append(text % {"count": unticked})
        return ", ".join(parts) or gettext("none")
