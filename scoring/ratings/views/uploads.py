"""Views of Go uploads: file, preview, confirmation and progress."""

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
from tournaments import upload_actions
from tournaments.services.issues import issue_groups
from ui import progress as progresses
from ui.paging import paged

State = GoUpload.State


def readable(user, pk: UUID) -> GoUpload:
    """Return the upload for its sender, the office and auditors. Raise Http404 for anybody else."""
    upload = get_object_or_404(GoUpload.objects.select_related("replay", "tournament", "corrects"), pk=pk)
    roles = roles_of(user)
    if not (roles.office or roles.auditor or upload.created_by_id == user.pk):
        raise Http404
    return upload


def changeable(user, pk: UUID) -> GoUpload:
    """Return the upload if the user may read it and register tournaments, which auditors may not."""
    upload = readable(user, pk)
    require(may_upload(user))
    return upload


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def start(request: HttpRequest) -> HttpResponse:
    """Upload a file, together with the details of the tournament that the file does not contain.

    With `?corrige=<id>` the upload is a correction of the tournament with that id.
    """
    require(may_upload(request.user))
    corrects = _corrected(request)
    form = GoUploadForm(*((request.POST, request.FILES) if request.method == "POST" else ()))
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        upload = register.receive(request.user, file.name, file.read(), form.details(), corrects)
        return redirect("go_upload_review", upload.pk)
    drafts = GoUpload.objects.drafts().filter(created_by=request.user).defer("parsed")
    return render(
        request,
        "ratings/upload.html",
        {
            "form": form,
            "corrects": corrects,
            "drafts": drafts[:20],
            "breadcrumbs": go_crumbs((_("Upload"), None)),
        },
    )


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
    """Show the preview of an upload.

    A POST registers the tournament, or reads the file again or restores a discarded upload, depending on the
    button. Repeating the registration is safe.
    """
    upload = readable(request.user, pk)
    if upload.state == State.CONFIRMED:
        return redirect("go_upload_progress", upload.pk)
    if request.method == "POST":
        changeable(request.user, pk)
        if upload_actions.press(request, upload):
            return redirect("go_upload_review", upload.pk)
        try:
            register.confirm(upload, request.user, request.POST.getlist("accept"))
        except register.NotConfirmable:
            messages.error(request, _("Not registered: mend the errors and tick every warning."))
            return redirect("go_upload_review", upload.pk)
        return redirect("go_upload_progress", upload.pk)
    return render(request, "ratings/review.html", _review(request, upload))


def _review(request: HttpRequest, upload: GoUpload) -> dict:
    """Return the template context of the preview."""
    result = register.result_of(upload)
    effect = register.review_of(upload, request.user)
    table = effect.rows and paged(GoPreviewTable, request, effect.rows)
    return {
        "upload": upload,
        "result": result,
        "event": effect.event,
        "preview": effect,
        "groups": _groups(effect),
        "table_html": table.as_html(request) if table else "",
        "rated_games": sum(not game.reason for game in result.games),
        "may_change": may_upload(request.user) and upload.state == State.REVIEW,
        "may_upload": may_upload(request.user),
        **upload_actions.button_context(upload, may_upload(request.user)),
        "breadcrumbs": go_crumbs((register.details_of(upload, result)["name"] or upload.file_name, None)),
    }


def _groups(effect: register.Preview) -> list[dict]:
    """Return the issues grouped for the template, with links to the registered tournaments that they name."""
    groups = issue_groups(effect.issues, effect.accepted)
    items = [item for group in groups for item in group["items"]]
    ids = {item["issue"].params.get("tournament") for item in items}
    tournaments = RatingTournament.objects.in_bulk(ids - {None})
    for item in items:
        if tournament := tournaments.get(item["issue"].params.get("tournament")):
            item["links"].append((tournament.get_absolute_url(), _("Open that tournament")))
    return groups


@login_required
@require_GET
def progress(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the progress of the replay and, once it is done, the changed ratings.

    The page requests the progress again every second with htmx.
    """
    upload = readable(request.user, pk)
    if upload.state != State.CONFIRMED:
        return redirect("go_upload_review", upload.pk)
    status = _progress(upload)
    if request.htmx:
        return progresses.answer(request, status)
    return render(
        request,
        "ratings/progress.html",
        {
            "upload": upload,
            "replay": upload.replay,
            "progress": status,
            "table": changes_table(upload.replay),
            "breadcrumbs": go_crumbs(
                (upload.tournament.name, upload.tournament.get_absolute_url()), (_("Receipt"), None)
            ),
        },
    )


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
    """Discard a draft: an upload that is not registered yet."""
    upload = changeable(request.user, pk)
    done, refused = _("The draft is discarded. Nothing of it counts."), _("This upload is no longer a draft.")
    upload_actions.discard(request, upload, done, refused)
    return redirect("go_tournaments")
