"""Forms for acts that wait for a second person."""

from django import forms
from django.utils.translation import gettext_lazy as _

from players.models import Proposal

REASON_LENGTH = Proposal._meta.get_field("decision_reason").max_length


class ReturnForm(forms.Form):
    """Why an act is returned to whoever prepared it."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=REASON_LENGTH,
        required=False,  # the service says it better
        help_text=_("Whoever prepared it reads this."),
    )
