"""Merging two numbers of one person, and parting them again."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players.access import roles_of
from players.categories import categories_on
from players.models import Player, PlayerMerge, Proposal
from players.office_only import for_office
from scoring.ledger import systems
from scoring.ledger.models import LedgerEntry
from scoring.office.forms.merges import MergeReasonForm, MetForm, TwoNumbersForm
from scoring.office.queries import merges as queries
from scoring.office.services import merges as service
from scoring.office.tables.merges import CompareTable, MergeTable, MetTable, SinceTable
from scoring.promotions.queries.merges import running_lists
from ui.addresses import WAITING_MESSAGE, office_crumbs
from ui.clock import today
from ui.paging import Pages, paged

MET_PAGE = "juntos"  # the page of the awards under both numbers; the mergings below have the usual one


@for_office
@require_http_methods(["GET", "HEAD", "POST"])
def merges(request: HttpRequest) -> HttpResponse:
    """Two numbers side by side, named in the address; with POST, merged. Below, what was merged before."""
    find = TwoNumbersForm(request.GET if "cede" in request.GET else None)
    form = MergeReasonForm(request.POST or None)
    known = find.is_bound and find.is_valid()
    duplicate, kept = (find.cleaned_data[name] for name in ("cede", "queda")) if known else (None, None)
    if request.method == "POST" and known and form.is_valid():
        try:
            seen = MetForm(request.POST).known
            made = service.ask(duplicate, kept, form.cleaned_data["reason"], request.user, seen)
        except ValidationError as refused:
            form.add_error(None, refused)
        else:
            if isinstance(made, Proposal):
                messages.success(request, WAITING_MESSAGE)
                return redirect(made)
            said = {"number": duplicate.number, "kept": kept.number}
            messages.success(request, _("Number %(number)s was merged into %(kept)s.") % said)
            return redirect("merge", made.pk)
    table = paged(MergeTable, request, Pages(queries.listed(), list))
    context = {
        "find": find,
        "table_html": table.as_html(request),
        "may_write": roles_of(request.user).office,
        "breadcrumbs": office_crumbs((_("Two numbers of one person"), None)),
    }
    if known:
        context |= {"form": form, **_compared(request, duplicate, kept)}
    refused = request.method == "POST" or (find.is_bound and not known)
    return render(request, "office/merges.html", context, status=422 if refused else 200)


def _compared(request: HttpRequest, duplicate: Player, kept: Player) -> dict[str, Any]:
    """The two numbers side by side: why they cannot be merged, or what to think of before it."""
    obstacles = service.obstacles(duplicate, kept)
    if duplicate.pk == kept.pk:
        return {"duplicate": duplicate, "kept": kept, "obstacles": obstacles}
    met = service.met(duplicate, kept)
    held = categories_on(today(), [duplicate.pk, kept.pk])
    codes = [held[player.pk].code if player.pk in held else None for player in (duplicate, kept)]
    return {
        "duplicate": duplicate,
        "kept": kept,
        "obstacles": obstacles,
        "compared_html": CompareTable(*queries.portraits([duplicate, kept])).as_html(request),
        "names_differ": service.names_differ(duplicate, kept),
        "two_accounts": duplicate.user_id and kept.user_id,
        "category": codes[1],
        "other_category": codes[0] if codes[0] != codes[1] else None,
        "listed": running_lists([duplicate, kept]),
        "met_html": paged(MetTable, request, met, page_field=MET_PAGE).as_html(request) if met else "",
        "question": MetForm(initial={"seen": service.fingerprint(met)}) if met else None,
    }


@for_office
@require_http_methods(["GET", "HEAD", "POST"])
def merge(request: HttpRequest, pk: int) -> HttpResponse:
    """What one merging did; with POST, undone."""
    found = get_object_or_404(queries.listed(), pk=pk)
    form = MergeReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            service.undo(found.pk, form.cleaned_data["reason"], request.user)
        except ValidationError as refused:
            form.add_error(None, refused)
        else:
            messages.success(request, _("The two numbers are parted again."))
            return redirect("merge", found.pk)
    context = {
        "merge": found,
        "form": form,
        "facts": _facts(found),
        "since_html": _since_html(request, found),
        "listed": [] if found.undone_at else running_lists([found.duplicate, found.kept]),
        "may_write": roles_of(request.user).office,
        "breadcrumbs": office_crumbs(
            (_("Two numbers of one person"), reverse("merges")), (found.duplicate.number, None)
        ),
    }
    return render(request, "office/merge.html", context, status=422 if form.is_bound else 200)


def _facts(found: PlayerMerge) -> dict[str, Any]:
    """What was moved, copied and carried over, for the page."""
    points = found.detail["points"]
    carried = {
        "user": _("the account"),
        "hidden": _("being hidden"),
        "deceased_on": _("the day of death"),
        "rated": _("the Go player"),
    }
    return {
        "entries": found.detail["entries"],
        "points": [(systems.of(family).label, points[family]) for family in sorted(points)],
        "licences": len(found.detail["licences"]),
        "carried": [text for name, text in carried.items() if name in found.detail["carried"]],
    }


def _since_html(request: HttpRequest, found: PlayerMerge) -> str:
    """Awards that undoing leaves, or left, with the number kept."""
    if found.undone_at:
        entries = LedgerEntry.objects.filter(pk__in=found.detail["stayed"]).order_by("-played_on", "-pk")
        entries, caption = entries.select_related("tournament__club"), _("Stayed with the number kept")
    else:
        entries, caption = service.given_since(found), _("Would stay with the number kept")
    table = paged(SinceTable, request, Pages(entries, list), caption=caption)
    return table.as_html(request) if len(table.rows) else ""
