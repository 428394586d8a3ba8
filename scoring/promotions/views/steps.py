"""The steps of a campaign. Each has a page that explains its consequences, with a button to take it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from players.access import require
from scoring.promotions.forms.campaigns import (
    AgainForm,
    ApplyForm,
    ApproveForm,
    DatesForm,
    PlainForm,
    PublishForm,
    ReasonForm,
    ScheduleForm,
    SureForm,
)
from scoring.promotions.models import PromotionCampaign
from scoring.promotions.pure.states import ONWARD, STEPS, Verb
from scoring.promotions.queries import campaigns as queries
from scoring.promotions.queries.steps import may_approve
from scoring.promotions.services import campaigns
from scoring.promotions.services import work as campaign_tasks
from scoring.promotions.views.access import (
    campaign_crumbs,
    campaign_of,
    campaign_role_required,
    may_take,
    not_now_message,
)
from scoring.promotions.views.outcome import planned_grants, reversal_conflicts
from scoring.promotions.views.rows import decided_html, lists_html
from scoring.promotions.views.stage import is_scheduled, is_under_way, latest_task, missing
from ui.clock import today

CampaignState = PromotionCampaign.State
Action = Callable[[PromotionCampaign, Any, dict], object]


@dataclass(frozen=True, slots=True)
class Step:
    """One step as pages offer it.

    label: text of the button
    says: the consequences
    done: message after the step, empty if the next page shows the result
    danger: whether the step is hard to undo
    """

    verb: Verb
    label: Promise
    says: Promise
    form: type[forms.Form]
    act: Action
    done: Promise | str = ""
    danger: bool = False


def _freeze(campaign: PromotionCampaign, by, data: dict) -> None:
    campaign_tasks.request(campaign.pk, Verb.FREEZE, by, reason=data.get("reason", ""))


def _apply(campaign: PromotionCampaign, by, data: dict) -> None:
    campaign_tasks.request(campaign.pk, Verb.APPLY, by)


def _schedule(campaign: PromotionCampaign, by, data: dict) -> None:
    campaign_tasks.request(campaign.pk, Verb.APPLY, by, due_on=data["due_on"])


def _unschedule(campaign: PromotionCampaign, by, data: dict) -> None:
    task = latest_task(campaign)
    if not is_scheduled(task):
        raise campaigns.Refused(_("Nothing is scheduled."))
    campaign_tasks.cancel(task.pk, by, data["reason"])


def _reverse(campaign: PromotionCampaign, by, data: dict) -> None:
    campaign_tasks.request(campaign.pk, Verb.REVERSE, by, reason=data["reason"])


ALL = [
    Step(
        Verb.EDIT, _("Change the rules or the days"),
        _("As long as nothing is frozen, the rules and the days can be changed."),
        DatesForm, lambda campaign, by, data: campaigns.edit(campaign.pk, by, **data),
        _("The campaign was changed."),
    ),
    Step(
        Verb.FREEZE, _("Freeze the lists"),
        _("The lists of every category are made and kept as they are; results that come later are shown "
          "apart and change nothing by themselves. Nobody’s category changes yet."),
        PlainForm, _freeze,
    ),
    Step(
        Verb.APPROVE, _("Approve the lists"),
        _("You agree to the lists as they are shown here. The office can then publish them."),
        ApproveForm, lambda campaign, by, data: campaigns.approve(campaign.pk, by, data["digest"]),
        _("The lists are approved."),
    ),
    Step(
        Verb.RETURN, _("Give the lists back to the office"),
        _("The approval is taken back, and the office can change the lists again."),
        ReasonForm, lambda campaign, by, data: campaigns.give_back(campaign.pk, by, data["reason"]),
        _("The lists are with the office again."),
    ),
    Step(
        Verb.PUBLISH, _("Publish the lists"),
        _("Everybody can read the lists, players find on their page whether they move, and may contest it "
          "until the last day for claims. Nobody’s category changes yet."),
        PublishForm,
        lambda campaign, by, data: campaigns.publish(campaign.pk, by, data["claims_until"]),
        _("The lists are published."),
    ),
    Step(
        Verb.CLOSE, _("End the time for claims now"),
        _("From now on nobody can contest the lists, although the last day announced has not come. Claims "
          "already made are still answered."),
        SureForm,
        lambda campaign, by, data: campaigns.close_claims(campaign.pk, by, data["reason"]),
        _("The time for claims is over."), danger=True,
    ),
    Step(
        Verb.SCHEDULE, _("Have it applied on a day"),
        _("On that day the change is applied by itself, if by then the claims are over and answered and the "
          "lists are approved; otherwise it stops and the office is told."),
        ScheduleForm, _schedule, _("The change will be applied on that day."),
    ),
    Step(
        Verb.UNSCHEDULE, _("Do not apply it on that day"),
        _("The change will not be applied by itself. The lists stay published."),
        ReasonForm, _unschedule, _("The change is no longer scheduled."),
    ),
    Step(
        Verb.APPLY, _("Apply the change"),
        _("Every player who moves gets the new category, all at once or nobody. Points and old tournaments "
          "do not change."),
        ApplyForm, _apply,
    ),
    Step(
        Verb.WITHDRAW, _("Withdraw the publication"),
        _("The public no longer sees the lists. The office can change or freeze them again, and the "
          "committee has to approve them anew."),
        SureForm, lambda campaign, by, data: campaigns.withdraw(campaign.pk, by, data["reason"]),
        _("The lists are no longer public."), danger=True,
    ),
    Step(
        Verb.REVERSE, _("Reverse the whole change"),
        _("Everybody gets back the category they had, except those whose category was changed by hand "
          "afterwards: they are left as they are."),
        SureForm, _reverse, danger=True,
    ),
    Step(
        Verb.ABANDON, _("Abandon the campaign"),
        _("The campaign ends here and nobody moves. It stays on record; another one can be opened for the "
          "year."),
        SureForm, lambda campaign, by, data: campaigns.abandon(campaign.pk, by, data["reason"]),
        _("The campaign is abandoned."), danger=True,
    ),
]  # fmt: skip
# Freezing when there are frozen lists already.
FREEZE_AGAIN = Step(
    Verb.FREEZE, _("Freeze the lists again"),
    _("The lists are made anew from today’s results, as a new version beside the old one; what was decided "
      "by hand stays, except on players whose category is another one now. Only needed when late results "
      "should count."),
    AgainForm, _freeze,
)  # fmt: skip
# Approving again after claims have changed the published lists.
APPROVE_AGAIN = replace(
    next(step for step in ALL if step.verb == Verb.APPROVE),
    says=_("You agree to the lists as they are now, with what claims changed. The office can apply the "
           "change when the claims are over."),
)  # fmt: skip
BY_VERB = {step.verb: step for step in ALL}


def possible_steps(campaign: PromotionCampaign, user) -> list[Step]:
    """Return the steps that the account may take now, forward ones first; none while a task is running."""
    task = latest_task(campaign)
    if is_under_way(task):
        return []
    scheduled = is_scheduled(task)
    steps = [
        current_variant(step, campaign)
        for step in ALL
        if (campaign.state, step.verb) in STEPS
        and may_take(user, step.verb)
        and _has_effect(campaign, step.verb, user, scheduled)
    ]
    onward = ONWARD.get(campaign.state, ())
    return sorted(steps, key=lambda step: onward.index(step.verb) if step.verb in onward else len(onward))


def current_variant(step: Step, campaign: PromotionCampaign) -> Step:
    """Return the variant of the step for this campaign: freezing or approving again has its own texts."""
    if step.verb == Verb.APPROVE and campaign.state == CampaignState.PUBLISHED:
        return APPROVE_AGAIN
    return FREEZE_AGAIN if step.verb == Verb.FREEZE and campaign.snapshot_id else step


def _has_effect(campaign: PromotionCampaign, verb: Verb, user, scheduled: bool) -> bool:
    """Whether the step would have an effect: nothing is scheduled twice, and no list approved twice."""
    if verb == Verb.APPROVE:
        changed = (
            campaign.state == CampaignState.FROZEN
            or queries.list_digest(campaign) != campaign.approved_digest
        )
        return changed and may_approve(campaign, user)
    if verb == Verb.CLOSE:
        return today() <= campaign.claims_until and campaigns.may_close(campaign, user)
    if verb in (Verb.APPLY, Verb.SCHEDULE):
        return not scheduled
    if verb == Verb.UNSCHEDULE:
        return scheduled
    return True


@campaign_role_required
@require_http_methods(["GET", "HEAD", "POST"])
def campaign_step(request: HttpRequest, pk: int, verb: str) -> HttpResponse:
    """Explain a step; take it on POST."""
    step = BY_VERB.get(verb)
    if step is None:
        raise Http404
    campaign = campaign_of(pk)
    step = current_variant(step, campaign)
    require(may_take(request.user, step.verb))
    if step not in possible_steps(campaign, request.user):
        messages.info(request, _why_not(campaign, step.verb, request.user))
        return redirect(campaign)
    form = _form(request, campaign, step)
    if request.method == "POST" and form.is_valid():
        try:
            step.act(campaign, request.user, form.cleaned_data)
        except ValidationError as error:
            if getattr(error, "code", "") == "changed":  # show the current lists and an unticked form
                messages.warning(request, " ".join(error.messages))
                return redirect(request.path)
            form.add_error(None, error)
        else:
            if step.done:
                messages.success(request, step.done)
            return redirect(campaign)
    context = {
        "campaign": campaign,
        "step": step,
        "form": form,
        "missing": missing(campaign) if step.verb in (Verb.FREEZE, Verb.APPLY) else [],
        **_preview(request, campaign, step.verb),
        "breadcrumbs": campaign_crumbs(
            request, (str(campaign.year), campaign.get_absolute_url()), (str(step.label), None)
        ),
    }
    return render(request, "promotions/campaign/step.html", context, status=422 if form.is_bound else 200)


def _why_not(campaign: PromotionCampaign, verb: Verb, user) -> str:
    """Explain why the account cannot take the step now."""
    if is_under_way(latest_task(campaign)):
        return _("Another step is under way, or waits for its day.")
    if (campaign.state, verb) not in STEPS:
        return not_now_message(campaign)
    if verb == Verb.APPROVE and not may_approve(campaign, user):
        return _("The list is approved by somebody who has not worked on it.")
    if verb == Verb.CLOSE and not campaigns.may_close(campaign, user):
        return _("The time for claims is ended by somebody who neither worked on the list nor published it.")
    return _("The campaign has moved on meanwhile: this step is not open now.")


def _form(request: HttpRequest, campaign: PromotionCampaign, step: Step) -> forms.Form:
    data = request.POST if request.method == "POST" else None
    if step.verb == Verb.EDIT:
        names = DatesForm.base_fields
        return DatesForm(data, initial={name: getattr(campaign, name) for name in names})
    if step.verb == Verb.APPROVE:
        return ApproveForm(data, initial={"digest": queries.list_digest(campaign)})
    if step.verb == Verb.PUBLISH:
        last_day = today() + timedelta(days=campaign.rule_set.claims_days)
        return PublishForm(data, initial={"claims_until": last_day})
    if step.verb == Verb.SCHEDULE:
        first_day = max(campaign.claims_until + timedelta(days=1), today())
        start = max(first_day, campaign.effective_on)
        return ScheduleForm(data, first=first_day, initial={"due_on": start})
    return step.form(data)


def _preview(request: HttpRequest, campaign: PromotionCampaign, verb: Verb) -> dict:
    """Return the context that shows what the step would affect."""
    if verb == Verb.APPROVE:
        lists = {"lists_html": lists_html(request, campaign), "decided_html": decided_html(request, campaign)}
        return {"approval": True, "own_moves": campaigns.own_moves(campaign, request.user), **lists}
    if verb in (Verb.APPLY, Verb.SCHEDULE):
        grants = planned_grants(campaign)
        unchanged = sum(bool(grant.problem) for grant in grants)
        day = max(campaign.effective_on, today())
        return {"application": {"changed": len(grants) - unchanged, "left": unchanged, "from_day": day}}
    if verb == Verb.REVERSE:
        return {"reversal": reversal_conflicts(request, campaign)}
    return {}
