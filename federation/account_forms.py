"""The account pages' forms: allauth's forms with this project's texts, and a form for printed codes.

Fields have labels instead of placeholders, which disappear on typing. The library's Spanish says "usted";
every page here says "tú".
"""

import re

from allauth.account import forms
from allauth.account.adapter import get_adapter
from allauth.core import context
from django import forms as plain_forms
from django.contrib.auth import get_user_model
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.models import Invitation
from players.services import invitations, limits, passwords, sessions, sign_in
from scoring.signups import asking

WORDS = {
    "login": (
        _("Federation number, username or e-mail address"),
        _("If you share an address with somebody, sign in with your number."),
    ),
    "password": (_("Password"), ""),  # the page has a link for forgotten passwords below the form
    "email": (_("E-mail address"), ""),
    "oldpassword": (_("Present password"), ""),
    "password1": (
        _("New password"),
        _(
            "At least ten characters, not digits alone. Not one that everybody uses, nor made of words of "
            "bridge, nor like your name, address or number."
        ),
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
    """The form to sign in, by federation number, username or e-mail address."""

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].widget.attrs.update(
            autocomplete="username", autocapitalize="none", spellcheck="false", autofocus=True
        )

    def _login_with_password(self, request: HttpRequest, redirect_url, credentials):
        response = super()._login_with_password(request, redirect_url, credentials)
        # The library has just set an end that every change of the session would put off.
        sessions.limit(request.session)
        return response


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
        address = self.cleaned_data["email"].lower()
        get_adapter().take("letter", context.request, address)
        return address

    def save(self, request: HttpRequest, **kwargs) -> str:
        """Queue the letter. The time of the answer must not tell whether an account has the address."""
        address = self.cleaned_data["email"]
        asking.ask_for_password(address)
        return address


class ResetPasswordKeyForm(OwnTextsMixin, forms.ResetPasswordKeyForm):
    """The form to choose a new password, to which the mailed link leads."""


class CodeForm(plain_forms.Form):
    """The form to choose a new password with a code that the office printed."""

    username = plain_forms.CharField(label=_("Username or federation number"), max_length=150)
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
        if password and password != cleaned.get("password2", password):
            self.add_error("password2", gettext("The two passwords are not the same."))
        elif password:
            try:
                validate_password(password, account)
            except ValidationError as error:
                self.add_error("password1", error)
        return cleaned


class NewDirectorForm(plain_forms.Form):
    """The form with which an invited person makes an account.

    Those whose invitation came by e-mail sign in with their address. Others choose a username, because nobody
    has shown yet that the address is theirs.
    """

    first_name = plain_forms.CharField(label=_("First name"), max_length=150)
    last_name = plain_forms.CharField(label=_("Surname"), max_length=150)
    username = plain_forms.CharField(
        label=_("Username"),
        max_length=150,
        validators=[UnicodeUsernameValidator()],
        help_text=_("You sign in with it. Letters, digits and @ . + - _ only."),
    )
    password1 = plain_forms.CharField(
        label=_("Password"), help_text=WORDS["password1"][1], widget=plain_forms.PasswordInput
    )
    password2 = plain_forms.CharField(label=_("Password, once more"), widget=plain_forms.PasswordInput)

    def __init__(self, *args, invitation: Invitation, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.invitation = invitation
        completed = {
            "first_name": "given-name",
            "last_name": "family-name",
            "username": "username",
            "password1": "new-password",
            "password2": "new-password",
        }
        for name, hint in completed.items():
            self.fields[name].widget.attrs["autocomplete"] = hint
        if invitation.by_mail:
            del self.fields["username"]

    def clean(self) -> dict:
        """Refuse a taken username or address, and validate the password for the new account."""
        cleaned = super().clean()
        accounts = get_user_model().objects
        if self.invitation.by_mail:
            address = self.invitation.email
            cleaned["username"] = re.sub(r"[^\w.@+-]", "_", address)
            same = Q(email__iexact=address) | Q(username__iexact=cleaned["username"])
            if accounts.filter(same).exists():
                raise ValidationError(gettext("Your address has an account already: sign in with it."))
        elif sign_in.normal_number(cleaned.get("username", "")):
            self.add_error("username", sign_in.ONLY_DIGITS)
        elif accounts.filter(username__iexact=cleaned.get("username", "")).exists():
            self.add_error("username", gettext("Somebody else has that username: choose another one."))
        password = cleaned.get("password1")
        if password and password != cleaned.get("password2", password):
            self.add_error("password2", gettext("The two passwords are not the same."))
        elif password:
            names = {name: cleaned.get(name, "") for name in ("username", "first_name", "last_name")}
            try:
                validate_password(password, get_user_model()(email=self.invitation.email, **names))
            except ValidationError as error:
                self.add_error("password1", error)
        return cleaned


class InvitationCodeForm(plain_forms.Form):
    """The form for the code of a printed invitation."""

    code = plain_forms.CharField(
        label=_("Code"),
        max_length=100,
        help_text=_("As it is on the paper; spaces and capitals do not matter."),
        widget=plain_forms.TextInput(
            {"autocomplete": "one-time-code", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )

    def clean_code(self) -> str:
        """Return the code without spaces. Raises ValidationError if it is not valid."""
        code = invitations.plain(self.cleaned_data["code"])
        if invitations.valid_invitation(code) is None:
            raise ValidationError(
                gettext(
                    "That code does not work: it was used or withdrawn, or is too old. Ask the club for one."
                )
            )
        return code
