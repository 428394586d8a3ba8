"""Tables of the upload pages."""

from typing import Any

import django_tables2 as tables
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from players.columns import CategoryColumn, DateColumn, PlayerColumn, PointsColumn, RankColumn
from players.tables_base import BaseTable


class PreviewTable(BaseTable):
    """Everybody of a ranking under review, a row a person; records are those of `preview.rows_of`."""

    caption = _("Ranking")
    row_header = "player"

    place = RankColumn()
    field = tables.Column(verbose_name=_("Line"))
    contestant = tables.Column(verbose_name=_("Pair or team"))
    player = PlayerColumn()
    number = tables.Column(verbose_name=_("Number"))
    club = tables.Column(verbose_name=_("Club"))
    category = CategoryColumn()
    licence = tables.Column(verbose_name=_("Licence"))
    result = tables.Column(verbose_name=_("Result"), attrs={"cell": {"class": "num"}})
    points = PointsColumn(verbose_name=_("Points"))

    class Meta(BaseTable.Meta):
        orderable = False
        empty_text = _("There is no ranking to show: mend the errors first.")

    def __init__(self, data: list[dict[str, Any]], *, kind: str | None = None, **options: Any) -> None:
        """kind: the tournament's format, once it is known, which names the contestants' column."""
        super().__init__(data, **options)
        named = {"pairs": _("Pair"), "teams": _("Team")}
        if kind in named:
            self.columns["contestant"].column.verbose_name = named[kind]


class ChangesTable(BaseTable):
    """Players whose points a correction changes; None is a player who is not in that ranking."""

    caption = _("What the correction changes")
    row_header = "player"

    player = PlayerColumn()
    number = tables.Column(verbose_name=_("Number"))
    old = PointsColumn(verbose_name=_("Points now"), default=_("not in it"))
    new = PointsColumn(verbose_name=_("Points after"), default=_("not in it"))

    class Meta(BaseTable.Meta):
        orderable = False
        empty_text = _("Nobody's points change.")


class ComparisonTable(BaseTable):
    """An upload beside a confirmed tournament; records are those of `comparison.rows_beside`."""

    caption = _("Both rankings side by side")
    row_header = "people"

    people = tables.Column(verbose_name=_("Pair, team or player"))
    here = tables.Column(verbose_name=_("This ranking"), default=_("not in it"))
    there = tables.Column(verbose_name=_("That tournament"), default=_("not in it"))

    class Meta(BaseTable.Meta):
        orderable = False


class ReceiptTable(BaseTable):
    """What each contestant's players got."""

    caption = _("Points by contestant")
    row_header = "players"

    place = RankColumn()
    players = tables.Column(verbose_name=_("Players"))
    points = PointsColumn(verbose_name=_("Points each"))

    class Meta(BaseTable.Meta):
        orderable = False


class UploadTable(BaseTable):
    """Uploads, drafts first."""

    caption = _("Uploads")
    row_header = "title"

    title = tables.Column(verbose_name=_("Tournament"), accessor="pk", order_by=("title",))
    club = tables.Column(accessor="club_name", verbose_name=_("Club"))
    state = tables.Column(verbose_name=_("State"))
    problems = tables.Column(verbose_name=_("Problems"), accessor="errors", order_by=("errors",))
    created_at = DateColumn(verbose_name=_("Uploaded"))
    created_by = tables.Column(accessor="author", verbose_name=_("By"))

    class Meta(BaseTable.Meta):
        empty_text = _("No results have been uploaded yet.")

    def render_title(self, record: Any) -> SafeString:
        """The tournament's name where one is known, with the file's."""
        title = record.title or record.file_name or gettext("Untitled")
        done = record.state == record.State.CONFIRMED
        url = reverse("upload_receipt" if done else "upload_review", args=[record.pk])
        return format_html('<a href="{}">{}</a>', url, title)

    def render_state(self, value: str, record: Any) -> str:
        return gettext("Waiting for approval") if record.waits else value

    def render_problems(self, record: Any) -> str:
        if record.state != record.State.REVIEW:
            return "—"
        if not record.errors:
            return gettext("none")
        return ngettext("%(count)s error", "%(count)s errors", record.errors) % {"count": record.errors}
