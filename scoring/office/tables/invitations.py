"""The table of members and their accounts."""

import django_tables2 as tables
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from ui.columns import CategoryColumn
from ui.formatting import format_date
from ui.tables import BaseTable


class InvitationTable(BaseTable):
    """Members and whether they have an account. Records come from `queries.invitations.records`."""

    caption = _("Members and their accounts")
    row_header = "name"

    name = tables.Column(verbose_name=_("Player"))
    number = tables.Column(verbose_name=_("Number"))
    club = tables.Column(verbose_name=_("Club"), default="—")
    category = CategoryColumn()
    has_address = tables.Column(verbose_name=_("E-mail address"))
    account = tables.Column(verbose_name=_("Account"), empty_values=())

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza prose"}
        empty_text = _("No member meets these conditions.")

    def render_has_address(self, value: bool) -> str:
        return gettext("yes") if value else gettext("none")

    def render_account(self, record: dict) -> str:
        if record["account"]:
            url = reverse("account", args=[record["account_id"]])
            return format_html('<a href="{}">{}</a>', url, record["account"])
        if record["letter_waits"]:
            return gettext("letter on its way")
        invited = [
            text % {"day": format_date(moment.date(), get_language())}
            for text, moment in (
                (gettext("letter of %(day)s"), record["linked_at"]),
                (gettext("code of %(day)s"), record["printed_at"]),
            )
            if moment
        ]
        return ", ".join(invited) or "—"
