"""Pages of proposals: the list, and the page on which one is approved, returned or withdrawn."""

from functools import partial
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
from players.services import proposals as services
from scoring.office.forms.proposals import ReturnForm
from scoring.office.queries import proposals as queries
from scoring.office.tables.proposals import DecidedTable, PendingTable
from ui.addresses import crumbs, office_crumbs, one_of
from ui.paging import Pages, paged, paginate_tables
from ui.progress import answer, whole_page

DECIDED_STATES = Proposal.State.choices[1:]


@login_required
@require_safe
def proposals(request: HttpRequest) -> HttpResponse:
    """List the proposals that the account may see.

    Pending ones are in three tables: waiting for this account, prepared by it, and waiting for somebody else.
    A fourth table has the decided ones.
    """
    pending = queries.pending_proposals(request.user)
    sections = [
        (_("Waiting for you"), "para-ti", pending.to_decide),
        (_("Prepared by you, waiting for another person"), "tuyos", pending.own),
        (_("Waiting for somebody else"), "de-otros", pending.of_others),
    ]
    records = partial(queries.records, viewer=request.user)
    tables = [
        paged(PendingTable, request, Pages(rows, records), caption=caption, page_field=field).as_html(request)
        for caption, field, rows in sections
        if rows
    ]
    filters = {
        "kind": one_of(request.GET.get("acto", ""), labels()),
        "state": one_of(request.GET.get("estado", ""), dict(DECIDED_STATES)),
    }
    decided = queries.decided_proposals(request.user).filter(
        **{name: value for name, value in filters.items() if value}
    )
    context = {
        "to_decide": len(pending.to_decide),
        "tables": tables,
        "asked": filters,
        "kinds": sorted(labels().items(), key=lambda item: str(item[1])),
        "states": DECIDED_STATES,
        "decided_html": paged(DecidedTable, request, Pages(decided, records)).as_html(request),
        "breadcrumbs": _crumbs(request),
    }
    return render(request, "office/proposals/index.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def proposal(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what a proposal would do, or did; POST approves, returns or withdraws it."""
    shown = get_object_or_404(Proposal.objects.select_related("prepared_by", "decided_by"), pk=pk)
    if not act_of(shown).may_see(request.user, shown):
        raise Http404
    form = ReturnForm(request.POST if request.POST.get("action") == "return" else None)
    problems: list[str] = []
    if request.method == "POST":
        try:
            return _decide(request, pk, form)
        except ValidationError as error:
            if hasattr(error, "error_dict"):
                form.add_error(None, error)
            else:
                problems = error.messages
            shown.refresh_from_db()
    return render(
        request,
        "office/proposals/proposal.html",
        _context(request, shown) | {"form": form, "problems": problems},
        status=422 if request.method == "POST" else 200,
    )


def _decide(request: HttpRequest, pk: int, form: ReturnForm) -> HttpResponse:
    action, user = request.POST.get("action", ""), request.user
    if action == "return":
        if not form.is_valid():
            raise ValidationError({"reason": form.errors["reason"]})
        services.give_back(pk, user, form.cleaned_data["reason"])
        messages.success(request, _("Returned to whoever prepared it."))
    elif action == "withdraw":
        services.withdraw(pk, user)
        messages.success(request, _("Withdrawn: nothing was changed."))
    else:
        approved = services.approve(pk, user, request.POST.get("seen", ""))
        if approved.state == Proposal.State.PENDING:  # a worker does it: the page shows how far it is
            return redirect(approved)
        messages.success(request, _("Approved and done."))
    return redirect("proposals")


@login_required
@require_safe
def proposal_progress(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the fragment that shows how far a worker is with an approved act."""
    shown = get_object_or_404(Proposal, pk=pk)
    act = act_of(shown)
    if not act.may_see(request.user, shown):
        raise Http404
    progress = act.under_way(shown)
    return answer(request, progress) if progress else whole_page(request, shown.get_absolute_url())


def _context(request: HttpRequest, shown: Proposal) -> dict[str, Any]:
    act = act_of(shown)
    context = {
        "proposal": shown,
        "title": act.title(shown),
        "label": act.label,
        "breadcrumbs": _crumbs(request, (act.title(shown), None)),
    }
    if shown.state != Proposal.State.PENDING:
        return context | {"outcome": act.outcome(shown)}
    if progress := act.under_way(shown):
        return context | {"approved": progress, "progress": None if progress.finished else progress}
    effect = act.effect(shown, request.user)
    paginate_tables(request, effect.context)
    deciding = may_decide(request.user, shown)
    return context | {
        "effect": effect,
        "obstacles": services.obstacles(shown),
        "may_decide": deciding,
        "held_back": services.hold(shown, request.user) if deciding else "",
        "own": shown.prepared_by_id == request.user.pk,
        **effect.context,
    }


def _crumbs(request: HttpRequest, *steps: tuple[str, str | None]) -> list[dict[str, str | None]]:
    roles = roles_of(request.user)
    front = office_crumbs if roles.office or roles.auditor else crumbs
    return front((_("Waiting for a second person"), reverse("proposals") if steps else None), *steps)
