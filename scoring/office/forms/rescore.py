"""Forms for scoring a tournament by another regulation."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.ledger.wording import regulation_name
from tournaments.models import Tournament

REASON_LENGTH = Tournament._meta.get_field("override_reason").max_length


class RegulationForm(forms.Form):
    """Which regulation to look at; cleans to the regulation itself."""

    reglamento = forms.ChoiceField(label=_("Score by"))

    def __init__(self, data: Any, regulations: list[Any], own: Any) -> None:
        """regulations: what there is to choose from; own: the one of the tournament's day"""
        super().__init__(data)
        self.by_code = {each.code: each for each in regulations}
        self.fields["reglamento"].choices = [
            (code, f"{regulation_name(code)}{gettext(' (that of its day)') if each is own else ''}")
            for code, each in self.by_code.items()
        ]

    def clean_reglamento(self) -> Any:
        return self.by_code[self.cleaned_data["reglamento"]]


class RescoreForm(forms.Form):
    """Why the office decides so."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=REASON_LENGTH,
        help_text=_("Everybody can read it beside the points."),
    )
