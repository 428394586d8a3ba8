"""Tables of the sanity checks: all of them, and the findings of one."""

from collections.abc import Sequence
from typing import Any

import django_tables2 as tables
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from scoring.sanity.models import Finding
from scoring.sanity.queries import Summary, new_since
from ui.columns import DateColumn, NumberColumn
from ui.sanity import Check, Severity
from ui.tables import BaseTable

SEVERITIES: dict[Severity, Promise] = {
    Severity.ERROR: _("Error"),
    Severity.WARNING: _("Warning"),
    Severity.NOTE: _("Note"),
}
PLURALS: dict[Severity, Promise] = {
    Severity.ERROR: _("Errors"),
    Severity.WARNING: _("Warnings"),
    Severity.NOTE: _("Notes"),
}


class ReportedTable(BaseTable):
    """The checks that reported something. Records are `Summary`s."""

    caption = _("What was reported")
    row_header = "title"

    title = tables.Column(verbose_name=_("What"), accessor="check__title")
    severity = tables.Column(verbose_name=_("Severity"), accessor="check__severity")
    open = NumberColumn(verbose_name=_("Open"))
    new = NumberColumn(verbose_name=pgettext_lazy("findings", "New"))
    acknowledged = NumberColumn(verbose_name=_("Known"))

    class Meta(BaseTable.Meta):
        empty_text = _("Nothing was reported.")

    def render_title(self, record: Summary) -> SafeString:
        url = reverse("sanity_check", args=[record.check.code])
        return format_html('<a href="{}">{}</a>', url, record.check.title)

    def render_severity(self, record: Summary) -> str:
        return str(SEVERITIES[record.check.severity])


class FindingTable(BaseTable):
    """The findings of a check. Records come from `finding_records`."""

    caption = _("Findings")
    row_header = "what"

    what = tables.Column(verbose_name=_("Finding"))
    since = DateColumn(verbose_name=_("Since"))
    state = tables.Column(verbose_name=_("State"))

    class Meta(BaseTable.Meta):
        empty_text = _("There are no findings.")

    def render_what(self, record: dict[str, Any]) -> SafeString | str:
        if not record["url"]:
            return record["what"]
        return format_html('<a href="{}">{}</a>', record["url"], record["what"])

    def render_state(self, record: dict[str, Any]) -> SafeString:
        return format_html('<a href="{}">{}</a>', record["finding"].get_absolute_url(), record["state"])


class RunTable(BaseTable):
    """The last runs. Records are `SanityRun`s."""

    caption = _("Runs")
    row_header = "created_at"

    created_at = DateColumn(verbose_name=_("Day"))
    asked = tables.Column(verbose_name=_("Asked for by"), accessor="by__username", default=_("every night"))
    reported = NumberColumn(verbose_name=_("Findings"))
    state = tables.Column(verbose_name=_("State"))

    class Meta(BaseTable.Meta):
        empty_text = _("The checks have not been made yet.")


def finding_records(check: Check, findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """Return the records of `FindingTable` for findings of a check, in words."""
    words = check.finder.describe([finding.key for finding in findings])
    return [
        {
            "what": words[finding.key].text if finding.key in words else gettext("no longer there"),
            "url": words[finding.key].url if finding.key in words else "",
            "since": finding.since,
            "state": state_of(finding),
            "finding": finding,
        }
        for finding in findings
    ]


def state_of(finding: Finding) -> str:
    """Return the state of a finding in a word: gone, known, new or open."""
    if finding.gone_at:
        return gettext("gone")
    if finding.acknowledged_at:
        return gettext("known: %(reason)s") % {"reason": finding.reason}
    return gettext("new") if finding.since >= new_since() else gettext("open")
