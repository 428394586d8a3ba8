"""Tables of pending and decided proposals. Records come from `scoring.office.queries.proposals.records`."""

import django_tables2 as tables
from django.utils.translation import gettext_lazy as _

from ui.columns import DateColumn, PlayerColumn
from ui.tables import BaseTable


class PendingTable(BaseTable):
    """Pending proposals, oldest first."""

    row_header = "title"

    title = PlayerColumn(verbose_name=_("What"))
    concerned = tables.Column(verbose_name=_("Concerns"), default="—")
    prepared_by = tables.Column(verbose_name=_("Prepared by"))
    prepared_at = DateColumn(verbose_name=_("Since"))
    reason = tables.Column(verbose_name=_("Reason"), default="—")

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza prose"}


class DecidedTable(PendingTable):
    """Decided proposals, latest first."""

    caption = _("Decided, latest first")

    state = tables.Column(verbose_name=_("State"))
    decided_by = tables.Column(verbose_name=_("Decided by"))
    decided_at = DateColumn(verbose_name=_("Decided on"))
    decision_reason = tables.Column(verbose_name=_("Reason for it"), default="—")

    class Meta(PendingTable.Meta):
        exclude = ("reason", "prepared_at")
        empty_text = _("Nothing was decided yet.")
