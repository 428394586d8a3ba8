"""Tables of cases."""

from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django_tables2 import Column

from scoring.cases.models import Case
from scoring.cases.states import State
from ui.columns import DateColumn, PlayerColumn
from ui.formatting import format_date, format_whole
from ui.tables import BaseTable

LIGHTS = {State.CLUB: "open", State.OFFICE: "open", State.ANSWERED: "valid", State.CLOSED: "guest"}


def state_light(state: str) -> SafeString:
    """Return the state of a case with its mark."""
    return format_html(
        '<span class="light light-{}">{}</span>', LIGHTS[State(state)], Case.State(state).label
    )


class CaseTable(BaseTable):
    """Cases, with the records of `queries.lists.records`."""

    title = PlayerColumn(verbose_name=_("Case"))
    player = Column(verbose_name=_("Player"))
    about = Column(verbose_name=_("Tournament"), default="—")
    day = DateColumn(verbose_name=_("Day of play"), default="—")
    club = Column(verbose_name=_("Club"), default="—")
    state = Column(verbose_name=_("State"))
    waiting = Column(verbose_name=_("Waits"), default="—")
    opened_at = DateColumn(verbose_name=_("Opened"))

    row_header = "title"
    key_column = "state"
    caption = _("Cases")
    empty_text = _("There is no case.")

    def render_state(self, value: str, record: dict[str, Any]) -> SafeString:
        if record["closes"] is None:
            return state_light(value)
        day = format_date(record["closes"], get_language() or "")
        closes = gettext("closes by itself on %(day)s") % {"day": day}
        return format_html('{} <span class="muted">{}</span>', state_light(value), closes)

    def render_waiting(self, value: int, record: dict[str, Any]) -> str:
        text = ngettext("%(number)s day", "%(number)s days", value)
        return text % {"number": format_whole(value, get_language() or "")}
