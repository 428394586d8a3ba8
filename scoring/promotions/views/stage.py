"""The progress of a campaign: its stages, the obstacles to the next one, and the task under way."""

from dataclasses import dataclass, replace
from datetime import datetime

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.promotions.act_pages import PAGES
from scoring.promotions.acts import act_by_verb
from scoring.promotions.acts.base import Act, Obstacle
from scoring.promotions.models import CampaignTask, PromotionCampaign
from scoring.promotions.pure import states
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries.own import holds_from
from scoring.promotions.queries.tasks import is_under_way
from ui.clock import today
from ui.formatting import format_date
from ui.progress import Progress

CampaignState = PromotionCampaign.State
TaskState = CampaignTask.State


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of a campaign, as its page shows it.

    status: "done", "now" or "later"
    note: the stage's date, or the day that it waits for
    """

    label: str
    status: str
    note: str


def day_text(moment: datetime, lang: str) -> str:
    """Format the date of a moment, in local time."""
    return format_date(timezone.localtime(moment).date(), lang)


def stages(campaign: PromotionCampaign, lang: str) -> list[Stage]:
    """Return the five stages in order. A reversed or abandoned campaign ends with that stage instead."""
    frozen_at = campaign.snapshot and campaign.snapshot.taken_at
    milestones = [
        (_("Opened"), campaign.opened_at),
        (_("Frozen"), frozen_at),
        (_("Approved"), campaign.approved_at),
        (_("Published"), campaign.published_at),
        (_("Applied"), campaign.applied_at),
    ]
    over = campaign.state in states.VOID
    reached = _reached(campaign)
    result = []
    for number, (name, moment) in enumerate(milestones):
        if number > reached:
            if over:
                break
            result.append(Stage(name, "later", _later(campaign, number, lang)))
            continue
        status = "now" if number == reached and not over else "done"
        result.append(Stage(name, status, day_text(moment, lang) if moment else ""))
    if over:
        last = campaign.acts.first()
        label = _("Reversed") if campaign.state == CampaignState.REVERSED else _("Abandoned")
        result.append(Stage(label, "now", day_text(last.at, lang) if last else ""))
    return result


def _reached(campaign: PromotionCampaign) -> int:
    if campaign.state in states.PATH:
        return states.PATH.index(campaign.state)
    if campaign.state == CampaignState.REVERSED:
        return len(states.PATH) - 1
    return 1 if campaign.snapshot_id else 0


def _later(campaign: PromotionCampaign, number: int, lang: str) -> str:
    if states.PATH[number] == CampaignState.FROZEN:
        return _("after %(day)s") % {"day": format_date(campaign.intake_until, lang)}
    if states.PATH[number] == CampaignState.APPLIED:
        return _("to hold from %(day)s") % {"day": format_date(holds_from(campaign), lang)}
    return ""


def missing(campaign: PromotionCampaign) -> list[Obstacle]:
    """Return the obstacles to the campaign's next stage."""
    verb = states.leading_on(campaign.state)
    return [_with_days_left(obstacle) for obstacle in act_by_verb(verb).obstacles(campaign)] if verb else []


def _with_days_left(obstacle: Obstacle) -> Obstacle:
    if obstacle.until is None:
        return obstacle
    left = (obstacle.until - today()).days + 1
    text = ngettext("%(left)s day left.", "%(left)s days left.", left) % {"left": left}
    return replace(obstacle, text=f"{obstacle.text} {text}")


def next_act(campaign: PromotionCampaign, lacking: list[Obstacle]) -> Act | None:
    """Return the act that has to be performed next, None if the campaign is over.

    lacking: the obstacles to the next stage, as returned by `missing`
    """
    verb = states.leading_on(campaign.state)
    return act_by_verb(verb).next_act({item.code for item in lacking}) if verb else None


def claims_ended(campaign: PromotionCampaign) -> datetime | None:
    """Return when the committee ended the current claims period early, None if it did not."""
    if campaign.published_at is None:
        return None
    acts = campaign.acts.filter(verb=Verb.CLOSE, at__gte=campaign.published_at)
    return acts.values_list("at", flat=True).first()


def progress(task: CampaignTask) -> Progress:
    """Return what the progress bar shows about a task."""
    waiting = task.state == TaskState.PENDING
    return Progress(
        stage=_("Waiting for a worker") if waiting else str(PAGES[task.verb].progress),
        since=task.enqueued_at or task.created_at,
        until=task.finished_at,
        finished=not is_under_way(task),
        url=reverse("campaign_progress", args=[task.campaign_id]),
        page_url=reverse("campaign", args=[task.campaign_id]),
    )
