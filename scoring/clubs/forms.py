"""Forms of the club desk."""

from django import forms
from django.utils.translation import gettext_lazy as _

from players.services.roles import account_named


class DirectorForm(forms.Form):
    """Let an account direct tournaments of a club."""

    account = forms.CharField(
        label=_("Username or e-mail address"),
        max_length=254,
        help_text=_("Of an account that exists; the federation office makes new ones."),
        widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )

    def clean_account(self):
        """Return the account with this username or address."""
        return account_named(self.cleaned_data["account"])
