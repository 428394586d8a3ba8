"""Tables of pending and decided proposals."""

import django_tables2 as tables
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from players.models import Proposal
from players.proposals import act_of
from ui.columns import DateColumn
from ui.tables import BaseTable


class PendingTable(BaseTable):
    """Pending proposals, oldest first."""

    row_header = "title"

    title = tables.Column(verbose_name=_("What"), empty_values=())
    kind = tables.Column(verbose_name=_("Act"))
    prepared_by = tables.Column(verbose_name=_("Prepared by"), accessor="prepared_by__username")
    prepared_at = DateColumn(verbose_name=_("Since"))
    reason = tables.Column(verbose_name=_("Reason"), default="—")

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza prose"}

    def render_title(self, record: Proposal) -> SafeString:
        return format_html('<a href="{}">{}</a>', record.get_absolute_url(), act_of(record).title(record))

    def render_kind(self, record: Proposal) -> str:
        return act_of(record).label


class DecidedTable(PendingTable):
    """Decided proposals, latest first."""

    caption = _("Decided, latest first")

    state = tables.Column(verbose_name=_("State"))
    decided_by = tables.Column(verbose_name=_("Decided by"), accessor="decided_by__username")
    decided_at = DateColumn(verbose_name=_("Decided on"))
    decision_reason = tables.Column(verbose_name=_("Reason for it"), default="—")

    class Meta(PendingTable.Meta):
        exclude = ("reason", "prepared_at")
        empty_text = _("Nothing was decided yet.")
