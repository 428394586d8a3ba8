"""Forms that ask for a second factor, or set one up."""

from collections.abc import Iterator
from contextlib import contextmanager

from allauth.account.adapter import get_adapter
from allauth.core import context
from allauth.mfa.adapter import get_adapter as get_mfa_adapter
from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import get_totp_secret, validate_totp_code
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    LoginWebAuthnForm,
)
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.services import limits, second_factors

CODE_ATTRIBUTES = {"autocomplete": "one-time-code", "autocapitalize": "none", "spellcheck": "false"}
NAME_LENGTH = 60


@contextmanager
def _any_shape() -> Iterator[None]:
    """Refuse an answer that allauth fails to read, because a program may send anything."""
    try:
        yield
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise get_mfa_adapter().validation_error("incorrect_code") from error


class _CodeField(forms.CharField):
    def __init__(self, **options) -> None:
        attributes = {**CODE_ATTRIBUTES, "inputmode": "numeric"}
        super().__init__(max_length=40, widget=forms.TextInput(attributes), **options)


class SecondFactorForm(AuthenticateForm):
    """The form for a code of the app, or a recovery code, of a known account."""

    code = _CodeField(
        label=_("Code"),
        help_text=_("The six digits that your app shows now, or one of your recovery codes."),
    )

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        if not Authenticator.objects.filter(user=self.user, type=Authenticator.Type.TOTP).exists():
            self.fields["code"].label = _("Recovery code")
            self.fields["code"].help_text = _("One of those that you printed or wrote down.")

    def clean_code(self) -> str:
        """Check the code and use it up. Attempts are limited like those on passwords."""
        names = get_adapter().take("code", context.request, self.user.get_username())
        code = self.cleaned_data["code"]
        factor = second_factors.matching_factor(self.user, code)
        if factor is None:
            raise ValidationError(
                gettext(
                    "That code is not right, or it was used already. Wait until the app shows the next one."
                )
            )
        limits.give_back(names)
        limits.forget(names[:1])
        self.authenticator = factor
        return code


class PasswordAgainForm(forms.Form):
    """The form for the password of an account that is signed in."""

    password = forms.CharField(
        label=_("Password"), widget=forms.PasswordInput({"autocomplete": "current-password"})
    )

    def __init__(self, *args, user, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_password(self) -> str:
        """Check the password, with the same limits on attempts as for signing in."""
        names = get_adapter().take("password", context.request, self.user.get_username())
        password = self.cleaned_data["password"]
        if not self.user.check_password(password):
            raise get_adapter().validation_error("enter_current_password")
        limits.give_back(names)
        return password


class _CheckedCredential:
    """Mixin that refuses a browser's answer of another shape than allauth expects."""

    def clean_credential(self) -> Authenticator:
        """Return the passkey that answered."""
        with _any_shape():
            return super().clean_credential()


class PasskeyAnswerForm(_CheckedCredential, AuthenticateWebAuthnForm):
    """The answer of a passkey of a known account."""


class PasskeySignInForm(_CheckedCredential, LoginWebAuthnForm):
    """The answer of a passkey with which somebody signs in."""


class PasskeyForm(AddWebAuthnForm):
    """The form to add a passkey, whose `credential` is the browser's answer."""

    name = forms.CharField(
        label=_("A name for it"),
        max_length=NAME_LENGTH,
        required=False,
        help_text=_("So that you recognise it: “my telephone”, “the computer at home”."),
    )
    passwordless = None  # each passkey can sign in alone

    def clean_name(self) -> str:
        """Return the name, or a numbered one."""
        return self.cleaned_data["name"].strip() or self.initial["name"]

    def clean(self):
        """Check the browser's answer; it may have any shape."""
        with _any_shape():
            return super().clean()


class AppForm(forms.Form):
    """The form to set up an app, which proves that it shows the right codes."""

    code = _CodeField(label=_("The code that the app shows now"))

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.secret = get_totp_secret()

    def clean_code(self) -> str:
        """Compare the code with the secret that this session was shown."""
        code = "".join(character for character in self.cleaned_data["code"] if character.isalnum())
        if not validate_totp_code(self.secret, code):
            raise ValidationError(
                gettext(
                    "The app shows another code. Read the picture again, and look at the telephone's clock."
                )
            )
        return code
