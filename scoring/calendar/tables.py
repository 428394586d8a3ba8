"""The table of announced tournaments."""

import django_tables2 as tables
from django.utils.translation import gettext_lazy as _

from ui.columns import PlayerColumn
from ui.tables import BaseTable


class CalendarTable(BaseTable):
    """A table of announced tournaments. Its records come from `scoring.calendar.queries.records`."""

    row_header = "title"
    key_column = "day"
    caption = _("Announced tournaments, the next first")

    day = tables.Column(verbose_name=_("Date"), attrs={"cell": {"class": "date"}})
    title = PlayerColumn(verbose_name=_("Tournament"))
    club = tables.Column(verbose_name=_("Club"))
    type = tables.Column(verbose_name=_("Type"))
    hour = tables.Column(verbose_name=_("Hour"), default="", attrs={"cell": {"class": "num"}})
    state = tables.Column(verbose_name=_("State"), default="")
