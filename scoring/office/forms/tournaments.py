"""The form that filters the office's list of tournaments."""

from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from players.club_fields import filter_field
from scoring.office.queries.tournaments import STATES

FIRST_YEAR = 2000


class FindTournamentForm(forms.Form):
    """Filter the list of tournaments, by default those of this year."""

    q = forms.CharField(label=_("Name or number"), max_length=100, required=False)
    ano = forms.TypedChoiceField(label=_("of the year"), coerce=int, required=False, empty_value=None)
    club = filter_field(_("in the club"))
    estado = forms.ChoiceField(label=_("State"), required=False)

    def __init__(self, data: Any, *, day: date) -> None:
        super().__init__(data if "ano" in data else {**data.dict(), "ano": str(day.year)})
        years = [(year, str(year)) for year in range(day.year, FIRST_YEAR, -1)]
        self.fields["ano"].choices = [("", _("any")), *years]  # type: ignore[attr-defined]
        self.fields["estado"].choices = [("", _("any")), *STATES.items()]  # type: ignore[attr-defined]
