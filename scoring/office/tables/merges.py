"""Tables of the pages that merge two numbers of one person."""

from typing import Any

import django_tables2 as tables
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, ngettext, pgettext
from django.utils.translation import gettext_lazy as _

from players.models import CategoryAssignment, Licence, PlayerMerge
from scoring.ledger import systems
from scoring.office.queries.merges import PlayerSummary, Total
from ui.columns import DateColumn, PlayerColumn, PointsColumn
from ui.formatting import format_date, format_points, format_whole
from ui.tables import BaseTable


class CompareTable(BaseTable):
    """Table that compares the two numbers of a merge. Its records come from `comparison_records`."""

    caption = _("The two numbers side by side")
    row_header = "what"

    what = tables.Column(verbose_name=_("What"))
    duplicate = tables.Column()
    kept = tables.Column()

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza prose"}

    def __init__(self, duplicate: PlayerSummary, kept: PlayerSummary, **kwargs: Any) -> None:
        super().__init__(comparison_records(duplicate, kept), **kwargs)
        text = {"duplicate": _("%(number)s, given up"), "kept": _("%(number)s, kept")}
        for name, summary in (("duplicate", duplicate), ("kept", kept)):
            self.columns[name].column.verbose_name = text[name] % {"number": summary.player.number}

    def render_duplicate(self, value: list[str]) -> SafeString:
        return _lines(value)

    def render_kept(self, value: list[str]) -> SafeString:
        return _lines(value)


def _lines(texts: list[str]) -> SafeString:
    # Wrap the lines in one element: narrow screens place the elements of a cell side by side.
    return format_html("<div>{}</div>", format_html_join("", "<div>{}</div>", ((text,) for text in texts)))


def comparison_records(duplicate: PlayerSummary, kept: PlayerSummary) -> list[dict[str, Any]]:
    """Return a record for each kind of data, such as licences, with lines of text about both players."""
    of_duplicate, of_kept = _texts(duplicate), _texts(kept)
    return [{"what": what, "duplicate": of_duplicate[what], "kept": of_kept[what]} for what in of_duplicate]


def _texts(summary: PlayerSummary) -> dict[str, list[str]]:
    player = summary.player
    club = f"{player.club} ({player.club.region})" if player.club else gettext("none")
    rated = summary.rated.name if summary.rated else gettext("none")
    account = player.user.get_username() if player.user else pgettext("account", "none")
    return {
        gettext("Name"): [player.desk_name],
        gettext("Club"): [club],
        gettext("Points"): [_total(total) for total in summary.totals] or [gettext("none")],
        gettext("Licences"): [_licence(licence) for licence in summary.licences]
        or [pgettext("licence", "none")],
        gettext("Categories"): [_category(category) for category in summary.categories]
        or [pgettext("category", "none")],
        gettext("Account"): [account],
        gettext("Hidden"): [gettext("yes") if player.hidden else gettext("no")],
        gettext("Died on"): [_day(player.deceased_on) if player.deceased_on else "—"],
        **({gettext("Go player"): [rated]} if systems.offers_go() else {}),
    }


def _day(day) -> str:
    return format_date(day, get_language() or "")


def _total(total: Total) -> str:
    lang = get_language() or ""
    text = ngettext(
        "%(system)s: %(points)s from %(number)s tournament, the last on %(day)s",
        "%(system)s: %(points)s from %(number)s tournaments, the last on %(day)s",
        total.tournaments,
    )
    system = systems.of(total.family)
    return text % {
        "system": system.label,
        "points": format_points(total.points, lang, system.decimals({}, total.last)),
        "number": format_whole(total.tournaments, lang),
        "day": _day(total.last),
    }


def _licence(licence: Licence) -> str:
    text = gettext("%(first)s to %(last)s")
    dates = text % {"first": _day(licence.valid_from), "last": _day(licence.valid_to)}
    return f"{dates} ({licence.issuer})" if licence.issuer else dates


def _category(assignment: CategoryAssignment) -> str:
    text = gettext("%(code)s from %(day)s")
    if assignment.revoked_at:
        text = gettext("%(code)s from %(day)s, revoked")
    return text % {"code": assignment.category.code, "day": _day(assignment.valid_from)}


class MergeTable(BaseTable):
    """All merges, latest first. Records are `PlayerMerge`s."""

    caption = _("Mergings, latest first")
    row_header = "duplicate"

    at = DateColumn(verbose_name=_("Day"))
    duplicate = tables.Column(verbose_name=_("Number given up"))
    kept = tables.Column(verbose_name=_("Number kept"))
    by = tables.Column(verbose_name=_("Who"), accessor="by__username", default="—")
    reason = tables.Column(verbose_name=_("Why"))
    undone_at = DateColumn(verbose_name=_("Undone"), default=_("no"))

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza prose"}
        empty_text = _("No numbers have been merged.")

    def render_duplicate(self, record: PlayerMerge) -> SafeString:
        address = reverse("merge", args=[record.pk])
        return format_html('<a href="{}">{}</a>', address, _number_and_name(record.duplicate))

    def render_kept(self, record: PlayerMerge) -> str:
        return _number_and_name(record.kept)


def _number_and_name(player) -> str:
    return f"{player.number} {player.desk_name}"


class DuplicateAwardsTable(BaseTable):
    """Awards with the same title and day under both numbers. Records are `DuplicateAward`s."""

    caption = _("Awards of the same title and day under both numbers")
    row_header = "title"

    title = tables.Column(verbose_name=_("Tournament"))
    day = DateColumn(verbose_name=_("Date"))
    duplicate = PointsColumn(verbose_name=_("Of the number given up"))
    kept = PointsColumn(verbose_name=_("Of the number kept"))


class LaterAwardsTable(BaseTable):
    """Awards posted since a merge, which stay with the surviving number. Records are ledger entries."""

    row_header = "tournament"

    day = DateColumn(verbose_name=_("Date"), accessor="played_on")
    tournament = PlayerColumn(verbose_name=_("Tournament"))
    club = tables.Column(verbose_name=_("Club"), accessor="tournament__club__name")
    points = PointsColumn(verbose_name=_("Points"))

    def render_tournament(self, record) -> SafeString:
        tournament = record.tournament
        return format_html('<a href="{}">{}</a>', tournament.get_absolute_url(), tournament.name)
