"""The erasure of a person's data. The person or the office asks for it, and the office approves."""

from hashlib import sha256
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.access import is_player, roles_of
from players.models import Consent, Player, Proposal
from players.proposals import Effect, ProposedAct
from players.services.proposals import propose
from scoring.privacy import erasing

KIND = "erasure"


@transaction.atomic
def ask(player: Player, by: Any, reason: str) -> Proposal:
    """Ask the office to erase a person's data, and return the proposal.

    Raises ValidationError if it was asked for already or is not possible now.
    """
    player = player.current
    if problems := erasing.obstacles(player):
        raise ValidationError(problems)
    data = {"player": player.pk, "number": player.number}
    proposal = propose(KIND, by, data, key=str(player.pk), reason=reason)
    Consent.objects.create(player=player, kind=Consent.Kind.ERASURE, by=by)
    return proposal


def effects() -> list[str]:
    """Return what an erasure does, in sentences, for the page that asks and for whoever decides."""
    return [
        _("Name, e-mail address, year of birth, account, notices, and the texts of cases are erased."),
        _("The name is erased from what was read of result files and from imported lists."),
        _("Results, places and points stay under the number alone: those of the others depend on them."),
        _("Only the office has the result files themselves: they are deleted when their term ends."),
        _("It cannot be undone."),
    ]


class ErasureAct(ProposedAct):
    """Erases a person's data. `data` has player (id) and number."""

    kind = KIND
    label = gettext_lazy("Erasure of personal data")

    def title(self, proposal: Proposal) -> str:
        return _("Erase the personal data of number %(number)s") % proposal.data

    def may_prepare(self, user, proposal: Proposal) -> bool:
        return roles_of(user).office or is_player(user, _player(proposal))

    def may_decide(self, user, proposal: Proposal) -> bool:
        return roles_of(user).office

    def obstacles(self, proposal: Proposal) -> list[str]:
        return erasing.obstacles(_player(proposal))

    def effect(self, proposal: Proposal, viewer) -> Effect:
        player = _player(proposal)
        whom = _("Number %(number)s, %(name)s") % {"number": player.number, "name": player.desk_name}
        content = f"{player.pk} {player.full_name} {player.email} {player.user_id}"
        return Effect([f"{whom}.", *effects()], sha256(content.encode()).hexdigest())

    def perform(self, proposal: Proposal, by) -> dict:
        if problems := self.obstacles(proposal):
            raise ValidationError(problems)
        return {"erasure": erasing.begin(_player(proposal), proposal, by).pk}

    def outcome(self, proposal: Proposal) -> list[str]:
        return [_("The data are erased; files and lists follow within minutes.")] if proposal.result else []


def _player(proposal: Proposal) -> Player:
    return Player.objects.select_related("merged_into").get(pk=proposal.data["player"]).current
