"""Read a club's requests to the office."""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet

from players.models import Club, Proposal
from players.proposals import act_of, by_act

State = Proposal.State


def requests_of(club: Club) -> QuerySet[Proposal]:
    """Return the requests of the club, and other clubs' transfers of its members, the latest first."""
    requests = club.proposals.select_related("prepared_by", "decided_by")
    return requests.order_by("-prepared_at", "-pk")


def count_pending(club: Club) -> int:
    """Return how many requests of the club, or about its members, wait for the office."""
    return club.proposals.filter(state=State.PENDING).count()


def records(requests: Sequence[Proposal], viewer) -> list[dict[str, Any]]:
    """Return the records of `RequestTable`. At most one query for each kind of request.

    viewer: the account that reads the list, on which the displayed names depend
    """
    concerned: dict[int, str] = {}
    for act, same_kind in by_act(requests).items():
        concerned |= act.concerned(same_kind, viewer)
    return [
        {
            "title": act_of(request).title(request),
            "url": request.get_absolute_url(),
            "concerned": concerned.get(request.pk),
            "state": request.get_state_display(),
            "sent_at": request.prepared_at,
            "sent_by": request.prepared_by.get_username(),
            "decided_at": request.decided_at,
            "reason": request.decision_reason,
        }
        for request in requests
    ]
