"""The tables of the club desk."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django_tables2 import A, Column

from scoring.clubs.queries.members import EXPIRED, NONE, VALID
from ui.columns import CategoryColumn, DateColumn, PlayerColumn, PlayerNumberColumn, PointsColumn
from ui.tables import BaseTable

LICENCE_WORDS = {
    VALID: pgettext_lazy("licence", "valid"),
    EXPIRED: pgettext_lazy("licence", "expired"),
    NONE: pgettext_lazy("licence", "none"),
}


class MemberTable(BaseTable):
    """The members of a club. Records come from `scoring.clubs.queries.members.member_records`."""

    name = PlayerColumn()
    number = PlayerNumberColumn(verbose_name=_("Number"))
    category = CategoryColumn()
    state = Column(verbose_name=_("Licence"))
    until = DateColumn(verbose_name=_("Licence until"))
    played = DateColumn(verbose_name=_("Last played"))
    points = PointsColumn(verbose_name=_("Points"))

    row_header = "name"
    key_column = "state"
    caption = _("Members")

    class Meta(BaseTable.Meta):
        orderable = True

    def render_state(self, value: str) -> str:
        return str(LICENCE_WORDS[value])


class ClubTable(BaseTable):
    """The clubs that an account administers."""

    name = Column(linkify=("club_manage", {"slug": A("slug")}), verbose_name=_("Club"), order_by="sort_key")
    code = Column(verbose_name=_("Code"))
    region = Column(verbose_name=_("Region"), order_by="region__sort_key")
    members = Column(verbose_name=_("Members"), attrs={"cell": {"class": "num"}})

    row_header = "name"
    caption = _("Clubs you look after")

    class Meta(BaseTable.Meta):
        orderable = True
