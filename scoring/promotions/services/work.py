"""The long steps of a campaign, done by workers: freeze, apply and reverse, immediately or on a set day.

A task may be delivered several times, to several workers, and be interrupted anywhere: it is done once or
not at all. A task that cannot be done stops; the reason goes to the campaign's log and to the office.
"""

import logging
from datetime import date

from django.db import transaction
from django.utils.translation import gettext as _

from players.access import require, roles_of
from scoring.ledger.services import queue, standings
from scoring.promotions.models import CampaignAct, CampaignTask, PromotionCampaign
from scoring.promotions.pure.states import STOPPED, Verb
from scoring.promotions.queries.steps import OPEN_TASKS, day_in_words
from scoring.promotions.services import apply, news
from scoring.promotions.services.freeze import freeze
from scoring.promotions.services.steps import (
    LEASE,
    MAX_AHEAD,
    REASON_LENGTH,
    Refused,
    begin,
    cancel_waiting,
    finish,
    log,
    refuse_obstacles,
    required_text,
)

logger = logging.getLogger(__name__)

WORK = {Verb.FREEZE: freeze, Verb.APPLY: apply.apply, Verb.REVERSE: apply.reverse}
TaskState = CampaignTask.State


@transaction.atomic
def request(campaign_id: int, verb: str, by, reason: str = "", due_on: date | None = None) -> CampaignTask:
    """Enqueue a long step, immediately or, for applying, on a day. Raises PermissionDenied, Refused.

    Obstacles are checked now for an immediate step, and again when the step is done.
    """
    require(roles_of(by).office)
    verb = Verb(verb)
    if verb not in WORK:
        raise ValueError(f"not a task: {verb}")
    campaign = begin(campaign_id, verb)
    if campaign.tasks.filter(state__in=OPEN_TASKS).exists():
        raise Refused(_("Another step is under way, or waits for its day."), code="busy")
    if verb == Verb.REVERSE:
        reason = required_text(reason)
    if due_on:
        _check_day(campaign, verb, due_on)
    else:
        refuse_obstacles(campaign, verb)
    task = CampaignTask.objects.create(
        campaign=campaign, verb=verb, due_on=due_on, reason=reason.strip(), created_by=by
    )
    if due_on:
        detail = {"task": task.pk, "due_on": due_on.isoformat()}
        finish(campaign, Verb.SCHEDULE, by, task.reason, detail)
    if _is_due(task):
        queue.enqueue_on_commit(task)
    return task


def _check_day(campaign: PromotionCampaign, verb: Verb, due_on: date) -> None:
    if verb != Verb.APPLY:
        raise Refused(_("Only applying the change can wait for a day."), code="verb")
    if due_on < standings.today():
        raise Refused({"due_on": _("That day is over.")})
    if due_on <= campaign.claims_until:
        message = _("Players may contest the list until %(day)s.")
        raise Refused({"due_on": message % {"day": day_in_words(campaign.claims_until)}})
    if due_on > standings.today() + MAX_AHEAD:
        raise Refused({"due_on": _("That is more than a year away.")})


@transaction.atomic
def cancel(task_id: int, by, reason: str) -> CampaignTask:
    """Cancel a scheduled step before its day. Raises PermissionDenied, Refused."""
    require(roles_of(by).office)
    task = CampaignTask.objects.get(pk=task_id)
    campaign = begin(task.campaign_id, Verb.UNSCHEDULE)
    if task.due_on is None or task.pk not in cancel_waiting(campaign):
        raise Refused(_("This step does not wait for a day any more."), code="state")
    finish(
        campaign,
        Verb.UNSCHEDULE,
        by,
        required_text(reason),
        {"task": task_id, "due_on": task.due_on.isoformat()},
    )
    task.refresh_from_db()
    return task


def _is_due(task: CampaignTask) -> bool:
    return task.due_on is None or task.due_on <= standings.today()


def perform(task_id: int) -> None:
    """Run a task. Safe to repeat. Raises the task's own errors; after an outage the task is only retried."""
    if not _is_due(CampaignTask.objects.get(pk=task_id)):
        return
    task = queue.claim(CampaignTask, task_id, LEASE, stage="working")
    if task is None:
        _log_if_given_up(task_id)
        return
    try:
        WORK[Verb(task.verb)](task)
    except queue.LeaseLost:
        logger.warning("campaign task %s was taken over by another worker", task_id)
    except Refused as error:
        _stop(task, error)
    except Exception as error:
        if queue.hand_back(task, error):
            return
        _log_if_given_up(task_id)
        raise
    else:
        news.notify_done(task)


@transaction.atomic
def _stop(task: CampaignTask, error: Refused) -> None:
    """Fail a task whose step was refused. Log the reason and notify the office.

    The task is not retried: the office has to request the step again.
    """
    campaign = PromotionCampaign.objects.select_for_update().get(pk=task.campaign_id)
    reason = " ".join(error.messages)[:REASON_LENGTH]
    queue.park(task, error, TaskState.FAILED)
    log(campaign, STOPPED, None, reason, {"task": task.pk, "step": task.verb, "code": error.code or ""})
    news.notify_stopped(campaign, task, reason)


@transaction.atomic
def _log_if_given_up(task_id: int) -> None:
    """Log, once, that the queue has parked a task which crashed or failed too often."""
    task = CampaignTask.objects.get(pk=task_id)
    if task.state != TaskState.FAILED:
        return
    campaign = PromotionCampaign.objects.select_for_update().get(pk=task.campaign_id)
    if CampaignAct.objects.filter(campaign=campaign, verb=STOPPED, detail__task=task_id).exists():
        return
    reason = _("Stopped after several attempts; nothing was changed. Ask for it again.")
    log(campaign, STOPPED, None, reason, {"task": task_id, "step": task.verb, "code": "attempts"})
    news.notify_stopped(campaign, task, reason)
