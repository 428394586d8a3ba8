"""Compare an upload with a tournament that it may repeat, and decide whether they are the same event."""

from collections.abc import Iterable
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from players.access import require, roles_of, uploadable_clubs
from scoring.uploads import preview, sent_pages
from scoring.uploads.forms.details import MakeCorrectionForm, MarkSeparateForm
from scoring.uploads.tables import ComparisonTable
from scoring.uploads.views.access import changeable, may_change, readable
from scoring.uploads.views.start import back_to_review, crumbs
from tournaments.formats.types import Issue
from tournaments.models import ResultUpload, Tournament, UploadIssue
from tournaments.models.uploads import REPEATED
from tournaments.services import pipeline, uploads
from tournaments.services.drafts import draft_of
from ui.paging import CONTESTANTS, paged

State = ResultUpload.State
FORMS: dict[str, type[Form]] = {"corrects": MakeCorrectionForm, "separate": MarkSeparateForm}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def compare(request: HttpRequest, pk: UUID, tournament: int) -> HttpResponse:
    """Show both rankings side by side.

    POST turns the upload into a correction of the tournament, or declares them to be two separate events, or
    asks the office to decide.
    """
    upload = readable(request.user, pk)
    repeated = get_object_or_404(Tournament.objects.select_related("club"), pk=tournament)
    if request.method == "POST":
        upload = changeable(request.user, pk)
    forms = _forms(request, upload, repeated)
    if request.method == "POST":
        if upload.state != State.REVIEW:
            return back_to_review(request, upload, gettext("This upload is no longer a draft."))
        action = request.POST.get("action")
        if action == "ask":
            return _ask_office(request, upload, repeated)
        require(action in forms or action not in FORMS)
        if action in forms and forms[action].is_valid():
            return _decide(request, upload, repeated, forms[action])
    draft = draft_of(upload)
    is_same = _is_repeated(draft.issues, repeated)
    name = draft.known.name or upload.file_name or gettext("Untitled")
    context = {
        "upload": upload,
        "draft": draft,
        "name": name,
        "other": repeated,
        "table": paged(
            ComparisonTable,
            request,
            preview.comparison_rows(draft, repeated, request.user),
            per_page=CONTESTANTS,
        ),
        "correction": forms.get("corrects"),
        "separate": forms.get("separate"),
        "waits_for_office": is_same and _is_repeated(upload.issues.filter(code__in=REPEATED), repeated),
        "may_ask": is_same and upload.state == State.REVIEW and may_change(request.user, upload),
        "breadcrumbs": [
            *crumbs(),
            {"label": name, "url": reverse("upload_review", args=[upload.pk])},
            {"label": gettext("Comparison"), "url": ""},
        ],
    }
    is_invalid = request.method == "POST"
    return render(request, "uploads/compare.html", context, status=422 if is_invalid else 200)


def _forms(request: HttpRequest, upload: ResultUpload, repeated: Tournament) -> dict[str, Form]:
    """Return {action: form} of the forms that the user may submit. The submitted form is bound."""
    allowed = set()
    if upload.state == State.REVIEW and may_change(request.user, upload):
        if uploadable_clubs(request.user).filter(pk=repeated.club_id).exists():
            allowed.add("corrects")
        if roles_of(request.user).office:
            allowed.add("separate")
    submitted = request.POST.get("action")
    return {
        action: form_class(request.POST if action == submitted else None)
        for action, form_class in FORMS.items()
        if action in allowed
    }


def _is_repeated(issues: Iterable[Issue | UploadIssue], repeated: Tournament) -> bool:
    """Return whether the issues say that the tournament has the same ranking or comes from the same file."""
    return any(issue.code in REPEATED and issue.params["tournament"] == repeated.pk for issue in issues)


def _ask_office(request: HttpRequest, upload: ResultUpload, repeated: Tournament) -> HttpResponse:
    """Store the current issues of the draft, so that it appears on the office's list of repeated rankings.

    This is needed if the tournament was confirmed after the issues of the draft were last stored.
    """
    try:
        uploads.refresh_issues(upload)
        sent_pages.remember(request, upload)
    except pipeline.NotUnderReview:
        messages.error(request, gettext("This upload is no longer a draft."))
    else:
        messages.success(request, gettext("The office has this draft on its list."))
    return redirect("upload_compare", upload.pk, repeated.pk)


def _decide(request: HttpRequest, upload: ResultUpload, repeated: Tournament, form: Form) -> HttpResponse:
    reason = form.cleaned_data["reason"]
    try:
        if isinstance(form, MakeCorrectionForm):
            uploads.make_correction(upload, repeated, reason)
            messages.success(request, gettext("This upload now corrects that tournament."))
        else:
            uploads.mark_separate(upload, repeated, reason, request.user)
            messages.success(request, gettext("It is noted that these are two events."))
        sent_pages.remember(request, upload)
    except pipeline.NotUnderReview:
        return back_to_review(request, upload, gettext("This upload is no longer a draft."))
    return redirect("upload_review", upload.pk)
