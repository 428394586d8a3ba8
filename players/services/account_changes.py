"""The changes of accounts other than roles: closing, e-mail address, password code, second factor, player.

`CHANGES` maps the name of every kind of change, also of roles, to its class.
"""

from dataclasses import dataclass
from typing import Any

from allauth.account.models import EmailAddress
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.models import Player
from players.services import passwords, second_factors
from players.services.role_changes import (
    Change,
    Event,
    GiveRole,
    TakeRole,
    require_other_holder,
    roles_in_words,
    sole_holder_errors,
)


@dataclass
class Close(Change):
    """Close an account. Nobody can sign in with it until it is reopened."""

    name = "close"
    heading = gettext_lazy("Close the account %(account)s")

    def obstacles(self) -> list[str]:
        if not self.account.is_active:
            return [_("The account is closed.")]
        return sole_holder_errors(self.account, self._kinds())

    def _kinds(self) -> list[str]:
        return list(self.account.roles.values_list("kind", flat=True))

    def effect(self) -> list[str]:
        return [
            _("Nobody can sign in as %(account)s any more.") % {"account": self.account.get_username()},
            _("Roles now: %(roles)s.") % {"roles": roles_in_words(self.account)},
        ]

    def apply(self, by) -> None:
        require_other_holder(self.account, self._kinds())
        _save(self.account, is_active=False)
        self._note(Event.CLOSED, by)


@dataclass
class Reopen(Change):
    """Reopen a closed account."""

    name = "reopen"
    heading = gettext_lazy("Open the account %(account)s again")

    def obstacles(self) -> list[str]:
        return [_("The account is open.")] if self.account.is_active else []

    def effect(self) -> list[str]:
        values = {"account": self.account.get_username(), "roles": roles_in_words(self.account)}
        return [_("%(account)s can sign in again, with these roles: %(roles)s.") % values]

    def apply(self, by) -> None:
        _save(self.account, is_active=True)
        self._note(Event.REOPENED, by, holds=True)


@dataclass
class SetAddress(Change):
    """Change or remove an account's e-mail address, to which links for a new password are sent."""

    email: str

    name = "address"
    heading = gettext_lazy("Another e-mail address for %(account)s")

    def data(self) -> dict[str, Any]:
        return super().data() | {"email": self.email}

    @classmethod
    def _arguments(cls, data: dict[str, Any]) -> tuple:
        return (data["email"],)

    def obstacles(self) -> list[str]:
        if self.email == self.account.email:
            return [_("That is the address already.")]
        if self.email:
            try:
                validate_email(self.email)
            except ValidationError as error:
                return error.messages
        duplicates = get_user_model().objects.filter(email__iexact=self.email).exclude(pk=self.account.pk)
        if self.email and duplicates.exists():
            return [_("Another account has that address.")]
        return []

    def effect(self) -> list[str]:
        values = {
            "account": self.account.get_username(),
            "old": self.account.email or "—",
            "new": self.email or "—",
        }
        text = _(
            "Letters for %(account)s, with links for a new password too, go to: %(new)s. Until now: %(old)s."
        )
        return [text % values]

    def apply(self, by) -> None:
        before = self.account.email
        # allauth keeps its own list of addresses and would go on sending links to the old ones.
        EmailAddress.objects.filter(user=self.account).delete()
        _save(self.account, email=self.email)
        self._note(Event.ADDRESS, by, holds=True, before=before, after=self.email)


def _save(account, **columns) -> None:
    for column, value in columns.items():
        setattr(account, column, value)
    account.save(update_fields=list(columns))


@dataclass
class SetName(Change):
    """Change the name of an account's owner, which pages show beside the username."""

    first_name: str
    last_name: str

    name = "name"
    heading = gettext_lazy("Another name for the owner of %(account)s")

    def needs_second_person(self) -> bool:
        return False

    def obstacles(self) -> list[str]:
        if (self.first_name, self.last_name) == (self.account.first_name, self.account.last_name):
            return [_("That is the name already.")]
        return []

    def apply(self, by) -> None:
        before = self.account.get_full_name()
        _save(self.account, first_name=self.first_name, last_name=self.last_name)
        self._note(Event.NAME, by, before=before, after=self.account.get_full_name())


