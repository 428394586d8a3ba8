"""The sign-in form in this project's words."""

from allauth.account import forms
from django.utils.translation import gettext_lazy as _


class LoginForm(forms.LoginForm):
    """allauth's form, with labels instead of placeholders: a placeholder is gone when it is needed."""

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        login, password = self.fields["login"], self.fields["password"]
        login.label = _("Username or e-mail address")
        login.widget.attrs.update(autocomplete="username", autocapitalize="none", spellcheck="false")
        for field in (login, password):
            field.widget.attrs.pop("placeholder", None)
        password.help_text = ""  # the page says under the form what to do about a forgotten one
