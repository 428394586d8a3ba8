"""Pages of changeovers: upload the files, see what they add up to, apply and undo."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players.access import require, roles_of
from players.models import Proposal
from players.office_only import for_office
from scoring.changeover import acts, queries, services, tasks, wording
from scoring.changeover.forms import ApplyForm, ChangeoverForm, UndoForm
from scoring.changeover.models import Changeover
from scoring.changeover.tables import BalancesTable, ChangeoversTable, YearsTable, state_of
from ui import exports
from ui.addresses import office_crumbs
from ui.form_errors import errors_on
from ui.paging import Pages, paged
from ui.progress import Progress, answer


@for_office
@require_http_methods(["GET", "HEAD", "POST"])
def changeovers(request: HttpRequest) -> HttpResponse:
    """Show the form to upload the points of a former program, and all changeovers; POST uploads them."""
    may_write = roles_of(request.user).office
    form = ChangeoverForm(request.POST or None, request.FILES or None)
    if request.method == "POST":
        require(may_write)
        if form.is_valid():
            values = form.cleaned_data
            with errors_on(form):
                changeover = services.receive(
                    values["history"],
                    request.user,
                    next(iter(values["old_list"]), None),
                    values["list_day"],
                    values["period"],
                )
                return redirect(changeover)
    rows = Changeover.objects.select_related("created_by")
    context = {
        "form": form,
        "may_write": may_write,
        "is_open": rows.filter(applied_at=None, discarded_at=None).exists(),
        "table_html": paged(ChangeoversTable, request, Pages(rows, list)).as_html(request),
        "breadcrumbs": _crumbs(),
    }
    return render(request, "changeover/changeovers.html", context, status=422 if form.is_bound else 200)


@for_office
@require_safe
def changeover(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Show what a changeover would post or has posted, and where it differs from the old list."""
    return _page(request, _changeover(pk))


def _page(
    request: HttpRequest,
    changeover: Changeover,
    *,
    status: int = 200,
    apply_form: ApplyForm | None = None,
    undo_form: UndoForm | None = None,
) -> HttpResponseBase:
    roles = roles_of(request.user)
    second = tasks.needs_second()
    balances = Pages(changeover.balances.all(), queries.with_players)
    table = exports.file_or_table(request, BalancesTable, "diferencias", balances)
    if isinstance(table, HttpResponseBase):
        return table
    has_errors = queries.has_errors(changeover)
    waiting = Proposal.objects.filter(
        kind__in=(acts.ApplyAct.kind, acts.UndoAct.kind), key=str(changeover.pk), state=Proposal.State.PENDING
    ).first()
    may_apply = changeover.is_under_review and not has_errors and changeover.number > 0 and waiting is None
    initial = {"digest": changeover.digest}
    context = {
        "changeover": changeover,
        "state": state_of(changeover),
        "files": changeover.files.defer("content"),
        "progress": _progress(changeover) if changeover.is_under_way else None,
        "refusal": tasks.REFUSALS.get(changeover.refusal),
        "groups": wording.groups_of(changeover),
        "has_errors": has_errors,
        "years_html": YearsTable(changeover.totals.get("years", [])).as_html(request),
        "balances_html": table.as_html(request),
        "may_write": roles.office,
        "may_apply": may_apply and roles.office,
        "second": second,
        "apply_form": apply_form
        or ApplyForm(initial=initial, differences=changeover.differences > 0, second=second),
        "may_undo": changeover.is_applied
        and not changeover.is_under_way
        and waiting is None
        and roles.office,
        "undo_form": undo_form or UndoForm(),
        "waiting": waiting,
        "breadcrumbs": _crumbs((str(changeover.pk), None)),
    }
    return render(request, "changeover/changeover.html", context, status=status)


@for_office
@require_safe
def changeover_progress(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the fragment that shows how far a worker is."""
    return answer(request, _progress(_changeover(pk)))


@for_office
@require_POST
def changeover_apply(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Let a worker post the awards, or propose it to a second person."""
    require(roles_of(request.user).office)
    changeover = _changeover(pk)
    second = tasks.needs_second()
    form = ApplyForm(request.POST, differences=changeover.differences > 0, second=second)
    if form.is_valid():
        values = form.cleaned_data
        with errors_on(form):
            result = services.apply(pk, request.user, values.pop("digest"), **values)
            return _after(request, result)
    return _page(request, changeover, status=422, apply_form=form)


@for_office
@require_POST
def changeover_undo(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Propose to take all awards back."""
    require(roles_of(request.user).office)
    form = UndoForm(request.POST)
    if form.is_valid():
        with errors_on(form):
            return _after(request, services.propose_undoing(pk, request.user, **form.cleaned_data))
    return _page(request, _changeover(pk), status=422, undo_form=form)


def _after(request: HttpRequest, result: Changeover | Proposal) -> HttpResponse:
    if isinstance(result, Proposal):
        messages.success(request, _("It waits for a second person now."))
    return redirect(result)


@for_office
@require_POST
def changeover_discard(request: HttpRequest, pk: int) -> HttpResponse:
    """Discard a changeover that was not applied."""
    try:
        services.discard(_changeover(pk).pk, request.user)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return redirect("changeover", pk)
    messages.success(request, _("Discarded: nothing was written."))
    return redirect("changeovers")


def _changeover(pk: int) -> Changeover:
    rows = Changeover.objects.select_related("created_by", "applied_by", "undone_by")
    return get_object_or_404(rows, pk=pk)


def _progress(changeover: Changeover) -> Progress:
    url = reverse("changeover_progress", args=[changeover.pk])
    return tasks.progress_of(changeover, url, changeover.get_absolute_url())


def _crumbs(*steps: tuple[str, str | None]) -> list[dict[str, str | None]]:
    here = reverse("changeovers") if steps else None
    return office_crumbs((_("Changeover"), here), *steps)
