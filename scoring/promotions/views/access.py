"""Access to the pages of the year-end category change."""

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
from ui.addresses import crumbs, office_crumbs


def campaign_role_required(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Restrict a view to the office and the committee, and to auditors for reading only (view decorator).

    Acts also check `Act.may`.
    """

    @login_required
    @wraps(view)
    def guarded(request: HttpRequest, *args, **kwargs) -> HttpResponse:
        roles = roles_of(request.user)
        may_write = roles.office or roles.committee
        require(may_write or (roles.auditor and request.method in SAFE))
        return view(request, *args, **kwargs)

    return guarded


def campaign_reader_required(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Restrict a view to the office, the committee and auditors (view decorator).

    For views whose POST changes nothing of a campaign.
    """

    @login_required
    @wraps(view)
    def guarded(request: HttpRequest, *args, **kwargs) -> HttpResponse:
        require(roles_of(request.user).reads_everything)
        return view(request, *args, **kwargs)

    return guarded


def frozen_lists_required(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Restrict a view as `campaign_role_required` does; pass it what `with_frozen_lists` does (decorator)."""
    return campaign_role_required(with_frozen_lists(view))


def with_frozen_lists(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Pass a view the campaign instead of `pk` (view decorator). Another decorator must check the reader.

    If the campaign has no frozen lists, redirect to the campaign's page.
    """

    @wraps(view)
    def guarded(request: HttpRequest, pk: int, **kwargs) -> HttpResponse:
        campaign = campaign_of(pk)
        if not campaign.snapshot_id:
            messages.info(request, _("The lists of this campaign are not frozen yet."))
            return redirect(campaign)
        return view(request, campaign, **kwargs)

    return guarded


def campaign_of(pk: int) -> PromotionCampaign:
    """Return a campaign with its rule set and snapshot, which every page shows, or raise Http404."""
    return get_object_or_404(PromotionCampaign.objects.select_related("rule_set", "snapshot"), pk=pk)


def campaign_crumbs(request: HttpRequest, *steps: tuple[str, str | None]) -> list[dict[str, str | None]]:
    """Return the breadcrumbs of a page: the start, the index of campaigns, and `steps`.

    The start is the office's page if the reader may open it.

    steps: (text, URL) of the further pages; the URL is None for the current page
    """
    roles = roles_of(request.user)
    crumbs_from = office_crumbs if roles.office or roles.auditor else crumbs
    here = (_("Category change"), reverse("campaigns") if steps else None)
    return crumbs_from(here, *steps)
