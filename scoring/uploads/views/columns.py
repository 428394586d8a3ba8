"""The page between file and review on which a director says what the columns of a table mean."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from scoring.uploads.forms.columns import RankingColumnsForm
from scoring.uploads.views.access import changeable
from scoring.uploads.views.start import back_to_review, crumbs, steps
from tournaments.column_forms import sheet_number
from tournaments.formats.types import Issue, ParsedResult, SheetLayout
from tournaments.models import ResultUpload
from tournaments.services import pipeline, uploads
from tournaments.services.issues import describe


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def choose(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Ask what each column of a sheet means. `?hoja=` is the number of the sheet, from 1 on.

    POST reads the file again with the columns as chosen, which the club's next file of that layout then needs
    no more.
    """
    upload = changeable(request.user, pk)
    if not uploads.may_choose_columns(upload):
        text = gettext("The columns of this upload are known, or its file is no longer kept.")
        return back_to_review(request, upload, text, messages.WARNING)
    parsed = ParsedResult.from_json(upload.parsed)
    number = sheet_number(request, parsed.layouts, uploads.open_layouts(parsed))
    form = RankingColumnsForm(request.POST or None, layout=parsed.layouts[number])
    if request.method == "POST" and form.is_valid():
        return _read_again(request, upload, form, number)
    context = {
        "upload": upload,
        "name": _file_name(upload, parsed, parsed.layouts[number]),
        "form": form,
        "layout": parsed.layouts[number],
        "sheets": [
            {"number": index, "name": _sheet_name(upload, parsed, layout), "current": index == number + 1}
            for index, layout in enumerate(parsed.layouts, start=1)
        ],
        "problems": _problems(upload, parsed) if request.method != "POST" else [],
        "steps": steps("upload_start", upload, reached=1 if uploads.open_layouts(parsed) else 2),
        "breadcrumbs": crumbs(upload.file_name, gettext("Columns")),
    }
    return render(request, "uploads/columns.html", context)


def _file_name(upload: ResultUpload, parsed: ParsedResult, layout: SheetLayout) -> str:
    return parsed.files[layout.file - 1].name if layout.file else upload.file_name


def _sheet_name(upload: ResultUpload, parsed: ParsedResult, layout: SheetLayout) -> str:
    names = [_file_name(upload, parsed, layout) if layout.file else "", layout.sheet]
    return ", ".join(filter(None, names))


def _read_again(
    request: HttpRequest, upload: ResultUpload, form: RankingColumnsForm, number: int
) -> HttpResponse:
    file = form.layout.file
    try:
        upload = uploads.choose_columns(upload, form.choice(), request.user, file)
    except pipeline.NotUnderReview:
        text = gettext("This upload has changed in the meantime: look at it again.")
        return back_to_review(request, upload, text)
    except pipeline.FileGone:
        return back_to_review(request, upload, gettext("The file is no longer kept: upload it once more."))
    parsed = ParsedResult.from_json(upload.parsed)
    left = {parsed.layouts[index].file for index in uploads.open_layouts(parsed)}
    if file in left:
        return redirect(request.get_full_path())
    messages.success(
        request, gettext("The table was read. Files with the same headings will need this page no more.")
    )
    return redirect("upload_columns" if left else "upload_review", upload.pk)


def _problems(upload: ResultUpload, parsed: ParsedResult) -> list[str]:
    """Return the errors of a reading with columns that were chosen, or what the list seems to be."""
    if parsed.entries or not (upload.columns or upload.state == upload.State.REFUSED):
        return []
    return [_sentence(item) for item in parsed.issues if item.severity == "error"]


def _sentence(item: Issue) -> str:
    description = describe(item)
    line = gettext("Line %(line)s: ") % {"line": item.line} if item.line else ""
    return f"{line}{description.message} {description.remedy}".strip()
