"""The act of reversing an applied campaign: it gives the former categories back."""

from collections import Counter
from datetime import date
from typing import Any

from django.db import transaction
from django.db.models import OuterRef, Subquery
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.access import require, roles_of
from players.models import CategoryAssignment, Proposal
from players.services import categories
from players.services.proposals import propose, waiting_for
from scoring.ledger.services import queue
from scoring.promotions.acts.apply import reason_of
from scoring.promotions.acts.base import LongAct, mark_done, refuse_if_busy, register, required_text
from scoring.promotions.models import CampaignChange, CampaignTask, PromotionCampaign
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries import plans
from ui.chunks import chunks
from ui.clock import today

KIND = "reversal"  # the kind of a proposal to reverse a campaign
Undone = CampaignChange.Undone


@register
class Reverse(LongAct):
    """The act of reversing an applied campaign: players get their former category back, in one transaction.

    The act's page only proposes the reversal (`propose`). When a second person approves the proposal,
    `perform` enqueues the reversal.
    """

    verb = Verb.REVERSE
    logged = _("change reversed")
    needs_reason = True

    def has_effect(self, campaign: PromotionCampaign, user, scheduled: bool) -> bool:
        return reversal_waiting(campaign) is None

    def why_not(self, campaign: PromotionCampaign, user) -> str:
        return gettext("It waits for a second person.")

    def take(self, campaign: PromotionCampaign, by, **data: Any) -> Proposal:
        return self.propose(campaign.pk, by, **data)

    @transaction.atomic
    def propose(self, campaign_id: int, by, reason: str) -> Proposal:
        """Propose the reversal. Raises ValidationError if a reversal of the campaign is already proposed."""
        require(self.may(by))
        campaign = self.lock(campaign_id)
        refuse_if_busy(campaign)
        data = {"campaign": campaign.pk, "year": campaign.year}
        return propose(KIND, by, data, key=str(campaign.pk), reason=required_text(reason))

    def begin(self, campaign_id: int, by) -> PromotionCampaign:
        """Lock and return the campaign. Raises PermissionDenied unless the account may approve proposals.

        The office proposes the reversal, but the approver performs it.
        """
        require(roles_of(by).approves())
        return self.lock(campaign_id)

    @transaction.atomic
    def work(self, task: CampaignTask) -> None:
        """Give the players their former categories back.

        A player whose category was changed by hand after the campaign was applied keeps that category, and is
        counted as a conflict.
        """
        campaign = self.lock(task.campaign_id)
        queue.lock_held(task)
        day = today()
        # Lock the players before reading their categories, as assigning a category by hand does.
        categories.lock(campaign.changes.filter(problem="").values_list("player_id", flat=True))
        reversals = plans.reversals(campaign, day)
        counts = Counter(reversal.undone for reversal in reversals)
        detail = {"task": task.pk, **{kind: counts[kind] for kind in Undone.values}}
        # Change the state first: the database accepts the column `undone` only for a reversed campaign.
        self.finish(campaign, task.created_by, task.reason, detail, reversed_at=timezone.now())
        _take_back(campaign, reversals, day, task)
        mark_done(task)


def _take_back(
    campaign: PromotionCampaign, reversals: list[plans.Reversal], day: date, task: CampaignTask
) -> None:
    # Players read this reason in their history. The office's own reason stays in the campaign's log.
    reason = gettext("%(campaign)s, reversed") % {"campaign": reason_of(campaign)}
    by_kind = {
        kind: [reversal for reversal in reversals if reversal.undone == kind] for kind in Undone.values
    }
    revoked = [reversal.change.assignment for reversal in by_kind[Undone.REVOKED]]
    categories.revoke_all(revoked, reason, task.created_by)
    former = [(reversal.change.player_id, reversal.former) for reversal in by_kind[Undone.RESTORED]]
    categories.assign_all(former, day, reason, task.created_by)
    for kind, items in by_kind.items():
        for ids in chunks([item.change.pk for item in items], plans.CHUNK):
            CampaignChange.objects.filter(pk__in=ids).update(undone=kind)
    restored = CategoryAssignment.objects.filter(
        player=OuterRef("player"), pk__gt=OuterRef("assignment"), valid_from=day, revoked_at=None
    )
    # Only one assignment matches: a player with any other since then is a conflict, not restored.
    campaign.changes.filter(undone=Undone.RESTORED).update(restored=Subquery(restored.values("pk")))


def reversal_waiting(campaign: PromotionCampaign) -> Proposal | None:
    """Return the proposal to reverse the campaign if it waits for a second person, else None."""
    return waiting_for(KIND, str(campaign.pk)).first()
