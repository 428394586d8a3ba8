"""The two answers to a repeated ranking: the upload is a correction, or it is a separate event."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import ResultUpload, SeparateEvent


class MakeCorrectionForm(forms.Form):
    """The form that makes the upload a correction of the tournament."""

    prefix = "corrects"
    reason = forms.CharField(
        label=_("Reason for the correction"),
        max_length=ResultUpload._meta.get_field("correction_reason").max_length,
        help_text=_("The players concerned will read it."),
    )


class MarkSeparateForm(forms.Form):
    """The form that declares the upload and the tournament to be two separate events."""

    prefix = "separate"
    reason = forms.CharField(
        label=_("Why these are two events"),
        max_length=SeparateEvent._meta.get_field("reason").max_length,
    )
