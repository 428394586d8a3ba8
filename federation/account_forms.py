"""allauth's forms in this project's words.

Labels instead of placeholders, which are gone when they are needed; and the library's Spanish says "usted",
where every other page says "tú".
"""

from allauth.account import forms
from allauth.account.adapter import get_adapter
from allauth.core import context
from django import forms as plain_forms
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.services import limits, passwords

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
WRONG_CODE = _(
    "The username or the code is not right, or the code was used or is too old. Ask the federation office "
    "for another one."
)


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
        """Limit the letters to an address, without revealing whether it has an account."""
        address = super().clean_email()
        get_adapter().take("letter", context.request, address)
        return address


class ResetPasswordKeyForm(InOurWords, forms.ResetPasswordKeyForm):
    """A new password, from the link."""


class CodeForm(plain_forms.Form):
    """A new password, by a code that the office printed."""

    username = plain_forms.CharField(label=_("Username"), max_length=150)
    code = plain_forms.CharField(
        label=_("Code"),
        max_length=100,
        help_text=_("As it is on the paper; spaces and capitals do not matter."),
    )
    password1 = plain_forms.CharField(
        label=WORDS["password1"][0], help_text=WORDS["password1"][1], widget=plain_forms.PasswordInput
    )
    password2 = plain_forms.CharField(label=WORDS["password2"][0], widget=plain_forms.PasswordInput)

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        typed = {"autocapitalize": "none", "spellcheck": "false"}
        self.fields["username"].widget.attrs.update(autocomplete="username", **typed)
        self.fields["code"].widget.attrs.update(autocomplete="one-time-code", **typed)
        for name in ("password1", "password2"):
            self.fields[name].widget.attrs.update(autocomplete="new-password")

    def clean(self) -> dict:
        """Check the code, and the password against the account it is for."""
        cleaned = super().clean()
        account = passwords.account_for_code(cleaned.get("username", ""), cleaned.get("code", ""))
        if account is None:
            raise ValidationError(WRONG_CODE)
        password = cleaned.get("password1")
        if password and password != cleaned.get("password2"):
            self.add_error("password2", gettext("The two passwords are not the same."))
        elif password:
            try:
                validate_password(password, account)
            except ValidationError as refused:
                self.add_error("password1", refused)
        return cleaned
