"""Fields and base classes shared by the forms of acts."""

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.promotions.models import CampaignAct

REASON_LENGTH = CampaignAct._meta.get_field("reason").max_length


def day_field(**options) -> forms.DateField:
    """Return a date field that uses the browser's date picker."""
    widget = forms.DateInput({"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(widget=widget, **options)


def reason_field(**options) -> forms.CharField:
    """Return a single-line field for the reason of an act, which goes into the campaign's log."""
    return forms.CharField(label=_("Reason"), max_length=REASON_LENGTH, **options)


def sure_field(label) -> forms.BooleanField:
    """Return a required checkbox to confirm an act. `ActForm` removes its value from the cleaned data."""
    return forms.BooleanField(label=label)


class ActForm(forms.Form):
    """The form of an act. Its cleaned data are keyword arguments of the act's `perform`."""

    def clean(self) -> dict:
        """Remove the confirmation checkbox from the cleaned data."""
        cleaned = super().clean()
        cleaned.pop("sure", None)
        return cleaned


class PlainForm(ActForm):
    """The form of an act without any input."""


class ReasonForm(ActForm):
    """The form of an act that requires a reason."""

    reason = reason_field(help_text=_("It stays in the log of the campaign."))


class SureForm(ReasonForm):
    """The form of an act that is hard to undo. It requires a reason and a ticked confirmation."""

    sure = sure_field(_("Yes, I want to do this."))
