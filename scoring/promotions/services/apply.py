"""Apply a campaign, or reverse it, in one transaction.

Both lock the players before they read their categories, as assigning a category by hand does.
"""

from collections import Counter
from datetime import date

from django.db import transaction
from django.db.models import OuterRef, Subquery
from django.utils import timezone
from django.utils.translation import gettext as _

from players.models import CategoryAssignment
from players.services import categories
from scoring.ledger.services import queue, standings
from scoring.promotions.models import CampaignChange, CampaignTask, PromotionCampaign
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries import campaigns as queries
from scoring.promotions.queries import plans
from scoring.promotions.services.steps import begin, finish, mark_done, refuse_obstacles
from ui.chunks import chunks

BATCH = 1000
Undone = CampaignChange.Undone


@transaction.atomic
def apply(task: CampaignTask) -> None:
    """Assign the new categories from the campaign's day on, or from today if that is later.

    Players whose category differs from the list by now, who have died or were merged are left unchanged and
    named in the report. Raises Refused, LeaseLost.
    """
    campaign = begin(task.campaign_id, Verb.APPLY)
    queue.lock_held(task)
    refuse_obstacles(campaign, Verb.APPLY)
    day = max(campaign.effective_on, standings.today())
    moving = queries.movers(campaign)
    categories.lock(row.place.entrant.player_id for row in moving)
    grants = plans.grants_of(moving, day)
    conflicts = sum(bool(grant.problem) for grant in grants)
    detail = {
        "task": task.pk,
        "from": day.isoformat(),
        "digest": campaign.approved_digest,
        "changed": len(grants) - conflicts,
        "conflicts": conflicts,
    }
    # Change the state first: the database accepts changes only for an applied campaign.
    finish(campaign, Verb.APPLY, _actor(task), task.reason, detail, applied_at=timezone.now())
    _assign(campaign, grants, day, task.created_by)
    mark_done(task)


def _actor(task: CampaignTask):
    """Return the account to log as the author of the step, or None if the step was scheduled.

    The log has a separate line for the scheduling, with the account that did it.
    """
    return None if task.due_on else task.created_by


def _assign(campaign: PromotionCampaign, grants: list[plans.Grant], day: date, by) -> None:
    pairs = [(grant.player_id, grant.target) for grant in grants if not grant.problem]
    assignments = {
        assignment.player_id: assignment
        for assignment in categories.assign_all(pairs, day, reason_of(campaign), by)
    }
    changes = [
        CampaignChange(
            campaign=campaign,
            player_id=grant.player_id,
            category_id=grant.category.pk,
            target_id=grant.target.pk,
            assignment=assignments.get(grant.player_id),
            problem=grant.problem,
        )
        for grant in grants
    ]
    CampaignChange.objects.bulk_create(changes, batch_size=BATCH)


@transaction.atomic
def reverse(task: CampaignTask) -> None:
    """Reverse an applied campaign. A category that was assigned by hand since then stays, as a conflict.

    Raises Refused, LeaseLost.
    """
    campaign = begin(task.campaign_id, Verb.REVERSE)
    queue.lock_held(task)
    today = standings.today()
    categories.lock(campaign.changes.filter(problem="").values_list("player_id", flat=True))
    reversals = plans.reversals(campaign, today)
    counts = Counter(reversal.undone for reversal in reversals)
    detail = {"task": task.pk, **{kind: counts[kind] for kind in Undone.values}}
    finish(campaign, Verb.REVERSE, task.created_by, task.reason, detail, reversed_at=timezone.now())
    _take_back(campaign, reversals, today, task)
    mark_done(task)


def _take_back(campaign: PromotionCampaign, reversals: list[plans.Reversal], today: date, task) -> None:
    # Players read this reason in their history. The office's own reason stays in the campaign's log.
    reason = _("%(campaign)s, reversed") % {"campaign": reason_of(campaign)}
    by_kind = {
        kind: [reversal for reversal in reversals if reversal.undone == kind] for kind in Undone.values
    }
    revoked = [reversal.change.assignment for reversal in by_kind[Undone.REVOKED]]
    categories.revoke_all(revoked, reason, task.created_by)
    former = [(reversal.change.player_id, reversal.former) for reversal in by_kind[Undone.RESTORED]]
    categories.assign_all(former, today, reason, task.created_by)
    for kind, items in by_kind.items():
        for ids in chunks([item.change.pk for item in items], plans.CHUNK):
            CampaignChange.objects.filter(pk__in=ids).update(undone=kind)
    restored = CategoryAssignment.objects.filter(
        player=OuterRef("player"), pk__gt=OuterRef("assignment"), valid_from=today, revoked_at=None
    )
    # Only one assignment matches: a player with any other since then is a conflict, not restored.
    campaign.changes.filter(undone=Undone.RESTORED).update(restored=Subquery(restored.values("pk")))


def reason_of(campaign: PromotionCampaign) -> str:
    """Return the reason that a player's history shows for a category assigned by a campaign."""
    return _("Year-end category change of %(year)s") % {"year": campaign.year}
