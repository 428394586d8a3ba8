"""Step 2 of an upload: the review, a page with one form for all decisions before confirming."""

from dataclasses import replace
from decimal import Decimal
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_http_methods

from players.access import require
from scoring.uploads import board_words, review_parts, sent_pages, start_lists
from scoring.uploads.people_to_match import FIELD, SeatInput, people_of
from scoring.uploads.services.review import review_of
from scoring.uploads.views.access import may_change, readable
from scoring.uploads.views.review_page import CHANGING, review_page
from scoring.uploads.views.start import back_to_review, crumbs, steps
from scoring.uploads.views.submission import submission_of
from tournaments import upload_actions
from tournaments.models import ResultUpload
from tournaments.services import pipeline, uploads
from tournaments.services.drafts import draft_of, parsed_of
from tournaments.services.issues import CATALOGUE
from ui.formatting import format_decimal
from ui.parameters import PAGE
from ui.progress import Progress
from ui.repeating import repeatable

State = ResultUpload.State
PEOPLE, DATA, BOARDS = "#people", "#data", "#boards"
# For each button, the part of the page to return to.
ANCHORS = {
    **dict.fromkeys(("names", "people", "proposals", "guests", "undo"), PEOPLE),
    "details": DATA,
}


@repeatable
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def review(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a draft. POST stores all input of the page, then performs the action of the pressed button."""
    upload = readable(request.user, pk)
    if upload.state == State.CONFIRMED:
        return redirect("upload_receipt", upload.pk)
    if request.method != "POST":
        return _opened(request, upload)
    require(may_change(request.user, upload))
    if upload_actions.press(request, upload):
        return redirect("upload_review", upload.pk)
    if "part" in request.POST or upload.state == State.REFUSED:
        return _change_refused(request, upload)
    if sent_pages.is_stale(request, upload):
        return _stale_page(request, upload)
    draft = draft_of(upload)
    submission = submission_of(request, upload, draft)
    version = uploads.version_of(upload) if "seen" in request.POST else ""
    try:
        uploads.save(upload, submission.answers, version, draft)
        sent_pages.remember(request, upload)
        _decide_many(request, upload, submission.seats)
        sent_pages.remember(request, upload)
        board_words.pressed(upload, request.POST)
        sent_pages.remember(request, upload)
        refused_list = start_lists.change_files(request, upload)
        sent_pages.remember(request, upload)
    except pipeline.NotUnderReview:
        return back_to_review(
            request, upload, gettext("This upload has changed in the meantime: look at it again.")
        )
    except uploads.Stale:
        return _stale_page(request, readable(request.user, pk))
    except pipeline.FileGone:
        text = gettext(
            "Nothing is saved yet: in another format the file would have to be read again, and it is no "
            "longer kept. Choose the format as it was, or upload the file once more."
        )
        messages.error(request, text)
        return review_page(request, readable(request.user, pk), submission, stored=False)
    if refused_list or submission.has_errors:
        shown = submission if refused_list else replace(submission, start_list="")
        return review_page(request, readable(request.user, pk), shown)
    return _next_page(request, readable(request.user, pk))


def _opened(request: HttpRequest, upload: ResultUpload) -> HttpResponse:
    """Return the page for a draft that is opened: the review, unless something has to come before it."""
    if pipeline.is_being_read(upload):
        return _reading_page(request, upload)
    if uploads.columns_missing(parsed_of(upload)) and may_change(request.user, upload):
        return redirect("upload_columns", upload.pk)
    return review_page(request, upload)


def reading_progress(upload: ResultUpload) -> Progress:
    """Return the progress of reading a large file."""
    size = format_decimal(Decimal(upload.size) / 2**20, get_language() or "", 1)
    return Progress(
        stage=gettext("Reading the file, %(size)s MB, and looking its people up") % {"size": size},
        since=upload.created_at,
        until=None,
        finished=not pipeline.is_being_read(upload),
        url=reverse("upload_progress", args=[upload.pk]),
        page_url=reverse("upload_review", args=[upload.pk]),
    )


def _reading_page(request: HttpRequest, upload: ResultUpload) -> HttpResponse:
    context = {
        "upload": upload,
        "progress": reading_progress(upload),
        "steps": steps("upload_review", upload),
        "breadcrumbs": crumbs(upload.file_name),
    }
    return render(request, "uploads/reading.html", context)


def _change_refused(request: HttpRequest, upload: ResultUpload) -> HttpResponse:
    """Add a file to files that do not fit together, leave one out, or make an upload of each."""
    try:
        if "part" in request.POST:
            made = uploads.part(upload, request.user)
            messages.success(request, gettext("Each file is an upload of its own now."))
            return redirect(made[0].get_absolute_url() if len(made) == 1 else "uploads")
        start_lists.change_files(request, upload)
    except pipeline.NotUnderReview:
        messages.error(request, gettext("This upload has changed in the meantime: look at it again."))
    except pipeline.FileGone:
        messages.error(request, gettext("The file is no longer kept: upload it once more."))
    return redirect("upload_review", upload.pk)


def _decide_many(request: HttpRequest, upload: ResultUpload, submitted: SeatInput) -> None:
    """Perform the action of a button that decides about many people at once.

    Seats with an invalid text are skipped.
    """
    upload.refresh_from_db()
    action = request.POST.get("action")
    if "announced" in request.POST:
        _choose_announcement(upload, request.POST["announced"])
    if action == "ignore-numbers":
        uploads.ignore_numbers(upload)
    elif action == "use-numbers":
        uploads.use_numbers(upload)
    elif action == "undo":
        uploads.undo_many(upload)
    elif action in ("proposals", "guests"):
        people = people_of(upload, draft_of(upload), request.user)
        decisions = people.proposals if action == "proposals" else people.others
        valid = {seat: decision for seat, decision in decisions.items() if seat not in submitted.wrong}
        uploads.decide_many(upload, action, valid)


def _choose_announcement(upload: ResultUpload, text: str) -> None:
    """Store the announced tournament of a pressed button; a blank text stands for another tournament."""
    if not text:
        uploads.choose_announcement(upload, None)
        return
    for announcement in draft_of(upload).proposed:
        if str(announcement.pk) == text:
            uploads.choose_announcement(upload, announcement)


def _next_page(request: HttpRequest, upload: ResultUpload) -> HttpResponse:
    """Redirect to the page to which the pressed button leads, after all input is stored."""
    action = request.POST.get("action", "")
    if "system" in request.POST:
        return redirect(_address(request, upload, DATA))
    if action == "edit":
        return redirect("upload_edit", upload.pk)
    if other := request.POST.get("other-board", ""):
        is_index = other.isascii() and other.isdecimal() and len(other) < 7
        return redirect("upload_board", upload.pk, int(other) if is_index else 0)
    if "board" in request.POST:
        return redirect(upload.get_absolute_url() + BOARDS)
    if action == "accept":
        if review_of(upload, request.user).ready:
            return redirect("upload_confirm", upload.pk)
        return back_to_review(
            request,
            upload,
            gettext("Fix the errors and tick every warning before going on."),
            messages.WARNING,
        )
    return redirect(_place(request, upload))


def _place(request: HttpRequest, upload: ResultUpload) -> str:
    """Return the address to which a button leads that stays on the review."""
    sent = request.POST
    if (key := sent.get("change", "")) and FIELD.fullmatch(f"number_{key}"):
        return _address(request, upload, f"#number_{key}", **{CHANGING: key})
    if (code := sent.get("unfold")) in CATALOGUE:
        return _address(request, upload, f"#issue-{code}", **{review_parts.GROUP: code})
    if "page" in sent:
        return _address(request, upload, PEOPLE, **{PAGE: sent["page"]})
    messages.success(request, gettext("Everything is saved and was checked again."))
    if "rows-shown" in sent:
        return _address(request, upload, PEOPLE, **{review_parts.PENDING: sent["rows-shown"], PAGE: ""})
    return _address(request, upload, ANCHORS.get(sent.get("action", ""), ""))


def _address(request: HttpRequest, upload: ResultUpload, anchor: str = "", **changed: str) -> str:
    """Return the address of the review at the page of the ranking that was sent.

    changed: parameters to change; a blank text removes one
    """
    kept = {name: request.GET.get(name, "") for name in (PAGE, review_parts.PENDING)}
    query = urlencode({name: text for name, text in (kept | changed).items() if text})
    return f"{upload.get_absolute_url()}{f'?{query}' if query else ''}{anchor}"


def _stale_page(request: HttpRequest, upload: ResultUpload) -> HttpResponse:
    """Show the current draft together with the input of a stale page. The input is not stored.

    If the input would change nothing, for example after a second click on a button, continue as if it had
    been stored.
    """
    if upload.state != State.REVIEW:
        return back_to_review(
            request, upload, gettext("This upload has changed in the meantime: look at it again.")
        )
    draft = draft_of(upload)
    submission = submission_of(request, upload, draft)
    numbers = sent_pages.misplaced_numbers(request.POST, upload)
    if not numbers and not submission.differs_from(draft):
        return _next_page(request, upload)
    parts = [sent_pages.stale_message()]
    form = submission.form
    if form and (labels := [str(form.fields[name].label) for name in form.changed_data]):
        text = gettext("Different from what is stored now: %(names)s.")
        parts.append(text % {"names": ", ".join(labels)})
    if numbers:
        text = gettext("Other people are on the lines now. These numbers were typed: %(numbers)s.")
        parts.append(text % {"numbers": ", ".join(numbers)})
    messages.error(request, " ".join(parts))
    return review_page(request, upload, submission, stored=False)
