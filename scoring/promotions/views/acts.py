"""The page of an act: it explains the consequences, with a form to perform it. One view serves all acts."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players.access import require
from scoring.promotions.acts import page_acts
from scoring.promotions.acts.base import PageAct, not_now
from scoring.promotions.models import PromotionCampaign
from scoring.promotions.pure import states
from scoring.promotions.queries.tasks import is_scheduled, is_under_way, latest_task
from scoring.promotions.views.access import campaign_crumbs, campaign_of, campaign_role_required
from scoring.promotions.views.stage import missing


def possible_acts(campaign: PromotionCampaign, user) -> list[PageAct]:
    """Return the acts that the account can perform now, those that move the campaign forward first.

    Return [] while a task is under way.
    """
    task = latest_task(campaign)
    if is_under_way(task):
        return []
    scheduled = is_scheduled(task)
    acts = [
        act.variant(campaign)
        for act in page_acts()
        if act.is_open(campaign) and act.may(user) and act.has_effect(campaign, user, scheduled)
    ]
    onward = states.ONWARD.get(campaign.state, ())
    return sorted(acts, key=lambda act: onward.index(act.verb) if act.verb in onward else len(onward))


@campaign_role_required
@require_http_methods(["GET", "HEAD", "POST"])
def campaign_step(request: HttpRequest, pk: int, verb: str) -> HttpResponse:
    """Show the page of an act: the consequences and the form. Perform the act on POST."""
    act = next((act for act in page_acts() if act.verb == verb), None)
    if act is None:
        raise Http404
    campaign = campaign_of(pk)
    act = act.variant(campaign)
    require(act.may(request.user))
    if act not in possible_acts(campaign, request.user):
        messages.info(request, _why_not(campaign, act, request.user))
        return redirect(campaign)
    form = act.form(campaign, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            act.take(campaign, request.user, form.cleaned_data)
        except ValidationError as error:
            if getattr(error, "code", "") == "changed":  # show the current lists and an unticked form
                messages.warning(request, " ".join(error.messages))
                return redirect(request.path)
            form.add_error(None, error)
        else:
            if act.done:
                messages.success(request, act.done)
            return redirect(campaign)
    leading = act.verb == states.leading_on(campaign.state)
    context = {
        "campaign": campaign,
        "act": act,
        "form": form,
        "missing": missing(campaign) if leading else [],
        **act.preview(request, campaign),
        "breadcrumbs": campaign_crumbs(
            request, (str(campaign.year), campaign.get_absolute_url()), (str(act.label), None)
        ),
    }
    return render(request, "promotions/campaign/act.html", context, status=422 if form.is_bound else 200)


def _why_not(campaign: PromotionCampaign, act: PageAct, user) -> str:
    """Explain why the account cannot perform the act now."""
    if is_under_way(latest_task(campaign)):
        return _("Another step is under way, or waits for its day.")
    return act.why_not(campaign, user) if act.is_open(campaign) else not_now(campaign)
