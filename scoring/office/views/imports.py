"""Office lists in the browser: choose, preview, apply."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_tables2 import RequestConfig

from players.access import require, roles_of
from players.models import Proposal
from players.office_only import for_office
from players.services.proposals import waiting_for
from scoring.office.acts.imports import kept_table, why_second
from scoring.office.forms.lists import ApplyForm, ImportForm, SecondForm, UndoForm
from scoring.office.lists import imports
from scoring.office.lists.issues import describe
from scoring.office.models import OfficeImport
from scoring.office.tables.imports import ImportsTable, PlanTable, conflict_table
from tournaments.formats.types import Issue
from ui import exports
from ui.addresses import WAITING_MESSAGE, office_crumbs
from ui.clock import today
from ui.paging import paginate_tables

WHY_NOT = {
    "errors": _("The list was not applied: it has errors now. They are shown below."),
    "changed": _("Something changed since you saw this preview. Look at it again before you apply it."),
    "warnings": _("Tick that you have read the warnings to apply the list."),
    "settled": _("This list was already applied or discarded."),
    "reason": _("Say why, and in which document it stands: a second person decides by that."),
}
CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


def in_words(found: list[Issue] | tuple[Issue, ...]) -> list[dict]:
    """Issues as the template shows them."""
    words = [(issue, describe(issue, gettext)) for issue in found]
    return [
        {"severity": issue.severity, "line": issue.line, "field": issue.field, "message": text.message,
         "remedy": text.remedy}
        for issue, text in words
    ]  # fmt: skip


@for_office
@require_http_methods(["GET", "HEAD", "POST"])
def imports_home(request: HttpRequest) -> HttpResponse:
    """Choose a list; those brought in before."""
    form, problems, status = ImportForm(), [], 200
    if request.method == "POST":
        form = ImportForm(request.POST, request.FILES)
        if form.is_valid():
            file = form.cleaned_data["file"]
            try:
                batch = imports.receive(form.cleaned_data["kind"], file.name, file.read(), request.user)
                return redirect("office_import_review", batch.pk)
            except imports.Unreadable as unreadable:
                problems = in_words(unreadable.issues)
        status = 422
    past = OfficeImport.objects.select_related("created_by").defer("rows", "issues")
    table = ImportsTable(past)
    RequestConfig(request, paginate={"per_page": 20}).configure(table)
    kinds = [
        {"code": code, "label": label, "headings": imports.template_headings(code)}
        for code, label in OfficeImport.Kind.choices
    ]
    context = {
        "form": form, "problems": problems, "table": table, "kinds": kinds,
        "may_write": roles_of(request.user).office,
        "breadcrumbs": office_crumbs((gettext("Import lists"), None)),
    }  # fmt: skip
    return render(request, "office/imports.html", context, status=status)


@for_office
@require_safe
def import_template(request: HttpRequest, kind: str, suffix: str) -> HttpResponse:
    """An empty list with the right headings."""
    content = imports.template_csv(kind) if suffix == "csv" else imports.template_xlsx(kind)
    response = HttpResponse(content, content_type=CONTENT_TYPES[suffix])
    return exports.attached(response, f"{kind}.{suffix}")


@for_office
@require_safe
def import_review(request: HttpRequest, pk) -> HttpResponse:
    """What applying the list would do, or what it did."""
    batch = get_object_or_404(OfficeImport, pk=pk)
    return _review(request, batch)


def _review(request: HttpRequest, batch: OfficeImport, status: int = 200, second=None) -> HttpResponse:
    context = {
        "batch": batch,
        "may_write": roles_of(request.user).office,
        "breadcrumbs": office_crumbs(
            (gettext("Import lists"), reverse("office_imports")), (batch.file_name, None)
        ),
    }
    if batch.state in (OfficeImport.State.REVIEW, OfficeImport.State.WAITING):
        plan = imports.plan_of(batch, today(), request.user)
        context |= {
            "table": PlanTable(plan.lines),
            "plan": plan,
            "problems": in_words(plan.issues),
            "why_second": why_second(plan.second),
            "form": ApplyForm(initial={"digest": plan.digest}),
            "second": second or SecondForm(),
            "waiting": waiting_for(imports.KIND, str(batch.pk)).first(),
        }
    else:
        context |= {
            "table": kept_table(batch),
            "conflicts": conflict_table(batch.written.get("conflicts", [])),
            "waiting": waiting_for(imports.KIND_UNDO, str(batch.pk)).first(),
        }
    paginate_tables(request, context)
    return render(request, "office/import_review.html", context, status=status)


@for_office
@require_POST
def import_apply(request: HttpRequest, pk) -> HttpResponse:
    """Apply the list that was looked at, as a whole, or let a second person decide."""
    batch = get_object_or_404(OfficeImport, pk=pk)
    form, second = ApplyForm(request.POST), SecondForm(request.POST)
    if not (form.is_valid() and second.is_valid()):
        return _review(request, batch, status=422, second=second)
    try:
        done = imports.apply(
            batch.pk, form.cleaned_data["digest"], form.cleaned_data["agreed"], request.user,
            **second.cleaned_data,
        )  # fmt: skip
    except (imports.NotApplicable, IntegrityError) as refused:
        # A row that came in meanwhile breaks a constraint: the next preview shows it.
        messages.error(request, WHY_NOT[getattr(refused, "code", "changed")])
        return _review(request, OfficeImport.objects.get(pk=pk), status=409, second=second)
    if isinstance(done, Proposal):
        messages.success(request, WAITING_MESSAGE)
        return redirect(done)
    number = done.counts["added"] + done.counts["changed"]
    messages.success(
        request, ngettext("%(count)s line applied.", "%(count)s lines applied.", number) % {"count": number}
    )
    return redirect("office_import_review", done.pk)


@for_office
@require_http_methods(["GET", "HEAD", "POST"])
def import_undo(request: HttpRequest, pk) -> HttpResponse:
    """What undoing an applied list would do; with POST, undone or left to a second person."""
    require(roles_of(request.user).office)
    batch = get_object_or_404(OfficeImport, pk=pk)
    if batch.state != OfficeImport.State.APPLIED:
        return redirect("office_import_review", batch.pk)
    undoing = imports.undoing_of(batch)
    form = UndoForm(request.POST or None, by_two=batch.by_two, initial={"digest": undoing.digest})
    if request.method == "POST" and form.is_valid():
        try:
            done = imports.undo(batch.pk, by=request.user, **form.cleaned_data)
        except imports.NotApplicable as refused:
            form.add_error(None, WHY_NOT[refused.code])
        except ValidationError as refused:
            form.add_error(None, refused)
        else:
            waits = isinstance(done, Proposal)
            messages.success(request, WAITING_MESSAGE if waits else gettext("The list was undone."))
            return redirect(done) if waits else redirect("office_import_review", batch.pk)
    context = {
        "batch": batch, "undoing": undoing, "form": form, "table": kept_table(batch),
        "conflicts": conflict_table(undoing.conflicts),
        "breadcrumbs": office_crumbs(
            (gettext("Import lists"), reverse("office_imports")),
            (batch.file_name, reverse("office_import_review", args=[batch.pk])), (gettext("Undo"), None),
        ),
    }  # fmt: skip
    paginate_tables(request, context)
    return render(request, "office/import_undo.html", context, status=422 if form.is_bound else 200)


@for_office
@require_POST
def import_discard(request: HttpRequest, pk) -> HttpResponse:
    """Put the list aside: nothing of it is written."""
    batch = get_object_or_404(OfficeImport, pk=pk)
    try:
        imports.discard(batch.pk)
    except imports.NotApplicable as refused:
        messages.error(request, WHY_NOT[refused.code])
        return redirect("office_import_review", batch.pk)
    messages.success(request, gettext("The list was discarded; nothing was changed."))
    return redirect("office_imports")
