"""A formset of the ranking with one form per contestant, to type a ranking or to edit the one in a file."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from django import forms
from django.core.exceptions import ValidationError
from django.forms.utils import flatatt
from django.http import QueryDict
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from scoring.uploads.review_parts import page_links
from tournaments.formats.limits import RESULT_ENTRIES
from tournaments.formats.types import Entry, Person
from tournaments.formats.values import decimal_text
from tournaments.models import Contestant
from tournaments.services.drafts import Draft
from tournaments.services.issues import describe, issue
from ui.fields import LineField
from ui.formatting import language

# The text boxes of a page, which takes 200 to 300 bytes for each.
BOXES = 800
MAX_ROWS = 300  # a page never has as many, because a row has at least three boxes
EXTRA_ROWS = 10  # blank rows at the end of the last page
SEATS = {"individual": 1, "pairs": 2, "teams": 6}
MAX_SEATS = 8
NAME_LENGTH = 120
# The fields of `Entry` whose columns have another name.
FIELDS_OF_ENTRY = {"label": "number"}


class RowForm(forms.Form):
    """The form of one contestant. Every field may be blank; rows in which all are blank are ignored."""

    place = forms.CharField(label=_("Place"), max_length=12, required=False)
    direction = forms.ChoiceField(
        label=_("Line"),
        choices=[("", "—"), ("NS", Contestant.Field.NS.label), ("EW", Contestant.Field.EW.label)],
        required=False,
    )
    label = forms.CharField(label=_("Pair"), max_length=20, required=False)
    team = LineField(label=_("Team"), max_length=100, required=False)
    percentage = forms.CharField(label=_("Percentage"), max_length=20, required=False)
    score = forms.CharField(label=_("Score"), max_length=20, required=False)

    def __init__(self, *args, seats: int, hidden: tuple[str, ...] = (), number: int = 0, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.seats, self.number = seats, number
        for name in hidden:
            del self.fields[name]
        for seat in range(1, seats + 1):
            self.fields[f"number_{seat}"] = forms.CharField(max_length=20, required=False)
            self.fields[f"name_{seat}"] = LineField(max_length=NAME_LENGTH, required=False)
            # Number the labels only if there are several seats.
            suffix = {"seat": f" {seat}" if seats > 1 else ""}
            self.fields[f"number_{seat}"].label = gettext("Number%(seat)s") % suffix
            self.fields[f"name_{seat}"].label = gettext("Name%(seat)s") % suffix
            self.fields[f"number_{seat}"].widget.attrs["inputmode"] = "numeric"
            self.fields[f"number_{seat}"].widget.attrs["placeholder"] = gettext("Number")
            self.fields[f"name_{seat}"].widget.attrs["placeholder"] = gettext("Name")
        for field in self.fields.values():
            is_select = isinstance(field.widget, forms.Select)
            field.widget.attrs |= {
                "class": "form-select" if is_select else "form-control",
                "aria-label": gettext("%(field)s, row %(row)s") % {"field": field.label, "row": number},
            }

    def columns(self) -> list[tuple[forms.BoundField, SafeString]]:
        """Return (field, HTML input) for every field that is not about a person, such as place and score."""
        return [(self[name], _input(self[name])) for name in RowForm.base_fields if name in self.fields]

    def seat_columns(self) -> list[tuple[str, SafeString]]:
        """Return (heading, HTML inputs for number and name) for every seat."""
        heading = gettext("Player %(seat)s") if self.seats > 1 else gettext("Player")
        return [
            (heading % {"seat": seat}, _input(self[f"number_{seat}"]) + _input(self[f"name_{seat}"]))
            for seat in range(1, self.seats + 1)
        ]

    def _decimal(self, name: str) -> str:
        number = decimal_text(self.cleaned_data[name])
        if number is None:
            raise ValidationError(describe(issue("bad_number", value=self.cleaned_data[name])).message)
        return number

    def clean_percentage(self) -> str:
        return self._decimal("percentage")

    def clean_score(self) -> str:
        return self._decimal("score")

    def entry(self) -> Entry | None:
        """Return the row as an `Entry`, as readers of files do. Return None if the row is blank.

        Its `line` is the number of the row in the form.
        """
        values = self.cleaned_data
        if not any(values.values()):
            return None
        people = tuple(
            Person(values[f"number_{seat}"] or None, values[f"name_{seat}"], self.number)
            for seat in range(1, self.seats + 1)
            if values[f"number_{seat}"] or values[f"name_{seat}"]
        )
        return Entry(
            line=self.number,
            number=values.get("label") or None,
            place=values["place"] or None,
            score=values.get("score") or None,
            percentage=values.get("percentage") or None,
            direction=values.get("direction") or None,
            section=None,
            team=values.get("team") or None,
            people=people,
            boards=None,
        )


def _input(bound: forms.BoundField) -> SafeString:
    """Return the HTML of a text input.

    It does not use Django's template, which would take a millisecond for each of about a thousand inputs.
    """
    if isinstance(bound.field.widget, forms.Select):
        return bound.as_widget()
    return format_html(
        '<input type="text" name="{}" id="{}" value="{}" maxlength="{}"{}>',
        bound.html_name,
        bound.auto_id,
        bound.value() or "",
        bound.field.max_length,
        flatatt({key: value for key, value in bound.field.widget.attrs.items() if key != "maxlength"}),
    )


class RankingForms(forms.BaseFormSet):
    """The formset of one page of a ranking, with one form per contestant.

    page: where the rows of the page stand in the ranking
    unused: the fields of `Entry` that the formset does not show
    """

    page: "RankingPage"
    unused: tuple[str, ...]

    def get_form_kwargs(self, index: int | None) -> dict:
        kwargs = super().get_form_kwargs(index)
        return {**kwargs, "number": self.page.before + (index or 0) + 1}

    def entries(self) -> list[Entry]:
        """Return the rows that are not blank."""
        return [entry for form in self.forms if (entry := form.entry())]


FormSet = forms.formset_factory(
    RowForm, formset=RankingForms, extra=0, max_num=MAX_ROWS, absolute_max=MAX_ROWS
)


@dataclass(frozen=True)
class RankingPage:
    """A page of the form that edits a ranking.

    number, count: the page's number and the number of pages
    before, end: the indexes of its first row, and of the row after its last one
    total: the number of rows on all pages
    size: the number of rows of a full page
    """

    number: int
    count: int
    before: int
    end: int
    total: int
    size: int
    filter_query = "?"

    @property
    def first(self) -> int:
        return self.before + 1

    @property
    def last(self) -> int:
        return self.end

    @property
    def links(self) -> list[tuple[str, int]]:
        return page_links(self.number, self.count)

    @property
    def is_last(self) -> bool:
        return self.number == self.count

    @property
    def is_full(self) -> bool:
        """Whether the ranking has as many rows as a file may have."""
        return self.total >= RESULT_ENTRIES


@dataclass(frozen=True)
class RankingForm:
    """Makes the formset for each page of a draft's ranking, all with the same columns.

    rows: the rows of the whole ranking
    sent: the submitted form, if any. The formset has all submitted columns, even if the draft no longer
        needs them
    """

    draft: Draft
    rows: Sequence[Entry]
    sent: QueryDict | None = None

    @cached_property
    def seats(self) -> int:
        least = SEATS.get(self.draft.known.format, 2)
        sent = (seat for seat in range(1, MAX_SEATS + 1) if f"row-0-name_{seat}" in (self.sent or ()))
        return min(max([least, *(len(row.people) for row in self.rows), *sent]), MAX_SEATS)

    @cached_property
    def hidden(self) -> tuple[str, ...]:
        """The names of the columns that the form does not have."""
        return tuple(
            name
            for name in RowForm.base_fields
            if f"row-0-{name}" not in (self.sent or ()) and not _needed(name, self.draft, self.rows)
        )

    def page(self, number: int) -> RankingPage:
        """Return the page with this number. A number beyond the end gives the last page."""
        total = len(self.rows)
        count = max(-(-total // self._size), 1)
        number = min(max(number, 1), count)
        before = (number - 1) * self._size
        return RankingPage(number, count, before, min(before + self._size, total), total, self._size)

    def page_between(self, start: int, end: int) -> RankingPage:
        """Return the page of the rows from one index to another."""
        page = self.page(start // self._size + 1)
        return replace(page, before=start, end=end, number=page.count if end == page.total else page.number)

    @property
    def _size(self) -> int:
        boxes = len(RowForm.base_fields) - len(self.hidden) + 2 * self.seats
        return BOXES // boxes

    def formset(self, page: RankingPage) -> RankingForms:
        """Return the formset of a page. Its last page has some blank rows at the end.

        The submitted form's button "more" adds blank rows.
        """
        kwargs = {"prefix": "row", "form_kwargs": {"seats": self.seats, "hidden": self.hidden}}
        if self.sent is not None:
            formset = FormSet(_with_more_rows(self.sent, page), **kwargs)
        else:
            initial = [_initial(row) for row in self.rows[page.before : page.end]]
            blank = EXTRA_ROWS if page.is_last and not page.is_full else 0
            formset = FormSet(initial=[*initial, *({} for _row in range(blank))], **kwargs)
        formset.page = page
        formset.unused = tuple(FIELDS_OF_ENTRY.get(name, name) for name in self.hidden)
        return formset


def _needed(name: str, draft: Draft, rows: Sequence[Entry]) -> bool:
    """Return whether the form needs the column `name`: the format uses it, or a row has a value in it."""
    kind = draft.known.format
    if name == "direction":
        return draft.known.ranking == "two" or any(row.direction for row in rows)
    if name == "label":
        return kind not in ("individual", "teams")
    if name == "team":
        return kind == "teams"
    if name == "percentage":
        return kind != "teams" or any(row.percentage for row in rows)
    if name == "score":
        return any(row.score for row in rows) or not any(row.percentage for row in rows)
    return True


def may_add_rows(formset: RankingForms) -> bool:
    """Return whether the last page with its new blank rows can be shown again without being saved.

    If it is too long for one page, saving it makes the next one.
    """
    return len(formset.forms) <= formset.page.size and not formset.page.is_full


def _with_more_rows(data: QueryDict, page: RankingPage) -> QueryDict:
    total = data.get("row-TOTAL_FORMS", "")
    if "more" not in data or not total.isdecimal():
        return data
    data, most = data.copy(), page.size + EXTRA_ROWS
    data["row-TOTAL_FORMS"] = str(max(int(total), min(int(total) + EXTRA_ROWS, most)))
    return data


def _initial(entry: Entry) -> dict[str, str]:
    values = {
        "place": entry.place or "",
        "direction": entry.direction or "",
        "label": entry.number or "",
        "team": entry.team or "",
        "percentage": _localised(entry.percentage),
        "score": _localised(entry.score),
    }
    for seat, person in enumerate(entry.people, start=1):
        values[f"number_{seat}"] = person.number or ""
        values[f"name_{seat}"] = person.name[:NAME_LENGTH]
    return values


def _localised(number: str | None) -> str:
    """Return a decimal with the decimal separator of the active language.

    The form accepts comma and point.
    """
    text = number or ""
    return text if language(get_language()) == "en" else text.replace(".", ",")
