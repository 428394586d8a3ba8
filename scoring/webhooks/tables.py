"""Tables of webhooks and deliveries. Their records are from `queries`."""

from datetime import datetime

from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from ui.columns import Column, NumberColumn
from ui.formatting import format_date
from ui.tables import BaseTable


class TimeColumn(Column):
    """A column of moments: the day and the time of day, with seconds, in the federation's time zone."""

    def render(self, value: datetime) -> str:
        local = timezone.localtime(value)
        return f"{format_date(local, get_language() or '')}, {local:%H:%M:%S}"


class WebhooksTable(BaseTable):
    """The webhooks of an owner, oldest first."""

    caption = _("Webhooks")
    row_header = "address"
    empty_text = _("There is no webhook yet.")

    address = Column(verbose_name=_("Address"), attrs={"cell": {"class": "break"}})
    events = Column(verbose_name=_("Events"), attrs={"cell": {"class": "prose"}})
    state = Column(verbose_name=_("State"))
    tried_at = TimeColumn(verbose_name=_("Last attempt"), default="—")

    def render_address(self, value: str, record: dict) -> SafeString:
        return format_html('<a href="{}">{}</a>', record["url"], value)


class DeliveriesTable(BaseTable):
    """The last deliveries of a webhook, latest first."""

    caption = _("Last deliveries")
    row_header = "created_at"
    empty_text = _("Nothing has been sent yet. A test shows whether the server takes it.")

    created_at = TimeColumn(verbose_name=_("Time"), attrs={"cell": {"class": "nowrap"}})
    event = Column(verbose_name=pgettext_lazy("webhook", "Event"))
    state = Column(verbose_name=_("State"))
    tries = NumberColumn(verbose_name=_("Attempts"))
    status = Column(verbose_name=_("HTTP status"), default="—")
    milliseconds = NumberColumn(verbose_name=_("Milliseconds"), default="—")
    answer = Column(verbose_name=_("Answer"), attrs={"cell": {"class": "break prose"}}, default="—")
