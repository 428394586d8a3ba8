"""The audit of year-end changes: lists are as they were frozen, and what was applied had been approved."""

from collections.abc import Iterator

from scoring.audit.verify import Difference
from scoring.ledger.isolation import consistent_read
from scoring.promotions.models import CampaignSnapshot, PromotionCampaign
from scoring.promotions.queries.campaigns import list_digest
from scoring.promotions.services.freeze import digest_of

State = PromotionCampaign.State


def wrong() -> list[Difference]:
    """Frozen versions whose texts have another digest, and applied lists that are not the approved ones.

    Of a campaign with such a version nothing more is said: its lists may not even be readable.
    """
    with consistent_read():
        frozen = dict(_frozen())
        done = PromotionCampaign.objects.filter(state__in=[State.APPLIED, State.REVERSED])
        broken = {version.campaign_id for version in frozen}
        return [*frozen.values(), *_applied(done.exclude(pk__in=broken).select_related("snapshot"))]


def _frozen() -> Iterator[tuple[CampaignSnapshot, Difference]]:
    for version in CampaignSnapshot.objects.select_related("campaign").order_by("pk"):
        texts = list(version.lists.order_by("category__order").values_list("body", "sessions"))
        derived = digest_of(version.rules, [body for body, _ in texts], [sessions for _, sessions in texts])
        if derived != version.digest:
            stored = f"{version.campaign.year}, version {version.version}: {version.digest}"
            yield version, Difference("campaign", None, stored, derived)


def _applied(campaigns) -> Iterator[Difference]:
    for campaign in campaigns:
        derived = list_digest(campaign)
        if derived != campaign.approved_digest:
            stored = f"{campaign.year}, approved: {campaign.approved_digest}"
            yield Difference("campaign", None, stored, derived)
