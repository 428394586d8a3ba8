"""The account pages' forms: allauth's forms with this project's texts, and a form for printed codes.

Fields have labels instead of placeholders, which disappear on typing. The library's Spanish says "usted";
every page here says "tú".
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
    "password": (_("Password"), ""),  # the page has a link for forgotten passwords below the form
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


class OwnTextsMixin:
    """Mixin that takes labels and help texts from WORDS, by field name, and removes placeholders."""

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        for name, form_field in self.fields.items():
            form_field.label, form_field.help_text = WORDS[name]
            form_field.widget.attrs.pop("placeholder", None)


class LoginForm(OwnTextsMixin, forms.LoginForm):
    """The form to sign in, by username or e-mail address."""

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].widget.attrs.update(
            autocomplete="username", autocapitalize="none", spellcheck="false"
        )


class ChangePasswordForm(OwnTextsMixin, forms.ChangePasswordForm):
    """The form to change the password, which asks for the present one and a new one."""

    def clean_oldpassword(self) -> str:
        """Check the present password, with the same limits on attempts as for signing in.

        Otherwise somebody at a browser that is signed in could guess the password.
        """
        adapter = get_adapter()
        names = adapter.take("password", context.request, self.user.get_username())
        password = super().clean_oldpassword()
        limits.give_back(names)
        return password


class ResetPasswordForm(OwnTextsMixin, forms.ResetPasswordForm):
    """The form to request an e-mail with a link to choose a new password."""

    def clean_email(self) -> str:
        """Limit the number of e-mails sent to an address, without revealing whether an account has it."""
        address = super().clean_email()
        get_adapter().take("letter", context.request, address)
        return address


class ResetPasswordKeyForm(OwnTextsMixin, forms.ResetPasswordKeyForm):
    """The form to choose a new password, to which the mailed link leads."""


class CodeForm(plain_forms.Form):
    """The form to choose a new password with a code that the office printed."""

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
        verbatim = {"autocapitalize": "none", "spellcheck": "false"}
        self.fields["username"].widget.attrs.update(autocomplete="username", **verbatim)
        self.fields["code"].widget.attrs.update(autocomplete="one-time-code", **verbatim)
        for name in ("password1", "password2"):
            self.fields[name].widget.attrs.update(autocomplete="new-password")

    def clean(self) -> dict:
        """Check the code, and validate the password for its account."""
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
            except ValidationError as error:
                self.add_error("password1", error)
        return cleaned
