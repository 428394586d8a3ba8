"""Steps 3 and 4 of an upload (confirm and receipt), and the views that discard or download it."""

from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from players.access import require, roles_of
from scoring.engine.errors import EngineError
from scoring.ledger import systems
from scoring.ledger.models import ScoringRun
from scoring.ledger.queries.annulled import last_act
from scoring.ledger.services import approval
from scoring.ledger.wording import approvers, event_type_name
from scoring.uploads import preview
from scoring.uploads.forms.details import ReasonForm
from scoring.uploads.queries import usual_first_points
from scoring.uploads.services import confirm as confirming
from scoring.uploads.services.review import review_of
from scoring.uploads.tables import ReceiptTable
from scoring.uploads.views.access import changeable, may_change, readable
from scoring.uploads.views.review import reading_progress
from scoring.uploads.views.review_page import changes_table, decimals_of
from scoring.uploads.views.start import back_to_review, crumbs, steps
from tournaments import upload_actions
from tournaments.models import ResultUpload, Tournament
from tournaments.services import pipeline, uploads
from tournaments.services.files import contents_of, files_of
from ui import exports
from ui import progress as progresses
from ui.paging import CONTESTANTS, paged, paginate_tables
from ui.repeating import repeatable

State = ResultUpload.State
UNUSUAL = 5  # warn if the winner gets at least this multiple of the club's usual points for a first place


@repeatable
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Step 3: show what confirming will do.

    POST confirms the upload; repeated POSTs have no further effect.
    """
    upload = changeable(request.user, pk)
    if upload.state == State.CONFIRMED:
        return redirect("upload_receipt", upload.pk)
    review = review_of(upload, request.user)
    if upload.state != State.REVIEW or not review.ready:
        return back_to_review(
            request,
            upload,
            gettext("Fix the errors and tick every warning before going on."),
            messages.WARNING,
        )
    reason = _reason_form(request, upload)
    if request.method == "POST" and (reason is None or reason.is_valid()):
        if request.POST.get("seen", review.digest) != review.digest:
            # Another tab changed the draft or the office changed a category, so the points may differ.
            messages.error(request, gettext("This upload has changed in the meantime: look at it again."))
            return redirect("upload_confirm", upload.pk)
        try:
            if reason:
                uploads.change_reason(upload, reason.cleaned_data["reason"])
            confirming.confirm(upload, request.user)
        except (confirming.NotConfirmable, pipeline.NotUnderReview, EngineError):
            # Something changed in the meantime. The review page shows it.
            return back_to_review(
                request, upload, gettext("This upload has changed in the meantime: look at it again.")
            )
        return redirect("upload_receipt", upload.pk)
    header, evaluation = review.draft.header, review.evaluation
    first = approval.first_points(evaluation)
    usual = usual_first_points(upload.club_id, header, exclude=upload.corrects_id)
    points = review.points_by_player
    context = {
        "upload": upload,
        "review": review,
        "reason": reason,
        "type_name": event_type_name(header.event_type, evaluation.regulation),
        "format": Tournament.Format(header.format).label,
        "venue": Tournament.Venue(header.venue).label,
        "c1": evaluation.fields[0].result.coefficients.get("C1"),
        "first": first,
        "usual": usual if usual and first >= UNUSUAL * usual else None,
        "approvers": approvers(approval.regional(header, evaluation, upload.corrects))
        if review.needs_approval
        else "",
        "late": approval.is_late(upload.corrects),
        "free_days": None if upload.corrects else settings.CORRECTION_DAYS.get(header.event_type),
        "paid": len(points),
        "total": sum(points.values()),
        "decimals": decimals_of(review),
        "summary": preview.summary(review),
        "changes": changes_table(review, upload, request.user),
        "steps": steps("upload_confirm", upload),
        "breadcrumbs": crumbs(review.draft.known.name),
    }
    paginate_tables(request, context)
    return render(request, "uploads/confirm.html", context)


def _reason_form(request: HttpRequest, upload: ResultUpload) -> ReasonForm | None:
    """Return the form with the reason of a correction; None if the upload is none."""
    if not upload.corrects_id:
        return None
    data = {"reason": upload.correction_reason, **request.POST.dict()} if request.method == "POST" else None
    return ReasonForm(data, upload=upload)


def _run_of(upload: ResultUpload) -> ScoringRun:
    """Return the run that confirming the upload created. It is the first run of its revision."""
    return upload.revision.runs.select_related("tournament__club", "revision").earliest("number")


@login_required
@require_GET
def receipt(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Step 4: show the progress of the run and, when it is done, the points."""
    upload = readable(request.user, pk)
    if upload.state != State.CONFIRMED:
        return redirect("upload_review", upload.pk)
    run = _run_of(upload)
    context = {
        "upload": upload,
        "files": files_of(upload),
        "run": run,
        "tournament": run.tournament,
        "annulment": last_act(run.tournament) if run.tournament.annulled_at else None,
        "progress": _progress(upload, run),
        "steps": steps("upload_receipt", upload),
        "breadcrumbs": crumbs(run.tournament.name),
        "may_change": may_change(request.user, upload),
    }
    if run.state == ScoringRun.State.WAITING:
        context |= {"proposal": approval.proposal_of(upload), "approvers": approval.approvers_of(run)}
    if run.state == ScoringRun.State.DONE:
        context |= preview.receipt_context(run, request.user)
        context["decimals"] = systems.points_decimals(run.tournament)
        context["table"] = paged(
            ReceiptTable,
            request,
            context.pop("source"),
            per_page=CONTESTANTS,
            points_decimals=context["decimals"],
        )
    return render(request, "uploads/receipt.html", context)


