"""List the ledger entries that follow from no tournament, with who is responsible for them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.urls import reverse

from players.models import Proposal
from scoring.ledger.correcting import ADJUSTMENT_ACT
from scoring.ledger.models import LedgerEntry
from scoring.ledger.queries.people import people
from scoring.ledger.source_keys import back_key, origin_of, proposal_id_of, taken_back_by
from ui.memo import per_version

Kind = LedgerEntry.Kind


def adjustments() -> QuerySet[LedgerEntry]:
    """Return all points given or taken by hand, the latest first."""
    return (
        LedgerEntry.objects.filter(kind=Kind.ADJUSTMENT).select_related("posted_by", "player").order_by("-pk")
    )


def records(entries: Sequence[LedgerEntry]) -> list[dict[str, Any]]:
    """Return the records of adjustments. Two queries.

    `by` and `second` are the accounts of who prepared the adjustment and of the second person who approved
    it; `second` is None if nobody did.
    """
    players, acts = people(entry.player_id for entry in entries), _acts(entries)
    return [
        {
            **players[entry.player_id],
            "day": entry.posted_at,
            "played_on": entry.played_on,
            "points": entry.points,
            "title": entry.title,
            "reason": entry.reason,
            "by": act.prepared_by if act else entry.posted_by,
            "second": act.decided_by if act else None,
            "moved": origin_of(entry.source_key) is not None,
            "entry": entry.pk,
            "receipt": reverse("award", args=[entry.player.number, entry.pk]),
        }
        for entry in entries
        for act in [acts.get(entry.pk)]
    ]


def _acts(entries: Sequence[LedgerEntry]) -> dict[int, Proposal]:
    """Return {entry id: the approved proposal that posted it}. One query."""
    ids = {entry.pk: proposal_id_of(entry.source_key) for entry in entries}
    keys = {entry.pk: back_key(taken) for entry in entries if (taken := taken_back_by(entry.source_key))}
    approved = Proposal.objects.filter(
        Q(pk__in=filter(None, ids.values())) | Q(kind=ADJUSTMENT_ACT, key__in=keys.values()),
        state=Proposal.State.APPROVED,
    ).select_related("prepared_by", "decided_by")
    acts = {act.pk: act for act in approved} | {act.key: act for act in approved}
    return {pk: acts[key] for pk, key in [*ids.items(), *keys.items()] if key in acts}


def openings() -> list[dict[str, Any]]:
    """Return the points that were brought in from before, added up by day and by who posted them.

    Keys: `day`, `posted_by__username`, `family`, `number` of entries, `total` in hundredths. Two queries.
    """
    rows = LedgerEntry.objects.filter(kind=Kind.OPENING)
    latest = rows.order_by("-posted_at").values_list("posted_at", flat=True).first()
    return _openings(latest) if latest else []


@per_version(1)
def _openings(latest: datetime) -> list[dict[str, Any]]:
    rows = LedgerEntry.objects.filter(kind=Kind.OPENING).order_by().annotate(day=TruncDate("posted_at"))
    groups = rows.values("day", "posted_by__username", "family")
    sums = groups.annotate(number=Count("pk"), total=Sum("points"))
    return list(sums.order_by("-day", "posted_by__username", "family"))
