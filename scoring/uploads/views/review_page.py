"""The review page: what it shows of a draft, of which the director can change nearly everything."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from players.access import roles_of
from players.models import Proposal
from players.proposals import act_of
from scoring.ledger import systems
from scoring.ledger.services import approval
from scoring.uploads import board_words, preview, review_parts, start_lists
from scoring.uploads.forms.details import DetailsForm
from scoring.uploads.people_to_match import FIELD, People, SeatInput, people_of
from scoring.uploads.services.review import Review, review_of
from scoring.uploads.tables import ChangesTable, ComparisonTable, DifferenceTable
from scoring.uploads.views.access import may_change
from scoring.uploads.views.start import crumbs, steps, system_choices
from scoring.uploads.views.submission import Submission, details_form
from tournaments import upload_actions
from tournaments.federations import federations
from tournaments.models import ResultUpload, Revision, Tournament
from tournaments.services import uploads
from tournaments.services.drafts import Draft
from tournaments.services.files import files_of
from tournaments.services.issues import PERSONAL
from tournaments.services.people import Seat, seat_of

State = ResultUpload.State
CHANGING = "cambiar"  # parameter of the URL with the key of the seat whose form is open
# For issues with these codes, the page shows both rankings: at most MAX_COMPARED, because each needs queries.
COMPARED = ("same_ranking", "same_people")
MAX_COMPARED = 3
MAX_COMPARED_ROWS = 60  # longer rankings are only compared on a page of their own
# What the button that undoes the last decision about many people says, by that decision.
UNDO = {
    "proposals": _("Undo: accept the proposals"),
    "guests": _("Undo: the others are guests"),
    "ignore-numbers": _("Undo: ignore the numbers"),
    "use-numbers": _("Undo: use the numbers of the file"),
}
# For an issue's code, the button that settles these issues: its action and its label.
BUTTONS = {
    "numbers_not_ours": ("ignore-numbers", _("Ignore the numbers, match by name")),
    "numbers_ignored": ("use-numbers", _("Use the numbers of the file again")),
}
OUTDATED = "correction_outdated"
# Codes of issues that are settled by discarding the draft, which a button offers.
DISCARDED = ("nothing_corrected", OUTDATED)


@dataclass(frozen=True)
class ReviewPage:
    """The review page of an upload for the account of a request.

    submission: submitted input with errors, which is shown again; None if there is none
    stored: whether the valid part of that input has been stored
    """

    request: HttpRequest
    upload: ResultUpload
    submission: Submission | None = None
    stored: bool = True

    @cached_property
    def review(self) -> Review:
        return review_of(self.upload, self.request.user)

    @property
    def draft(self) -> Draft:
        return self.review.draft

    @cached_property
    def is_director(self) -> bool:
        return may_change(self.request.user, self.upload)

    @property
    def may_change(self) -> bool:
        """Whether the page is a form."""
        return self.upload.state == State.REVIEW and self.is_director

    @property
    def seats(self) -> SeatInput | None:
        return self.submission.seats if self.submission else None

    @property
    def ticks(self) -> list[str]:
        """The ticks to show: those of the draft, or those sent if they are not stored."""
        return self.submission.ticks if self.submission and not self.stored else self.draft.accepted

    @cached_property
    def form(self) -> DetailsForm | None:
        """The form with the data of the tournament, showing submitted texts if they are not stored."""
        if not self.may_change:
            return None
        sent = self.submission.form if self.submission else None
        data = sent.data if sent and (sent.errors or not self.stored) else None
        return details_form(self.request.user, self.upload, self.draft.known, data)

    @property
    def by_row(self) -> bool:
        """Whether line numbers of issues are rows of the ranking as it was typed."""
        return not self.upload.file_name or self.upload.parsed.get("edited") == "rows"

    @property
    def changing(self) -> str:
        """The key of the decided seat whose form is open; "" if there is none."""
        return self.request.GET.get(CHANGING, "")

    @cached_property
    def part(self) -> review_parts.Part:
        """The part of the ranking that is shown. It includes people whose texts have errors."""
        wanted = [*(self.seats.wrong if self.seats else ()), *_seats_of_key(self.changing)]
        return review_parts.part_of(self.draft, self.request.GET, wanted)

    @cached_property
    def groups(self) -> list[dict[str, Any]]:
        """The issues by code."""
        unfolded = self.request.GET.get(review_parts.GROUP, "")
        names = [] if self.by_row else [part["name"] for part in self.upload.parsed.get("files", ())]
        return preview.groups_of(self.review, self.ticks, self.by_row, self.request.user, unfolded, names)

    @cached_property
    def people(self) -> People:
        """The people whose forms are in the shown part of the ranking or in a listed issue."""
        if not self.may_change:
            return People()
        issues, _hidden = review_parts.listed_issues(self.review.issues, self.ticks)
        listed = {seat_of(item.params["seat"]) for item in issues if item.code in PERSONAL}
        return people_of(
            self.upload,
            self.draft,
            self.request.user,
            self.seats,
            self.changing,
            lambda seat: self.part.has(seat) or seat in listed,
        )

    def context(self) -> dict[str, Any]:
        """Return the context of the template `uploads/review.html`."""
        upload, user = self.upload, self.request.user
        ready = self.review.ready and self.stored
        title = self.draft.known.name or upload.file_name or gettext("Untitled")
        return {
            "upload": upload,
            "review": self.review,
            "director": self.is_director,
            "may_change": self.may_change,
            "office": roles_of(user).office,
            "steps": steps("upload_review", upload, reached=3 if ready else 2),
            "breadcrumbs": crumbs(title),
            "returned": approval.returned_proposal(upload),
            **upload_actions.button_context(upload, self.is_director),
            **self._counts(),
            **self._issues(),
            **self._ranking(),
            **self._corrections(),
            **self._data(),
            **self._files(),
            **self._versions(),
        }

    def _counts(self) -> dict[str, Any]:
        """Return the context of the heading, the first sentence and the bar."""
        seats = self.seats
        marked = _marked_boxes(self.form, self.people, seats) if self.submission else []
        return {
            "headline": preview.headline(self.review),
            "meter": preview.licence_meter(self.review),
            "summary": preview.summary(self.review, len(marked), self.stored),
            "marked": marked,
            "stored": self.stored,
            "unreadable": not self.draft.entries and self.review.has_errors,
        }

    def _issues(self) -> dict[str, Any]:
        _complete_items(self.groups, self.draft, self.people, self.request.user)
        _add_links(self.groups, self.upload, self.request.user, self.may_change)
        return {"groups": self.groups, "by_row": self.by_row}

    def _ranking(self) -> dict[str, Any]:
        """Return the context of the people and their points."""
        draft, part, people = self.draft, self.part, self.people
        ranking = preview.asked_first(preview.ranking_rows(self.review, part, people, self.request.user))
        has_others = self.may_change and part.count > 1
        undo = self.upload.parsed.get("undo", {}).get("act")
        return {
            "people": people,
            "ranking": ranking,
            "unit": _unit_label(draft),
            "part": part,
            "pending": preview.pending_rows(ranking, part),
            "elsewhere": preview.numbers_elsewhere(draft, part) if has_others else [],
            "points_decimals": decimals_of(self.review),
            "undo": UNDO.get(undo) if self.may_change else None,
            "federations": federations(get_language() or ""),
            "names_wanted": self.may_change and start_lists.is_offered(self.upload, draft),
            "nameless": draft.is_nameless,
            "start_list": self.submission.start_list if self.submission else "",
        }

    def _corrections(self) -> dict[str, Any]:
        """Return the context of what a correction changes, and of the boards to decide."""
        user = self.request.user
        return {
            "changes": changes_table(self.review, self.upload, user, review_parts.CHANGES),
            "changes_most": review_parts.CHANGES,
            "board_lines": board_words.board_lines(self.upload, user),
        }

    def _data(self) -> dict[str, Any]:
        """Return the context of the tournament's data and coefficients."""
        like = self.upload.details.get("like")
        return {
            "form": self.form,
            "systems": system_choices(self.form) if self.form else [],
            "lines": preview.coefficients(self.review),
            "proposed": self.draft.proposed,
            "like": Tournament.objects.filter(pk=like).first() if like is not None else None,
        }

    def _files(self) -> dict[str, Any]:
        return {
            "files": files_of(self.upload),
            "files_open": self.is_director and uploads.may_change_files(self.upload),
            "columns": self.is_director and uploads.may_choose_columns(self.upload),
            "columns_open": self.is_director
            and self.upload.state == State.REFUSED
            and uploads.has_open_layouts(self.upload),
        }

    def _versions(self) -> dict[str, Any]:
        """Return the hidden fields by which an outdated page is recognised (see `sent_pages`)."""
        accepted = self.draft.accepted
        unlisted = set(review_parts.all_ticks((), _listed_ticks(self.groups), accepted))
        return {
            "seen": uploads.version_of(self.upload),
            "rows": uploads.people_version_of(self.upload),
            "warned": uploads.warnings_version(self.draft),
            "ticked": [tick for tick in accepted if tick not in unlisted],
        }


