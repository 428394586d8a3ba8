"""Step 2 of an upload: the review, a page with one form for all decisions before confirming."""

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from players.access import roles_of, uploadable_clubs
from players.models import Proposal
from players.proposals import act_of
from scoring.ledger import systems
from scoring.ledger.services import approval
from scoring.uploads import board_words, preview, review_parts, sent_pages, start_lists
from scoring.uploads.forms.details import DetailsForm
from scoring.uploads.people_to_match import FIELD, People, SeatInput, people_of, read_seat_input
from scoring.uploads.services.review import Review, review_of, with_chosen
from scoring.uploads.tables import ChangesTable, ComparisonTable, DifferenceTable
from scoring.uploads.views.access import changeable, may_change, readable
from scoring.uploads.views.start import back_to_review, crumbs, steps, system_choices
from tournaments import upload_actions
from tournaments.federations import federations
from tournaments.models import ResultUpload, Revision, Tournament
from tournaments.services import pipeline, scorings, uploads
from tournaments.services.drafts import Draft, draft_of, parsed_of
from tournaments.services.files import files_of
from tournaments.services.headers import Known
from tournaments.services.issues import CATALOGUE
from tournaments.services.people import Seat, seat_of
from ui.formatting import format_decimal
from ui.progress import Progress

State = ResultUpload.State
# For issues with these codes, the page shows both rankings: at most MAX_COMPARED, because each needs queries.
COMPARED = ("same_ranking", "same_people")
MAX_COMPARED = 3
MAX_COMPARED_ROWS = 60  # longer rankings are only compared on a page of their own
PEOPLE, DATA, BOARDS = "#people", "#data", "#boards"
# For each button, the part of the page to return to.
ANCHORS = {
    **dict.fromkeys(("names", "people", "proposals", "guests", "undo"), PEOPLE),
    "details": DATA,
}
# What the button that undoes the last decision about many people says, by that decision.
UNDO = {
    "proposals": _("Undo: accept the proposals"),
    "guests": _("Undo: the others are guests"),
    "ignore-numbers": _("Undo: ignore the numbers"),
    "use-numbers": _("Undo: use the numbers of the file"),
}
CHANGING = "cambiar"  # parameter of the URL with the key of the seat whose form is open
# For an issue's code, the button that settles these issues: its action and its label.
BUTTONS = {
    "numbers_not_ours": ("ignore-numbers", _("Ignore the numbers, match by name")),
    "numbers_ignored": ("use-numbers", _("Use the numbers of the file again")),
}


