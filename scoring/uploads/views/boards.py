"""Change the result of one board at one table: of a confirmed tournament, or of a draft."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from scoring.ledger.services import approval
from scoring.uploads import sent_pages
from scoring.uploads.board_words import ContestantNames, result_html, traveller
from scoring.uploads.forms.boards import BoardForm
from scoring.uploads.services.review import review_of
from scoring.uploads.views.access import changeable, correctable
from scoring.uploads.views.start import back_to_review, crumbs
from tournaments.formats.cards import standard_vulnerable
from tournaments.formats.contracts import possible_scores
from tournaments.formats.types import BoardResult, Deal, ParsedResult
from tournaments.models import BoardResult as StoredResult
from tournaments.models import ResultUpload, Revision
from tournaments.services import board_changes, board_rebase, pipeline, uploads
from tournaments.services.board_origin import erased_of, rankings_of
from ui.addresses import crumbs as page_crumbs
from ui.cards import diagram

BOARDS = "#boards"


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def correct(request: HttpRequest, pk: int) -> HttpResponse:
    """Correct a board result of a confirmed tournament. POST makes the draft of a correction, or adds to it.

    The query parameter `borrada` is the index of an erased result to bring back instead (see `Erased`).

    pk: id of the stored board result; of any of the newest ranking for an erased one
    """
    stored = get_object_or_404(StoredResult.objects.select_related("revision__tournament__club"), pk=pk)
    revision = stored.revision
    tournament = correctable(request.user, str(revision.tournament_id))
    assert tournament is not None
    newest = tournament.revisions.order_by("-number").values_list("pk", flat=True).first()
    if revision.pk != newest:
        messages.warning(
            request, gettext("This ranking has been corrected meanwhile: choose the board once more.")
        )
        return redirect(tournament)
    if not approval.waiting_run(tournament):
        board_rebase.bring_drafts_up_to_date(request.user, tournament)
    draft = board_changes.draft_by(request.user, revision)
    index = _erased_index(request, revision) or revision.boards.filter(pk__lt=pk).count()
    parsed = ParsedResult.from_json(draft.parsed) if draft else rankings_of(revision).started
    before = parsed.boards[index]
    form = _form(request, before, parsed, reason=_proposed_reason(draft, index, before), correcting=True)
    if request.method == "POST" and form.is_valid():
        reason = form.cleaned_data["reason"]
        draft = board_changes.correct(request.user, revision, index, form.result(), reason)
        sent_pages.remember(request, draft)
        return _next_page(request, draft)
    url = tournament.get_absolute_url()
    # A board all of whose results were erased has no page.
    page = f"{before.board}/" if revision.boards.filter(board=before.board).exists() else ""
    context = {"tournament": tournament, "draft": draft, "back": f"{url}manos/{page}"}
    trail = page_crumbs(
        (gettext("Tournaments"), reverse("tournaments")),
        (tournament.name, url),
        (_title(before), context["back"]),
        (gettext("Correct"), None),
    )
    return render(request, "uploads/board.html", {**context, **_context(request, form, parsed, trail)})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def change(request: HttpRequest, pk: UUID, index: int) -> HttpResponse:
    """Change a board result of a draft.

    index: of the board result in the draft
    """
    upload = changeable(request.user, pk)
    before = board_changes.result_at(upload, index)
    if before is None:
        text = gettext(
            "The boards of this upload cannot be changed here: its ranking is not computed from them."
        )
        return back_to_review(request, upload, text, messages.WARNING)
    parsed = ParsedResult.from_json(upload.parsed)
    reason = _proposed_reason(upload, index, before)
    form = _form(request, before, parsed, reason, correcting="printed" in upload.parsed)
    if request.method == "POST" and form.is_valid():
        try:
            board_changes.change(upload, index, form.result(), form.cleaned_data.get("reason", ""))
            sent_pages.remember(request, upload)
            return redirect(upload.get_absolute_url() + BOARDS)
        except (pipeline.NotUnderReview, uploads.Stale):
            text = gettext("This upload has changed in the meantime: look at it again.")
            return back_to_review(request, upload, text)
    context = {"upload": upload, "back": upload.get_absolute_url() + BOARDS}
    trail = crumbs(upload.title or upload.file_name, _title(before))
    trail[-2]["url"] = upload.get_absolute_url()
    return render(request, "uploads/board.html", {**context, **_context(request, form, parsed, trail)})


def _erased_index(request: HttpRequest, revision: Revision) -> int | None:
    """Return the index of the erased board result that the address names; None if it names none.

    Raises Http404 if the ranking has no such result.
    """
    text = request.GET.get("borrada")
    if text is None:
        return None
    for line in erased_of(revision):
        if text == str(line.index):
            return line.index
    raise Http404


def _next_page(request: HttpRequest, draft: ResultUpload) -> HttpResponse:
    """Redirect to the page that shows the difference: that of confirming, if nothing is left to review."""
    draft = ResultUpload.objects.select_related("club", "corrects").get(pk=draft.pk)
    return redirect("upload_confirm" if review_of(draft, request.user).ready else "upload_review", draft.pk)


def _form(
    request: HttpRequest, before: BoardResult, parsed: ParsedResult, reason: str, correcting: bool
) -> BoardForm:
    deal = _deal(parsed, before)
    return BoardForm(
        request.POST if request.method == "POST" else None,
        before=before,
        vulnerable=deal.vulnerable if deal else standard_vulnerable(before.board),
        possible=possible_scores(deal.vulnerable if deal else None),
        correcting=correcting,
        reason=reason,
    )


def _deal(parsed: ParsedResult, result: BoardResult) -> Deal | None:
    """Return the deal of a board result, if it is known."""
    deals = {(deal.section, deal.board): deal for deal in parsed.deals}
    return deals.get((result.section, result.board)) or deals.get((None, result.board))


def _proposed_reason(draft: ResultUpload | None, index: int, before: BoardResult) -> str:
    """Return the reason that the form proposes: that of an earlier change of this result, if there is one."""
    reason = draft.parsed.get("reasons", {}).get(str(index)) if draft else None
    return reason or gettext("Board %(board)s: wrongly entered.") % {"board": before.board}


def _title(before: BoardResult) -> str:
    return gettext("Board %(number)s") % {"number": before.board}


def _context(
    request: HttpRequest, form: BoardForm, parsed: ParsedResult, trail: list[dict[str, Any]]
) -> dict[str, Any]:
    before = form.before
    names = ContestantNames(parsed.entries, [before], request.user)
    deal = _deal(parsed, before)
    return {
        "form": form,
        "board": before.board,
        "now": result_html(before),
        "ns": names(before, "NS"),
        "ew": names(before, "EW"),
        "lines": traveller(parsed, before),
        "deal": diagram(deal.hands, deal.dealer, deal.vulnerable) if deal else None,
        "breadcrumbs": trail,
    }
