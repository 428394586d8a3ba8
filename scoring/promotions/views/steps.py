"""The steps of a campaign: each has a page that says what follows from it, and a button that does it."""

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
from scoring.promotions.forms import campaigns as asked
from scoring.promotions.models import PromotionCampaign
from scoring.promotions.pure.states import STEPS, Verb
from scoring.promotions.queries import campaigns as queries
from scoring.promotions.services import campaigns
from scoring.promotions.services import work as campaign_tasks
from scoring.promotions.views.access import campaign_crumbs, campaign_of, for_campaigns, may, not_now
from scoring.promotions.views.outcome import prospects, reversal_conflicts
from scoring.promotions.views.rows import decided_html, lists_html
from scoring.promotions.views.stage import is_scheduled, is_under_way, missing, work_of
from ui.clock import today

State = PromotionCampaign.State
Acting = Callable[[PromotionCampaign, Any, dict], object]


@dataclass(frozen=True, slots=True)
class Step:
    """One step as pages offer it.

    label: the button; says: what follows from it; done: the message afterwards, empty where the page that
    comes next says it; danger: hard to take back
    """

    verb: Verb
    label: Promise
    says: Promise
    form: type[forms.Form]
    act: Acting
    done: Promise | str = ""
    danger: bool = False


def _freeze(campaign: PromotionCampaign, by, said: dict) -> None:
    campaign_tasks.request(campaign.pk, Verb.FREEZE, by, reason=said.get("reason", ""))


def _apply(campaign: PromotionCampaign, by, said: dict) -> None:
    campaign_tasks.request(campaign.pk, Verb.APPLY, by)


def _schedule(campaign: PromotionCampaign, by, said: dict) -> None:
    campaign_tasks.request(campaign.pk, Verb.APPLY, by, due_on=said["due_on"])


def _unschedule(campaign: PromotionCampaign, by, said: dict) -> None:
    task = work_of(campaign)
    if not is_scheduled(task):
        raise campaigns.Refused(_("Nothing is scheduled."))
    campaign_tasks.cancel(task.pk, by, said["reason"])


def _reverse(campaign: PromotionCampaign, by, said: dict) -> None:
    campaign_tasks.request(campaign.pk, Verb.REVERSE, by, reason=said["reason"])


