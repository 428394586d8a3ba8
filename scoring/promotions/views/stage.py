"""The progress of a campaign: its stages, what the next one waits for, and the running task."""

from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from scoring.promotions.models import CampaignTask, PromotionCampaign
from scoring.promotions.pure import states
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries.own import holds_from
from scoring.promotions.queries.steps import Obstacle, obstacles
from ui.clock import today
from ui.formatting import format_date
from ui.progress import Progress

CampaignState = PromotionCampaign.State
TaskState = CampaignTask.State


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of a campaign. `status` is done, now or later; `note` is its date or what it waits for."""

    label: str
    status: str
    note: str


@dataclass(frozen=True, slots=True)
class Missing:
    """A condition that the next step waits for, with a link to the page where it can be met."""

    code: str  # of the Obstacle
    text: str
    url: str = ""
    link: str = ""


def day_text(moment: datetime, lang: str) -> str:
    """Format the local day of a moment."""
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


def missing(campaign: PromotionCampaign) -> list[Missing]:
    """Return what the campaign's next stage still waits for."""
    verb = {CampaignState.DRAFT: Verb.FREEZE, CampaignState.PUBLISHED: Verb.APPLY}.get(campaign.state)
    return [_missing(campaign, obstacle) for obstacle in obstacles(campaign, verb)] if verb else []


def _missing(campaign: PromotionCampaign, obstacle: Obstacle) -> Missing:
    if obstacle.code in ("intake", "claims"):
        last = campaign.intake_until if obstacle.code == "intake" else campaign.claims_until
        left = (last - today()).days + 1
        text = ngettext("%(left)s day left.", "%(left)s days left.", left) % {"left": left}
        return Missing(obstacle.code, f"{obstacle.text} {text}")
    if obstacle.code == "not_in_force" and campaign.state == CampaignState.DRAFT:
        url = reverse("campaign_step", args=[campaign.pk, Verb.EDIT])
        return Missing(obstacle.code, obstacle.text, url, _("Choose other rules"))
    if obstacle.code in ("rule_set", "rules"):
        url = reverse("rule_set", args=[campaign.rule_set_id])
        return Missing(obstacle.code, obstacle.text, url, _("See and confirm the rules"))
    if obstacle.code == "unanswered":
        url = reverse("campaign_claims", args=[campaign.pk])
        return Missing(obstacle.code, obstacle.text, url, _("Answer the claims"))
    return Missing(obstacle.code, obstacle.text)


def turn(campaign: PromotionCampaign, lacking: list[Missing]) -> tuple[Verb | None, str]:
    """Return the next step, and a sentence about whose turn it is; (None, "") if the campaign is over."""
    if campaign.state == CampaignState.PUBLISHED:
        return _turn_published(campaign, {item.code for item in lacking})
    return {
        CampaignState.DRAFT: (Verb.FREEZE, _("It is the office’s turn: it freezes the lists.")),
        CampaignState.FROZEN: (
            Verb.APPROVE,
            _("It is the committee’s turn: somebody of it who took no part in the lists approves them."),
        ),
        CampaignState.APPROVED: (Verb.PUBLISH, _("It is the office’s turn: it publishes the lists.")),
    }.get(campaign.state, (None, ""))


def _turn_published(campaign: PromotionCampaign, codes: set[str]) -> tuple[Verb, str]:
    if "unanswered" in codes:
        return Verb.ANSWER, _("It is the office’s turn: it answers the claims.")
    if "approval" in codes:
        return Verb.APPROVE, _(
            "It is the committee’s turn: somebody of it who took no part in the lists approves them anew."
        )
    if "claims" in codes:
        words = _("It is the players’ turn: they may contest the lists until %(day)s.")
        return Verb.CLAIM, words % {"day": format_date(campaign.claims_until, get_language() or "")}
    return Verb.APPLY, _("It is the office’s turn: it applies the change.")


def claims_ended(campaign: PromotionCampaign) -> datetime | None:
    """Return when the committee ended the claims period of this publication early, None if it did not."""
    if campaign.published_at is None:
        return None
    acts = campaign.acts.filter(verb=Verb.CLOSE, at__gte=campaign.published_at)
    return acts.values_list("at", flat=True).first()


def latest_task(campaign: PromotionCampaign) -> CampaignTask | None:
    """Return the campaign's newest task, in any state."""
    return campaign.tasks.select_related("created_by").first()


def is_scheduled(task: CampaignTask | None) -> bool:
    """Whether the task waits for a future day."""
    return bool(task and task.state == TaskState.PENDING and task.due_on and task.due_on > today())


def is_under_way(task: CampaignTask | None) -> bool:
    """Whether the task is running or about to run."""
    return bool(task) and not is_scheduled(task) and task.state in (TaskState.PENDING, TaskState.RUNNING)


def progress(task: CampaignTask) -> Progress:
    """Return the progress of the task."""
    words = {
        "freeze": _("Making the lists"),
        "apply": _("Giving the new categories"),
        "reverse": _("Taking the new categories back"),
    }
    waiting = task.state == TaskState.PENDING
    return Progress(
        stage=_("Waiting for a worker") if waiting else words[task.verb],
        since=task.enqueued_at or task.created_at,
        until=task.finished_at,
        finished=not is_under_way(task),
        url=reverse("campaign_progress", args=[task.campaign_id]),
        page_url=reverse("campaign", args=[task.campaign_id]),
    )
