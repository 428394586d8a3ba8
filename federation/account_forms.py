"""allauth's forms in this project's words.

Labels instead of placeholders, which are gone when they are needed; and the library's Spanish says "usted",
where every other page says "tú".
"""

from allauth.account import forms
from allauth.account.adapter import get_adapter
from allauth.core import context
from django.utils.translation import gettext_lazy as _

from players.services import limits

WORDS = {
    "login": (_("Username or e-mail address"), ""),
    "password": (_("Password"), ""),  # the page says under the form what to do about a forgotten one
    "email": (_("E-mail address"), ""),
    "oldpassword": (_("Present password"), ""),
    "password1": (
        _("New password"),
        _("At least ten characters. Not one of those that everybody uses, nor like your name or address."),
    ),
    "password2": (_("New password, once more"), ""),
}


class InOurWords:
    """Mixin: the labels and help texts above, and no placeholders."""

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        for name, form_field in self.fields.items():
            form_field.label, form_field.help_text = WORDS[name]
            form_field.widget.attrs.pop("placeholder", None)


class LoginForm(InOurWords, forms.LoginForm):
    """Sign in by username or address."""

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].widget.attrs.update(
            autocomplete="username", autocapitalize="none", spellcheck="false"
        )


class ChangePasswordForm(InOurWords, forms.ChangePasswordForm):
    """The present password and a new one."""

    def clean_oldpassword(self) -> str:
        """Limited like signing in: whoever finds a browser signed in must not guess the password there."""
        adapter = get_adapter()
        taken = adapter.take("password", context.request, self.user.get_username())
        password = super().clean_oldpassword()
        limits.give_back(taken)
        return password


class ResetPasswordForm(InOurWords, forms.ResetPasswordForm):
    """Where to send the link."""

    def clean_email(self) -> str:
        """Nobody's letter box is filled, and nobody learns who has an account."""
        address = super().clean_email()
        get_adapter().take("letter", context.request, address)
        return address


class ResetPasswordKeyForm(InOurWords, forms.ResetPasswordKeyForm):
    """A new password, from the link."""
