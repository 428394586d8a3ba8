"""A Go result on its way to ratings: file, preview, confirmation, progress."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from players.access import require, roles_of
from scoring.ratings.access import go_crumbs, may_upload
from scoring.ratings.forms import GoUploadForm
from scoring.ratings.models import GoUpload, RatingReplay, RatingTournament
from scoring.ratings.services import register
from scoring.ratings.tables import GoPreviewTable
from scoring.ratings.views.pages import changes_table
from tournaments.services.issues import describe
from ui import progress as progresses
from ui.paging import paged

State = GoUpload.State


def readable(user, pk: UUID) -> GoUpload:
    """The upload, for who sent it, the office and auditors; 404 for everybody else."""
    upload = get_object_or_404(GoUpload.objects.select_related("replay", "tournament", "corrects"), pk=pk)
    roles = roles_of(user)
    if not (roles.office or roles.auditor or upload.created_by_id == user.pk):
        raise Http404
    return upload


def changeable(user, pk: UUID) -> GoUpload:
    """The same for who may register it: auditors only look."""
    upload = readable(user, pk)
    require(may_upload(user))
    return upload


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def start(request: HttpRequest) -> HttpResponse:
    """The file and what it does not say; `?corrige=` corrects a tournament."""
    require(may_upload(request.user))
    corrects = _corrected(request)
    form = GoUploadForm(*((request.POST, request.FILES) if request.method == "POST" else ()))
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        upload = register.receive(request.user, file.name, file.read(), form.details(), corrects)
        return redirect("go_upload_review", upload.pk)
    drafts = GoUpload.objects.filter(created_by=request.user, state=State.REVIEW).defer("content", "parsed")
    context = {
        "form": form,
        "corrects": corrects,
        "drafts": drafts[:20],
        "breadcrumbs": go_crumbs((_("Upload"), None)),
    }
    return render(request, "ratings/upload.html", context)


def _corrected(request: HttpRequest) -> RatingTournament | None:
    pk = request.GET.get("corrige")
    if not pk:
        return None
    if not pk.isdecimal() or len(pk) > 15:
        raise Http404
    tournament = get_object_or_404(RatingTournament, pk=pk)
    require(register.may_correct(request.user, tournament))
    return tournament


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def review(request: HttpRequest, pk: UUID) -> HttpResponse:
    """What the file says and what it would change; POST registers it, once, however often it is clicked."""
    upload = readable(request.user, pk)
    if upload.state == State.CONFIRMED:
        return redirect("go_upload_progress", upload.pk)
    if upload.state == State.DISCARDED:
        return redirect("go_tournaments")
    if request.method == "POST":
        changeable(request.user, pk)
        try:
            register.confirm(upload, request.user, set(request.POST.getlist("accept")))
        except register.NotConfirmable:
            messages.error(request, _("Not registered: mend the errors and tick every warning."))
            return redirect("go_upload_review", upload.pk)
        return redirect("go_upload_progress", upload.pk)
    return render(request, "ratings/review.html", _review(request, upload))


def _review(request: HttpRequest, upload: GoUpload) -> dict:
    """Everything the preview shows."""
    result = register.result_of(upload)
    event = register.event_of(upload)
    shown = event and register.preview(event, request.user, upload.corrects)
    known = register.known_of(upload, result)
    labels = {
        "name": _("the name"), "start_date": _("the first day"), "end_date": _("the last day"),
        "tournament_class": _("the class"),
    }  # fmt: skip
    missing = [] if result.has_errors else [labels[name] for name, value in known.items() if not value]
    issues = [*result.issues, *(shown.questions if shown else ())]
    # Several of a kind are ticked once, below the last of them.
    ticked = {each.code: each for each in issues if each.severity == "warning"}
    remarks = [
        {"issue": each, "text": describe(each), "ticks": ticked.get(each.code) is each} for each in issues
    ]
    table = shown and shown.rows and paged(GoPreviewTable, request, shown.rows)
    return {
        "upload": upload,
        "result": result,
        "event": event,
        "preview": shown,
        "missing": missing,
        "reversed_dates": not missing and event is None and not result.has_errors,
        "issues": remarks,
        "table_html": table.as_html(request) if table else "",
        "regulation": shown.regulation if shown else "",
        "rated_games": sum(not each.reason for each in result.games),
        "may_change": may_upload(request.user),
        "breadcrumbs": go_crumbs((known["name"] or upload.file_name, None)),
    }


@login_required
@require_GET
def progress(request: HttpRequest, pk: UUID) -> HttpResponse:
    """How far the ratings are, then what they changed; the fragment asks for itself each second."""
    upload = readable(request.user, pk)
    if upload.state != State.CONFIRMED:
        return redirect("go_upload_review", upload.pk)
    shown = _progress(upload)
    if request.htmx:
        return progresses.answer(request, shown)
    context = {
        "upload": upload,
        "replay": upload.replay,
        "progress": shown,
        "table": changes_table(upload.replay),
        "breadcrumbs": go_crumbs(
            (upload.tournament.name, upload.tournament.get_absolute_url()), (_("Receipt"), None)
        ),
    }
    return render(request, "ratings/progress.html", context)


def _progress(upload: GoUpload) -> progresses.Progress:
    replay, state = upload.replay, RatingReplay.State
    words = {
        state.PENDING: _("Waiting for a worker"),
        state.RUNNING: _("Rating the tournaments"),
        state.DONE: _("Done"),
        state.FAILED: _("Stopped"),
    }
    address = reverse("go_upload_progress", args=[upload.pk])
    return progresses.Progress(
        stage=words[replay.state],
        since=replay.created_at,
        until=replay.finished_at,
        finished=replay.state in (state.DONE, state.FAILED),
        url=address,
        page_url=address,
        done=replay.done,
        total=replay.total if replay.state == state.RUNNING else None,
    )


@login_required
@require_POST
def discard(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Put a draft away; a registered tournament is corrected instead."""
    upload = changeable(request.user, pk)
    if register.discard(upload):
        messages.success(request, _("The draft is discarded. Nothing of it counts."))
    else:
        messages.error(request, _("This upload is no longer a draft."))
    return redirect("go_tournaments")
