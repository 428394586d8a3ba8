"""The tables of the club desk."""

from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from django_tables2 import A, Column

from players.models import LicenceState
from ui.columns import (
    CategoryColumn,
    DateColumn,
    NumberColumn,
    PlayerColumn,
    PlayerNumberColumn,
    PointsColumn,
)
from ui.formatting import format_date
from ui.tables import BaseTable


class MemberTable(BaseTable):
    """The members of a club. Records come from `scoring.clubs.queries.members.member_records`."""

    name = PlayerColumn()
    number = PlayerNumberColumn(verbose_name=_("Number"))
    category = CategoryColumn()
    state = Column(verbose_name=_("Licence"))
    until = DateColumn(verbose_name=_("Licence until"))
    renewed = DateColumn(verbose_name=_("Next licence from"), visible=False)
    played = DateColumn(verbose_name=_("Last played"))
    points = PointsColumn(verbose_name=_("Points"))

    row_header = "name"
    key_column = "state"
    caption = _("Members")

    class Meta(BaseTable.Meta):
        orderable = True

    def render_state(self, value: LicenceState, record: dict[str, Any]) -> SafeString:
        light = format_html('<span class="light light-{}">{}</span>', value.value, value.label)
        if not record["renewed"]:
            return light
        day = format_date(record["renewed"], get_language())
        return format_html(
            '{}<br><span class="muted">{}</span>', light, gettext("next: %(day)s") % {"day": day}
        )

    def value_state(self, value: LicenceState) -> str:
        return str(value.label)


class RequestTable(BaseTable):
    """A club's requests to the office. Records come from `scoring.clubs.queries.requests.records`."""

    title = PlayerColumn(verbose_name=_("Request"))
    concerned = Column(verbose_name=_("Concerns"), default="—")
    state = Column(verbose_name=_("State"))
    sent_at = DateColumn(verbose_name=_("Sent"))
    sent_by = Column(verbose_name=_("Sent by"))
    decided_at = DateColumn(verbose_name=_("Decided on"), default="—")
    reason = Column(verbose_name=_("Reason"), default="—")

    row_header = "title"
    caption = _("Requests to the office")
    empty_text = _("The club has not asked the office for anything yet.")

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza prose"}


class ClubTable(BaseTable):
    """The clubs that an account administers."""

    name = Column(linkify=("club_manage", {"slug": A("slug")}), verbose_name=_("Club"), order_by="sort_key")
    code = Column(verbose_name=_("Code"))
    region = Column(verbose_name=_("Region"), order_by="region__sort_key")
    members = Column(verbose_name=_("Members"), attrs={"cell": {"class": "num"}})

    row_header = "name"
    key_column = "members"
    caption = _("Clubs you look after")

    class Meta(BaseTable.Meta):
        orderable = True


class RegionClubTable(BaseTable):
    """The clubs of a region. Records come from `scoring.clubs.queries.region`."""

    name = PlayerColumn(verbose_name=_("Club"))
    members = NumberColumn(verbose_name=_("Members"))
    missing = NumberColumn(verbose_name=_("Missing"))
    drafts = NumberColumn(verbose_name=_("Not confirmed"))
    played = NumberColumn(verbose_name=_("Played"))
    late = NumberColumn(verbose_name=_("Late"))
    last = DateColumn(verbose_name=_("Last played"), default="—")

    row_header = "name"
    key_column = "missing"
    caption = _("Clubs of the region")
    empty_text = _("The region has no clubs.")

    def render_name(self, value: str, record: dict[str, Any]) -> SafeString:
        link = format_html('<a href="{}">{}</a>', record["url"], value)
        return link if record["active"] else format_html("{} ({})", link, gettext("closed"))