def review_page(
    request: HttpRequest, upload: ResultUpload, submission: Submission | None = None, stored: bool = True
) -> HttpResponse:
    """Render the review page. See `ReviewPage`."""
    context = ReviewPage(request, upload, submission, stored).context()
    return render(request, "uploads/review.html", context)


def _seats_of_key(key: str) -> list[Seat]:
    """Return a list of the seat with this key, which comes from the address; [] for any other text."""
    return [seat_of(key)] if FIELD.fullmatch(f"number_{key}") else []


def _listed_ticks(groups: list[dict[str, Any]]) -> list[str]:
    """Return the ticks of the warnings about one person on the page, if it leaves out others; else []."""
    return [
        item["tick"] for group in groups if group["personal"] and group["partial"] for item in group["items"]
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
        group["is_to_discard"] = group["code"] in DISCARDED


def _unit_label(draft: Draft) -> str:
    """Return the name of the unit of a ranking's results; "" for percentages and if it is unknown."""
    if not draft.unit or any(entry.percentage for entry in draft.entries):
        return ""
    return str(Revision.Unit(draft.unit).label)


def changes_table(
    checked: Review, upload: ResultUpload, user, most: int | None = None
) -> ChangesTable | DifferenceTable | None:
    """Return the table of what a correction changes: the points and, if it corrects boards, the ranking.

    Return None if the upload is no correction, has no computed points, or corrects boards of a ranking that
    was replaced.

    most: the maximum number of rows; None for all
    """
    if not (upload.corrects_id and checked.evaluation) or any(
        item.code == OUTDATED for item in checked.issues
    ):
        return None
    if upload.parsed.get("changes"):
        rows = board_words.difference_rows(checked, upload, user)
        return DifferenceTable(rows[:most], points_decimals=decimals_of(checked))
    rows = preview.changes_rows(checked.changes, checked.players, user)
    return ChangesTable(rows[:most], points_decimals=decimals_of(checked))


def decimals_of(checked: Review) -> int | None:
    """Return the number of decimals of the points; None while the tournament's data are incomplete."""
    return systems.points_decimals(checked.draft.header) if checked.draft.header else None
