"""The form that annuls or restores a tournament."""

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.annulments.models import Annulment
from ui.fields import LineField

REASON_LENGTH = Annulment._meta.get_field("reason").max_length


class AnnulmentForm(forms.Form):
    """Annul or restore a tournament, with a reason.

    The hidden field `act` says whether the page offered to annul or to restore. So a double click does not
    annul a tournament and then restore it.
    """

    reason = LineField(
        label=_("Reason"),
        max_length=REASON_LENGTH,
        help_text=_("Everybody can read it on the tournament’s page and beside the points."),
    )
    act = forms.ChoiceField(choices=Annulment.Act, widget=forms.HiddenInput)
