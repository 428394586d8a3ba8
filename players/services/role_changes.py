"""The base class of all changes of accounts, and the changes of roles.

A change that gives an account power over others, or takes it away, needs a second person;
`players.services.accounts` enforces that.
"""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from players.access import APPROVERS
from players.models import AccountEvent, Club, Proposal, Region, Role
from players.models.access import role_in_words
from players.services.journal import note
from ui.formatting import format_date

Kind, Event = Role.Kind, AccountEvent.Kind
# Roles that approve what others prepared, or read everything. It takes two persons to grant or revoke one.
GUARDED = APPROVERS | {Kind.AUDITOR}
# Roles of which the last holder with an open account cannot be removed.
ALWAYS_HELD = {Kind.OFFICE, Kind.COMMITTEE}


@dataclass
class Change:
    """Base class of the changes of an account.

    proposal: the approved proposal, if the change needed a second person
    name: identifies the kind of change in stored proposals
    heading: a text with placeholders, from which `title` names the change; the values for the placeholders
        are the account's username and `data`
    """

    account: Any
    proposal: Proposal | None = field(default=None, kw_only=True)
    name: ClassVar[str]  # stored
    heading: ClassVar[str]  # lazily translated

    def data(self) -> dict[str, Any]:
        """Return the data that a proposal stores about this change, for `title` and `load`."""
        return {"change": self.name, "account": self.account.pk, "username": self.account.get_username()}

    @classmethod
    def load(cls, data: dict[str, Any], proposal: Proposal) -> "Change":
        """Rebuild the change from a proposal's data."""
        account = get_user_model().objects.get(pk=data["account"])
        return cls(account, *cls._arguments(data), proposal=proposal)

    @classmethod
    def _arguments(cls, data: dict[str, Any]) -> tuple:
        """Read the arguments of a subclass's constructor from a proposal's data, and return them.

        The first argument, the account, is left out.
        """
        return ()

    @classmethod
    def title(cls, data: dict[str, Any]) -> str:
        """Return one line that names the change.

        data: what the method `data` returned
        """
        return cls.heading % (data | {"account": data["username"]})

    def needs_second_person(self) -> bool:
        """Whether the change needs a second person; by default, whether the account has power over others."""
        return is_guarded(self.account)

    def obstacles(self) -> list[str]:
        """Return sentences that say why the change cannot be made; empty if it can."""
        return []

    def effect(self) -> list[str]:
        """Return sentences that say what the change would do now."""
        raise NotImplementedError

    def apply(self, by) -> None:
        """Make the change and record it in the journal; `by` is None for the command line."""
        raise NotImplementedError

    def _note(self, kind: Event, by, *, holds: bool = False, account=None, **detail) -> None:
        note(account or self.account, kind, by, holds=holds, proposal=self.proposal, **detail)


def is_guarded(account) -> bool:
    """Whether the account has power over others: a role in GUARDED, or all permissions (superuser)."""
    return account.is_superuser or account.roles.filter(kind__in=GUARDED).exists()


def _recent_access(account) -> list[str]:
    """Return a sentence for each event by which another person may be able to sign in with the account.

    The events are that a person lately created the account, or printed a code for its password.
    """
    since = timezone.now() - timedelta(days=settings.APPROVAL_WAITING_DAYS)
    events = account.events.filter(
        kind__in=[Event.CREATED, Event.CODE], by__isnull=False, at__gt=since
    ).select_related("by")
    sentences = []
    for event in events.order_by("at", "pk"):
        text = _("%(by)s made this account on %(day)s.")
        if event.kind == Event.CODE:
            text = _(
                "%(by)s printed a code for a new password of this account on %(day)s. If nobody used it, it "
                "stops working."
            )
        day = format_date(timezone.localtime(event.at).date(), get_language())
        sentences.append(text % {"by": event.by.get_username(), "day": day})
    return list(dict.fromkeys(sentences))


def roles_in_words(account) -> str:
    """Return the roles of an account as a comma-separated text."""
    roles = account.roles.select_related("club", "region")
    return ", ".join(role.words for role in roles) or _("none")


