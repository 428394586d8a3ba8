"""Accounts: the office makes them, nobody signs up; and the office's rights in the administration site."""

from allauth.account.adapter import DefaultAccountAdapter
from django.contrib.auth.models import Group, Permission
from django.db.models import Q
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

OFFICE_GROUP = "Office"
OUR_APPS = ["players", "tournaments", "scoring"]
# What the office edits by hand; everything else of ours it can look at. The ladder of categories belongs to
# the regulations; results, points and assignments change through acts that leave a trace.
EDITABLE = {
    ("auth", "user"): ["add", "change", "view"],
    ("players", "region"): ["add", "change"],
    ("players", "club"): ["add", "change"],
    ("players", "player"): ["add", "change"],
    ("players", "licence"): ["add", "change", "delete"],
    ("players", "role"): ["add", "change", "delete"],
    ("scoring", "ratedplayer"): ["change"],
}


class ClosedAccountAdapter(DefaultAccountAdapter):
    """allauth's adapter with sign-up closed, and its refusals in our words."""

    _WRONG = _("The username, the address or the password is not right. Check them and try again.")
    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_password_mismatch": _WRONG,
        "email_password_mismatch": _WRONG,
        "enter_current_password": _("That is not your present password."),
        "too_many_login_attempts": _("Too many attempts have failed: wait five minutes and try again."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Never: an account belongs to a player or to a role that the office grants."""
        return False


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
