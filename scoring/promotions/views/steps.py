"""The steps of a campaign: its stages, what comes next, and the page of each act."""

from dataclasses import dataclass, replace
from datetime import datetime

from django.contrib import messages
from django.core.exceptions import NON_FIELD_ERRORS
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from players.access import require
from scoring.promotions.act_pages import PAGES, ActPage, link_past, page_of
from scoring.promotions.acts import act_by_verb
from scoring.promotions.acts.base import Act, Obstacle, not_now
from scoring.promotions.models import CampaignTask, PromotionCampaign
from scoring.promotions.pure import states
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries.own import holds_from
from scoring.promotions.queries.tasks import is_scheduled, is_under_way, latest_task
from scoring.promotions.views.access import campaign_crumbs, campaign_of, campaign_role_required
from ui.clock import today
from ui.formatting import format_date
from ui.progress import Progress

CampaignState = PromotionCampaign.State
TaskState = CampaignTask.State


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of a campaign, as the campaign's page shows it.

    status: "done", "now" or "later"
    note: text with the stage's date, for example the day on which it was reached; "" if it has none
    """

    label: str
    status: str
    note: str


def day_text(moment: datetime, lang: str) -> str:
    """Format the date of a moment, in local time."""
    return format_date(timezone.localtime(moment).date(), lang)


def stages(campaign: PromotionCampaign, lang: str) -> list[Stage]:
    """Return the five stages of a campaign in order.

    For a reversed or abandoned campaign, return the stages that it reached, and "Reversed" or "Abandoned".
    """
    frozen_at = campaign.snapshot and campaign.snapshot.taken_at
    milestones = [
        (_("Opened"), campaign.opened_at),
        (_("Frozen"), frozen_at),
        (_("Approved"), campaign.approved_at),
        (_("Published"), campaign.published_at),
        (_("Applied"), campaign.applied_at),
    ]
    reached = _reached(campaign)
    result = [
        Stage(name, "done", day_text(moment, lang) if moment else "")
        for name, moment in milestones[: reached + 1]
    ]
    if campaign.state in states.VOID:
        last = campaign.acts.first()
        label = _("Reversed") if campaign.state == CampaignState.REVERSED else _("Abandoned")
        return [*result, Stage(label, "now", day_text(last.at, lang) if last else "")]
    result[-1] = replace(result[-1], status="now")
    for number, (name, _moment) in enumerate(milestones[reached + 1 :], start=reached + 1):
        result.append(Stage(name, "later", _later(campaign, number, lang)))
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


@dataclass(frozen=True, slots=True)
class Missing:
    """An obstacle to the campaign's next stage, as pages show it.

    code: as of `Obstacle`
    text: explains the obstacle, and says how many days are left if it ends by itself
    url, link: the page where somebody can remove the obstacle, and the text of the link; "" for none
    """

    code: str
    text: str
    url: str
    link: str


def missing(campaign: PromotionCampaign) -> list[Missing]:
    """Return the obstacles to the campaign's next stage."""
    verb = states.leading_on(campaign.state)
    obstacles = act_by_verb(verb).obstacles(campaign) if verb else []
    return [Missing(item.code, _with_days_left(item), *link_past(item, campaign)) for item in obstacles]


def _with_days_left(obstacle: Obstacle) -> str:
    if obstacle.until is None:
        return obstacle.text
    left = (obstacle.until - today()).days + 1
    text = ngettext("%(left)s day left.", "%(left)s days left.", left) % {"left": left}
    return f"{obstacle.text} {text}"


def next_act(campaign: PromotionCampaign, lacking: list[Missing]) -> Act | None:
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
    """Return the progress of a task, as the progress bar shows it."""
    waiting = task.state == TaskState.PENDING
    return Progress(
        stage=_("Waiting for a worker") if waiting else str(PAGES[task.verb].progress),
        since=task.enqueued_at or task.created_at,
        until=task.finished_at,
        finished=not is_under_way(task),
        url=reverse("campaign_progress", args=[task.campaign_id]),
        page_url=reverse("campaign", args=[task.campaign_id]),
    )


# --- The pages of the acts ----------------------------------------------------------------------------------
def possible_steps(campaign: PromotionCampaign, user) -> list[ActPage]:
    """Return the pages of the acts that the account can perform now.

    Acts that move the campaign forward come first. Return [] while a task is under way.
    """
    task = latest_task(campaign)
    if is_under_way(task):
        return []
    scheduled = is_scheduled(task)
    steps = [
        page_of(campaign, verb)
        for verb, page in PAGES.items()
        if page.act.is_open(campaign)
        and page.act.may(user)
        and page.act.has_effect(campaign, user, scheduled)
    ]
    onward = states.ONWARD.get(campaign.state, ())
    return sorted(steps, key=lambda step: onward.index(step.verb) if step.verb in onward else len(onward))


@campaign_role_required
@require_http_methods(["GET", "HEAD", "POST"])
def campaign_step(request: HttpRequest, pk: int, verb: str) -> HttpResponse:
    """Show the page of an act: the consequences and the form. Perform the act on POST."""
    if verb not in PAGES:
        raise Http404
    campaign = campaign_of(pk)
    step = page_of(campaign, verb)
    require(step.act.may(request.user))
    if step not in possible_steps(campaign, request.user):
        messages.info(request, _why_not(campaign, step.act, request.user))
        return redirect(campaign)
    form = step.form(request.POST if request.method == "POST" else None, initial=step.initial(campaign))
    if form.submit(step.act.take, campaign, request.user):
        if step.done:
            messages.success(request, step.done)
        return redirect(campaign)
    if form.has_error(NON_FIELD_ERRORS, "changed"):  # show the current lists and an unticked form
        messages.warning(request, " ".join(form.non_field_errors()))
        return redirect(request.path)
    leading = verb == states.leading_on(campaign.state)
    context = {
        "claims_ended": claims_ended(campaign),
        "campaign": campaign,
        "step": step,
        "form": form,
        "missing": missing(campaign) if leading else [],
        **step.preview(request, campaign),
        "breadcrumbs": campaign_crumbs(
            request, (str(campaign.year), campaign.get_absolute_url()), (str(step.label), None)
        ),
    }
    return render(request, "promotions/campaign/act.html", context, status=422 if form.is_bound else 200)


def _why_not(campaign: PromotionCampaign, act: Act, user) -> str:
    """Explain why the account cannot perform the act now."""
    if is_under_way(latest_task(campaign)):
        return _("Another step is under way, or waits for its day.")
    return act.why_not(campaign, user) if act.is_open(campaign) else not_now(campaign)
