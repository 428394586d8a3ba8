"""Tables on the pages of tournaments."""

from typing import Any

import django_tables2 as tables
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ui.columns import DateColumn, NumberColumn, PlayerColumn
from ui.tables import BaseTable


class CountedColumn(tables.Column):
    """A column that says whether a tournament counts. The value is None before the tournament's first run."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, empty_values=(), **kwargs)

    def render(self, value: bool | None, record: dict[str, Any]) -> str:
        if record["annulled"]:
            return gettext("annulled")
        if value is None and record["waits"]:
            return gettext("waiting for approval")
        if value is None:
            return gettext("being scored")
        return gettext("yes") if value else gettext("no")


class TournamentTable(BaseTable):
    """A table of tournaments. Its records come from `scoring.pages.queries.tournaments.summary`."""

    row_header = "title"

    day = DateColumn(verbose_name=_("Date"))
    title = PlayerColumn(verbose_name=_("Tournament"))
    club = tables.Column(verbose_name=_("Club"))
    type = tables.Column(verbose_name=_("Type"))
    format = tables.Column(verbose_name=_("Format"))
    boards = NumberColumn(verbose_name=_("Boards"))
    eligible = CountedColumn(verbose_name=_("Counts"))