def sole_holder_errors(account, kinds) -> list[str]:
    """Return an error message for each role that must always have a holder and has only this account.

    kinds: the kinds of role to check
    """
    sentences = []
    for kind in sorted(ALWAYS_HELD & set(kinds)):
        holders = Role.objects.filter(kind=kind, user__is_active=True).values_list("user", flat=True)
        if list(holders) == [account.pk]:
            text = _("Nobody else has the role %(role)s: give it to another person first.")
            sentences.append(text % {"role": role_in_words(kind)})
    return sentences


def require_other_holder(account, kinds) -> None:
    """Raise ValidationError if a role that must always have a holder has only this account.

    The role rows are locked before the check, so that the last two holders cannot both lose the role at the
    same time.

    kinds: the kinds of role to check
    """
    list(Role.objects.select_for_update().filter(kind__in=ALWAYS_HELD).order_by("pk"))
    if sentences := sole_holder_errors(account, kinds):
        raise ValidationError(sentences)


# --- Roles ----------------------------------------------------------------------------------------------
@dataclass
class _RoleChange(Change):
    kind: str
    club: Club | None = None
    region: Region | None = None

    def data(self) -> dict[str, Any]:
        club, region = self.club and self.club.pk, self.region and self.region.pk
        return super().data() | {"role": str(self.kind), "club": club, "region": region, "scope": self.scope}

    @classmethod
    def _arguments(cls, data: dict[str, Any]) -> tuple:
        club = data["club"] and Club.objects.get(pk=data["club"])
        region = data["region"] and Region.objects.get(pk=data["region"])
        return data["role"], club, region

    @classmethod
    def title(cls, data: dict[str, Any]) -> str:
        return super().title(data | {"role": role_in_words(data["role"], data["scope"])})

    @property
    def scope(self) -> str:
        return str(self.club or self.region or "")

    @property
    def words(self) -> str:
        return role_in_words(self.kind, self.scope)

    @property
    def row(self) -> dict[str, Any]:
        return {"user": self.account, "kind": self.kind, "club": self.club, "region": self.region}

    def needs_second_person(self) -> bool:
        return self.kind in GUARDED

    def held(self) -> bool:
        return Role.objects.filter(**self.row).exists()


@dataclass
class GiveRole(_RoleChange):
    """Give a role to an account."""

    name = "give_role"
    heading = gettext_lazy("Give %(account)s the role: %(role)s")

    def obstacles(self) -> list[str]:
        if self.held():
            return [_("%(account)s has this role already.") % {"account": self.account.get_username()}]
        return [] if self.account.is_active else [_("The account is closed.")]

    def effect(self) -> list[str]:
        values = {"account": self.account.get_username(), "role": self.words}
        return [
            _("%(account)s gets the role: %(role)s.") % values,
            _("Roles now: %(roles)s.") % {"roles": roles_in_words(self.account)},
            *(_recent_access(self.account) if self.kind in GUARDED else []),
        ]

    def apply(self, by) -> None:
        role = Role(**self.row)
        role.full_clean()
        role.save(force_insert=True)
        self._note(Event.ROLE_GIVEN, by, holds=self.kind in APPROVERS, role=str(self.kind), scope=self.scope)


@dataclass
class TakeRole(_RoleChange):
    """Take a role from an account."""

    name = "take_role"
    heading = gettext_lazy("Take from %(account)s the role: %(role)s")

    def obstacles(self) -> list[str]:
        if not self.held():
            return [_("%(account)s has not got this role.") % {"account": self.account.get_username()}]
        return sole_holder_errors(self.account, [self.kind])

    def effect(self) -> list[str]:
        values = {"account": self.account.get_username(), "role": self.words}
        return [
            _("%(account)s loses the role: %(role)s.") % values,
            _("Roles now: %(roles)s.") % {"roles": roles_in_words(self.account)},
        ]

    def apply(self, by) -> None:
        require_other_holder(self.account, [self.kind])
        Role.objects.get(**self.row).delete()
        self._note(Event.ROLE_TAKEN, by, role=str(self.kind), scope=self.scope)
