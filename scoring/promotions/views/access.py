"""Who gets into the pages of the year-end category change, and who may do which step."""

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from players.access import require, roles_of
from players.office_only import SAFE
from scoring.promotions.models import PromotionCampaign
from scoring.promotions.pure.states import Verb
from ui.addresses import crumbs, office_crumbs

COMMITTEE = {Verb.APPROVE, Verb.RETURN, Verb.CLOSE}


def for_campaigns(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let the office, the committee and auditors read; what changes something asks `may` besides."""

    @login_required
    @wraps(view)
    def guarded(request: HttpRequest, *args, **kwargs) -> HttpResponse:
        roles = roles_of(request.user)
        acts = roles.office or roles.committee
        require(acts or (roles.auditor and request.method in SAFE))
        return view(request, *args, **kwargs)

    return guarded


def with_lists(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """The same for pages of frozen lists, which get the campaign; before there are any, its page opens."""

    @for_campaigns
    @wraps(view)
    def guarded(request: HttpRequest, pk: int, **kwargs) -> HttpResponse:
        campaign = campaign_of(pk)
        if not campaign.snapshot_id:
            messages.info(request, _("The lists of this campaign are not frozen yet."))
            return redirect(campaign)
        return view(request, campaign, **kwargs)

    return guarded


def may(user, verb: Verb) -> bool:
    """Whether such steps are the account's to take: the committee judges, the office does the rest."""
    roles = roles_of(user)
    return roles.committee if verb in COMMITTEE else roles.office


def not_now(campaign: PromotionCampaign) -> str:
    """Why a step that the account may take is refused in the state that the campaign has meanwhile."""
    message = _("This is not possible now: the category change of %(year)s is: %(state)s.")
    return message % {"year": campaign.year, "state": campaign.get_state_display()}


def campaign_of(pk: int) -> PromotionCampaign:
    """The campaign with what every page of it shows; 404 where there is none."""
    found = PromotionCampaign.objects.select_related(
        "rule_set", "snapshot", "opened_by", "frozen_by", "approved_by"
    )
    return get_object_or_404(found, pk=pk)


def campaign_crumbs(request: HttpRequest, *steps: tuple[str, str | None]) -> list[dict[str, str | None]]:
    """Breadcrumbs of these pages; the committee has no desk in the office to go back to."""
    roles = roles_of(request.user)
    front = office_crumbs if roles.office or roles.auditor else crumbs
    here = (_("Category change"), reverse("campaigns") if steps else None)
    return front(here, *steps)
