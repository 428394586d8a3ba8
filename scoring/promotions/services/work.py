"""Run the long acts of a campaign in workers: freeze, apply and reverse, at once or on a set day.

A task may be delivered several times, to several workers, and be interrupted anywhere: its effects are stored
once or not at all. If the act is refused, the task fails; the reason is logged in the campaign and sent to
the office. The office's home page shows the same news (`scoring.promotions.queries.campaigns.notices`).
"""

import logging
from collections.abc import Callable

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.mail import send_mail
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from players.models import Role
from scoring.ledger.services import queue
from scoring.promotions.acts import act_by_verb
from scoring.promotions.acts.base import LEASE, REASON_LENGTH, Refused, log
from scoring.promotions.models import CampaignAct, CampaignTask, PromotionCampaign
from scoring.promotions.pure.states import STOPPED
from scoring.promotions.queries.tasks import is_due

logger = logging.getLogger(__name__)


def perform(task_id: int) -> None:
    """Run a task, unless its day has not come or another worker has it. Safe to repeat.

    If the act raises an error, the task goes back to the queue, and the error is raised again. It is not
    raised after a timeout or a temporary database failure: then the task waits for the next attempt.
    """
    if not is_due(CampaignTask.objects.get(pk=task_id)):
        return
    task = queue.claim(CampaignTask, task_id, LEASE)
    if task is None:
        _log_if_given_up(task_id)
        return
    try:
        act_by_verb(task.verb).work(task)
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
        _notify_done(task)


@transaction.atomic
def _stop(task: CampaignTask, error: Refused) -> None:
    """Mark a task whose act was refused as failed. Log the reason and e-mail the office.

    The task is not retried: the office has to request the act again.
    """
    campaign = PromotionCampaign.objects.select_for_update().get(pk=task.campaign_id)
    reason = " ".join(error.messages)[:REASON_LENGTH]
    queue.park(task, error, CampaignTask.State.FAILED)
    log(campaign, STOPPED, None, reason, {"task": task.pk, "step": task.verb, "code": error.code or ""})
    _notify_stopped(campaign, task, reason)


@transaction.atomic
def _log_if_given_up(task_id: int) -> None:
    """If the queue has parked a task that crashed or failed too often, log it once and e-mail the office."""
    task = CampaignTask.objects.get(pk=task_id)
    if task.state != CampaignTask.State.FAILED:
        return
    campaign = PromotionCampaign.objects.select_for_update().get(pk=task.campaign_id)
    if CampaignAct.objects.filter(campaign=campaign, verb=STOPPED, detail__task=task_id).exists():
        return
    reason = _("Stopped after several attempts; nothing was changed. Ask for it again.")
    log(campaign, STOPPED, None, reason, {"task": task_id, "step": task.verb, "code": "attempts"})
    _notify_stopped(campaign, task, reason)


# --- E-mails to the office ----------------------------------------------------------------------------------
def _notify_done(task: CampaignTask) -> None:
    """E-mail the office that a scheduled task was done. Do nothing if the task was not scheduled."""
    if task.due_on is None:
        return
    with translation.override(settings.LANGUAGE_CODE):
        year = task.campaign.year
        subject = _("The category change of %(year)s was applied") % {"year": year}
        text = _("It was scheduled for this day. The report and the log are on the campaign's page.")
        _notify_office(subject, text)


def _notify_stopped(campaign: PromotionCampaign, task: CampaignTask, reason: str) -> None:
    """E-mail the office that a task failed and changed nothing."""
    with translation.override(settings.LANGUAGE_CODE):
        subject = _("The category change of %(year)s stopped") % {"year": campaign.year}
        text = _("A step could not be done, and nothing was changed. Reason: %(reason)s")
        _notify_office(subject, text % {"reason": reason})


def _notify_office(subject: str, text: str) -> None:
    """E-mail every active office account that has an address, each in a message of its own."""
    accounts = get_user_model().objects.filter(roles__kind=Role.Kind.OFFICE, is_active=True)
    for address in accounts.exclude(email="").values_list("email", flat=True):
        # robust: an unreachable mail server must neither fail the step nor stop the other messages.
        transaction.on_commit(_message(address, subject, text), robust=True)


def _message(address: str, subject: str, text: str) -> Callable[[], None]:
    def send() -> None:
        send_mail(f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{subject}", text, None, [address])

    return send
