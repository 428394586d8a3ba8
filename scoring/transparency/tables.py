"""Tables of the ledger entries that follow from no tournament."""

from typing import Any

import django_tables2 as tables
from django.contrib.auth.models import User
from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from scoring.ledger.tables import ReceiptColumn
from ui.columns import DateColumn, NumberColumn, PlayerColumn, PlayerNumberColumn, PointsColumn
from ui.tables import BaseTable


def name_of(account: User) -> str:
    return account.get_full_name() or account.get_username()


class AccountColumn(tables.Column):
    """The name of an account, or its user name."""

    def render(self, value: User) -> str:
        return name_of(value)

    value = render


class SecondColumn(tables.Column):
    """The second person. That there was none is written out, because it is what readers look for."""

    def __init__(self) -> None:
        super().__init__(verbose_name=pgettext_lazy("second person", "Approved by"), empty_values=())

    def render(self, value: User | None, record: dict[str, Any]) -> str:
        if value:
            return name_of(value)
        return gettext("moved with a number") if record["moved"] else pgettext("second person", "nobody")

    value = render


class AdjustmentTable(BaseTable):
    """A table of points given or taken by hand. Its records come from `underived.records`."""

    caption = _("Points given or taken by hand, latest first")
    row_header = "name"
    key_column = "points"
    empty_text = _("No points were given or taken by hand.")

    day = DateColumn(verbose_name=_("Date"))
    number = PlayerNumberColumn(verbose_name=_("Number"), visible=False)
    name = PlayerColumn(verbose_name=_("Player"))
    points = PointsColumn(verbose_name=_("Points"))
    title = tables.Column(verbose_name=_("What for"), attrs={"cell": {"class": "roomy"}})
    reason = tables.Column(verbose_name=_("Reason"), attrs={"cell": {"class": "roomy prose"}})
    by = AccountColumn(verbose_name=_("Prepared by"))
    second = SecondColumn()
    receipt = ReceiptColumn(about="title", attrs={"cell": {"class": "nowrap"}}, exclude_from_export=True)


class OpeningTable(BaseTable):
    """A table of the points brought in from before. Its records come from `underived.openings`."""

    caption = _("Points from before, by the day on which they were brought in")
    row_header = "day"
    empty_text = _("No points were brought in from before.")

    day = DateColumn(verbose_name=_("Date"))
    number = NumberColumn(verbose_name=_("Entries"))
    total = PointsColumn(verbose_name=_("Points"))
    posted_by__username = tables.Column(verbose_name=_("Brought in by"))
