"""Forms for merges of two numbers of one person."""

from django import forms
from django.utils.translation import gettext_lazy as _

from players.models import PlayerMerge
from scoring.office.forms.lists import PlayerNumberField

REASON_LENGTH = PlayerMerge._meta.get_field("reason").max_length


class TwoNumbersForm(forms.Form):
    """The two federation numbers to compare. The cleaned value of each is its player."""

    cede = PlayerNumberField(label=_("Number to give up"))
    queda = PlayerNumberField(label=_("Number to keep"))


class DuplicateAwardsConfirmation(forms.Form):
    """Confirm that the merge keeps both awards where both numbers have one with the same title and day.

    seen: fingerprint of the awards that the page showed
    """

    seen = forms.CharField(widget=forms.HiddenInput, max_length=64, required=False)
    meant = forms.BooleanField(
        label=_("I have looked at these awards: both stay, and both count."), required=False
    )

    @property
    def confirmed(self) -> str:
        """Return the fingerprint of the awards shown if the box was ticked, else ""."""
        values = self.cleaned_data if self.is_valid() else {}
        return values["seen"] if values.get("meant") else ""


class MergeReasonForm(forms.Form):
    """The reason for merging two numbers or undoing the merge."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=REASON_LENGTH,
        help_text=_("Everybody can read it beside the points on the player's page."),
    )
