"""Tables of the licences of a season and of their renewals."""

from typing import Any

import django_tables2 as tables
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.office.models import LicenceRenewal
from ui.columns import DateColumn, NumberColumn, PlayerColumn
from ui.tables import BaseTable


class SeasonTable(BaseTable):
    """Players with the state of their licence. Records come from `queries.licences.records`."""

    caption = _("Licences of the season")
    row_header = "name"
    key_column = "until"
    empty_text = _("Nobody is in this state.")

    name = PlayerColumn(verbose_name=_("Name"))
    number = tables.Column(verbose_name=_("Number"))
    club = tables.Column(verbose_name=_("Club"), default="—")
    issuer = tables.Column(verbose_name=_("Federation"), default=_("ours"))
    until = DateColumn(verbose_name=_("Licence until"), default="—")


class RenewalTable(BaseTable):
    """Renewals of licences, latest first. Records are `LicenceRenewal`s."""

    caption = _("Renewals, latest first")
    row_header = "season"
    empty_text = _("No list has been renewed yet.")

    season = tables.Column(verbose_name=_("Season"))
    club = tables.Column(verbose_name=_("Club"), default=_("all"))
    total = NumberColumn(verbose_name=_("Licences"))
    state = tables.Column(verbose_name=_("State"))
    created_at = DateColumn(verbose_name=_("Day"))
    created_by = tables.Column(verbose_name=_("Who"), accessor="created_by__username")

    def render_season(self, record: LicenceRenewal) -> SafeString:
        return format_html('<a href="{}">{}</a>', record.get_absolute_url(), record.season)

    def render_state(self, value: Any, record: LicenceRenewal) -> str:
        return gettext("Undone") if record.is_undone else str(value)
