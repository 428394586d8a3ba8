"""An upload beside a tournament that it may repeat, and what can be said about the two."""

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
from scoring.uploads import sent_pages
from scoring.uploads.comparison import rows_beside
from scoring.uploads.forms.repeats import CorrectInsteadForm, SeparateForm
from scoring.uploads.tables import ComparisonTable
from scoring.uploads.views.access import changeable, may_change, readable
from scoring.uploads.views.start import crumbs
from tournaments.formats.types import Issue
from tournaments.models import ResultUpload, Tournament, UploadIssue
from tournaments.services import uploads
from tournaments.services.drafts import draft_of

State = ResultUpload.State
FORMS: dict[str, type[Form]] = {"corrects": CorrectInsteadForm, "separate": SeparateForm}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def compare(request: HttpRequest, pk: UUID, tournament: int) -> HttpResponse:
    """Both rankings side by side. POST says by `action` that the upload corrects the other, or is another."""
    upload = readable(request.user, pk)
    other = get_object_or_404(Tournament.objects.select_related("club"), pk=tournament)
    if request.method == "POST":
        upload = changeable(request.user, pk)
    forms = _forms(request, upload, other)
    if request.method == "POST":
        if upload.state != State.REVIEW:
            messages.error(request, gettext("This upload is no longer a draft."))
            return redirect("upload_review", upload.pk)
        action = request.POST.get("action")
        if action == "ask":
            return _ask(request, upload, other)
        require(action in forms or action not in FORMS)
        if action in forms and forms[action].is_valid():
            return _decide(request, upload, other, forms[action])
    draft = draft_of(upload)
    same = _names(draft.issues, other)
    name = draft.known.name or upload.file_name or gettext("Untitled")
    context = {
        "upload": upload,
        "draft": draft,
        "name": name,
        "other": other,
        "table": ComparisonTable(rows_beside(draft, other, request.user)),
        "correction": forms.get("corrects"),
        "separate": forms.get("separate"),
        "waits": same and _names(upload.issues.filter(code="same_ranking"), other),
        "may_ask": same and upload.state == State.REVIEW and may_change(request.user, upload),
        "breadcrumbs": [
            *crumbs(),
            {"label": name, "url": reverse("upload_review", args=[upload.pk])},
            {"label": gettext("Comparison"), "url": ""},
        ],
    }
    refused = request.method == "POST"
    return render(request, "uploads/compare.html", context, status=422 if refused else 200)


def _forms(request: HttpRequest, upload: ResultUpload, other: Tournament) -> dict[str, Form]:
    """The forms of what this account may say, by action; only the one that was sent holds data."""
    allowed = set()
    if upload.state == State.REVIEW and may_change(request.user, upload):
        if uploadable_clubs(request.user).filter(pk=other.club_id).exists():
            allowed.add("corrects")
        if roles_of(request.user).office:
            allowed.add("separate")
    sent = request.POST.get("action")
    return {
        action: kind(request.POST if action == sent else None)
        for action, kind in FORMS.items()
        if action in allowed
    }


def _names(issues: Iterable[Issue | UploadIssue], other: Tournament) -> bool:
    """Whether the tournament is among those with the same ranking."""
    return any(each.code == "same_ranking" and each.params["tournament"] == other.pk for each in issues)


def _ask(request: HttpRequest, upload: ResultUpload, other: Tournament) -> HttpResponse:
    """Put the draft on the office's list: what is stored of it may be older than the tournament."""
    try:
        uploads.refresh_issues(upload)
        sent_pages.remember(request, upload)
    except uploads.NotUnderReview:
        messages.error(request, gettext("This upload is no longer a draft."))
    else:
        messages.success(request, gettext("The office has this draft on its list."))
    return redirect("upload_compare", upload.pk, other.pk)


def _decide(request: HttpRequest, upload: ResultUpload, other: Tournament, form: Form) -> HttpResponse:
    reason = form.cleaned_data["reason"]
    try:
        if isinstance(form, CorrectInsteadForm):
            uploads.make_correction(upload, other, reason)
            messages.success(request, gettext("This upload now corrects that tournament."))
        else:
            uploads.mark_separate(upload, other, reason, request.user)
            messages.success(request, gettext("It is noted that these are two events."))
        sent_pages.remember(request, upload)
    except uploads.NotUnderReview:
        messages.error(request, gettext("This upload is no longer a draft."))
    return redirect("upload_review", upload.pk)
