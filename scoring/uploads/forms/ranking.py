"""A formset of the ranking with one form per contestant, to type a ranking or to edit the one in a file."""

from dataclasses import replace

from django import forms
from django.core.exceptions import ValidationError
from django.forms.utils import flatatt
from django.http import QueryDict
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from tournaments.formats.types import Entry, Person
from tournaments.formats.values import decimal_text
from tournaments.models import Contestant
from tournaments.services.drafts import Draft
from tournaments.services.issues import describe, issue
from ui.formatting import language

# More rows would exceed the server's limit of fields. Larger rankings have to be uploaded as files.
MAX_ROWS = 500
EXTRA_ROWS = 10
SEATS = {"individual": 1, "pairs": 2, "teams": 6}
MAX_SEATS = 8
NAME_LENGTH = 120


class RowForm(forms.Form):
    """The form of one contestant. Every field may be blank; rows in which all are blank are ignored."""

    place = forms.CharField(label=_("Place"), max_length=12, required=False)
    direction = forms.ChoiceField(
        label=_("Line"),
        choices=[("", "—"), ("NS", Contestant.Field.NS.label), ("EW", Contestant.Field.EW.label)],
        required=False,
    )
    label = forms.CharField(label=_("Pair"), max_length=20, required=False)
    team = forms.CharField(label=_("Team"), max_length=100, required=False)
    percentage = forms.CharField(label=_("Percentage"), max_length=20, required=False)
    score = forms.CharField(label=_("Score"), max_length=20, required=False)

    def __init__(self, *args, seats: int, hidden: tuple[str, ...] = (), number: int = 0, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.seats, self.number = seats, number
        for name in hidden:
            del self.fields[name]
        for seat in range(1, seats + 1):
            self.fields[f"number_{seat}"] = forms.CharField(max_length=20, required=False)
            self.fields[f"name_{seat}"] = forms.CharField(max_length=NAME_LENGTH, required=False)
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
    """The formset of a whole ranking, with one form per contestant."""

    def get_form_kwargs(self, index: int | None) -> dict:
        kwargs = super().get_form_kwargs(index)
        return {**kwargs, "number": (index or 0) + 1}

    def entries(self) -> list[Entry]:
        """Return the rows that are not blank, numbered from 1."""
        filled = (entry for form in self.forms if (entry := form.entry()))
        return [
            replace(entry, line=row, people=tuple(replace(person, line=row) for person in entry.people))
            for row, entry in enumerate(filled, start=1)
        ]


FormSet = forms.formset_factory(
    RowForm, formset=RankingForms, extra=0, max_num=MAX_ROWS, absolute_max=MAX_ROWS
)


def ranking_forms(draft: Draft, as_typed: bool, data: QueryDict | None = None) -> RankingForms:
    """Return the formset of a draft's ranking, with some blank rows at the end.

    as_typed: whether to keep the order in which the rows were typed, because messages refer to row numbers
    data: the submitted form. Its button "more" adds blank rows to the formset. The formset has all submitted
        columns, even if the draft no longer needs them
    """
    entries, sent = _entries(draft, as_typed), data or {}
    seats = max([SEATS.get(draft.known.format, 2), *(len(entry.people) for entry in entries)])
    seats = max([seats, *(seat for seat in range(1, MAX_SEATS + 1) if f"row-0-name_{seat}" in sent)])
    hidden = tuple(
        name
        for name in RowForm.base_fields
        if f"row-0-{name}" not in sent and not _needed(name, draft, entries)
    )
    kwargs = {"seats": min(seats, MAX_SEATS), "hidden": hidden}
    if data is not None:
        return FormSet(_with_more_rows(data), prefix="row", form_kwargs=kwargs)
    initial = [_initial(entry) for entry in entries]
    initial += [{} for _row in range(min(EXTRA_ROWS, MAX_ROWS - len(initial)))]
    return FormSet(initial=initial, prefix="row", form_kwargs=kwargs)


def _needed(name: str, draft: Draft, entries: list[Entry]) -> bool:
    """Return whether the form needs the column `name`: the format uses it, or a row has a value in it."""
    kind = draft.known.format
    if name == "direction":
        return draft.known.ranking == "two" or any(entry.direction for entry in entries)
    if name == "label":
        return kind not in ("individual", "teams")
    if name == "team":
        return kind == "teams"
    if name == "percentage":
        return kind != "teams" or any(entry.percentage for entry in entries)
    if name == "score":
        return any(entry.score for entry in entries) or not any(entry.percentage for entry in entries)
    return True


def _with_more_rows(data: QueryDict) -> QueryDict:
    total = data.get("row-TOTAL_FORMS", "")
    if "more" not in data or not total.isdecimal():
        return data
    data = data.copy()
    data["row-TOTAL_FORMS"] = str(min(int(total) + EXTRA_ROWS, MAX_ROWS))
    return data


def _entries(draft: Draft, as_typed: bool) -> list[Entry]:
    """Return the rows that the form shows first: the computed ranking, or the rows in the order of typing."""
    if as_typed or not draft.ranked:
        return list(draft.entries)
    return [replace(ranked.entry, place=str(ranked.place)) for ranked in draft.ranked]


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
