"""Forms to ask for a correction of one's data and for their erasure."""

from django import forms
from django.utils.translation import gettext_lazy as _

from players.models import Proposal
from scoring.cases.models import LONGEST_TEXT


class CorrectionForm(forms.Form):
    """What is wrong in one's data."""

    text = forms.CharField(
        label=_("What is wrong, and what is right?"),
        max_length=LONGEST_TEXT,
        widget=forms.Textarea({"rows": 4}),
        help_text=_("Only the office reads it and answers."),
    )


class ErasureForm(forms.Form):
    """The wish to have one's data erased; the box says that the consequences are known."""

    reason = forms.CharField(
        label=_("Reason, if you want to give one"),
        max_length=Proposal._meta.get_field("reason").max_length,
        required=False,
    )
    understood = forms.BooleanField(
        label=_("I know that it cannot be undone and that I lose my account"),
        error_messages={"required": _("Tick that you know it: nobody can bring the data back.")},
    )
