"""The acts of scheduling the application of a campaign for a day, and of cancelling the schedule."""

from datetime import date, timedelta
from typing import Any

from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from players.access import require
from scoring.promotions.acts.apply import Apply
from scoring.promotions.acts.base import (
    MAX_AHEAD,
    PageAct,
    Refused,
    cancel_waiting,
    enqueue_if_due,
    new_task,
    refuse_if_busy,
    register,
    required_text,
)
from scoring.promotions.acts.forms import ActForm, ReasonForm, day_field
from scoring.promotions.models import CampaignTask, PromotionCampaign
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries.tasks import is_scheduled, latest_task
from ui.clock import today
from ui.formatting import format_date


class ScheduleForm(ActForm):
    """The form for the day on which a worker is to apply the campaign."""

    due_on = day_field(
        label=_("Apply on"), help_text=_("It is applied early on that day, if nothing is missing by then.")
    )


@register
class Schedule(PageAct):
    """The act of scheduling the application of a campaign: a worker applies it on a later day."""

    verb = Verb.SCHEDULE
    label = _("Have it applied on a day")
    says = _(
        "On that day the change is applied by itself, if by then the claims are over and answered and the "
        "lists are approved; otherwise it stops and the office is told."
    )
    done = _("The change will be applied on that day.")
    logged = _("scheduled")
    form_class = ScheduleForm
    template = Apply.template

    def has_effect(self, campaign: PromotionCampaign, user, scheduled: bool) -> bool:
        return not scheduled

    def leads_on(self, missing: set[str]) -> bool:
        """Return whether applying has no obstacle but "claims".

        That one does not matter, because the scheduled day is after the claims period.
        """
        return missing <= {"claims"}

    def form_options(self, campaign: PromotionCampaign) -> dict[str, Any]:
        first_day = max(campaign.claims_until + timedelta(days=1), today())
        return {"initial": {"due_on": max(first_day, campaign.effective_on)}}

    def preview(self, request: HttpRequest, campaign: PromotionCampaign) -> dict[str, Any]:
        """Return the same context as the act `Apply`."""
        return Apply().preview(request, campaign)

    @transaction.atomic
    def perform(self, campaign_id: int, by, due_on: date, reason: str = "") -> CampaignTask:
        """Create a task that applies the campaign on `due_on`. Obstacles to applying are checked that day."""
        campaign = self.begin(campaign_id, by)
        refuse_if_busy(campaign)
        _check_day(campaign, due_on)
        task = new_task(campaign, Verb.APPLY, by, reason, due_on)
        self.finish(campaign, by, task.reason, _detail(task))
        enqueue_if_due(task)
        return task


@register
class Unschedule(PageAct):
    """The act of cancelling a scheduled application before its day."""

    verb = Verb.UNSCHEDULE
    label = _("Do not apply it on that day")
    says = _("The change will not be applied by itself. The lists stay published.")
    done = _("The change is no longer scheduled.")
    logged = _("no longer scheduled")
    form_class = ReasonForm

    def has_effect(self, campaign: PromotionCampaign, user, scheduled: bool) -> bool:
        return scheduled

    @transaction.atomic
    def perform(self, task_id: int, by, reason: str) -> CampaignTask:
        """Cancel the scheduled task. Raises Refused if it no longer waits for its day."""
        require(self.may(by))
        task = CampaignTask.objects.get(pk=task_id)
        campaign = self.lock(task.campaign_id)
        if task.due_on is None or task.pk not in cancel_waiting(campaign):
            raise Refused(gettext("This step does not wait for a day any more."), code="state")
        self.finish(campaign, by, required_text(reason), _detail(task))
        task.refresh_from_db()
        return task

    def take(self, campaign: PromotionCampaign, by, data: dict[str, Any]) -> None:
        """Find the campaign's scheduled task and cancel it."""
        task = latest_task(campaign)
        if not is_scheduled(task):
            raise Refused(gettext("Nothing is scheduled."))
        self.perform(task.pk, by, **data)


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
