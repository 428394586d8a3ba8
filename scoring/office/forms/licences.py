"""Forms of the licences by season and their renewal."""

from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.club_fields import filter_field
from scoring.office.forms.persons import day_field, reason_field
from scoring.office.queries.licences import LAPSED, WITH, WITHOUT, first_day, last_day


class FindLicencesForm(forms.Form):
    """Filter the licences of a season."""

    temporada = forms.TypedChoiceField(label=_("Season"), coerce=int, required=False)
    estado = forms.ChoiceField(
        label=_("licence"),
        required=False,
        choices=[
            (WITH, _("with a licence")),
            (LAPSED, _("lapsed since last season")),
            (WITHOUT, _("none, last season neither")),
        ],
    )
    club = filter_field(_("in the club"))

    def __init__(self, data: Any, *, day: date) -> None:
        super().__init__(data)
        self.default = day.year
        years = range(day.year + 1, day.year - 5, -1)
        self.fields["temporada"].choices = [(year, str(year)) for year in years]  # type: ignore[attr-defined]
        if "temporada" not in self.data:
            self.data = {**self.data.dict(), "temporada": str(self.default)}

    @property
    def season(self) -> int:
        """The chosen season, or this year."""
        return (self.cleaned_data.get("temporada") if self.is_valid() else None) or self.default


class RenewalOptionsForm(forms.Form):
    """What to renew: the season, of which club, from which day. It is sent by GET.

    The first day that the form proposes follows the season: who chooses another season need not change it.
    """

    temporada = forms.TypedChoiceField(label=_("Season"), coerce=int)
    club = filter_field(_("Club"), _("all clubs, and who has none"))
    desde = day_field(
        _("First day"),
        help_text=_("An earlier day could make pools count that did not count when they were played."),
    )
    extranjeras = forms.BooleanField(
        label=_("Also licences of other federations that count as ours"), required=False
    )

    def __init__(self, data: Any, *, day: date) -> None:
        seasons = (day.year, day.year + 1)
        season = day.year + 1 if str(data.get("temporada", "")) == str(day.year + 1) else day.year
        proposed = {year: str(max(day, first_day(year))) for year in seasons}
        asked = data.get("desde", "")
        values = {
            "temporada": str(season),
            "club": data.get("club", ""),
            "desde": proposed[season] if asked in ("", *proposed.values()) else asked,
            "extranjeras": data.get("extranjeras", ""),
        }
        super().__init__(values)
        self.fields["temporada"].choices = [(year, str(year)) for year in seasons]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        season, day = cleaned.get("temporada"), cleaned.get("desde")
        if season and day and not first_day(season) <= day <= last_day(season):
            self.add_error("desde", gettext("The first day is not in the season."))
        return cleaned


class RenewalForm(forms.Form):
    """Renew: everybody on the list, or those who are ticked.

    seen: the digest of the list that was shown
    players: numbers of the ticked persons, where the list has ticks
    """

    seen = forms.CharField(widget=forms.HiddenInput, max_length=64)
    reason = reason_field()


class UndoRenewalForm(forms.Form):
    """The reason for undoing a renewal."""

    reason = reason_field()
