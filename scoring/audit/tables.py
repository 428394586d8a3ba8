"""Tables of audits and of the differences that an audit reports."""

from typing import Any

import django_tables2 as tables
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from players.models import Category
from scoring.audit.models import AuditRun
from scoring.audit.words import code_in_words, values_in_words
from ui.columns import DateColumn
from ui.formatting import format_whole
from ui.tables import BaseTable


class AuditTable(BaseTable):
    """All audits, latest first. Records are `AuditRun`s."""

    caption = _("Audits")
    row_header = "created_at"

    created_at = DateColumn(verbose_name=_("Day"))
    by = tables.Column(verbose_name=_("Who"), accessor="created_by__username")
    result = tables.Column(verbose_name=_("Result"), accessor="state")

    class Meta(BaseTable.Meta):
        empty_text = _("Nothing has been audited from this page yet.")

    def render_result(self, record: AuditRun) -> SafeString:
        return format_html('<a href="{}">{}</a>', record.get_absolute_url(), result_of(record))


class DifferenceTable(BaseTable):
    """The differences of an audit. Records are dictionaries."""

    caption = _("Differences")
    row_header = "what"

    what = tables.Column(verbose_name=_("What differs"))
    tournament = tables.Column(verbose_name=_("Tournament"))
    player = tables.Column(verbose_name=_("Number"))
    stored = tables.Column(verbose_name=_("Stored"))
    derived = tables.Column(verbose_name=_("Computed"))

    class Meta(BaseTable.Meta):
        empty_text = _("None.")

    def render_what(self, record: dict) -> SafeString:
        code = record["code"]  # by which the documentation and the command name it
        return format_html('{} <span class="muted">{}</span>', record["what"], code)

    def render_tournament(self, record: dict) -> SafeString:
        url = reverse("short_link", args=[record["tournament"]])
        return format_html('<a href="{}">{}</a>', url, record["tournament"])


def records(run: AuditRun) -> list[dict[str, Any]]:
    """Return the differences that the report of an audit keeps, as records of `DifferenceTable`."""
    if not run.differences:
        return []
    categories = {str(pk): code for pk, code in Category.objects.values_list("pk", "code")}
    return [_record(columns, categories) for columns in run.differences]


def _record(columns: list[str], categories: dict[str, str]) -> dict[str, Any]:
    code, tournament, _run, player, stored, derived = columns
    stored, derived = values_in_words(stored, derived, categories)
    return {
        "what": code_in_words(code),
        "code": code,
        "tournament": int(tournament) if tournament else None,
        "player": player,
        "stored": stored,
        "derived": derived,
    }


def result_of(run: AuditRun) -> str:
    """Return the result of an audit in a few words."""
    if run.state == AuditRun.State.FAILED:
        return gettext("stopped by an error")
    if run.is_under_way:
        return gettext("under way")
    if not run.difference_count:
        return gettext("everything equal")
    number = format_whole(run.difference_count, get_language() or "")
    return gettext("differences: %(number)s") % {"number": number}
