"""Steps 2 to 4 of an upload: review, edit, confirm, receipt; and what else can be done with one."""

import re
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from players.access import require, roles_of, uploadable_clubs
from scoring import preview, receipt_page, systems
from scoring.comparison import rows_beside
from scoring.engine.errors import EngineError
from scoring.forms.ranking import MOST_ROWS, ranking_forms
from scoring.forms.uploads import DetailsForm
from scoring.models import ScoringRun
from scoring.services import confirm as confirming
from scoring.services.review import Review, review_of
from scoring.tables.uploads import ChangesTable, ComparisonTable, PreviewTable, ReceiptTable
from scoring.views import progress as progresses
from scoring.views.upload_access import changeable, may_change, readable
from scoring.views.uploads import asked_system, crumbs, steps, system_links
from tournaments.models import ResultUpload
from tournaments.services import uploads
from tournaments.services.drafts import draft_of
from tournaments.services.headers import Known

State = ResultUpload.State
SEAT = re.compile(r"(\d{1,5})-(\d{1,2})")
TAKE = re.compile(r"(\d{1,5})-(\d{1,2})-(\d{1,12})")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def review(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Step 2. Its forms say by `action` what they do: details, mend or accept."""
    upload = readable(request.user, pk)
    if upload.state == State.CONFIRMED:
        return redirect("upload_receipt", upload.pk)
    if request.method != "POST":
        return _review_page(request, upload)
    upload = changeable(request.user, pk)
    try:
        return ACTIONS.get(request.POST.get("action"), _review_page)(request, upload)
    except (uploads.NotUnderReview, uploads.Stale):
        messages.error(request, gettext("This upload has changed in the meantime: look at it again."))
        return redirect("upload_review", upload.pk)


def _save_details(request: HttpRequest, upload: ResultUpload) -> HttpResponse:
    form = _details_form(request, upload, draft_of(upload).known, request.POST)
    if not form.is_valid():
        return _review_page(request, upload, form)
    uploads.save_details(upload, form.cleaned_data["club"], form.details())
    messages.success(request, gettext("The tournament's data are saved."))
    return redirect("upload_review", upload.pk)


def _mend(request: HttpRequest, upload: ResultUpload) -> HttpResponse:
    seats: dict[tuple[int, int], str | None] = {}
    if take := TAKE.fullmatch(request.POST.get("take", "")):
        seats[int(take[1]), int(take[2])] = take[3]
    else:
        for name, value in request.POST.items():
            kind, _separator, key = name.partition("_")
            found = SEAT.fullmatch(key)
            if not found or kind not in ("number", "guest"):
                continue
            seat = int(found[1]), int(found[2])
            # A tick for a guest beats what stands in the number's box.
            if kind == "guest":
                seats[seat] = None
            elif f"guest_{key}" not in request.POST:
                # PostgreSQL stores no NUL, and no number has an invisible character.
                seats[seat] = "".join(char for char in value if char.isprintable()).strip()[:20] or None
    uploads.mend(upload, seats)
    messages.success(request, gettext("The numbers are saved and everything was checked again."))
    return redirect(f"{upload.get_absolute_url()}#people")


def _accept(request: HttpRequest, upload: ResultUpload) -> HttpResponse:
    draft = uploads.accept(upload, request.POST.getlist("accept"))
    if review_of(upload, draft).ready:
        return redirect("upload_confirm", upload.pk)
    messages.warning(request, gettext("Mend the errors and tick every warning before going on."))
    return redirect("upload_review", upload.pk)


ACTIONS = {"details": _save_details, "mend": _mend, "accept": _accept}


def _details_form(request: HttpRequest, upload: ResultUpload, known: Known, data=None) -> DetailsForm:
    """The form with what form and file say so far; where something is missing it says so beside the field."""
    clubs = uploadable_clubs(request.user)
    if upload.corrects_id:
        clubs = clubs.filter(pk=upload.club_id)
    names = DetailsForm.base_fields.keys() - {"club"}
    initial = {"club": upload.club_id, **{name: getattr(known, name) for name in names}}
    initial |= {"family": known.family, "params": known.params, **asked_system(request)}
    missing = any(initial[name] in (None, "") for name in DetailsForm.required_here)
    form = DetailsForm(data, clubs=clubs, initial=initial, day=known.end_date, first=missing)
    if data is None and missing:
        filled = {name: "" if value is None else value for name, value in (initial | known.params).items()}
        form = DetailsForm(filled, clubs=clubs, initial=initial, day=known.end_date, first=True)
        form.quiet = True  # the issues on top of the page say it already
    return form


def _review_page(request: HttpRequest, upload: ResultUpload, form: DetailsForm | None = None) -> HttpResponse:
    found = review_of(upload)
    allowed = upload.state == State.REVIEW and may_change(request.user, upload)
    details = (form or _details_form(request, upload, found.draft.known)) if allowed else None
    by_row = not upload.file_name or upload.parsed.get("edited") == "rows"
    context = {
        "upload": upload,
        "review": found,
        "summary": preview.summary(found),
        "groups": _issue_groups(found, by_row, request.user),
        "by_row": by_row,
        "unreadable": not found.draft.entries and found.blocking,
        "table": PreviewTable(
            preview.table_rows(found, request.user),
            kind=found.draft.known.format,
            exclude=_unused(found),
            points_decimals=_decimals(found),
        ),
        "changes": _changes(found, upload, request.user),
        "may_change": allowed,
        "people": preview.people_to_mend(found) if allowed else [],
        "form": details,
        "systems": system_links(details, "#data") if details else [],
        "lines": preview.coefficients(found),
        "edit_limit": MOST_ROWS,
        "office": roles_of(request.user).office,
        "steps": steps("upload_review", upload),
        "breadcrumbs": crumbs(found.draft.known.name or upload.file_name or gettext("Untitled")),
    }
    return render(request, "uploads/review.html", context)


# Of these, both rankings are shown on the page; a few, as each is read from the database.
COMPARED = ("same_ranking", "same_people")
MOST_COMPARED = 3


def _issue_groups(found: Review, by_row: bool, user) -> list[dict[str, Any]]:
    """The issues by code, and beside those about another tournament, its ranking."""
    groups = preview.issue_groups(found.issues, found.draft.accepted, by_row)
    items = [item for group in groups if group["code"] in COMPARED for item in group["items"]]
    for item in items[:MOST_COMPARED]:
        item["comparison"] = ComparisonTable(rows_beside(found.draft, item["tournament"], user))
    return groups


def _unused(found: Review) -> tuple[str, ...]:
    """Columns that this ranking has nothing for."""
    known = found.draft.known
    unused = (("field", known.ranking != "two"), ("contestant", known.format == "individual"))
    return tuple(name for name, useless in unused if useless)


def _changes(found: Review, upload: ResultUpload, user) -> ChangesTable | None:
    if not (upload.corrects_id and found.evaluation):
        return None
    return ChangesTable(preview.changes_rows(found, user), points_decimals=_decimals(found))


def _decimals(found: Review) -> int | None:
    """Of the points that confirming gives; None while nobody knows which."""
    return systems.points_decimals(found.draft.header) if found.draft.header else None


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The whole ranking as a form: for typing one by hand, or for mending more than numbers."""
    upload = changeable(request.user, pk)
    if upload.state != State.REVIEW:
        return redirect("upload_review", upload.pk)
    draft = draft_of(upload)
    if len(draft.entries) > MOST_ROWS:
        messages.error(request, gettext("This ranking is too long to edit here: correct the file instead."))
        return redirect("upload_review", upload.pk)
    as_typed = upload.file_format == uploads.TYPED or upload.parsed.get("edited") == "rows"
    posted = request.POST if request.method == "POST" else None
    forms = ranking_forms(draft, as_typed, posted)
    if posted is not None and "more" not in posted and forms.is_valid():
        try:
            uploads.replace_entries(upload, forms.entries())
        except uploads.NotUnderReview:
            messages.error(request, gettext("This upload has changed in the meantime: look at it again."))
        return redirect("upload_review", upload.pk)
    context = {
        "upload": upload,
        "forms": forms,
        "show_errors": posted is not None and "more" not in posted,
        "may_add": len(forms.forms) < MOST_ROWS,
        "steps": steps("upload_review", upload),
        "breadcrumbs": crumbs(draft.known.name or upload.file_name or gettext("Untitled")),
    }
    return render(request, "uploads/edit.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Step 3: says what will happen; POST does it, once, however often it is clicked."""
    upload = changeable(request.user, pk)
    if upload.state == State.CONFIRMED:
        return redirect("upload_receipt", upload.pk)
    found = review_of(upload)
    if upload.state != State.REVIEW or not found.ready:
        messages.warning(request, gettext("Mend the errors and tick every warning before going on."))
        return redirect("upload_review", upload.pk)
    if request.method == "POST":
        if request.POST.get("seen", found.digest) != found.digest:
            # Another tab changed the draft, or the office a category: the page shows other points now.
            messages.error(request, gettext("This upload has changed in the meantime: look at it again."))
            return redirect("upload_confirm", upload.pk)
        try:
            confirming.confirm(upload, request.user)
        except (confirming.NotConfirmable, EngineError):
            # Something changed between the look at it and the click: the review says what.
            messages.error(request, gettext("This upload has changed in the meantime: look at it again."))
            return redirect("upload_review", upload.pk)
        return redirect("upload_receipt", upload.pk)
    context = {
        "upload": upload,
        "review": found,
        "paid": len(found.points_by_player),
        "total": sum(found.points_by_player.values()),
        "decimals": _decimals(found),
        "summary": preview.summary(found),
        "changes": _changes(found, upload, request.user),
        "steps": steps("upload_confirm", upload),
        "breadcrumbs": crumbs(found.draft.known.name),
    }
    return render(request, "uploads/confirm.html", context)


def _run_of(upload: ResultUpload) -> ScoringRun:
    """The run of this confirmation; a later re-score of the same ranking is another story."""
    runs = upload.revision.runs.select_related("tournament__club", "revision")
    return runs.earliest("number")


@login_required
@require_GET
def receipt(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Step 4: how far the points are, then what came of it. A reload is all it needs."""
    upload = readable(request.user, pk)
    if upload.state != State.CONFIRMED:
        return redirect("upload_review", upload.pk)
    run = _run_of(upload)
    context = {
        "upload": upload,
        "run": run,
        "tournament": run.tournament,
        "progress": _progress(upload, run),
        "steps": steps("upload_receipt", upload),
        "breadcrumbs": crumbs(run.tournament.name),
        "may_change": may_change(request.user, upload),
    }
    if run.state == ScoringRun.State.DONE:
        context |= receipt_page.context(run, request.user)
        context["decimals"] = systems.points_decimals(run.tournament)
        context["table"] = ReceiptTable(context.pop("rows"), points_decimals=context["decimals"])
    return render(request, "uploads/receipt.html", context)


@login_required
@require_GET
def progress(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The fragment that the receipt page asks for each second; it ends by loading the page anew."""
    upload = readable(request.user, pk)
    if upload.state != State.CONFIRMED:
        return redirect("upload_review", upload.pk)
    return progresses.answer(request, _progress(upload, _run_of(upload)))


def _progress(upload: ResultUpload, run: ScoringRun) -> progresses.Progress:
    run_state = ScoringRun.State
    words = {
        run_state.PENDING: gettext("Waiting for a worker"),
        run_state.RUNNING: gettext("Computing the points"),
        run_state.DONE: gettext("Done"),
        run_state.FAILED: gettext("Stopped"),
        run_state.OUTDATED: gettext("Overtaken by a newer ranking"),
    }
    return progresses.Progress(
        stage=words[run.state],
        since=run.created_at,
        until=run.finished_at,
        finished=run.state not in (run_state.PENDING, run_state.RUNNING),
        url=reverse("upload_progress", args=[upload.pk]),
        page_url=reverse("upload_receipt", args=[upload.pk]),
    )


@login_required
@require_POST
def discard(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Put a draft away; a confirmed one is corrected instead."""
    upload = changeable(request.user, pk)
    try:
        uploads.discard(upload)
    except uploads.NotUnderReview:
        messages.error(request, gettext("This upload is no longer a draft."))
        return redirect("upload_review", upload.pk)
    messages.success(request, gettext("The draft is discarded. Nothing of it counts."))
    return redirect("uploads")


@login_required
@require_GET
def raw_file(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The bytes as they came, for the office alone; never shown, only saved."""
    require(roles_of(request.user).office)
    upload = get_object_or_404(ResultUpload.objects.select_related("file"), pk=pk, file__isnull=False)
    response = HttpResponse(bytes(upload.file.content), content_type="application/octet-stream")
    # The name is the sender's: only its plain letters come back.
    name = re.sub(r"[^A-Za-z0-9._-]", "_", upload.file_name) or "file"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["X-Content-Type-Options"] = "nosniff"
    response["Cache-Control"] = "private, no-store"
    return response
