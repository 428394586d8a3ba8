"""The two answers to "this is the same tournament": it corrects that one, or they are two events."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import ResultUpload, SeparateEvent


class CorrectInsteadForm(forms.Form):
    """Why the ranking of a confirmed tournament changes."""

    prefix = "corrects"
    reason = forms.CharField(
        label=_("Reason for the correction"),
        max_length=ResultUpload._meta.get_field("correction_reason").max_length,
        help_text=_("The players concerned will read it."),
    )


class SeparateForm(forms.Form):
    """Why two rankings that look the same are of two events."""

    prefix = "separate"
    reason = forms.CharField(
        label=_("Why these are two events"),
        max_length=SeparateEvent._meta.get_field("reason").max_length,
    )
