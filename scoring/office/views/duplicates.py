"""Pairs of numbers that are probably one person."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from players.access import roles_of
from players.office_only import for_office
from scoring.ledger.models.work import UNDER_WAY
from scoring.office.duplicate_words import address_to_merge, reasons
from scoring.office.models import DuplicatePair, DuplicateSearch
from scoring.office.queries.duplicates import open_pairs, separate_pairs
from scoring.office.services import duplicates as services
from ui.addresses import office_crumbs
from ui.parameters import PAGE

ROWS = 20
DECIDED = 50  # of the pairs that are two people, those that are listed


@for_office
@require_safe
def duplicates(request: HttpRequest) -> HttpResponse:
    """List the pairs that are probably one person, and those that somebody found to be two."""
    page = Paginator(open_pairs(), ROWS).get_page(request.GET.get(PAGE))
    pairs = [
        {"pair": pair, "reasons": reasons(pair), "merge_url": address_to_merge(pair)}
        for pair in page.object_list
    ]
    context = {
        "page": page,
        "page_field": PAGE,
        "pairs": pairs,
        "separate": separate_pairs()[:DECIDED],
        "last": DuplicateSearch.objects.filter(state=DuplicateSearch.State.DONE).first(),
        "under_way": DuplicateSearch.objects.filter(state__in=UNDER_WAY).exists(),
        "may_write": roles_of(request.user).office,
        "breadcrumbs": office_crumbs((_("Probable duplicates"), None)),
    }
    return render(request, "office/duplicates.html", context)


@for_office
@require_POST
def duplicates_search(request: HttpRequest) -> HttpResponse:
    """Ask for a search of the register."""
    asked = services.ask()
    messages.success(
        request, _("The register is being searched.") if asked else _("A search is under way already.")
    )
    return redirect("duplicates")


@for_office
@require_POST
def duplicate_separate(request: HttpRequest, pk: int) -> HttpResponse:
    """Store that the two numbers of a pair are two people."""
    pair = get_object_or_404(DuplicatePair.objects.select_related("first", "second"), pk=pk)
    if services.keep_apart(pair, request.user):
        text = _("%(first)s and %(second)s are two people: this will not be asked again.")
    else:
        text = _("Somebody has said already that %(first)s and %(second)s are two people.")
    messages.success(request, text % {"first": pair.first.number, "second": pair.second.number})
    return redirect("duplicates")
