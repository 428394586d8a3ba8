"""Read the proposals that an account may see."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from players.access import NOBODY, roles_of
from players.models import Proposal
from players.proposals import act_of, by_act, may_decide

State = Proposal.State


@dataclass(frozen=True, slots=True)
class PendingProposals:
    """The pending proposals that an account may see, oldest first.

    to_decide: those that the account may decide
    own: those that the account prepared
    of_others: all others
    """

    to_decide: list[Proposal]
    own: list[Proposal]
    of_others: list[Proposal]


def pending_proposals(user) -> PendingProposals:
    """Return the pending proposals that the account may see.

    Takes one query, besides the queries for the account's roles.
    """
    proposals = Proposal.objects.filter(state=State.PENDING).select_related("prepared_by")
    if roles_of(user) == NOBODY:
        proposals = proposals.filter(prepared_by=user)
    pending = PendingProposals([], [], [])
    for proposal in proposals.order_by("prepared_at", "pk"):
        if proposal.prepared_by_id == user.pk:
            pending.own.append(proposal)
        elif may_decide(user, proposal):
            pending.to_decide.append(proposal)
        elif act_of(proposal).may_see(user, proposal):
            pending.of_others.append(proposal)
    return pending


def count_to_decide(user) -> int:
    """Return the number of pending proposals that the account may decide.

    Takes one query a request, because the number is cached on the user object. Takes no query for an account
    whose roles can decide nothing.
    """
    count = getattr(user, "_baza_to_decide", None)
    if count is None:
        roles = roles_of(user)
        count = len(pending_proposals(user).to_decide) if roles.reads_everything or roles.regions else 0
        user._baza_to_decide = count
    return count


def decided_proposals(user) -> QuerySet[Proposal]:
    """Return decided proposals, latest first.

    Accounts that may read everything get all of them; others get those that they prepared or decided.
    """
    proposals = Proposal.objects.exclude(state=State.PENDING).select_related("prepared_by", "decided_by")
    if not roles_of(user).reads_everything:
        proposals = proposals.filter(Q(prepared_by=user) | Q(decided_by=user))
    return proposals.order_by("-decided_at", "-pk")


def records(proposals: Sequence[Proposal], viewer) -> list[dict[str, Any]]:
    """Return the proposals as records for `PendingTable` and `DecidedTable`.

    Takes a few queries for each kind of act.

    viewer: the account that reads the page; which names of players it may see depends on it
    """
    concerned: dict[int, str] = {}
    for act, same_kind in by_act(proposals).items():
        concerned |= act.concerned(same_kind, viewer)
    return [
        {
            "title": act_of(proposal).title(proposal),
            "url": proposal.get_absolute_url(),
            "concerned": concerned.get(proposal.pk),
            "prepared_by": proposal.prepared_by.get_username(),
            "prepared_at": proposal.prepared_at,
            "reason": proposal.reason,
            "state": proposal.get_state_display(),
            "decided_by": proposal.decided_by.get_username() if proposal.decided_by_id else "",
            "decided_at": proposal.decided_at,
            "decision_reason": proposal.decision_reason,
        }
        for proposal in proposals
    ]
