"""The page that edits the ranking of an upload by hand. A long ranking has several pages."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_http_methods

from scoring.uploads import sent_pages
from scoring.uploads.forms.ranking import MAX_SEATS, RankingForm, RankingForms, may_add_rows
from scoring.uploads.review_parts import page_number
from scoring.uploads.views.access import changeable
from scoring.uploads.views.start import back_to_review, crumbs, steps
from tournaments.formats.limits import RESULT_ENTRIES
from tournaments.models import ResultUpload
from tournaments.services import edited_rows, pipeline, uploads
from tournaments.services.drafts import Draft, draft_of
from tournaments.services.edited_rows import EditedPage, Shown
from ui.formatting import format_whole
from ui.parameters import PAGE

LAST = "99999"  # a page number beyond the end stands for the last page


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Edit the ranking on a form. POST stores the rows of one page, whatever button was pressed."""
    upload = changeable(request.user, pk)
    posted = request.POST if request.method == "POST" else None
    if upload.state != ResultUpload.State.REVIEW and posted is None:
        return redirect("upload_review", upload.pk)
    draft = draft_of(upload)
    if any(len(entry.people) > MAX_SEATS for entry in draft.entries):
        text = gettext("A team of this ranking has more than %(limit)s players: correct the file instead.")
        return back_to_review(request, upload, text % {"limit": MAX_SEATS})
    rows = edited_rows.rows_of(upload, draft)
    form = RankingForm(draft, rows, posted)
    page = form.page(page_number(request.GET))
    shown = Shown.of(draft, rows, page.before, page.end)
    if posted is None:
        return _page(request, upload, draft, form.formset(page), shown)
    if sent := Shown.from_text(posted.get("seen", "")):
        shown, page = sent, form.page_between(sent.start, sent.start + len(sent.keys))
    formset = form.formset(page)
    if "more" in posted and may_add_rows(formset):
        return _page(request, upload, draft, formset, shown)
    if not formset.is_valid():
        return _page(request, upload, draft, formset, shown, show_errors=True)
    try:
        edited = EditedPage(formset.entries(), shown, formset.unused, "blank-places" in posted)
        uploads.replace_page(upload, edited)
        sent_pages.remember(request, upload)
        return redirect(_next_address(request, upload))
    except pipeline.NotUnderReview:
        # Keep the input on the page, because a discarded draft can be recovered.
        messages.error(request, gettext("This upload is no longer a draft."))
    except edited_rows.TooManyRows:
        text = gettext("Nothing of this page is saved yet: a ranking has at most %(limit)s rows.")
        messages.error(request, text % {"limit": format_whole(RESULT_ENTRIES, get_language() or "")})
    except uploads.Stale:
        messages.error(request, sent_pages.stale_message())
        start, end = shown.now_at(rows)
        shown = Shown.of(draft, rows, start, end)
        formset = form.formset(form.page_between(start, end))
    return _page(request, upload, draft, formset, shown, show_errors=True)


def _page(
    request: HttpRequest,
    upload: ResultUpload,
    draft: Draft,
    formset: RankingForms,
    shown: Shown,
    show_errors: bool = False,
) -> HttpResponse:
    context = {
        "upload": upload,
        "forms": formset,
        "part": formset.page,
        "seen": str(shown),
        "show_errors": show_errors,
        "may_change": True,
        "may_add": formset.page.is_last and not formset.page.is_full,
        "steps": steps("upload_review", upload),
        "breadcrumbs": crumbs(draft.known.name or upload.file_name or gettext("Untitled")),
    }
    return render(request, "uploads/edit.html", context)


def _next_address(request: HttpRequest, upload: ResultUpload) -> str:
    """Return the address to which the pressed button leads after the page is saved."""
    address = reverse("upload_edit", args=[upload.pk])
    if "page" in request.POST:
        return f"{address}?{PAGE}={page_number(request.POST, 'page')}"
    if "more" in request.POST:
        return f"{address}?{PAGE}={LAST}"
    if "blank-places" in request.POST:
        return f"{address}?{PAGE}={page_number(request.GET)}"
    return upload.get_absolute_url()
