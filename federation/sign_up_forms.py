"""The forms with which members make an account for their federation number."""

from typing import Any

from django import forms
from django.contrib.auth import get_user_model
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from federation.account_forms import WORDS
from players.models import SignUpKey
from players.services import limits, signups
from players.services.sign_in import normal_number

WRONG_CODE = _(
    "The number and the code do not go together, or the code was used or replaced or is too old. Ask whoever "
    "gave it to you for another one."
)


class NumberField(forms.CharField):
    """A federation number as people type it. The cleaned value has only its digits, without leading zeros."""

    def __init__(self) -> None:
        super().__init__(
            label=_("Federation number"),
            max_length=20,
            help_text=_("The number of your licence; it is on your page among the players, too."),
            widget=forms.TextInput({"inputmode": "numeric", "autocomplete": "off"}),
        )

    def clean(self, value: Any) -> str:
        number = normal_number(super().clean(value))
        if not number:
            raise ValidationError(gettext("A federation number has digits only, 12 at most."))
        return number


class LimitedForm(forms.Form):
    """Base of the forms whose use is limited.

    network: from which the form was sent (`limits.network_of`)
    """

    def __init__(self, *args, network: str, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.network = network


def _too_soon(error: limits.TooSoon) -> ValidationError:
    text = ngettext(
        "There were too many attempts: try again in a minute.",
        "There were too many attempts: try again in %(minutes)s minutes.",
        error.minutes,
    )
    return ValidationError(text % {"minutes": error.minutes}, code="too_soon")


class AskForm(LimitedForm):
    """Ask for a letter with a link. The form never looks into the register."""

    number = NumberField()
    email = forms.EmailField(
        label=_("E-mail address"),
        help_text=_("The one that the federation has on file for you. Nobody else sees it."),
        widget=forms.EmailInput({"autocomplete": "email"}),
    )

    def clean(self) -> dict[str, Any]:
        """Count the request. Whether number and address go together makes no difference."""
        cleaned = super().clean() or {}
        if not self.errors:
            try:
                signups.take_to_ask(cleaned["number"], cleaned["email"], self.network)
            except limits.TooSoon as error:
                raise _too_soon(error) from error
        return cleaned


class PrintedCodeForm(LimitedForm):
    """Use a printed code. A valid form has the attribute `key`."""

    key: SignUpKey

    number = NumberField()
    code = forms.CharField(
        label=_("Code"),
        max_length=100,
        help_text=_("As it is on the paper; spaces and capitals do not matter."),
        widget=forms.TextInput(
            {"autocomplete": "one-time-code", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )

    def clean(self) -> dict[str, Any]:
        """Find the key of the code. Raises ValidationError if there is none, or after too many attempts."""
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        try:
            counted = signups.take_to_try(cleaned["number"], self.network)
        except limits.TooSoon as error:
            raise _too_soon(error) from error
        key = signups.key_for_code(cleaned["number"], cleaned["code"])
        if key is None:
            raise ValidationError(WRONG_CODE)
        limits.give_back(counted)
        self.key = key
        return cleaned


class NewPasswordForm(forms.Form):
    """Choose the password of the new account, and say that one is 14 or older if the register does not."""

    password1 = forms.CharField(
        label=_("Password"),
        help_text=WORDS["password1"][1],
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
    )
    password2 = forms.CharField(
        label=_("Password, once more"), widget=forms.PasswordInput({"autocomplete": "new-password"})
    )
    of_age = forms.BooleanField(
        label=_("I am 14 or older."),
        help_text=_("The federation does not know your year of birth. What you say here is recorded."),
        error_messages={
            "required": _(
                "People under 14 have no account of their own: a parent or guardian writes to the federation "
                "office."
            )
        },
    )

    def __init__(self, *args, key: SignUpKey, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.player = key.player.current
        if self.player.birth_year is not None:
            del self.fields["of_age"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        password = cleaned.get("password1")
        if password and password != cleaned.get("password2", password):
            self.add_error("password2", gettext("The two passwords are not the same."))
        elif password:
            names = {"first_name": self.player.given_name, "last_name": self.player.surname}
            person = get_user_model()(username=self.player.number, email=self.player.email, **names)
            try:
                validate_password(password, person)
            except ValidationError as error:
                self.add_error("password1", error)
        return cleaned


class JoinForm(forms.Form):
    """Join the number to the account that is signed in; like `NewPasswordForm`, without the password."""

    of_age = NewPasswordForm.base_fields["of_age"]

    def __init__(self, *args, key: SignUpKey, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        if key.player.current.birth_year is not None:
            del self.fields["of_age"]
