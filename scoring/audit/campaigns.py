"""Audit year-end category changes.

Frozen lists must be unchanged. The lists that a campaign applied must be the lists that were approved.
"""

from collections.abc import Iterable, Iterator

from scoring.audit.verify import Difference
from scoring.ledger.isolation import consistent_read
from scoring.promotions.models import CampaignSnapshot, PromotionCampaign
from scoring.promotions.pure.documents import version_digest
from scoring.promotions.queries.campaigns import list_digest

State = PromotionCampaign.State


def differences() -> list[Difference]:
    """Return a difference for each changed snapshot, and for each campaign that applied unapproved lists.

    Lists are compared by their stored digests. Campaigns with a changed snapshot are not checked further,
    because their lists may be unreadable.
    """
    with consistent_read():
        changed = dict(_changed_snapshots())
        applied = PromotionCampaign.objects.filter(state__in=[State.APPLIED, State.REVERSED])
        broken = {snapshot.campaign_id for snapshot in changed}
        return [*changed.values(), *_unapproved(applied.exclude(pk__in=broken).select_related("snapshot"))]


def _changed_snapshots() -> Iterator[tuple[CampaignSnapshot, Difference]]:
    for snapshot in CampaignSnapshot.objects.select_related("campaign").order_by("pk"):
        lists = list(snapshot.lists.order_by("category__order").values_list("body", "sessions"))
        bodies, sessions = [body for body, _ in lists], [lines for _, lines in lists]
        derived = version_digest(snapshot.rules, bodies, sessions)
        if derived != snapshot.digest:
            stored = f"{snapshot.campaign.year}, version {snapshot.version}: {snapshot.digest}"
            yield snapshot, Difference("campaign", None, stored, derived)


def _unapproved(campaigns: Iterable[PromotionCampaign]) -> Iterator[Difference]:
    for campaign in campaigns:
        derived = list_digest(campaign)
        if derived != campaign.approved_digest:
            stored = f"{campaign.year}, approved: {campaign.approved_digest}"
            yield Difference("campaign", None, stored, derived)
