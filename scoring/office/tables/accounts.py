"""Tables of accounts and their journal."""

import django_tables2 as tables
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from players.models import AccountEvent
from ui.columns import DateColumn
from ui.tables import BaseTable


class AccountTable(BaseTable):
    """Accounts with their roles and player. Records come from `queries.accounts.find_accounts`."""

    caption = _("Accounts")
    row_header = "username"

    username = tables.Column(verbose_name=_("Account"))
    name = tables.Column(verbose_name=_("Name"), accessor="get_full_name", default="—")
    email = tables.Column(verbose_name=_("E-mail address"), default="—")
    kinds = tables.Column(verbose_name=_("Roles"), empty_values=())
    player = tables.Column(verbose_name=_("Player"), accessor="player__number", default="—")
    is_active = tables.Column(verbose_name=_("State"))

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza prose"}
        empty_text = _("No account fits.")

    def render_username(self, record) -> SafeString:
        return format_html('<a href="{}">{}</a>', reverse("account", args=[record.pk]), record.username)

    def render_kinds(self, record) -> str:
        return ", ".join(role.words for role in record.roles.all()) or "—"

    def render_is_active(self, value: bool) -> str:
        return pgettext("account", "open") if value else pgettext("account", "closed")


class AccountEventTable(BaseTable):
    """The journal of accounts, latest first."""

    caption = _("Journal of accounts, latest first")
    row_header = "kind"

    kind = tables.Column(verbose_name=_("What"))
    account = tables.Column(verbose_name=_("Account"), accessor="account__username")
    about = tables.Column(verbose_name=_("About"), default="—")
    at = DateColumn(verbose_name=_("Day"))
    by = tables.Column(verbose_name=_("Who"), empty_values=())

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza prose"}
        empty_text = _("Nothing has been written down yet.")

    def render_account(self, record: AccountEvent) -> SafeString:
        address = reverse("account", args=[record.account_id])
        return format_html('<a href="{}">{}</a>', address, record.account.get_username())

    def render_by(self, record: AccountEvent) -> SafeString | str:
        if record.by is None:
            return gettext("command line")
        if record.proposal is None:
            return record.by.get_username()
        names = {"by": record.by.get_username(), "prepared_by": record.proposal.prepared_by.get_username()}
        text = gettext("%(by)s approved what %(prepared_by)s prepared") % names
        return format_html('<a href="{}">{}</a>', record.proposal.get_absolute_url(), text)
