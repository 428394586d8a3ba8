"""Acts for a second person, as an account may see them."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from players.access import NOBODY, roles_of
from players.models import Proposal
from players.proposals import act_of, may_decide

State = Proposal.State


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits for a decision, oldest first, by what the account has to do with it."""

    to_decide: list[Proposal]
    own: list[Proposal]
    of_others: list[Proposal]


def waiting(user) -> Waiting:
    """The acts that wait, as far as the account may see them: one query, and those of its roles."""
    found = Proposal.objects.filter(state=State.PENDING).select_related("prepared_by")
    if roles_of(user) == NOBODY:
        found = found.filter(prepared_by=user)
    by_part = Waiting([], [], [])
    for each in found.order_by("prepared_at", "pk"):
        if each.prepared_by_id == user.pk:
            by_part.own.append(each)
        elif may_decide(user, each):
            by_part.to_decide.append(each)
        elif act_of(each).may_see(user, each):
            by_part.of_others.append(each)
    return by_part


def to_decide(user) -> int:
    """How many acts wait for the account's decision: one query a request, none for who never decides."""
    number = getattr(user, "_baza_to_decide", None)
    if number is None:
        roles = roles_of(user)
        number = len(waiting(user).to_decide) if roles.reads_everything or roles.regions else 0
        user._baza_to_decide = number
    return number


def decided(user) -> QuerySet[Proposal]:
    """What was decided, latest first: all for who reads everything, else what the account had part in."""
    found = Proposal.objects.exclude(state=State.PENDING).select_related("prepared_by", "decided_by")
    if not roles_of(user).reads_everything:
        found = found.filter(Q(prepared_by=user) | Q(decided_by=user))
    return found.order_by("-decided_at", "-pk")
