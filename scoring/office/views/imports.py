"""Pages that upload, preview, apply and undo imported lists."""

from collections.abc import Iterator
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.text import get_text_list
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_tables2 import RequestConfig

from players.access import require, roles_of
from players.models import Proposal
from players.office_only import for_office
from players.services.proposals import waiting_for
from scoring.office.forms.columns import ListColumnsForm, missing_words
from scoring.office.forms.lists import ApplyForm, ImportForm, SecondPersonForm, UndoForm
from scoring.office.lists import columns, imports, tasks, writing
from scoring.office.lists.acts import WHY_UNDO, applied_table, rows_table, second_person_reasons
from scoring.office.models import ListTask, OfficeImport
from scoring.office.tables.imports import ImportsTable, conflict_table
from scoring.office.views.preparing import redirect_after
from tournaments import upload_actions
from tournaments.column_forms import sheet_number
from tournaments.formats.lists import OPEN, fitting
from tournaments.formats.types import SheetLayout
from tournaments.services import pipeline
from tournaments.services.issues import issue_groups
from ui import exports
from ui.addresses import office_crumbs
from ui.clock import today
from ui.paging import paginate_tables
from ui.progress import Progress, answer, whole_page

NOT_APPLICABLE = {
    "errors": _("The list was not applied: it has errors now. They are shown below."),
    "changed": _("Something changed since you saw this preview. Look at it again before you apply it."),
    "comparing": imports.COMPARING,
    "warnings": _("Tick every warning to apply the list."),
    "settled": _("This list is being applied, or was applied or discarded already."),
    "reason": _("Say why, and in which document it stands: a second person decides by that."),
}


@for_office
@require_http_methods(["GET", "HEAD", "POST"])
def imports_home(request: HttpRequest) -> HttpResponse:
    """Show the form to upload a list, and all imported lists; POST uploads a list.

    The query parameter `tipo` chooses the kind of list that the form proposes.
    """
    form, status = ImportForm(initial={"kind": request.GET.get("tipo")}), 200
    if request.method == "POST":
        form = ImportForm(request.POST, request.FILES)
        if form.is_valid():
            file = form.cleaned_data["file"]
            batch = imports.receive(form.cleaned_data["kind"], file.name, file.read(), request.user)
            tasks.wait(batch)
            batch.refresh_from_db()
            asks = columns.may_choose(batch) and not batch.columns and not _is_known(batch)
            return redirect("office_import_columns" if asks else "office_import_review", batch.pk)
        status = 422
    table = ImportsTable(OfficeImport.objects.select_related("created_by").defer("parsed", "compared"))
    RequestConfig(request, paginate={"per_page": 20}).configure(table)
    kinds = [
        {"code": code, "label": label, "headings": imports.template_headings(code)}
        for code, label in OfficeImport.Kind.choices
    ]
    context = {
        "form": form,
        "table": table,
        "kinds": kinds,
        "may_write": roles_of(request.user).office,
        "breadcrumbs": office_crumbs((gettext("Import lists"), None)),
    }
    return render(request, "office/imports.html", context, status=status)


def _is_known(batch: OfficeImport) -> bool:
    """Return whether the columns were read as chosen before, and headings show that they are the same."""
    is_remembered = any(item["code"] == "columns_remembered" for item in batch.parsed["issues"])
    return is_remembered and any(any(layout["headings"]) for layout in batch.parsed["layouts"])


