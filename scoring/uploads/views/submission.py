"""The input of a submitted review page, and the form with the tournament's data that the page has."""

from dataclasses import dataclass

from django.http import HttpRequest, QueryDict

from players.access import uploadable_clubs
from scoring.uploads import review_parts, sent_pages, start_lists
from scoring.uploads.forms.details import DetailsForm
from scoring.uploads.people_to_match import SeatInput, read_seat_input
from tournaments.models import ResultUpload
from tournaments.services import scorings, uploads
from tournaments.services.drafts import Draft
from tournaments.services.headers import Known


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


def submission_of(request: HttpRequest, upload: ResultUpload, draft: Draft) -> Submission:
    """Return the validated input of the submitted page.

    If the draft has changed since the page was opened, the result contains the current data of the draft with
    the user's changes.
    """
    data = request.POST
    if data.get("seen", "") not in ("", uploads.version_of(upload)):
        data = sent_pages.rebase(data, details_form(request.user, upload, draft.known), upload, draft)
    form = _submitted_form(request.user, upload, draft.known, data)
    seats = read_seat_input(data, draft)
    ticks = review_parts.all_ticks(data.getlist("accept"), data.getlist("listed"), draft.accepted)
    return Submission(form, seats, ticks, start_lists.pasted(request))


def _submitted_form(user, upload: ResultUpload, known: Known, data: QueryDict) -> DetailsForm | None:
    """Return the validated form with the tournament's data, or None if the page has no such form.

    If the user pressed a button that chooses a points system, the form has the fields of that system.
    """
    if "club" not in data:
        return None
    if family := data.get("system"):
        data = data.copy()
        data.setlist("family", [family])
        data.setlist("event_type", [""])
    form = details_form(user, upload, known, data)
    form.is_valid()
    return form


def details_form(user, upload: ResultUpload, known: Known, data: QueryDict | None = None) -> DetailsForm:
    """Return the form with the tournament's known data, bound to `data` if it is not None.

    Without `data`, fields whose value is missing show an error.

    user: the account whose clubs can be chosen
    """
    clubs = uploadable_clubs(user)
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