@login_required
@require_GET
def progress(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Return the HTML fragment with the progress of reading the file, or of the run once it is confirmed."""
    upload = readable(request.user, pk)
    if upload.state != State.CONFIRMED:
        return progresses.answer(request, reading_progress(upload))
    return progresses.answer(request, _progress(upload, _run_of(upload)))


def _progress(upload: ResultUpload, run: ScoringRun) -> progresses.Progress:
    run_state = ScoringRun.State
    stages = {
        run_state.WAITING: gettext("Waiting for approval"),
        run_state.PENDING: gettext("Waiting for a worker"),
        run_state.RUNNING: gettext("Computing the points"),
        run_state.DONE: gettext("Done"),
        run_state.FAILED: gettext("Stopped"),
        run_state.OUTDATED: gettext("Overtaken by a newer ranking"),
    }
    return progresses.Progress(
        stage=stages[run.state],
        since=run.created_at,
        until=run.finished_at,
        finished=not run.is_under_way,
        url=reverse("upload_progress", args=[upload.pk]),
        page_url=reverse("upload_receipt", args=[upload.pk]),
    )


@login_required
@require_POST
def discard(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Discard a draft."""
    upload = changeable(request.user, pk)
    done = gettext("The draft is discarded. Nothing of it counts.")
    if upload_actions.discard(request, upload, done, gettext("This upload is no longer a draft.")):
        return redirect("uploads")
    return redirect("upload_review", upload.pk)


@login_required
@require_GET
def raw_file(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Download an uploaded file, unchanged. `?n=` is its position if the upload has several files.

    Only for the office. Browsers are told not to display the file.
    """
    require(roles_of(request.user).office)
    upload = get_object_or_404(ResultUpload, pk=pk, file__isnull=False)
    number = request.GET.get("n", "1")
    contents = dict(enumerate(contents_of(upload), start=1))
    if not (number.isascii() and number.isdecimal() and len(number) < 3 and int(number) in contents):
        raise Http404
    sent = contents[int(number)]
    content = HttpResponse(sent.data, content_type="application/octet-stream")
    response = exports.attached(content, sent.name)
    response["X-Content-Type-Options"] = "nosniff"
    response["Cache-Control"] = "private, no-store"
    return response
