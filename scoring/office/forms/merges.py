"""Forms for merging two numbers of one person."""

from django import forms
from django.utils.translation import gettext_lazy as _

from players.models import PlayerMerge
from scoring.office.forms.lists import PlayerNumberField

REASON_LENGTH = PlayerMerge._meta.get_field("reason").max_length


class TwoNumbersForm(forms.Form):
    """Which two numbers to look at; each cleans to its player."""

    cede = PlayerNumberField(label=_("Number to give up"))
    queda = PlayerNumberField(label=_("Number to keep"))


class MetForm(forms.Form):
    """Asked where both numbers have awards of one title and day: `seen` is the fingerprint of those shown."""

    seen = forms.CharField(widget=forms.HiddenInput, max_length=64, required=False)
    meant = forms.BooleanField(
        label=_("I have looked at these awards: both stay, and both count."), required=False
    )

    @property
    def known(self) -> str:
        """What was shown, once it was ticked."""
        said = self.cleaned_data if self.is_valid() else {}
        return said["seen"] if said.get("meant") else ""


class MergeReasonForm(forms.Form):
    """Why two numbers are merged, or parted again."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=REASON_LENGTH,
        help_text=_("Everybody can read it beside the points on the player's page."),
    )
