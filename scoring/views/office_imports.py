"""Office lists in the browser: choose, preview, apply."""

from django.contrib import messages
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_tables2 import A, Column, RequestConfig

from players.access import roles_of
from players.columns import DateColumn, NumberColumn
from players.tables_base import BaseTable
from scoring.forms.office import ApplyForm, ImportForm
from scoring.models import OfficeImport
from scoring.office import imports
from scoring.office.issues import describe
from scoring.services.standings import today
from scoring.views.common import office_crumbs
from scoring.views.office_access import for_office
from tournaments.formats.types import Issue

WHY_NOT = {
    "errors": _("The list was not applied: it has errors now. They are shown below."),
    "changed": _("Something changed since you saw this preview. Look at it again before you apply it."),
    "warnings": _("Tick that you have read the warnings to apply the list."),
    "settled": _("This list was already applied or discarded."),
}
CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


class PlanTable(BaseTable):
    """The lines of a list that change something."""

    line = NumberColumn(verbose_name=_("Line"), initial_sort_descending=False)
    changes = Column(verbose_name=_("Does"))
    number = Column(verbose_name=_("Number"))
    name = Column(verbose_name=_("Player"))
    details = Column(verbose_name=_("What"), orderable=False, empty_values=())

    row_header = "name"
    caption = _("What the list adds and changes")

    class Meta(BaseTable.Meta):
        empty_text = _("Nothing is new: everything in the list is there already.")

    def render_changes(self, value: bool) -> str:
        return gettext("changes") if value else gettext("adds")

    def render_details(self, record) -> str:
        """Old and new in words, so that they are heard as well as seen."""
        parts = [
            format_html(
                "{}: {}",
                each.label,
                each.new if each.old is None else format_html("{} → <strong>{}</strong>", each.old, each.new),
            )
            for each in record.details
        ]
        # One element: a narrow screen lays the parts of a cell out side by side.
        return format_html("<span>{}</span>", format_html_join("; ", "{}", ((part,) for part in parts)))


class ImportsTable(BaseTable):
    """The lists brought in so far."""

    file_name = Column(linkify=("office_import_review", {"pk": A("pk")}), verbose_name=_("File"))
    kind = Column(verbose_name=_("List of"))
    created_at = DateColumn(verbose_name=_("Uploaded"))
    created_by = Column(verbose_name=_("By"))
    state = Column(verbose_name=_("State"))
    counts = Column(verbose_name=_("Added, changed"), orderable=False, empty_values=(None, {}))

    row_header = "file_name"
    caption = _("Lists brought in")

    class Meta(BaseTable.Meta):
        empty_text = _("No list has been imported yet.")
        order_by = "-created_at"

    def render_counts(self, value: dict) -> str:
        return f"{value['added']}, {value['changed']}"


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
    response["Content-Disposition"] = f'attachment; filename="{kind}.{suffix}"'
    return response


@for_office
@require_safe
def import_review(request: HttpRequest, pk) -> HttpResponse:
    """What applying the list would do, or what it did."""
    batch = get_object_or_404(OfficeImport, pk=pk)
    return _review(request, batch)


def _review(request: HttpRequest, batch: OfficeImport, status: int = 200) -> HttpResponse:
    context = {
        "batch": batch,
        "may_write": roles_of(request.user).office,
        "breadcrumbs": office_crumbs(
            (gettext("Import lists"), reverse("office_imports")), (batch.file_name, None)
        ),
    }
    if batch.state == OfficeImport.State.REVIEW:
        plan = imports.plan_of(batch, today())
        table = PlanTable(plan.lines)
        RequestConfig(request).configure(table)
        context |= {
            "plan": plan,
            "table": table,
            "problems": in_words(plan.issues),
            "form": ApplyForm(initial={"digest": plan.digest}),
        }
    return render(request, "office/import_review.html", context, status=status)


@for_office
@require_POST
def import_apply(request: HttpRequest, pk) -> HttpResponse:
    """Apply the list that was looked at, as a whole."""
    batch = get_object_or_404(OfficeImport, pk=pk)
    form = ApplyForm(request.POST)
    if not form.is_valid():
        return _review(request, batch, status=422)
    try:
        batch = imports.apply(
            batch.pk, form.cleaned_data["digest"], form.cleaned_data["agreed"], request.user
        )
    except (imports.NotApplicable, IntegrityError) as refused:
        # A row that came in meanwhile breaks a constraint: the next preview shows it.
        messages.error(request, WHY_NOT[getattr(refused, "code", "changed")])
        return _review(request, OfficeImport.objects.get(pk=pk), status=409)
    done = batch.counts["added"] + batch.counts["changed"]
    messages.success(
        request, ngettext("%(count)s line applied.", "%(count)s lines applied.", done) % {"count": done}
    )
    return redirect("office_import_review", batch.pk)


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
