"""Create and change accounts. Some changes need the approval of a second person."""

from collections.abc import Sequence
from hashlib import sha256

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.access import name_for, require, roles_of
from players.models import AccountEvent, Player, Proposal
from players.proposals import Effect, ProposedAct
from players.services import proposals
from players.services.account_changes import CHANGES, Change
from players.services.journal import note

KIND = "account"


@transaction.atomic
def change(requested: Change, by, reason: str = "") -> Proposal | None:
    """Make a change of an account. If it needs a second person, prepare a proposal instead and return it.

    by: the account that requests the change; None for the command line, which needs no second person
    reason: required for a proposal

    Raises PermissionDenied if `by` does not have the office role, and ValidationError if the change cannot be
    made.
    """
    require(by is None or roles_of(by).office)
    if obstacles := requested.obstacles():
        raise ValidationError(obstacles)
    if by is None or not requested.needs_second_person():
        requested.apply(by)
        return None
    if not reason.strip():
        raise ValidationError({"reason": _("Say why: a second person has to approve it.")})
    data = requested.data()
    key = "-".join(str(value) for name, value in data.items() if value and name not in ("username", "scope"))
    return proposals.propose(KIND, by, data, key=key[:100], reason=reason)


@transaction.atomic
def create(username: str, email: str, first_name: str, last_name: str, by):
    """Create and return an account without roles or a password.

    The owner chooses a password later, through an e-mailed link or a code printed by the office.
    Raises ValidationError if a field is invalid or the username is taken.
    """
    account = get_user_model()(username=username, email=email, first_name=first_name, last_name=last_name)
    account.set_unusable_password()
    account.full_clean()
    account.save(force_insert=True)
    note(account, AccountEvent.Kind.CREATED, by)
    return account


class AccountAct(ProposedAct):
    """The act for a change of an account that needs a second person."""

    kind = KIND
    label = gettext_lazy("Accounts and roles")

    def title(self, proposal: Proposal) -> str:
        return CHANGES[proposal.data["change"]].title(proposal.data)

    def concerned(self, proposals: Sequence[Proposal], viewer) -> dict[int, str]:
        accounts = {proposal.pk: proposal.data["account"] for proposal in proposals}
        owners = get_user_model().objects.in_bulk(set(accounts.values()))
        players = Player.objects.filter(user__in=owners)
        names = {player.user_id: name_for(viewer, player) for player in players}
        names |= {pk: owner.get_full_name() for pk, owner in owners.items() if owner.get_full_name()}
        return {pk: names[account] for pk, account in accounts.items() if account in names}

    def effect(self, proposal: Proposal, viewer) -> Effect:
        sentences = self._change(proposal).effect()
        return Effect(sentences, digest=sha256("\n".join(sentences).encode()).hexdigest())

    def obstacles(self, proposal: Proposal) -> list[str]:
        return self._change(proposal).obstacles()

    def perform(self, proposal: Proposal, by) -> dict:
        self._change(proposal).apply(by)
        return {}

    def may_decide(self, user, proposal: Proposal) -> bool:
        """Whether the roles of the account `user` allow it to approve or return the proposal.

        Nobody may decide about a change of their own account.
        """
        return super().may_decide(user, proposal) and proposal.data["account"] != user.pk

    def _change(self, proposal: Proposal) -> Change:
        return CHANGES[proposal.data["change"]].load(proposal.data, proposal)
