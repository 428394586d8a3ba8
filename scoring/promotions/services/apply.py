"""Applying a campaign, and reversing it: everything in one transaction, or nothing.

Both lock the players concerned before they look at their categories, as giving a category by hand does.
"""

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
    """Give everybody who moves the new category, from the campaign's day or from today if that is later.

    Who has another category than that of the list by then, or has died, is not changed: the report says so.
    Raises Refused, LeaseLost.
    """
    campaign = begin(task.campaign_id, Verb.APPLY)
    queue.still_held(task)
    refuse_obstacles(campaign, Verb.APPLY)
    day = max(campaign.effective_on, standings.today())
    moving = queries.movers(campaign)
    categories.lock(row.place.entrant.player_id for row in moving)
    planned = plans.grants_of(moving, day)
    detail = {
        "task": task.pk, "from": day.isoformat(), "digest": campaign.approved_digest,
        "changed": sum(not each.problem for each in planned),
        "conflicts": sum(bool(each.problem) for each in planned),
    }  # fmt: skip
    # The state comes first: the database takes changes of an applied campaign only.
    finish(campaign, Verb.APPLY, _who(task), task.reason, detail, applied_at=timezone.now())
    _give(campaign, planned, day, task.created_by)
    mark_done(task)


def _who(task: CampaignTask):
    """The log names nobody for what was done by the clock; the step that scheduled it names who did that."""
    return None if task.due_on else task.created_by


def _give(campaign: PromotionCampaign, planned: list[plans.Grant], day: date, by) -> None:
    moving = [each for each in planned if not each.problem]
    made = categories.assign_all(
        [(each.player_id, each.target) for each in moving], day, reason_of(campaign), by
    )
    assignments = {assignment.player_id: assignment for assignment in made}
    CampaignChange.objects.bulk_create(
        [
            CampaignChange(
                campaign=campaign, player_id=each.player_id, category_id=each.category.pk,
                target_id=each.target.pk, assignment=assignments.get(each.player_id), problem=each.problem,
            )
            for each in planned
        ],
        batch_size=BATCH,
    )  # fmt: skip


@transaction.atomic
def reverse(task: CampaignTask) -> None:
    """Take a whole applied campaign back. What a player was given by hand meanwhile stays: a conflict.

    Raises Refused, LeaseLost.
    """
    campaign = begin(task.campaign_id, Verb.REVERSE)
    queue.still_held(task)
    today = standings.today()
    categories.lock(campaign.changes.filter(problem="").values_list("player_id", flat=True))
    planned = plans.reversals(campaign, today)
    counts = {kind: sum(each.undone == kind for each in planned) for kind in Undone.values}
    detail = {"task": task.pk, **counts}
    finish(campaign, Verb.REVERSE, task.created_by, task.reason, detail, reversed_at=timezone.now())
    _take_back(campaign, planned, today, task)
    mark_done(task)


def _take_back(campaign: PromotionCampaign, planned: list[plans.Reversal], today: date, task) -> None:
    # Players read it in their history: why the office reversed the change stands in the campaign's log alone.
    reason = _("%(campaign)s, reversed") % {"campaign": reason_of(campaign)}
    revoked = [each.change.assignment for each in planned if each.undone == Undone.REVOKED]
    categories.revoke_all(revoked, reason, task.created_by)
    restored = [each for each in planned if each.undone == Undone.RESTORED]
    categories.assign_all(
        [(each.change.player_id, each.former) for each in restored], today, reason, task.created_by
    )
    for kind in Undone.values:
        for ids in chunks([each.change.pk for each in planned if each.undone == kind], plans.CHUNK):
            CampaignChange.objects.filter(pk__in=ids).update(undone=kind)
    given_back = CategoryAssignment.objects.filter(
        player=OuterRef("player"), pk__gt=OuterRef("assignment"), valid_from=today, revoked_at=None
    )
    # A change is restored only where nobody has given the player anything since: there is but this one.
    campaign.changes.filter(undone=Undone.RESTORED).update(restored=Subquery(given_back.values("pk")))


def reason_of(campaign: PromotionCampaign) -> str:
    """What a player's history says of a category that a campaign gave."""
    return _("Year-end category change of %(year)s") % {"year": campaign.year}