@for_office
@require_http_methods(["GET", "HEAD", "POST"])
def import_columns(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Ask what each column of a list means. `?hoja=` is the number of the sheet, from 1 on.

    POST reads the file again with the columns as chosen; the next list with these headings needs it no more.
    """
    require(roles_of(request.user).office)
    batch = get_object_or_404(OfficeImport, pk=pk)
    if not columns.may_choose(batch):
        messages.warning(request, _("The columns of this list are known, or its file is no longer kept."))
        return redirect("office_import_review", batch.pk)
    shapes = [SheetLayout.from_json(layout) for layout in batch.parsed["layouts"]]
    number = sheet_number(request, shapes)
    of_kind = imports.KINDS[batch.kind].columns
    form = ListColumnsForm(request.POST or None, layout=shapes[number], columns=of_kind)
    if request.method == "POST" and form.is_valid():
        return _read_again(request, batch, form)
    context = {
        "batch": batch,
        "form": form,
        "layout": shapes[number],
        "notes": [] if form.is_bound else list(_column_notes(batch, form)),
        "sheets": [
            {"number": index, "name": shape.sheet, "current": index == number + 1}
            for index, shape in enumerate(shapes, start=1)
        ],
        "breadcrumbs": office_crumbs(
            (gettext("Import lists"), reverse("office_imports")),
            (batch.file_name, reverse("office_import_review", args=[batch.pk])),
            (gettext("Columns"), None),
        ),
    }
    return render(request, "office/import_columns.html", context, status=422 if form.is_bound else 200)


def _read_again(request: HttpRequest, batch: OfficeImport, form: ListColumnsForm) -> HttpResponse:
    try:
        imports.choose_columns(batch, form.choice(), request.user)
    except pipeline.NotUnderReview:
        messages.error(request, _("This upload has changed in the meantime: look at it again."))
    except pipeline.FileGone:
        messages.error(request, _("The file is no longer kept: upload it once more."))
    else:
        tasks.wait(batch)
        messages.success(request, _("The list is read with these columns."))
    return redirect("office_import_review", batch.pk)


def _column_notes(batch: OfficeImport, form: ListColumnsForm) -> Iterator[str]:
    """Yield what is to be decided: columns that several headings fit, and required ones that none fits."""
    layout, of_kind = form.layout, imports.KINDS[batch.kind].columns
    if missing := form.missing(layout.meanings):
        yield missing_words(missing)
    if batch.columns:
        return
    for key, indexes in fitting(layout.headings, of_kind).items():
        names = get_text_list([f"“{layout.headings[index]}”" for index in indexes], gettext("and"))
        text = gettext("%(headings)s may all be the column %(column)s: choose one of them.")
        yield text % {"headings": names, "column": form.label_of(key)}
    fits = {index for indexes in fitting(layout.headings, of_kind).values() for index in indexes}
    unknown = [
        f"“{heading}”"
        for index, (heading, meaning) in enumerate(zip(layout.headings, layout.meanings, strict=True))
        if heading and not meaning and index not in fits
    ]
    if unknown:
        text = gettext("Not recognised, and not read unless you choose: %(headings)s.")
        yield text % {"headings": get_text_list(unknown, gettext("and"))}


@for_office
@require_safe
def import_template(request: HttpRequest, kind: str, suffix: str) -> HttpResponse:
    """Download an empty list with the headings of its kind."""
    content = imports.template(kind, suffix)
    response = HttpResponse(content, content_type=exports.CONTENT_TYPES[suffix])
    return exports.attached(response, f"{kind}.{suffix}")


@for_office
@require_http_methods(["GET", "HEAD", "POST"])
def import_review(request: HttpRequest, pk) -> HttpResponse:
    """Show what applying the list would change or, once it is applied, what it changed."""
    batch = get_object_or_404(OfficeImport, pk=pk)
    if request.method == "POST":
        require(roles_of(request.user).office)
        if request.POST.get("action") == "compare":
            imports.compare_again(batch.pk, request.user)
        else:
            upload_actions.press(request, batch)
        tasks.wait(batch)
        return redirect("office_import_review", batch.pk)
    return _review(request, batch)


def _review(request: HttpRequest, batch: OfficeImport, status: int = 200, second=None) -> HttpResponse:
    may_write = roles_of(request.user).office
    if request.method == "GET" and imports.compare_if_old(batch, request.user):
        tasks.wait(batch)
        batch.refresh_from_db()
    task = tasks.latest(batch)
    if task and task.state == ListTask.State.DONE:
        batch.refresh_from_db()  # the worker may have ended after the list was read
    act = tasks.latest_act(batch)
    context = {
        "batch": batch,
        "upload": batch,
        "task": task,
        "act": act,
        "refusal": tasks.refusal_words(act),
        "progress": _progress(task) if task and task.is_under_way else None,
        "may_choose": may_write and columns.may_choose(batch),
        "columns_open": any(item["code"] in OPEN for item in batch.parsed.get("issues", ())),
        "may_write": may_write,
        **upload_actions.button_context(batch, may_write),
        "breadcrumbs": office_crumbs(
            (gettext("Import lists"), reverse("office_imports")), (batch.file_name, None)
        ),
    }
    state = OfficeImport.State
    is_comparing = task is not None and task.verb == ListTask.Verb.COMPARE and task.is_open
    context["comparing"] = is_comparing
    if batch.state in (state.REVIEW, state.WAITING) and is_comparing:
        context |= {"may_choose": False, "may_read_again": False}
    elif batch.state in (state.REVIEW, state.REFUSED, state.WAITING):
        plan = imports.comparison_of(batch, request.user)
        applicable = batch.state == state.REVIEW and plan.number and not plan.has_errors
        context |= {
            "may_change": may_write and applicable,
            "table": rows_table(batch, plan.number, with_private=may_write),
            "plan": plan,
            "groups": issue_groups(plan.issues, plan.accepted),
            "why_second": second_person_reasons(plan.second),
            "form": ApplyForm(initial={"digest": plan.digest}),
            "second": second or SecondPersonForm(),
            "waiting": waiting_for(imports.KIND, str(batch.pk)).first(),
        }
    elif batch.state != state.APPLYING:
        context |= {
            "table": applied_table(batch),
            "conflicts": conflict_table(batch.written.get("conflicts", [])),
            "waiting": waiting_for(imports.KIND_UNDO, str(batch.pk)).first(),
        }
    paginate_tables(request, context)
    return render(request, "office/import_review.html", context, status=status)


def _progress(task: ListTask) -> Progress:
    url = reverse("office_import_progress", args=[task.batch_id])
    weighs = task.verb == ListTask.Verb.COMPARE and task.batch.state == OfficeImport.State.APPLIED
    page = "office_import_undo" if weighs else "office_import_review"
    return tasks.progress_of(task, url, reverse(page, args=[task.batch_id]))


@for_office
@require_safe
def import_progress(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Return the fragment that shows how far a worker is with applying or undoing a list."""
    batch = get_object_or_404(OfficeImport.objects.defer("parsed", "compared", "written"), pk=pk)
    task = tasks.latest(batch)
    return answer(request, _progress(task)) if task else whole_page(request, batch.get_absolute_url())


@for_office
@require_POST
def import_stop(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Take a list back from the workers, if none has begun with it, or if it failed half-way."""
    batch = get_object_or_404(OfficeImport.objects.defer("parsed", "compared", "written"), pk=pk)
    if task := writing.stop(batch.pk, request.user):
        rest = _("Stopped: the rest stays as it was.")
        messages.success(request, rest if task.begun_at else _("Stopped: nothing was written."))
    else:
        messages.error(request, gettext("It has begun already, or is over: it can no longer be stopped."))
    return redirect(batch)


@for_office
@require_POST
def import_apply(request: HttpRequest, pk) -> HttpResponse:
    """Let a worker apply the previewed list, or propose it if it needs a second person."""
    batch = get_object_or_404(OfficeImport, pk=pk)
    form, second = ApplyForm(request.POST), SecondPersonForm(request.POST)
    if not (form.is_valid() and second.is_valid()):
        return _review(request, batch, status=422, second=second)
    try:
        digest, ticks = form.cleaned_data["digest"], request.POST.getlist("accept")
        result = imports.apply(batch.pk, digest, request.user, **second.cleaned_data, ticks=ticks)
    except imports.NotApplicable as error:
        messages.error(request, NOT_APPLICABLE[error.code])
        return _review(request, OfficeImport.objects.get(pk=pk), status=409, second=second)
    return redirect_after(request, result) if isinstance(result, Proposal) else redirect(batch)


@for_office
@require_http_methods(["GET", "HEAD", "POST"])
def import_undo(request: HttpRequest, pk) -> HttpResponse:
    """Show what undoing an applied list would change. POST lets a worker undo it, or proposes to undo it."""
    require(roles_of(request.user).office)
    batch = get_object_or_404(OfficeImport, pk=pk)
    if batch.state != OfficeImport.State.APPLIED:
        return redirect("office_import_review", batch.pk)
    if imports.weigh_if_needed(batch, request.user):
        tasks.wait(batch)
        batch.refresh_from_db()
        if imports.needs_weighing(batch, today()):
            return redirect("office_import_review", batch.pk)
    plan = imports.undoing_of(batch, today(), request.user)
    form = UndoForm(request.POST or None, second=plan.needs_second, initial={"digest": plan.digest})
    if request.method == "POST" and form.is_valid():
        try:
            result = imports.undo(batch.pk, by=request.user, **form.cleaned_data)
        except imports.NotApplicable as error:
            form.add_error(None, NOT_APPLICABLE[error.code])
        except ValidationError as error:
            form.add_error(None, error)
        else:
            return redirect_after(request, result) if isinstance(result, Proposal) else redirect(batch)
    context = {
        "batch": batch,
        "undoing": plan,
        "why_second": second_person_reasons(plan.second, WHY_UNDO),
        "waiting": waiting_for(imports.KIND_UNDO, str(batch.pk)).first(),
        "form": form,
        "table": applied_table(batch),
        "conflicts": conflict_table(plan.conflicts),
        "breadcrumbs": office_crumbs(
            (gettext("Import lists"), reverse("office_imports")),
            (batch.file_name, reverse("office_import_review", args=[batch.pk])),
            (gettext("Undo"), None),
        ),
    }
    paginate_tables(request, context)
    return render(request, "office/import_undo.html", context, status=422 if form.is_bound else 200)


@for_office
@require_POST
def import_discard(request: HttpRequest, pk) -> HttpResponse:
    """Discard the list without applying it."""
    batch = get_object_or_404(OfficeImport, pk=pk)
    done = gettext("The list was discarded; nothing was changed.")
    if upload_actions.discard(request, batch, done, NOT_APPLICABLE["settled"]):
        return redirect("office_imports")
    return redirect("office_import_review", batch.pk)
