"""allauth's adapter without sign-up, and what is noted when a password changes."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext_lazy as _

from federation import security_log
from federation.sign_in_limits import CODES, LETTERS, PASSWORDS, names_for, remember
from players.services import limits, passwords, second_factors, sessions
from players.services.sign_in import account_with_number

# What the button of an e-mail does, by the e-mail's template. E-mails without a link have no button.
ACTS = {
    "account/email/address_confirm": _("Confirm the address"),
    "account/email/invitation": _("Open the invitation"),
}


class ClosedAccountAdapter(DefaultAccountAdapter):
    """allauth's adapter with sign-up closed, limits kept in the database, and our own error messages."""

    _WRONG = _(
        "The number, the username, the address or the password is not right. Check them and try again."
    )
    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_password_mismatch": _WRONG,
        "email_password_mismatch": _WRONG,
        "enter_current_password": _("That is not your present password."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return False: members make an account on our own pages (`federation.sign_up_views`)."""
        return False

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        """Return the account if the password is right, otherwise None.

        A federation number is that of its player's account. If another account has it as its username, the
        password decides which of the two is meant.

        Raises ValidationError if, after wrong attempts, this one is made too soon.
        """
        login = credentials.get("email") or credentials.get("username", "")
        names = self.take("password", request, login)
        account, numbered = None, account_with_number(login)
        if numbered:
            by_number = {"username": numbered.get_username(), "password": credentials.get("password")}
            account = super().authenticate(request, **by_number)
        # Only where it can succeed: the time of a second attempt would tell which numbers have accounts.
        if numbered is None or (account is None and _is_username_of_another(login, numbered)):
            account = super().authenticate(request, **credentials)
        if account:
            limits.give_back(names)
            limits.forget(names[:1])
        return account

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Do nothing. allauth would apply its own limit on attempts here; `authenticate` applies ours."""

    def is_reauthentication_required(self, *, app: str) -> bool:
        """Return False: `federation.asking` asks again, before allauth's views are called."""
        return False

    def take(self, kind: str, request: HttpRequest, login: str) -> list[str]:
        """Count an attempt and return the names of its counters (see `players.services.limits`).

        kind: "password"; "code" for a code of a second factor; "letter" for an e-mail with a link
        login: the username or e-mail address entered

        Raises ValidationError if the attempt is made too soon.
        """
        rules = {"password": PASSWORDS, "code": CODES, "letter": LETTERS}[kind]
        names = names_for(kind, rules, request, self.get_client_ip(request), login)
        try:
            return limits.take(names)
        except limits.TooSoon as error:
            security_log.note_limit(kind, request, error.wait.total_seconds())
            text = ngettext(
                "There were too many attempts: try again in a minute.",
                "There were too many attempts: try again in %(minutes)s minutes.",
                error.minutes,
            )
            raise ValidationError(text % {"minutes": error.minutes}, code="too_soon") from error

    def render_mail(
        self,
        template_prefix: str,
        email: str | list[str],
        context: dict[str, Any],
        headers: dict[str, str] | None = None,
    ) -> EmailMessage:
        """Return an e-mail that looks like our other letters, as plain text and as HTML.

        Its template has the plain text alone. A paragraph that is the link becomes a button.
        """
        headers = {"Auto-Submitted": "auto-generated", **(headers or {})}
        plain = super().render_mail(template_prefix, email, context, headers)
        paragraphs = [" ".join(text.split()) for text in str(plain.body).split("\n\n") if text.strip()]
        parts: list[dict[str, Any]] = [{"paragraphs": paragraphs}]
        if (link := context.get("link")) in paragraphs:
            at = paragraphs.index(link)
            parts = [{"paragraphs": paragraphs[:at], "url": link}, {"paragraphs": paragraphs[at + 1 :]}]
        letter = {
            "subject": plain.subject.removeprefix(settings.ACCOUNT_EMAIL_SUBJECT_PREFIX),
            "parts": parts,
            "act": ACTS.get(template_prefix, ""),
            "federation": settings.FEDERATION_NAME,
            "language": get_language(),
        }
        body = "\n\n".join([*paragraphs, f"-- \n{settings.FEDERATION_NAME}\n"])
        message = EmailMultiAlternatives(plain.subject, body, plain.from_email, plain.to, headers=headers)
        message.attach_alternative(render_to_string("signups/letter.html", letter), "text/html")
        return message

    def post_login(self, request: HttpRequest, user: AbstractBaseUser, **kwargs: Any) -> HttpResponse:
        """Remember after a sign-in, in a cookie, that the account used this browser.

        An account that lacks a second factor is led to the page on which it sets one up.
        """
        response = super().post_login(request, user, **kwargs)
        if second_factors.lacks_second_factor(user):
            response.headers["Location"] = reverse("account_security")
        remember(request, response, user.pk)
        return response


def _is_username_of_another(login: str, account: AbstractBaseUser) -> bool:
    return get_user_model().objects.filter(username=login).exclude(pk=account.pk).exists()


def forget_attempts(sender, request: HttpRequest, user: AbstractBaseUser, **kwargs) -> None:
    """Reset the counts of the account's sign-in attempts after a password reset, and end its sessions.

    Otherwise other people's attempts could still delay the account's owner, and whoever is signed in could
    stay. A receiver of `password_reset`.
    """
    sessions.end_all(user)
    adapter = ClosedAccountAdapter(request)
    names = names_for("password", PASSWORDS, request, adapter.get_client_ip(request), user.get_username())
    limits.forget(list(names)[:2])


def limit_session(sender, request: HttpRequest | None = None, **kwargs) -> None:
    """Give the session of an account that signs in its end. A receiver of `user_logged_in`."""
    if request is not None:
        sessions.limit(request.session)


def note_change(sender, request: HttpRequest, user, **kwargs) -> None:
    """Record a changed password in the journal, and end other sessions. A receiver of `password_changed`."""
    passwords.record_change(user, user)
    sessions.end_all(user, but=request.session.session_key)


def note_reset(sender, user, **kwargs) -> None:
    """Record in the journal of accounts a password reset by a mailed link. A receiver of `password_reset`."""
    passwords.record_reset(user)
