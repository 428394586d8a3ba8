"""Forms for scoring a tournament again by another regulation."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.ledger.wording import regulation_name
from tournaments.models import Tournament

REASON_LENGTH = Tournament._meta.get_field("override_reason").max_length


class RegulationForm(forms.Form):
    """Choose the regulation to compare with. The cleaned value is the regulation object."""

    reglamento = forms.ChoiceField(label=_("Score by"))

    def __init__(self, data: Any, regulations: list[Any], own: Any) -> None:
        """Set the choices.

        own: the regulation of the tournament's day
        """
        super().__init__(data)
        self.by_code = {regulation.code: regulation for regulation in regulations}
        self.fields["reglamento"].choices = [
            (code, f"{regulation_name(code)}{gettext(' (that of its day)') if regulation is own else ''}")
            for code, regulation in self.by_code.items()
        ]

    def clean_reglamento(self) -> Any:
        return self.by_code[self.cleaned_data["reglamento"]]


class RescoreForm(forms.Form):
    """The reason for scoring the tournament again."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=REASON_LENGTH,
        help_text=_("Everybody can read it beside the points."),
    )