@dataclass
class AllowCode(Change):
    """Allow the office to print a code with which the account's owner chooses a new password."""

    name = "code"
    heading = gettext_lazy("Print a code for %(account)s")

    def obstacles(self) -> list[str]:
        if not self.account.is_active:
            return [_("The account is closed.")]
        if passwords.reachable_by_mail(self.account):
            return [_("A letter with a link can be sent to %(address)s.") % {"address": self.account.email}]
        return []

    def effect(self) -> list[str]:
        values = {"account": self.account.get_username(), "roles": roles_in_words(self.account)}
        return [
            _("The office may print a code. Whoever has it chooses the password of %(account)s.") % values,
            _("Roles now: %(roles)s.") % values,
        ]

    def apply(self, by) -> None:
        self._note(Event.CODE_ALLOWED, by)


@dataclass
class RemoveFactors(Change):
    """Remove the second factors of an account whose owner lost them. A second person has to approve."""

    name = "factors"
    heading = gettext_lazy("Remove the lost second factor of %(account)s")

    def needs_second_person(self) -> bool:
        return True

    def obstacles(self) -> list[str]:
        return [] if second_factors.has_second_factor(self.account) else [_("It has no second factor.")]

    def effect(self) -> list[str]:
        values = {"account": self.account.get_username(), "roles": roles_in_words(self.account)}
        return [
            _("%(account)s signs in with the password alone, and has to sign in again everywhere.") % values,
            _("Roles now: %(roles)s.") % values,
        ]

    def apply(self, by) -> None:
        second_factors.remove_lost(self.account, by, self.proposal)


# --- The player -----------------------------------------------------------------------------------------
@dataclass
class Link(Change):
    """Link an account with a player.

    A second person has to approve if the account or the player already has a link, which the new one
    replaces.
    """

    player: Player

    name = "link"
    heading = gettext_lazy("Link %(account)s with player %(number)s")

    def data(self) -> dict[str, Any]:
        return super().data() | {"player": self.player.pk, "number": self.player.number}

    @classmethod
    def _arguments(cls, data: dict[str, Any]) -> tuple:
        return (Player.objects.get(pk=data["player"]),)

    def needs_second_person(self) -> bool:
        return bool(self.player.user_id or self._linked_player())

    def _linked_player(self) -> Player | None:
        return Player.objects.filter(user=self.account).first()

    def obstacles(self) -> list[str]:
        if self.player.user_id == self.account.pk:
            return [_("They are linked already.")]
        return [_("That number was merged into another one.")] if self.player.merged_into_id else []

    def effect(self) -> list[str]:
        values = {"account": self.account.get_username(), "player": _number_and_name(self.player)}
        sentences = [_("%(account)s becomes the account of %(player)s.") % values]
        if before := self._linked_player():
            text = _("Until now it is the account of %(player)s, who is left without one.")
            sentences.append(text % {"player": _number_and_name(before)})
        if self.player.user:
            text = _("Until now that player's account is %(account)s.")
            sentences.append(text % {"account": self.player.user.get_username()})
        return sentences

    def apply(self, by) -> None:
        if before := self._linked_player():
            Unlink(self.account, before, proposal=self.proposal).apply(by)
        if old_account := self.player.user:
            Unlink(old_account, self.player, proposal=self.proposal).apply(by)
        self.player.user = self.account
        self.player.save(update_fields=["user"])
        self._note(Event.LINKED, by, holds=True, player=self.player.number)


@dataclass
class Unlink(Link):
    """Remove the link between an account and a player."""

    name = "unlink"
    heading = gettext_lazy("Part %(account)s from player %(number)s")

    def needs_second_person(self) -> bool:
        return True

    def obstacles(self) -> list[str]:
        return [] if self.player.user_id == self.account.pk else [_("They are not linked.")]

    def effect(self) -> list[str]:
        values = {"account": self.account.get_username(), "player": _number_and_name(self.player)}
        return [_("%(account)s is no longer the account of %(player)s, who is left without one.") % values]

    def apply(self, by) -> None:
        self.player.user = None
        self.player.save(update_fields=["user"])
        self._note(Event.UNLINKED, by, holds=True, player=self.player.number)


def _number_and_name(player: Player) -> str:
    return f"{player.number} {player.desk_name}"


CHANGES: dict[str, type[Change]] = {
    change.name: change
    for change in (GiveRole, TakeRole, Close, Reopen, SetAddress, AllowCode, RemoveFactors, Link, Unlink)
}