@dataclass(frozen=True)
class Submission:
    """The validated input of a submitted page. It is not stored yet.

    form: the form with the tournament's data; None if the page has no such form
    seats: the decisions about people
    ticks: the keys of the ticks
    start_list: the text of a pasted start list
    """

    form: DetailsForm | None
    seats: SeatInput
    ticks: list[str]
    start_list: str = ""

    @property
    def answers(self) -> uploads.Answers:
        return uploads.Answers(
            club=self.form.cleaned_data.get("club") if self.form else None,
            details=self.form.details() if self.form else None,
            seats=self.seats.seats,
            countries=self.seats.countries,
            guest_names=self.seats.guest_names,
            ticks=self.ticks,
        )

    @property
    def has_errors(self) -> bool:
        return bool(self.seats.wrong or (self.form and self.form.errors))

    def differs_from(self, draft: Draft) -> bool:
        """Return whether the input is partly invalid or storing it would change the draft."""
        undecided = (item for item in self.seats.seats.items() if not draft.is_decided(*item))
        guests = self.seats.countries or self.seats.guest_names
        people = self.seats.wrong or any(undecided) or guests
        data = self.form and (self.form.errors or self.form.changed_data)
        return bool(people or data or self.start_list.strip() or set(self.ticks) != set(draft.accepted))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def review(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a draft. POST stores all input of the page, then performs the action of the pressed button."""
    upload = readable(request.user, pk)
    if upload.state == State.CONFIRMED:
        return redirect("upload_receipt", upload.pk)
    if request.method != "POST":
        return _opened(request, upload)
    upload = changeable(request.user, pk)
    if upload_actions.press(request, upload):
        return redirect("upload_review", upload.pk)
    if "part" in request.POST or upload.state == State.REFUSED:
        return _change_refused(request, upload)
    if sent_pages.is_stale(request, upload):
        return _stale_page(request, upload)
    submission = _submission(request, upload, draft_of(upload))
    version = uploads.version_of(upload) if "seen" in request.POST else ""
    try:
        uploads.save(upload, submission.answers, version)
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
        return _page(request, readable(request.user, pk), submission, stored=False)
    if refused_list or submission.has_errors:
        shown = submission if refused_list else replace(submission, start_list="")
        return _page(request, readable(request.user, pk), shown)
    return _next_page(request, readable(request.user, pk))


def _opened(request: HttpRequest, upload: ResultUpload) -> HttpResponse:
    """Return the page for a draft that is opened: the review, unless something has to come before it."""
    if pipeline.is_being_read(upload):
        return _reading_page(request, upload)
    if uploads.columns_missing(parsed_of(upload)) and may_change(request.user, upload):
        return redirect("upload_columns", upload.pk)
    return _page(request, upload)


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
            gettext("Mend the errors and tick every warning before going on."),
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
        return _address(request, upload, PEOPLE, **{review_parts.PAGE: sent["page"]})
    messages.success(request, gettext("Everything is saved and was checked again."))
    if "rows-shown" in sent:
        return _address(
            request, upload, PEOPLE, **{review_parts.PENDING: sent["rows-shown"], review_parts.PAGE: ""}
        )
    return _address(request, upload, ANCHORS.get(sent.get("action", ""), ""))


def _address(request: HttpRequest, upload: ResultUpload, anchor: str = "", **changed: str) -> str:
    """Return the address of the review at the page of the ranking that was sent.

    changed: parameters to change; a blank text removes one
    """
    kept = {name: request.GET.get(name, "") for name in (review_parts.PAGE, review_parts.PENDING)}
    query = urlencode({name: text for name, text in (kept | changed).items() if text})
    return f"{upload.get_absolute_url()}{f'?{query}' if query else ''}{anchor}"


def _seats_of_key(key: str) -> list[Seat]:
    """Return a list of the seat with this key, which comes from the address; [] for any other text."""
    return [seat_of(key)] if FIELD.fullmatch(f"number_{key}") else []


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
    submission = _submission(request, upload, draft)
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
    return _page(request, upload, submission, stored=False)


def _submission(request: HttpRequest, upload: ResultUpload, draft: Draft) -> Submission:
    """Return the validated input of the submitted page.

    If the draft has changed since the page was opened, the result contains the current data of the draft with
    the user's changes.
    """
    data = request.POST
    if data.get("seen", "") not in ("", uploads.version_of(upload)):
        data = sent_pages.rebase(data, _details_form(request, upload, draft.known), upload, draft)
    form = _submitted_form(request, upload, draft.known, data)
    seats = read_seat_input(data, draft)
    ticks = review_parts.all_ticks(data.getlist("accept"), data.getlist("listed"), draft.accepted)
    return Submission(form, seats, ticks, start_lists.pasted(request))


def _submitted_form(
    request: HttpRequest, upload: ResultUpload, known: Known, data: QueryDict
) -> DetailsForm | None:
    """Return the validated form with the tournament's data, or None if the page has no such form.

    If the user pressed a button that chooses a points system, the form has the fields of that system.
    """
    if "club" not in data:
        return None
    if family := data.get("system"):
        data = data.copy()
        data.setlist("family", [family])
        data.setlist("event_type", [""])
    form = _details_form(request, upload, known, data)
    form.is_valid()
    return form


def _details_form(
    request: HttpRequest, upload: ResultUpload, known: Known, data: QueryDict | None = None
) -> DetailsForm:
    """Return the form with the tournament's known data, bound to `data` if it is not None.

    Without `data`, fields whose value is missing show an error.
    """
    clubs = uploadable_clubs(request.user)
    if upload.corrects_id:
        clubs = clubs.filter(pk=upload.club_id)
    names = DetailsForm.base_fields.keys() - {"club"}
    initial = {"club": upload.club_id, **{name: getattr(known, name) for name in names}}
    initial |= {"family": known.family, "params": known.params}
    if known.start_date == known.end_date:
        # Leave it blank, so that it follows a correction of the last day.
        initial["start_date"] = None
    if known.boards_scheduled == known.boards and "boards_scheduled" not in upload.details:
        # Leave it blank, so that it is not stored as if it had been typed.
        initial["boards_scheduled"] = None
    missing = any(initial[name] in (None, "") for name in DetailsForm.needed)
    kwargs = {"clubs": clubs, "initial": initial, "day": known.end_date, "first": missing}
    stated = upload.parsed.get("stated")
    if (stated or scorings.is_scored_here(upload.file_format)) and upload.parsed.get("edited") != "rows":
        kwargs["scored_here"] = True
        kwargs["sections"] = len({entry["section"] for entry in upload.parsed["entries"]}) > 1
        kwargs["ranked_by"] = stated["name"] if stated else ""
        initial["scoring"] = stated["method"] if stated else upload.parsed["event"]["scoring"]
    form = DetailsForm(data, **kwargs)
    if data is None and missing:
        filled = {name: "" if value is None else value for name, value in (initial | known.params).items()}
        form = DetailsForm(filled, **kwargs)
        form.mark_missing()
    return form


def _page(
    request: HttpRequest, upload: ResultUpload, submission: Submission | None = None, stored: bool = True
) -> HttpResponse:
    """Render the review page.

    submission: submitted input with errors, which is shown again
    stored: whether the valid part of that input has been stored
    """
    checked = review_of(upload, request.user)
    draft = checked.draft
    director = may_change(request.user, upload)
    allowed = upload.state == State.REVIEW and director
    seats, ticks, data = None, draft.accepted, None
    if submission:
        form = submission.form
        seats, ticks = submission.seats, draft.accepted if stored else submission.ticks
        data = form.data if form and (form.errors or not stored) else None
    details = _details_form(request, upload, draft.known, data) if allowed else None
    by_row = not upload.file_name or upload.parsed.get("edited") == "rows"
    changing = request.GET.get(CHANGING, "")
    wanted = [*(seats.wrong if seats else ()), *_seats_of_key(changing)]
    part = review_parts.part_of(draft, request.GET, wanted)
    names = [] if by_row else [part["name"] for part in upload.parsed.get("files", ())]
    unfolded = request.GET.get(review_parts.GROUP, "")
    groups = preview.groups_of(checked, ticks, by_row, request.user, unfolded, names)
    listed = {
        seat_of(item["issue"].params["seat"])
        for group in groups
        if group["personal"]
        for item in group["items"]
    }
    unlisted = set(review_parts.all_ticks((), _listed_ticks(groups), draft.accepted))
    people = People()
    if allowed:
        shown = lambda seat: part.has(seat) or seat in listed  # noqa: E731
        people = people_of(upload, draft, request.user, seats, changing, shown)
    expected = with_chosen(checked, people.chosen)
    ranking = preview.ranking_rows(expected, part, people, request.user)
    marked = _marked_boxes(details, people, seats) if submission else []
    _complete_items(groups, draft, people, request.user)
    _add_links(groups, upload, request.user, allowed)
    context = {
        "upload": upload,
        "review": checked,
        "like": Tournament.objects.filter(pk=upload.details["like"]).first()
        if "like" in upload.details
        else None,
        "proposed": draft.proposed,
        "headline": preview.headline(expected),
        "meter": preview.licence_meter(expected),
        "summary": preview.summary(expected, len(marked), stored),
        "marked": marked,
        "stored": stored,
        "groups": groups,
        "by_row": by_row,
        "unreadable": not draft.entries and checked.has_errors,
        "ranking": ranking,
        "unit": _unit_label(draft),
        "part": part,
        "pending": preview.pending_rows(ranking, part, expected, people.elsewhere),
        "elsewhere": preview.numbers_elsewhere(draft, part, people.elsewhere)
        if allowed and part.count > 1
        else [],
        "points_decimals": decimals_of(checked),
        "undo": UNDO.get(upload.parsed.get("undo", {}).get("act")) if allowed else None,
        "federations": federations(get_language() or ""),
        "changes": changes_table(checked, upload, request.user, review_parts.CHANGES),
        "changes_most": review_parts.CHANGES,
        "board_lines": board_words.board_lines(upload, request.user),
        "director": director,
        "may_change": allowed,
        **upload_actions.button_context(upload, director),
        "people": people,
        "names_wanted": allowed and start_lists.is_offered(upload, draft),
        "nameless": draft.is_nameless,
        "files": files_of(upload),
        "files_open": director and uploads.may_change_files(upload),
        "start_list": submission.start_list if submission else "",
        "seen": uploads.version_of(upload),
        "rows": uploads.people_version_of(upload),
        "warned": uploads.warnings_version(draft),
        "ticked": [tick for tick in draft.accepted if tick not in unlisted],
        "form": details,
        "systems": system_choices(details) if details else [],
        "lines": preview.coefficients(expected),
        "office": roles_of(request.user).office,
        "columns": director and uploads.may_choose_columns(upload),
        "columns_open": director and upload.state == State.REFUSED and uploads.has_open_layouts(upload),
        "returned": approval.returned_proposal(upload),
        "steps": steps("upload_review", upload, reached=3 if checked.ready and stored else 2),
        "breadcrumbs": crumbs(draft.known.name or upload.file_name or gettext("Untitled")),
    }
    return render(request, "uploads/review.html", context)


def _listed_ticks(groups: list[dict[str, Any]]) -> list[str]:
    """Return the ticks of the warnings about one person on the page, if it leaves out others; else []."""
    return [
        item["tick"] for group in groups if group["personal"] and group["hidden"] for item in group["items"]
    ]


def _marked_boxes(form: DetailsForm | None, people: People, seats: SeatInput | None) -> list[dict[str, str]]:
    """Return the errors of texts that could not be stored, as dicts with `anchor`, `label` and `error`.

    The errors of player numbers come first, then those of the tournament's data. `anchor` is the HTML id of
    the text box. An error that belongs to no single box has a blank anchor and label.
    """
    boxes = [
        {"anchor": row.box, "label": gettext("Number of %(name)s") % {"name": row.name}, "error": row.error}
        for row in people.all()
        if seats and row.seat in seats.wrong
    ]
    if form and form.is_bound and not form.quiet:
        form.quiet = True  # the errors are shown here instead
        boxes += [{"anchor": "", "label": "", "error": error} for error in form.non_field_errors()]
        boxes += [
            {"anchor": field.auto_id, "label": str(field.label), "error": error}
            for field in form
            for error in field.errors
        ]
    return boxes


def _complete_items(groups: list[dict[str, Any]], draft: Draft, people: People, user) -> None:
    """Add to the issues on the review page what helps the user to resolve them.

    "comparison": for an issue that another tournament has the same ranking or the same people, the table of
        both rankings. Only the first MAX_COMPARED of these issues get one.
    "row": for an issue with a tick of its own, the form row of the person whom the issue is about
    "anchor": for an issue about a federation number, the HTML id of the text box for that number, to link to
    """
    boxes = {(row.line, row.number, row.name): row.anchor for row in people.all()}
    items = [(group, item) for group in groups for item in group["items"]]
    for item in [item for group, item in items if group["code"] in COMPARED][:MAX_COMPARED]:
        if len(draft.entries) <= MAX_COMPARED_ROWS:
            item["comparison"] = ComparisonTable(preview.comparison_rows(draft, item["tournament"], user))
    for item in (item for group, item in items if group["personal"]):
        item["row"] = people.doubtful.get(item["issue"].params["seat"])
    for item in (item for _group, item in items if item["issue"].field == "licence"):
        issue = item["issue"]
        item["anchor"] = boxes.get((issue.line, issue.value, issue.params.get("name")), "")


def _add_links(groups: list[dict[str, Any]], upload: ResultUpload, user, allowed: bool) -> None:
    """Add links to tournaments, drafts and proposals to the issues, and buttons to groups that have one.

    allowed: whether the user may change the upload
    """
    compare = gettext("Compare the two, or say that this one corrects it")
    for item in (item for group in groups for item in group["items"]):
        if tournament := item["tournament"]:
            item["links"].append((tournament.get_absolute_url(), gettext("Open that tournament")))
            if tournament.pk != upload.corrects_id:
                url = reverse("upload_compare", args=[upload.pk, tournament.pk])
                item["links"].append((url, compare if allowed else gettext("Compare the two")))
        if other := item["issue"].params.get("upload"):
            item["links"].append((reverse("upload_review", args=[other]), gettext("Open that draft")))
        if pk := item["issue"].params.get("proposal"):
            proposal = Proposal.objects.get(pk=pk)
            if act_of(proposal).may_see(user, proposal):
                text = gettext("See what waits for approval, or withdraw it")
                item["links"].append((proposal.get_absolute_url(), text))
    for group in groups:
        group["button"] = BUTTONS.get(group["code"])


def _unit_label(draft: Draft) -> str:
    """Return the name of the unit of a ranking's results; "" for percentages and if it is unknown."""
    if not draft.unit or any(entry.percentage for entry in draft.entries):
        return ""
    return str(Revision.Unit(draft.unit).label)


def changes_table(
    checked: Review, upload: ResultUpload, user, most: int | None = None
) -> ChangesTable | DifferenceTable | None:
    """Return the table of what a correction changes: the points and, if it corrects boards, the ranking.

    Return None if the upload is no correction, or has no computed points.

    most: the maximum number of rows; None for all
    """
    if not (upload.corrects_id and checked.evaluation):
        return None
    if upload.parsed.get("changes"):
        rows = board_words.difference_rows(checked, upload, user)
        return DifferenceTable(rows[:most], points_decimals=decimals_of(checked))
    rows = preview.changes_rows(checked.changes, checked.players, user)
    return ChangesTable(rows[:most], points_decimals=decimals_of(checked))


def decimals_of(checked: Review) -> int | None:
    """Return the number of decimals of the points; None while the tournament's data are incomplete."""
    return systems.points_decimals(checked.draft.header) if checked.draft.header else None
