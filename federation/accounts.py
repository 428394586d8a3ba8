"""allauth's adapter without sign-up, and the office's permissions in the administration site."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.contrib.auth.models import AbstractBaseUser, Group, Permission
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from federation.sign_in_limits import LETTERS, PASSWORDS, names_for, remember
from players.services import limits, passwords
from players.services.role_changes import OFFICE_GROUP

OUR_APPS = ["players", "tournaments", "ledger", "promotions", "ratings", "annulments", "office"]
# What the office may edit in the administration site; it may view all other models of these apps. The ladder
# of categories is set by the regulations; results, points, assignments, roles and links change through acts
# that are recorded.
EDITABLE = {
    ("auth", "user"): ["change", "view"],
    ("players", "region"): ["add", "change"],
    ("players", "club"): ["add", "change"],
    ("players", "player"): ["add", "change"],
    ("players", "licence"): ["add", "change", "delete"],
    ("ratings", "ratedplayer"): ["change"],
}


class ClosedAccountAdapter(DefaultAccountAdapter):
    """allauth's adapter with sign-up closed, limits kept in the database, and our own error messages."""

    _WRONG = _("The username, the address or the password is not right. Check them and try again.")
    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_password_mismatch": _WRONG,
        "email_password_mismatch": _WRONG,
        "enter_current_password": _("That is not your present password."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return False: the office creates all accounts."""
        return False

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        """Return the account if the password is right, otherwise None.

        Raises ValidationError if, after wrong attempts, this one is made too soon.
        """
        login = credentials.get("email") or credentials.get("username", "")
        names = self.take("password", request, login)
        account = super().authenticate(request, **credentials)
        if account:
            limits.give_back(names)
            limits.forget(names[:1])
        return account

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Do nothing. allauth would apply its own limit on attempts here; `authenticate` applies ours."""

    def take(self, kind: str, request: HttpRequest, login: str) -> list[str]:
        """Count an attempt and return the names of its counters (see `players.services.limits`).

        kind: "password", or "letter" for an e-mail with a link to choose a new password
        login: the username or e-mail address entered

        Raises ValidationError if the attempt is made too soon.
        """
        rules = {"password": PASSWORDS, "letter": LETTERS}[kind]
        names = names_for(kind, rules, request, self.get_client_ip(request), login)
        try:
            return limits.take(names)
        except limits.TooSoon as error:
            text = ngettext(
                "There were too many attempts: try again in a minute.",
                "There were too many attempts: try again in %(minutes)s minutes.",
                error.minutes,
            )
            raise ValidationError(text % {"minutes": error.minutes}, code="too_soon") from error

    def post_login(self, request: HttpRequest, user: AbstractBaseUser, **kwargs: Any) -> HttpResponse:
        """Remember after a sign-in, in a cookie, that the account used this browser."""
        response = super().post_login(request, user, **kwargs)
        remember(request, response, user.pk)
        return response


def forget_attempts(sender, request: HttpRequest, user: AbstractBaseUser, **kwargs) -> None:
    """Reset the counts of the account's sign-in attempts after a password reset.

    Otherwise other people's attempts could still delay the account's owner. A receiver of `password_reset`.
    """
    adapter = ClosedAccountAdapter(request)
    names = names_for("password", PASSWORDS, request, adapter.get_client_ip(request), user.get_username())
    limits.forget(list(names)[:2])


def office_permissions():
    """Return the permissions that the office's group has in the administration site."""
    condition = Q(content_type__app_label__in=OUR_APPS, codename__startswith="view_")
    for (app, model), verbs in EDITABLE.items():
        codenames = [f"{verb}_{model}" for verb in verbs]
        condition |= Q(content_type__app_label=app, codename__in=codenames)
    return Permission.objects.filter(condition)


def keep_office_group(sender, **kwargs) -> None:
    """Create the group whose members may use the administration site, and set its permissions.

    This is a receiver of `post_migrate`, because every `migrate` can create permissions of new models.
    """
    group, _created = Group.objects.get_or_create(name=OFFICE_GROUP)
    group.permissions.set(office_permissions())


def note_change(sender, user, **kwargs) -> None:
    """Record in the journal of accounts a changed password. A receiver of `password_changed`."""
    passwords.record_change(user, user)


def note_reset(sender, user, **kwargs) -> None:
    """Record in the journal of accounts a password reset by a mailed link. A receiver of `password_reset`."""
    passwords.record_reset(user)
