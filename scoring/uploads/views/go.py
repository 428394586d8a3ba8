"""The steps of a Go tournament's upload: review, confirmation, receipt. `start` receives its file."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from players.access import require, roles_of
from scoring.ratings import queries
from scoring.ratings.access import may_upload
from scoring.ratings.models import GoUpload, RatingReplay, RatingTournament
from scoring.ratings.services import register
from scoring.ratings.tables import GoPreviewTable, ReplayTable
from scoring.uploads.forms.go import GoDetailsForm, GoFileForm
from scoring.uploads.views.start import crumbs, start_url, steps
from tournaments import upload_actions
from tournaments.services import pipeline
from tournaments.services.issues import issue_groups
from ui import progress as progresses
from ui.paging import paged
from ui.repeating import repeatable

State = GoUpload.State
RATINGS = ("reset_to", "after", "change")  # the columns of the preview that depend on the class


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
def correct(request: HttpRequest, pk: int) -> HttpResponse:
    """Step 1 of a correction: upload the file that replaces the games of a registered tournament."""
    require(may_upload(request.user))
    corrects = get_object_or_404(RatingTournament, pk=pk)
    require(register.may_correct(request.user, corrects))
    form = GoFileForm(*((request.POST, request.FILES) if request.method == "POST" else ()))
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        return redirect(register.receive(request.user, file.name, file.read(), {}, corrects))
    context = {
        "form": form,
        "go_corrects": corrects,
        "steps": steps("upload_start"),
        "breadcrumbs": crumbs(corrects.name),
    }
    return render(request, "uploads/start.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def review(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Step 2: show a draft. POST stores its data and ticks, then performs the pressed button's action."""
    upload = readable(request.user, pk)
    if upload.state == State.CONFIRMED:
        return redirect("go_upload_receipt", upload.pk)
    if request.method != "POST":
        return _page(request, upload)
    upload = changeable(request.user, pk)
    if upload_actions.press(request, upload):
        return redirect(upload)
    form, ticks = GoDetailsForm(request.POST), request.POST.getlist("accept")
    if not form.is_valid():
        return _page(request, upload, form, ticks)
    try:
        register.save(upload, request.user, form.details(), ticks)
    except pipeline.NotUnderReview:
        messages.error(request, _("This upload has changed in the meantime: look at it again."))
        return redirect(upload)
    if request.POST.get("action") != "accept":
        messages.success(request, _("Everything is saved and was checked again."))
    elif register.review_of(readable(request.user, pk), request.user).ready:
        return redirect("go_upload_confirm", upload.pk)
    else:
        messages.warning(request, _("Fix the errors and tick every warning before going on."))
    return redirect(upload)


def _page(
    request: HttpRequest, upload: GoUpload, form: GoDetailsForm | None = None, ticks: list[str] | None = None
) -> HttpResponse:
    """Render the review.

    form, ticks: submitted input with errors, which is shown again and not stored
    """
    result = register.result_of(upload)
    effect = register.review_of(upload, request.user)
    details = register.details_of(upload, result)
    may_change = may_upload(request.user) and upload.state == State.REVIEW
    hidden = () if effect.event else RATINGS
    table = effect.rows and paged(GoPreviewTable, request, effect.rows, exclude=hidden)
    context = {
        "upload": upload,
        "result": result,
        "preview": effect,
        "headline": _headline(effect),
        "groups": _groups(effect, effect.accepted if ticks is None else ticks),
        "table_html": table.as_html(request) if table else "",
        "rated_games": sum(not game.reason for game in result.games),
        "form": form or GoDetailsForm(initial=details, first=not all(details.values())),
        "may_change": may_change,
        "may_upload": may_upload(request.user),
        **upload_actions.button_context(upload, may_upload(request.user)),
        "start_url": start_url(upload),
        "steps": steps("go_upload_review", upload, reached=3 if effect.ready else 2),
        "breadcrumbs": crumbs(details["name"] or upload.file_name),
    }
    return render(request, "uploads/go_review.html", context)


def _headline(effect: register.Preview) -> str:
    """Return the heading of the review: what is missing before the tournament can be confirmed."""
    if errors := sum(issue.severity == "error" for issue in effect.issues):
        text = ngettext("There is %(count)s error to fix", "There are %(count)s errors to fix", errors)
        return text % {"count": errors}
    if unticked := len(effect.unticked):
        text = ngettext("%(count)s warning needs your tick", "%(count)s warnings need your tick", unticked)
        return text % {"count": unticked}
    return _("Everything is ready to confirm")


def _groups(effect: register.Preview, ticks: Collection[str]) -> list[dict[str, Any]]:
    """Return the issues grouped for the template, with links to the registered tournaments that they name."""
    groups = issue_groups(effect.issues, ticks)
    items = [item for group in groups for item in group["items"]]
    ids = {item["issue"].params.get("tournament") for item in items}
    tournaments = RatingTournament.objects.in_bulk(ids - {None})
    for item in items:
        if tournament := tournaments.get(item["issue"].params.get("tournament")):
            item["links"].append((tournament.get_absolute_url(), _("Open that tournament")))
    return groups


@repeatable
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Step 3: show what confirming will do.

    POST registers the tournament; repeated POSTs have no further effect.
    """
    upload = changeable(request.user, pk)
    if upload.state == State.CONFIRMED:
        return redirect("go_upload_receipt", upload.pk)
    effect = register.review_of(upload, request.user)
    if upload.state != State.REVIEW or not (effect.event and effect.ready):
        messages.warning(request, _("Fix the errors and tick every warning before going on."))
        return redirect(upload)
    if request.method == "POST":
        if request.POST.get("seen") != effect.event.digest:
            messages.error(request, _("This upload has changed in the meantime: look at it again."))
            return redirect("go_upload_confirm", upload.pk)
        try:
            register.confirm(upload, request.user)
        except register.NotConfirmable:
            messages.error(request, _("This upload has changed in the meantime: look at it again."))
            return redirect(upload)
        return redirect("go_upload_receipt", upload.pk)
    context = {
        "upload": upload,
        "preview": effect,
        "event": effect.event,
        "class_label": RatingTournament.Class(effect.event.tournament_class).label,
        "new": sum(row["new"] for row in effect.rows),
        "games": sum(not game.reason for game in effect.event.result.games),
        "steps": steps("go_upload_confirm", upload),
        "breadcrumbs": crumbs(effect.event.name),
    }
    return render(request, "uploads/go_confirm.html", context)


@login_required
@require_GET
def receipt(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Step 4: show the progress of the replay and, once it is done, the changed ratings.

    The page requests the progress again every second with htmx.
    """
    upload = readable(request.user, pk)
    if upload.state != State.CONFIRMED:
        return redirect(upload)
    status, changes = _progress(upload), queries.change_records(upload.replay)
    if request.htmx:
        return progresses.answer(request, status)
    return render(
        request,
        "uploads/go_receipt.html",
        {
            "upload": upload,
            "replay": upload.replay,
            "progress": status,
            "table": ReplayTable(changes) if changes else None,
            "steps": steps("go_upload_receipt", upload),
            "breadcrumbs": crumbs(upload.tournament.name),
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
    address = reverse("go_upload_receipt", args=[upload.pk])
    return progresses.Progress(
        stage=words[replay.state],
        since=replay.created_at,
        until=replay.finished_at,
        finished=not replay.is_under_way,
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
    if upload_actions.discard(request, upload, done, refused):
        return redirect("uploads")
    return redirect(upload)