ALL = [
    Step(
        Verb.EDIT, _("Change the rules or the days"),
        _("As long as nothing is frozen, the rules and the days can be changed."),
        asked.DatesForm, lambda campaign, by, said: campaigns.edit(campaign.pk, by, **said),
        _("The campaign was changed."),
    ),
    Step(
        Verb.FREEZE, _("Freeze the lists"),
        _("The lists of every category are made and kept as they are; results that come later are shown "
          "apart and change nothing by themselves. Nobody’s category changes yet."),
        asked.PlainForm, _freeze,
    ),
    Step(
        Verb.APPROVE, _("Approve the lists"),
        _("You agree to the lists as they are shown here. The office can then publish them."),
        asked.ApproveForm, lambda campaign, by, said: campaigns.approve(campaign.pk, by, said["digest"]),
        _("The lists are approved."),
    ),
    Step(
        Verb.RETURN, _("Give the lists back to the office"),
        _("The approval is taken back, and the office can change the lists again."),
        asked.ReasonForm, lambda campaign, by, said: campaigns.give_back(campaign.pk, by, said["reason"]),
        _("The lists are with the office again."),
    ),
    Step(
        Verb.PUBLISH, _("Publish the lists"),
        _("Everybody can read the lists, players find on their page whether they move, and may contest it "
          "until the last day for claims. Nobody’s category changes yet."),
        asked.PublishForm,
        lambda campaign, by, said: campaigns.publish(campaign.pk, by, said["claims_until"]),
        _("The lists are published."),
    ),
    Step(
        Verb.CLOSE, _("End the time for claims now"),
        _("From now on nobody can contest the lists, although the last day announced has not come. Claims "
          "already made are still answered."),
        asked.SureForm,
        lambda campaign, by, said: campaigns.close_claims(campaign.pk, by, said["reason"]),
        _("The time for claims is over."), danger=True,
    ),
    Step(
        Verb.SCHEDULE, _("Have it applied on a day"),
        _("On that day the change is applied by itself, if by then the claims are over and answered and the "
          "lists are approved; otherwise it stops and the office is told."),
        asked.ScheduleForm, _schedule, _("The change will be applied on that day."),
    ),
    Step(
        Verb.UNSCHEDULE, _("Do not apply it on that day"),
        _("The change will not be applied by itself. The lists stay published."),
        asked.ReasonForm, _unschedule, _("The change is no longer scheduled."),
    ),
    Step(
        Verb.APPLY, _("Apply the change"),
        _("Every player who moves gets the new category, all at once or nobody. Points and old tournaments "
          "do not change."),
        asked.ApplyForm, _apply,
    ),
    Step(
        Verb.WITHDRAW, _("Withdraw the publication"),
        _("The public no longer sees the lists. The office can change or freeze them again, and the "
          "committee has to approve them anew."),
        asked.SureForm, lambda campaign, by, said: campaigns.withdraw(campaign.pk, by, said["reason"]),
        _("The lists are no longer public."), danger=True,
    ),
    Step(
        Verb.REVERSE, _("Reverse the whole change"),
        _("Everybody gets back the category they had, except those whose category was changed by hand "
          "afterwards: they are left as they are."),
        asked.SureForm, _reverse, danger=True,
    ),
    Step(
        Verb.ABANDON, _("Abandon the campaign"),
        _("The campaign ends here and nobody moves. It stays on record; another one can be opened for the "
          "year."),
        asked.SureForm, lambda campaign, by, said: campaigns.abandon(campaign.pk, by, said["reason"]),
        _("The campaign is abandoned."), danger=True,
    ),
]  # fmt: skip
# The same step once there are lists already.
AGAIN = Step(
    Verb.FREEZE, _("Freeze the lists again"),
    _("The lists are made anew from today’s results, as a new version beside the old one; what was decided "
      "by hand stays, except on players whose category is another one now. Only needed when late results "
      "should count."),
    asked.AgainForm, _freeze,
)  # fmt: skip
# And once claims changed lists that are public.
ONCE_MORE = replace(
    next(step for step in ALL if step.verb == Verb.APPROVE),
    says=_("You agree to the lists as they are now, with what claims changed. The office can apply the "
           "change when the claims are over."),
)  # fmt: skip
BY_VERB = {step.verb: step for step in ALL}
# What leads on, of several possible steps: the first is the page's main button.
ONWARD = {
    State.DRAFT: [Verb.FREEZE], State.FROZEN: [Verb.APPROVE], State.APPROVED: [Verb.PUBLISH],
    State.PUBLISHED: [Verb.APPROVE, Verb.APPLY, Verb.SCHEDULE],
}  # fmt: skip


def possible(campaign: PromotionCampaign, user) -> list[Step]:
    """The steps that this account may take now, onward ones first; none while work is under way."""
    work = work_of(campaign)
    if is_under_way(work):
        return []
    scheduled = is_scheduled(work)
    steps = [
        as_now(step, campaign)
        for step in ALL
        if (campaign.state, step.verb) in STEPS
        and may(user, step.verb)
        and _sensible(campaign, step.verb, user, scheduled)
    ]
    onward = ONWARD.get(campaign.state, [])
    return sorted(steps, key=lambda step: onward.index(step.verb) if step.verb in onward else len(onward))


def as_now(step: Step, campaign: PromotionCampaign) -> Step:
    """The step as it is for this campaign: freezing or approving once more is said otherwise."""
    if step.verb == Verb.APPROVE and campaign.state == State.PUBLISHED:
        return ONCE_MORE
    return AGAIN if step.verb == Verb.FREEZE and campaign.snapshot_id else step


def _sensible(campaign: PromotionCampaign, verb: Verb, user, scheduled: bool) -> bool:
    """Whether the step would do something: nothing is scheduled twice, or approved as it was approved."""
    if verb == Verb.APPROVE:
        fresh = campaign.state == State.FROZEN or queries.list_digest(campaign) != campaign.approved_digest
        return fresh and campaigns.may_approve(campaign, user)
    if verb == Verb.CLOSE:
        return today() <= campaign.claims_until and campaigns.may_close(campaign, user)
    if verb in (Verb.APPLY, Verb.SCHEDULE):
        return not scheduled
    if verb == Verb.UNSCHEDULE:
        return scheduled
    return True


