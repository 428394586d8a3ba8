"""The tasks of a campaign: which are running, pending or scheduled for a day."""

from scoring.ledger.models.work import UNDER_WAY
from scoring.promotions.models import CampaignTask, PromotionCampaign
from ui.clock import today

TaskState = CampaignTask.State


def is_busy(campaign: PromotionCampaign) -> bool:
    """Return whether the campaign has a running, pending or scheduled task."""
    return campaign.tasks.filter(state__in=UNDER_WAY).exists()


def latest_task(campaign: PromotionCampaign) -> CampaignTask | None:
    """Return the campaign's newest task, in any state."""
    return campaign.tasks.select_related("created_by").first()


def is_due(task: CampaignTask) -> bool:
    """Return whether the task is not scheduled, or its day has come."""
    return task.due_on is None or task.due_on <= today()


def is_scheduled(task: CampaignTask | None) -> bool:
    """Return whether the task waits for a future day."""
    return bool(task) and task.state == TaskState.PENDING and not is_due(task)


def is_under_way(task: CampaignTask | None) -> bool:
    """Return whether the task is running or about to run."""
    return bool(task) and not is_scheduled(task) and task.is_under_way
