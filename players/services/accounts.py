"""Changing accounts, alone or with a second person, and making them."""

from hashlib import sha256

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.access import require, roles_of
from players.models import AccountEvent, Proposal
from players.proposals import Act, Effect
from players.services import proposals
from players.services.account_changes import CHANGES, Change
from players.services.journal import note

KIND = "account"


@transaction.atomic
def change(wanted: Change, by, reason: str = "") -> Proposal | None:
    """Make a change, or prepare it for a second person where it needs one; the proposal then.

    `by` None is the command line, which needs none. Raises ValidationError where it cannot be made.
    """
    require(by is None or roles_of(by).office)
    if found := wanted.obstacles():
        raise ValidationError(found)
    if by is None or not wanted.needs_second_person():
        wanted.apply(by)
        return None
    if not reason.strip():
        raise ValidationError({"reason": _("Say why: a second person has to approve it.")})
    data = wanted.data()
    key = "-".join(str(value) for name, value in data.items() if value and name not in ("username", "scope"))
    return proposals.propose(KIND, by, data, key=key[:100], reason=reason)


@transaction.atomic
def create(username: str, email: str, first_name: str, last_name: str, by):
    """A new account, without roles and without a password: a letter or a code lets its owner choose one.

    Raises ValidationError.
    """
    account = get_user_model()(username=username, email=email, first_name=first_name, last_name=last_name)
    account.set_unusable_password()
    account.full_clean()
    account.save(force_insert=True)
    note(account, AccountEvent.Kind.CREATED, by)
    return account


class AccountAct(Act):
    """A change of an account that needs a second person."""

    kind = KIND
    label = gettext_lazy("Accounts and roles")

    def title(self, proposal: Proposal) -> str:
        return CHANGES[proposal.data["change"]].title(proposal.data)

    def effect(self, proposal: Proposal, viewer) -> Effect:
        sentences = self._change(proposal).effect()
        return Effect(sentences, digest=sha256("\n".join(sentences).encode()).hexdigest())

    def obstacles(self, proposal: Proposal) -> list[str]:
        return self._change(proposal).obstacles()

    def perform(self, proposal: Proposal, by) -> dict:
        self._change(proposal).apply(by)
        return {}

    def may_decide(self, user, proposal: Proposal) -> bool:
        """Nobody decides on their own account."""
        return super().may_decide(user, proposal) and proposal.data["account"] != user.pk

    def _change(self, proposal: Proposal) -> Change:
        return CHANGES[proposal.data["change"]].load(proposal.data, proposal)
