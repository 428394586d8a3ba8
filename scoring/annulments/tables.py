"""The table of annulled and restored tournaments."""

import django_tables2 as tables
from django.utils.translation import gettext_lazy as _

from ui.columns import DateColumn, PlayerColumn
from ui.tables import BaseTable


class AnnulmentTable(BaseTable):
    """The log of annulments. Records come from `annulments.queries.records`."""

    caption = _("Annulled and restored tournaments, latest first")
    row_header = "title"
    empty_text = _("No tournament has been annulled.")

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza prose"}

    day = DateColumn(verbose_name=_("Decided"))
    act = tables.Column(verbose_name=_("Decision"))
    title = PlayerColumn(verbose_name=_("Tournament"))
    played = DateColumn(verbose_name=_("Last day"))
    club = tables.Column(verbose_name=_("Club"))
    reason = tables.Column(verbose_name=_("Reason"))
    by = tables.Column(verbose_name=_("By"))
