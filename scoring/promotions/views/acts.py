"""The page of an act: it explains the consequences, with a form to perform it. One view serves all acts."""

from django.contrib import messages
from django.core.exceptions import NON_FIELD_ERRORS
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players.access import require
from scoring.promotions.act_pages import PAGES, ActPage, page_of
from scoring.promotions.acts.base import Act, not_now
from scoring.promotions.models import PromotionCampaign
from scoring.promotions.pure import states
from scoring.promotions.queries.tasks import is_scheduled, is_under_way, latest_task
from scoring.promotions.views.access import campaign_crumbs, campaign_of, campaign_role_required
from scoring.promotions.views.stage import missing


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
