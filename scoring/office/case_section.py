"""The cases of a person, as a section of the person's sheet."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from players.models import Player
from scoring.cases.queries.lists import cases_of, title_of
from scoring.office.person_sections import Section

SHOWN = 5


def case_section(player: Player, viewer: Any) -> Section:
    """Return the latest cases of a person, with a link to all of them. One query."""
    cases = cases_of(player)[: SHOWN + 1]
    lines = [(f"{title_of(case)}: {case.get_state_display()}", case.get_absolute_url()) for case in cases]
    address = f"{reverse('office_cases')}?q={player.number}"
    more = (_("All of them"), address) if len(lines) > SHOWN else None
    return Section(_("Cases"), lines[:SHOWN], _("No cases."), more)
