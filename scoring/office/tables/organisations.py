"""Tables of clubs, regions and roles."""

from typing import Any

import django_tables2 as tables
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from players.models import AccountEvent
from ui.columns import DateColumn, NumberColumn, PlayerColumn
from ui.tables import BaseTable


class OfficeClubTable(BaseTable):
    """Clubs, for the office. Records come from `queries.organisations.club_records`."""

    caption = _("Clubs")
    row_header = "name"
    key_column = "members"
    empty_text = _("No club fits.")

    name = tables.Column(verbose_name=_("Club"), linkify=("office_club", {"pk": tables.A("pk")}))
    code = tables.Column(verbose_name=_("Code"))
    region = tables.Column(verbose_name=_("Region"))
    members = NumberColumn(verbose_name=_("Members"))
    administrators = NumberColumn(verbose_name=_("Administrators"))
    directors = NumberColumn(verbose_name=_("Directors"))
    active = tables.Column(verbose_name=_("State"))

    def render_active(self, value: bool) -> str:
        return pgettext("club", "open") if value else pgettext("club", "closed")


class OfficeRegionTable(BaseTable):
    """Regions, for the office. Records come from `queries.organisations.find_regions`."""

    caption = _("Regions")
    row_header = "name"
    key_column = "active_clubs"

    name = tables.Column(verbose_name=_("Region"), linkify=("office_region", {"pk": tables.A("pk")}))
    code = tables.Column(verbose_name=_("Code"))
    active_clubs = NumberColumn(verbose_name=_("Clubs"))
    closed_clubs = NumberColumn(verbose_name=_("Closed clubs"))
    administrators = NumberColumn(verbose_name=_("Administrators"))


class RoleTable(BaseTable):
    """Who holds which role. Records come from `queries.organisations.role_records`."""

    caption = _("Roles")
    row_header = "account"
    empty_text = _("Nobody holds such a role.")

    account = PlayerColumn(verbose_name=_("Account"))
    name = tables.Column(verbose_name=_("Name"), default="—")
    number = tables.Column(verbose_name=_("Number"), default="—")
    words = tables.Column(verbose_name=_("Role"))
    since = DateColumn(verbose_name=_("Since"), default="—")
    by = tables.Column(verbose_name=_("Granted by"), default="—")

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza prose"}

    def render_account(self, value: str, record: dict[str, Any]) -> SafeString:
        closed = "" if record["is_open"] else f" ({pgettext('account', 'closed')})"
        return format_html('<a href="{}">{}</a>{}', record["url"], value, closed)

    def render_number(self, value: str) -> SafeString:
        return format_html('<a href="{}">{}</a>', reverse("person", args=[value]), value)

    def render_by(self, value: AccountEvent) -> SafeString | str:
        if value.by is None:
            return gettext("command line")
        if value.proposal is None:
            return value.by.get_username()
        names = {"by": value.by.get_username(), "prepared_by": value.proposal.prepared_by.get_username()}
        text = gettext("%(by)s approved what %(prepared_by)s prepared") % names
        return format_html('<a href="{}">{}</a>', value.proposal.get_absolute_url(), text)
