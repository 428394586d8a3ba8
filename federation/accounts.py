"""Accounts: the office makes them, nobody signs up; and the office's rights in the administration site."""

import math
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.contrib.auth.models import AbstractBaseUser, Group, Permission
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from federation.known_browsers import remember
from federation.sign_in_limits import LETTERS, PASSWORDS, names_for
from players.services import limits, passwords
from players.services.role_changes import OFFICE_GROUP

OUR_APPS = ["players", "tournaments", "ledger", "promotions", "ratings", "annulments", "office"]
# What the office edits by hand; everything else of ours it can look at. The ladder of categories belongs to
# the regulations; results, points, assignments, roles and links change through acts that leave a trace.
EDITABLE = {
    ("auth", "user"): ["change", "view"],
    ("players", "region"): ["add", "change"],
    ("players", "club"): ["add", "change"],
    ("players", "player"): ["add", "change"],
    ("players", "licence"): ["add", "change", "delete"],
    ("ratings", "ratedplayer"): ["change"],
}


class ClosedAccountAdapter(DefaultAccountAdapter):
    """allauth's adapter with sign-up closed, limits that live in the database, and refusals in our words."""

    _WRONG = _("The username, the address or the password is not right. Check them and try again.")
    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_password_mismatch": _WRONG,
        "email_password_mismatch": _WRONG,
        "enter_current_password": _("That is not your present password."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Never: an account belongs to a player or to a role that the office grants."""
        return False

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        """Look at a password, unless too many were wrong. Raises ValidationError."""
        login = credentials.get("email") or credentials.get("username", "")
        taken = self.take("password", request, login)
        account = super().authenticate(request, **credentials)
        if account:
            limits.give_back(taken)
            limits.forget(taken[:1])
        return account

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """allauth's own limit is not asked."""

    def take(self, kind: str, request: HttpRequest, login: str) -> list[str]:
        """Count an attempt of this kind. Raises ValidationError where it comes too soon."""
        rules = {"password": PASSWORDS, "letter": LETTERS}[kind]
        names = names_for(kind, rules, request, self.get_client_ip(request), login)
        try:
            return limits.take(names)
        except limits.TooSoon as early:
            minutes = math.ceil(early.wait.total_seconds() / 60)
            text = ngettext(
                "There were too many attempts: try again in a minute.",
                "There were too many attempts: try again in %(minutes)s minutes.",
                minutes,
            )
            raise ValidationError(text % {"minutes": minutes}, code="too_soon") from early

    def post_login(self, request: HttpRequest, user: AbstractBaseUser, **kwargs: Any) -> HttpResponse:
        """Remember the browser too."""
        response = super().post_login(request, user, **kwargs)
        remember(request, response, user.pk)
        return response


def forget_attempts(sender, request: HttpRequest, user: AbstractBaseUser, **kwargs) -> None:
    """Who chose a new password by a letter or a code need not wait for what others tried."""
    adapter = ClosedAccountAdapter(request)
    names = names_for("password", PASSWORDS, request, adapter.get_client_ip(request), user.get_username())
    limits.forget(list(names)[:2])


def office_permissions():
    """The permissions of the office's group."""
    wanted = Q(content_type__app_label__in=OUR_APPS, codename__startswith="view_")
    for (app, model), verbs in EDITABLE.items():
        codenames = [f"{verb}_{model}" for verb in verbs]
        wanted |= Q(content_type__app_label=app, codename__in=codenames)
    return Permission.objects.filter(wanted)


def office_group() -> Group:
    """The group whose members may use the administration site; made, or brought up to date."""
    group, _created = Group.objects.get_or_create(name=OFFICE_GROUP)
    group.permissions.set(office_permissions())
    return group


def keep_office_group(sender, **kwargs) -> None:
    """After every `migrate`: new models come with new permissions."""
    office_group()


def note_change(sender, user, **kwargs) -> None:
    """Record in the journal that an account changed its own password."""
    passwords.record_change(user, user)


def note_reset(sender, user, **kwargs) -> None:
    """Record in the journal that a password was reset through a mailed link."""
    passwords.record_reset(user)