@for_campaigns
@require_http_methods(["GET", "HEAD", "POST"])
def campaign_step(request: HttpRequest, pk: int, verb: str) -> HttpResponse:
    """What a step would do, and, by POST, doing it."""
    step = BY_VERB.get(verb)
    if step is None:
        raise Http404
    campaign = campaign_of(pk)
    step = as_now(step, campaign)
    require(may(request.user, step.verb))
    if step not in possible(campaign, request.user):
        messages.info(request, _why_not(campaign, step.verb, request.user))
        return redirect(campaign)
    form = _form(request, campaign, step)
    if request.method == "POST" and form.is_valid():
        try:
            step.act(campaign, request.user, form.cleaned_data)
        except ValidationError as refused:
            if getattr(refused, "code", "") == "changed":  # a form of the lists as they are now, and no tick
                messages.warning(request, " ".join(refused.messages))
                return redirect(request.path)
            form.add_error(None, refused)
        else:
            if step.done:
                messages.success(request, step.done)
            return redirect(campaign)
    context = {
        "campaign": campaign,
        "step": step,
        "form": form,
        "missing": missing(campaign) if step.verb in (Verb.FREEZE, Verb.APPLY) else [],
        **_shown(request, campaign, step.verb),
        "breadcrumbs": campaign_crumbs(
            request, (str(campaign.year), campaign.get_absolute_url()), (str(step.label), None)
        ),
    }
    return render(request, "promotions/campaign/step.html", context, status=422 if form.is_bound else 200)


def _why_not(campaign: PromotionCampaign, verb: Verb, user) -> str:
    """Why a step of the account's is not among the possible ones."""
    if is_under_way(work_of(campaign)):
        return _("Another step is under way, or waits for its day.")
    if (campaign.state, verb) not in STEPS:
        return not_now(campaign)
    if verb == Verb.APPROVE and not campaigns.may_approve(campaign, user):
        return _("The list is approved by somebody who has not worked on it.")
    if verb == Verb.CLOSE and not campaigns.may_close(campaign, user):
        return _("The time for claims is ended by somebody who neither worked on the list nor published it.")
    return _("The campaign has moved on meanwhile: this step is not open now.")


def _form(request: HttpRequest, campaign: PromotionCampaign, step: Step) -> forms.Form:
    data = request.POST if request.method == "POST" else None
    if step.verb == Verb.EDIT:
        names = asked.DatesForm.base_fields
        return asked.DatesForm(data, initial={name: getattr(campaign, name) for name in names})
    if step.verb == Verb.APPROVE:
        return asked.ApproveForm(data, initial={"digest": queries.list_digest(campaign)})
    if step.verb == Verb.PUBLISH:
        until = today() + timedelta(days=campaign.rule_set.claims_days)
        return asked.PublishForm(data, initial={"claims_until": until})
    if step.verb == Verb.SCHEDULE:
        first = max(campaign.claims_until + timedelta(days=1), today())
        start = max(first, campaign.effective_on)
        return asked.ScheduleForm(data, first=first, initial={"due_on": start})
    return step.form(data)


def _shown(request: HttpRequest, campaign: PromotionCampaign, verb: Verb) -> dict:
    """What the reader should see before taking the step."""
    if verb == Verb.APPROVE:
        lists = {"lists_html": lists_html(request, campaign), "decided_html": decided_html(request, campaign)}
        return {"approval": True, "own_moves": campaigns.own_moves(campaign, request.user), **lists}
    if verb in (Verb.APPLY, Verb.SCHEDULE):
        planned = prospects(campaign)
        left = sum(bool(each.problem) for each in planned)
        day = max(campaign.effective_on, today())
        return {"application": {"changed": len(planned) - left, "left": left, "from_day": day}}
    if verb == Verb.REVERSE:
        return {"reversal": reversal_conflicts(request, campaign)}
    return {}
