"""Acts that need a second person: what waits, and the page on which one is approved or returned."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from players.access import roles_of
from players.models import Proposal
from players.proposals import act_of, labels, may_decide
from players.services import proposals as service
from players.services.journal import hold_message
from scoring.office.forms.proposals import ReturnForm
from scoring.office.queries import proposals as queries
from scoring.office.tables.proposals import DecidedTable, WaitingTable
from ui.addresses import crumbs, office_crumbs, one_of
from ui.paging import Pages, paged, paginate_tables

STATES = Proposal.State.choices[1:]  # of what was decided


@login_required
@require_safe
def proposals(request: HttpRequest) -> HttpResponse:
    """What waits for this account, what it prepared itself, and what was decided."""
    waiting = queries.waiting(request.user)
    parts = [
        (_("Waiting for you"), "para-ti", waiting.to_decide),
        (_("Prepared by you, waiting for another person"), "tuyos", waiting.own),
        (_("Waiting for somebody else"), "de-otros", waiting.of_others),
    ]
    tables = [
        paged(WaitingTable, request, found, caption=caption, page_field=field).as_html(request)
        for caption, field, found in parts
        if found
    ]
    asked = {
        "kind": one_of(request.GET.get("acto", ""), labels()),
        "state": one_of(request.GET.get("estado", ""), dict(STATES)),
    }
    decided = queries.decided(request.user).filter(**{name: value for name, value in asked.items() if value})
    context = {
        "to_decide": len(waiting.to_decide),
        "tables": tables,
        "asked": asked,
        "kinds": sorted(labels().items(), key=lambda item: str(item[1])),
        "states": STATES,
        "decided_html": paged(DecidedTable, request, Pages(decided, list)).as_html(request),
        "breadcrumbs": _crumbs(request),
    }
    return render(request, "office/proposals/index.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def proposal(request: HttpRequest, pk: int) -> HttpResponse:
    """What one act would do; with POST approved, returned or withdrawn."""
    found = get_object_or_404(Proposal.objects.select_related("prepared_by", "decided_by"), pk=pk)
    if not act_of(found).may_see(request.user, found):
        raise Http404
    form = ReturnForm(request.POST if request.POST.get("action") == "return" else None)
    problems: list[str] = []
    if request.method == "POST":
        try:
            return _decide(request, pk, form)
        except ValidationError as refused:
            if hasattr(refused, "error_dict"):
                form.add_error(None, refused)
            else:
                problems = refused.messages
            found.refresh_from_db()
    return render(
        request,
        "office/proposals/proposal.html",
        _context(request, found) | {"form": form, "problems": problems},
        status=422 if request.method == "POST" else 200,
    )


def _decide(request: HttpRequest, pk: int, form: ReturnForm) -> HttpResponse:
    action, user = request.POST.get("action", ""), request.user
    if action == "return":
        if not form.is_valid():
            raise ValidationError({"reason": form.errors["reason"]})
        service.give_back(pk, user, form.cleaned_data["reason"])
        messages.success(request, _("Returned to whoever prepared it."))
    elif action == "withdraw":
        service.withdraw(pk, user)
        messages.success(request, _("Withdrawn: nothing was changed."))
    else:
        service.approve(pk, user, request.POST.get("seen", ""))
        messages.success(request, _("Approved and done."))
    return redirect("proposals")


def _context(request: HttpRequest, found: Proposal) -> dict[str, Any]:
    act, pending = act_of(found), found.state == Proposal.State.PENDING
    context = {
        "proposal": found,
        "title": act.title(found),
        "label": act.label,
        "breadcrumbs": _crumbs(request, (act.title(found), None)),
    }
    if not pending:
        return context | {"outcome": act.outcome(found)}
    effect = act.effect(found, request.user)
    paginate_tables(request, effect.context)
    deciding = may_decide(request.user, found)
    return context | {
        "effect": effect,
        "obstacles": service.obstacles(found),
        "may_decide": deciding,
        "held_back": hold_message(request.user) if deciding else "",
        "own": found.prepared_by_id == request.user.pk,
        **effect.context,
    }


def _crumbs(request: HttpRequest, *steps: tuple[str, str | None]) -> list[dict[str, str | None]]:
    roles = roles_of(request.user)
    front = office_crumbs if roles.office or roles.auditor else crumbs
    return front((_("Waiting for a second person"), reverse("proposals") if steps else None), *steps)
