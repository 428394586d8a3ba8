"""Step 2 of an upload: the review, one form with everything that can be decided before confirming."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from players.access import roles_of, uploadable_clubs
from scoring.ledger import systems
from scoring.ledger.services import approval
from scoring.uploads import preview, sent_pages
from scoring.uploads.comparison import rows_beside
from scoring.uploads.forms.details import DetailsForm
from scoring.uploads.forms.ranking import MOST_ROWS
from scoring.uploads.people_to_match import People, Typed, people_of, typed_in
from scoring.uploads.services.review import Review, review_of
from scoring.uploads.tables import ChangesTable, ComparisonTable, PreviewTable
from scoring.uploads.views.access import changeable, may_change, readable
from scoring.uploads.views.start import crumbs, steps, system_choices
from tournaments.models import ResultUpload
from tournaments.services import uploads
from tournaments.services.drafts import Draft, draft_of
from tournaments.services.headers import Known

State = ResultUpload.State
# Of these, both rankings are shown on the page; a few, as each is read from the database.
COMPARED = ("same_ranking", "same_people")
MOST_COMPARED = 3
PEOPLE, DATA = "#people", "#data"
# Where the page is opened again after a button that does not lead on.
ANCHORS = {"people": PEOPLE, "proposals": PEOPLE, "guests": PEOPLE, "details": DATA}


@dataclass(frozen=True)
class Sent:
    """What a page sends: the tournament's data, if it has them, people, ticks. Validated, not stored."""

    form: DetailsForm | None
    typed: Typed
    ticks: list[str]

    @property
    def answers(self) -> uploads.Answers:
        return uploads.Answers(
            club=self.form.cleaned_data.get("club") if self.form else None,
            details=self.form.details() if self.form else None,
            seats=self.typed.seats,
            ticks=self.ticks,
        )

    @property
    def is_wrong(self) -> bool:
        return bool(self.typed.wrong or (self.form and self.form.errors))

    def is_news(self, draft: Draft) -> bool:
        """Whether it says anything else than the draft."""
        people = self.typed.wrong or any(not draft.is_decided(*each) for each in self.typed.seats.items())
        data = self.form and (self.form.errors or self.form.changed_data)
        return bool(people or data or set(self.ticks) != set(draft.accepted))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def review(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a draft. Whatever button is pressed, all that the page sends is stored before it acts."""
    upload = readable(request.user, pk)
    if upload.state == State.CONFIRMED:
        return redirect("upload_receipt", upload.pk)
    if request.method != "POST":
        return _page(request, upload)
    upload = changeable(request.user, pk)
    if request.POST.get("action") == "read-again":
        return _read_again(request, upload)
    if sent_pages.is_stale(request, upload):
        return _stale_page(request, upload)
    sent = _sent(request, upload, draft_of(upload))
    try:
        uploads.save(upload, sent.answers, uploads.version_of(upload) if "seen" in request.POST else "")
        sent_pages.remember(request, upload)
        _decide_alike(request, upload, sent.typed)
        sent_pages.remember(request, upload)
    except uploads.NotUnderReview:
        messages.error(request, gettext("This upload has changed in the meantime: look at it again."))
        return redirect("upload_review", upload.pk)
    except uploads.Stale:
        return _stale_page(request, readable(request.user, pk))
    if sent.is_wrong:
        return _page(request, readable(request.user, pk), sent)
    return _next(request, readable(request.user, pk))


def _read_again(request: HttpRequest, upload: ResultUpload) -> HttpResponse:
    try:
        uploads.read_again(upload)
    except uploads.NotUnderReview:
        messages.error(request, gettext("This upload has changed in the meantime: look at it again."))
    else:
        messages.success(request, gettext("The file was read again."))
    return redirect("upload_review", upload.pk)


def _decide_alike(request: HttpRequest, upload: ResultUpload, typed: Typed) -> None:
    """The buttons that decide about many people at once; a text that is no number is never overruled."""
    upload.refresh_from_db()
    action = request.POST.get("action")
    if action == "ignore-numbers":
        uploads.ignore_numbers(upload)
    elif action == "use-numbers":
        uploads.use_numbers(upload)
    elif action in ("proposals", "guests"):
        people = people_of(upload, draft_of(upload), request.user, shown=None)
        seats = people.proposals if action == "proposals" else people.others
        uploads.save_seats(upload, {seat: value for seat, value in seats.items() if seat not in typed.wrong})


def _next(request: HttpRequest, upload: ResultUpload) -> HttpResponse:
    """The page that the button leads to, everything being stored."""
    action = request.POST.get("action", "")
    if "system" in request.POST:
        return redirect(upload.get_absolute_url() + DATA)
    if action == "edit":
        return redirect("upload_edit", upload.pk)
    if action == "accept":
        if review_of(upload).ready:
            return redirect("upload_confirm", upload.pk)
        messages.warning(request, gettext("Mend the errors and tick every warning before going on."))
        return redirect("upload_review", upload.pk)
    messages.success(request, gettext("Everything is saved and was checked again."))
    return redirect(upload.get_absolute_url() + ANCHORS.get(action, ""))


def _stale_page(request: HttpRequest, upload: ResultUpload) -> HttpResponse:
    """The draft is another than the page showed: what was typed is shown on top of it, nothing is stored.

    Of what the draft says already, as after a second click on the same button, nothing has to be asked.
    """
    if upload.state != State.REVIEW:
        messages.error(request, gettext("This upload has changed in the meantime: look at it again."))
        return redirect("upload_review", upload.pk)
    draft = draft_of(upload)
    sent, numbers = _sent(request, upload, draft), sent_pages.numbers_without_a_line(request.POST, upload)
    if not numbers and not sent.is_news(draft):
        return _next(request, upload)
    parts = [
        gettext("This upload has changed since the page was opened, so nothing is saved yet. What was typed "
                "here stays on the page: check it and save again.")
    ]  # fmt: skip
    if sent.form and (names := [str(sent.form.fields[name].label) for name in sent.form.changed_data]):
        text = gettext("Different from what is stored now: %(names)s.")
        parts.append(text % {"names": ", ".join(names)})
    if numbers:
        text = gettext("Other people are on the lines now. These numbers were typed: %(numbers)s.")
        parts.append(text % {"numbers": ", ".join(numbers)})
    messages.error(request, " ".join(parts))
    return _page(request, upload, sent, stored=False)


def _sent(request: HttpRequest, upload: ResultUpload, draft: Draft) -> Sent:
    """What the page sends; of a page opened before the draft changed, what was touched on it."""
    data = request.POST
    if data.get("seen", "") not in ("", uploads.version_of(upload)):
        data = sent_pages.rebased(data, _details_form(request, upload, draft.known), upload, draft)
    return Sent(_sent_form(request, upload, draft.known, data), typed_in(data, draft), data.getlist("accept"))


def _sent_form(
    request: HttpRequest, upload: ResultUpload, known: Known, data: QueryDict
) -> DetailsForm | None:
    """The tournament's data as sent; None where the page has no form for them. Validated.

    A button may choose another points system, whose fields the page then shows.
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
    """The form with what form and file say so far; where something is missing it says so beside the field."""
    clubs = uploadable_clubs(request.user)
    if upload.corrects_id:
        clubs = clubs.filter(pk=upload.club_id)
    names = DetailsForm.base_fields.keys() - {"club"}
    initial = {"club": upload.club_id, **{name: getattr(known, name) for name in names}}
    initial |= {"family": known.family, "params": known.params}
    if known.start_date == known.end_date:
        # Written out, it would contradict the last day as soon as that is corrected.
        initial["start_date"] = None
    if known.boards_scheduled == known.boards and "boards_scheduled" not in upload.details:
        # Nobody typed it: written out, it would come back as typed.
        initial["boards_scheduled"] = None
    missing = any(initial[name] in (None, "") for name in DetailsForm.needed)
    form = DetailsForm(data, clubs=clubs, initial=initial, day=known.end_date, first=missing)
    if data is None and missing:
        filled = {name: "" if value is None else value for name, value in (initial | known.params).items()}
        form = DetailsForm(filled, clubs=clubs, initial=initial, day=known.end_date, first=True)
        form.mark_missing()
    return form


def _page(
    request: HttpRequest, upload: ResultUpload, sent: Sent | None = None, stored: bool = True
) -> HttpResponse:
    """The page. sent: of a page that could not be stored in whole, or, if not `stored`, at all"""
    found = review_of(upload)
    director = may_change(request.user, upload)
    allowed = upload.state == State.REVIEW and director
    typed, ticked, data = None, found.draft.accepted, None
    if sent:
        typed, ticked = sent.typed, found.draft.accepted if stored else sent.ticks
        data = sent.form.data if sent.form and (sent.form.errors or not stored) else None
    details = _details_form(request, upload, found.draft.known, data) if allowed else None
    by_row = not upload.file_name or upload.parsed.get("edited") == "rows"
    people = people_of(upload, found.draft, request.user, typed) if allowed else People()
    marked = _marked(details, people, typed) if sent else []
    groups = preview.issue_groups(found, ticked, by_row, request.user)
    _complete(groups, found, people, request.user)
    context = {
        "upload": upload,
        "review": found,
        "summary": preview.summary(found, len(marked), stored),
        "marked": marked,
        "stored": stored,
        "groups": groups,
        "by_row": by_row,
        "unreadable": not found.draft.entries and found.blocking,
        "table": PreviewTable(
            preview.table_rows(found, request.user),
            kind=found.draft.known.format,
            exclude=_unused(found),
            points_decimals=decimals_of(found),
        ),
        "changes": changes_table(found, upload, request.user),
        "director": director,
        "may_change": allowed,
        "may_read_again": director and uploads.may_read_again(upload),
        "people": people,
        "seen": uploads.version_of(upload),
        "rows": uploads.people_version_of(upload),
        "warned": uploads.warnings_version(found.draft),
        "form": details,
        "systems": system_choices(details) if details else [],
        "lines": preview.coefficients(found),
        "edit_limit": MOST_ROWS,
        "office": roles_of(request.user).office,
        "returned": approval.returned_proposal(upload),
        "steps": steps("upload_review", upload),
        "breadcrumbs": crumbs(found.draft.known.name or upload.file_name or gettext("Untitled")),
    }
    return render(request, "uploads/review.html", context)


def _marked(form: DetailsForm | None, people: People, typed: Typed | None) -> list[dict[str, str]]:
    """The boxes whose text could not be stored, in the order of the page, with what is wrong there."""
    found = [
        {"anchor": row.box, "label": gettext("Number of %(name)s") % {"name": row.name}, "error": row.error}
        for row in people.all()
        if typed and row.seat in typed.wrong
    ]
    if form and form.is_bound and not form.quiet:
        form.quiet = True  # it is said here
        found += [{"anchor": "", "label": "", "error": error} for error in form.non_field_errors()]
        found += [
            {"anchor": field.auto_id, "label": str(field.label), "error": error}
            for field in form
            for error in field.errors
        ]
    return found


def _complete(groups: list[dict[str, Any]], found: Review, people: People, user) -> None:
    """Give issues about other tournaments their ranking, and those about people a way to their boxes."""
    boxes = {(row.line, row.number, row.name): row.box for row in people.all()}
    items = [(group, item) for group in groups for item in group["items"]]
    for item in [item for group, item in items if group["code"] in COMPARED][:MOST_COMPARED]:
        item["comparison"] = ComparisonTable(rows_beside(found.draft, item["tournament"], user))
    for item in (item for group, item in items if group["personal"]):
        item["row"] = people.doubtful.get(item["issue"].params["seat"])
    for item in (item for _group, item in items if item["issue"].field == "licence"):
        told = item["issue"]
        item["anchor"] = boxes.get((told.line, told.value, told.params.get("name")), "")


def _unused(found: Review) -> tuple[str, ...]:
    """Columns that this ranking has nothing for."""
    known = found.draft.known
    unused = (("field", known.ranking != "two"), ("contestant", known.format == "individual"))
    return tuple(name for name, useless in unused if useless)


def changes_table(found: Review, upload: ResultUpload, user) -> ChangesTable | None:
    if not (upload.corrects_id and found.evaluation):
        return None
    return ChangesTable(preview.changes_rows(found, user), points_decimals=decimals_of(found))


def decimals_of(found: Review) -> int | None:
    """Of the points that confirming gives; None while nobody knows which."""
    return systems.points_decimals(found.draft.header) if found.draft.header else None
