"""The acts of applying a campaign at once, scheduling that for a later day, and cancelling the schedule.

Applying a campaign assigns their new category to the players who move.
"""

from collections.abc import Iterable
from datetime import date
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from players.access import require
from players.services import categories
from scoring.ledger.services import queue
from scoring.promotions.acts.base import (
    MAX_AHEAD,
    Act,
    LongAct,
    Obstacle,
    Refused,
    act_by_verb,
    cancel_waiting,
    mark_done,
    new_task,
    refuse_if_busy,
    register,
    required_text,
)
from scoring.promotions.models import CampaignChange, CampaignTask, PromotionCampaign
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries import campaigns as queries
from scoring.promotions.queries import plans
from scoring.promotions.queries.tasks import is_scheduled, latest_task
from ui.clock import today
from ui.formatting import format_date

BATCH = 1000
# The act that removes an obstacle to applying, by the obstacle's code. The first one needed comes next.
REMOVED_BY = {"unanswered": Verb.ANSWER, "approval": Verb.APPROVE, "claims": Verb.CLAIM}


@register
class Apply(LongAct):
    """The act of applying a campaign: all players who move get their new category, in one transaction."""

    verb = Verb.APPLY
    logged = _("change applied")

    def has_effect(self, campaign: PromotionCampaign, user, scheduled: bool) -> bool:
        return not scheduled

    def obstacles(self, campaign: PromotionCampaign) -> list[Obstacle]:
        """Return what still prevents applying the campaign.

        The codes are "claims" (the claims period is not over), "unanswered" (a claim has no answer) and
        "approval" (the lists have changed since they were approved).
        """
        missing = []
        last_day = campaign.claims_until
        if today() <= last_day:
            text = gettext("Players may contest the list until %(day)s.")
            values = {"day": format_date(last_day, get_language())}
            missing.append(Obstacle("claims", text % values, until=last_day))
        if number := campaign.claims.filter(answer=None).count():
            text = ngettext(
                "%(number)s claim has no answer yet.", "%(number)s claims have no answer yet.", number
            )
            missing.append(Obstacle("unanswered", text % {"number": number}))
        if campaign.approved_digest != queries.list_digest(campaign):
            text = gettext("The list has changed since it was approved: it has to be approved again.")
            missing.append(Obstacle("approval", text))
        return missing

    def next_act(self, missing: set[str]) -> Act:
        return act_by_verb(next((verb for code, verb in REMOVED_BY.items() if code in missing), self.verb))

    def waits_for(self, campaign: PromotionCampaign, user) -> bool:
        asked_for = any(task.is_under_way for task in campaign.tasks.all())
        return self.may(user) and not asked_for and not self.obstacles(campaign)

    @transaction.atomic
    def work(self, task: CampaignTask) -> None:
        """Assign their new category to the players who move.

        The new categories are in force from the campaign's effective day, or from today if that is later. A
        player keeps the old category if it has changed since the freeze, or if the player has died or was
        merged. The campaign's report page lists these players.
        """
        campaign = self.lock(task.campaign_id)
        queue.lock_held(task)
        self.refuse_obstacles(campaign)
        day = max(campaign.effective_on, today())
        moving = queries.movers(campaign)
        # Lock the players before reading their categories, as assigning a category by hand does.
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
        # Scheduling logged the account; applying on the scheduled day is logged without an account.
        by = None if task.due_on else task.created_by
        # Change the state first: the database accepts changes only for an applied campaign.
        self.finish(campaign, by, task.reason, detail, applied_at=timezone.now())
        _assign(campaign, grants, day, task.created_by)
        mark_done(task)


@register
class Schedule(Act):
    """The act of scheduling the application of a campaign: a worker applies it on a later day."""

    verb = Verb.SCHEDULE
    logged = _("scheduled")

    def has_effect(self, campaign: PromotionCampaign, user, scheduled: bool) -> bool:
        return not scheduled

    def leads_on(self, missing: set[str]) -> bool:
        """Return whether the campaign's page may show scheduling as its main button.

        It may if applying has no obstacle except "claims" (the claims period is not over). That obstacle does
        not matter, because the scheduled day has to be after the claims period.
        """
        return missing <= {"claims"}

    @transaction.atomic
    def perform(self, campaign_id: int, by, due_on: date, reason: str = "") -> CampaignTask:
        """Create a task that applies the campaign on `due_on`, and return it.

        Obstacles to applying are checked on that day.
        """
        campaign = self.begin(campaign_id, by)
        refuse_if_busy(campaign)
        _check_day(campaign, due_on)
        task = new_task(campaign, Verb.APPLY, by, reason, due_on)
        self.finish(campaign, by, task.reason, _detail(task))
        return task


@register
class Unschedule(Act):
    """The act of cancelling a scheduled application before its day."""

    verb = Verb.UNSCHEDULE
    logged = _("no longer scheduled")

    def has_effect(self, campaign: PromotionCampaign, user, scheduled: bool) -> bool:
        return scheduled

    @transaction.atomic
    def perform(self, task_id: int, by, reason: str) -> CampaignTask:
        """Cancel the scheduled task, and return it. Raises Refused if the task has already begun."""
        require(self.may(by))
        task = CampaignTask.objects.get(pk=task_id)
        campaign = self.lock(task.campaign_id)
        if task.due_on is None or task.pk not in cancel_waiting(campaign):
            raise Refused(gettext("This step does not wait for a day any more."), code="state")
        self.finish(campaign, by, required_text(reason), _detail(task))
        task.refresh_from_db()
        return task

    def take(self, campaign: PromotionCampaign, by, **data: Any) -> CampaignTask:
        """Find the campaign's scheduled task and cancel it."""
        task = latest_task(campaign)
        if not is_scheduled(task):
            raise Refused(gettext("Nothing is scheduled."))
        return self.perform(task.pk, by, **data)


def _assign(campaign: PromotionCampaign, grants: Iterable[plans.Grant], day: date, by) -> None:
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


def reason_of(campaign: PromotionCampaign) -> str:
    """Return the reason for a category assigned by a campaign, as shown in the player's history."""
    return gettext("Year-end category change of %(year)s") % {"year": campaign.year}


def _detail(task: CampaignTask) -> dict:
    """Return the task's id and day as details for the log."""
    return {"task": task.pk, "due_on": task.due_on.isoformat()}


def _check_day(campaign: PromotionCampaign, due_on: date) -> None:
    if due_on < today():
        raise Refused({"due_on": gettext("That day is over.")})
    if due_on <= campaign.claims_until:
        message = gettext("Players may contest the list until %(day)s.")
        raise Refused({"due_on": message % {"day": format_date(campaign.claims_until, get_language())}})
    if due_on > today() + MAX_AHEAD:
        raise Refused({"due_on": gettext("That is more than a year away.")})
