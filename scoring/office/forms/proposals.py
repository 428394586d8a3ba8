"""Forms for deciding on proposals."""

from django import forms
from django.utils.translation import gettext_lazy as _

from players.models import Proposal

REASON_LENGTH = Proposal._meta.get_field("decision_reason").max_length


class ReturnForm(forms.Form):
    """The reason for returning a proposal to the person who prepared it."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=REASON_LENGTH,
        required=False,  # the service's message is clearer
        help_text=_("Whoever prepared it reads this."),
    )
