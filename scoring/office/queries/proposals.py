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


def to_decide(user, only_read: bool = False) -> list[Proposal]:
    """Return the pending proposals that the account may decide, oldest first.

    Takes one query a request, because the proposals are cached on the user object. Takes no query for an
    account whose roles can decide nothing.

    only_read: return those that the account may see and not decide instead
    """
    pending = getattr(user, "_baza_pending", None)
    if pending is None:
        roles = roles_of(user)
        may_decide_any = roles.reads_everything or roles.regions
        pending = pending_proposals(user) if may_decide_any else PendingProposals([], [], [])
        user._baza_pending = pending
    return pending.of_others if only_read else pending.to_decide


def count_to_decide(user) -> int:
    """Return the number of pending proposals that the account may decide, like `to_decide`."""
    return len(to_decide(user))


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
