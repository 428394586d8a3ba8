"""A ranking as a form: one row a contestant, for typing by hand and for mending what a file said."""

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

# A form of more rows would pass what the server takes as fields; larger rankings come as files.
MOST_ROWS = 500
MORE_ROWS = 10
SEATS = {"individual": 1, "pairs": 2, "teams": 6}
MOST_SEATS = 8
NAME_LENGTH = 120


class RowForm(forms.Form):
    """One contestant; everything may be blank, a row with nothing in it is left out."""

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
            # One label for a single player, numbered ones for several.
            of = {"seat": f" {seat}" if seats > 1 else ""}
            self.fields[f"number_{seat}"].label = gettext("Number%(seat)s") % of
            self.fields[f"name_{seat}"].label = gettext("Name%(seat)s") % of
            self.fields[f"number_{seat}"].widget.attrs["inputmode"] = "numeric"
            self.fields[f"number_{seat}"].widget.attrs["placeholder"] = gettext("Number")
            self.fields[f"name_{seat}"].widget.attrs["placeholder"] = gettext("Name")
        for field in self.fields.values():
            select = isinstance(field.widget, forms.Select)
            field.widget.attrs |= {
                "class": "form-select" if select else "form-control",
                "aria-label": gettext("%(field)s, row %(row)s") % {"field": field.label, "row": number},
            }

    def columns(self) -> list[tuple[forms.BoundField, SafeString]]:
        """What is said of the contestant as a whole: each field with its input."""
        return [(self[name], _input(self[name])) for name in RowForm.base_fields if name in self.fields]

    def seat_columns(self) -> list[tuple[str, SafeString]]:
        """Heading, and the inputs for number and name, of each seat."""
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
        """The row as a reader would give it, its row number standing for the line; None if it is empty."""
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
    """One text input. Django's own widget draws each of a thousand by a template, a millisecond apiece."""
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
    """The whole ranking; `add_rows` makes room without losing what was typed."""

    def get_form_kwargs(self, index: int | None) -> dict:
        kwargs = super().get_form_kwargs(index)
        return {**kwargs, "number": (index or 0) + 1}

    def entries(self) -> list[Entry]:
        """The rows that hold something, counted from 1 as the next look at them counts."""
        filled = (entry for form in self.forms if (entry := form.entry()))
        return [
            replace(entry, line=row, people=tuple(replace(person, line=row) for person in entry.people))
            for row, entry in enumerate(filled, start=1)
        ]


FormSet = forms.formset_factory(
    RowForm, formset=RankingForms, extra=0, max_num=MOST_ROWS, absolute_max=MOST_ROWS
)


def ranking_forms(draft: Draft, as_typed: bool, data: QueryDict | None = None) -> RankingForms:
    """The form set of a draft, with some empty rows below.

    as_typed: keep the rows as they are, because messages name them by their number
    data: a POST; its button named "more" asks for more empty rows and nothing else
    """
    entries = _entries(draft, as_typed)
    seats = max([SEATS.get(draft.known.format, 2), *(len(entry.people) for entry in entries)])
    hidden = tuple(name for name in RowForm.base_fields if not _needed(name, draft, entries))
    kwargs = {"seats": min(seats, MOST_SEATS), "hidden": hidden}
    if data is not None:
        return FormSet(_with_more_rows(data), prefix="row", form_kwargs=kwargs)
    initial = [_initial(entry) for entry in entries]
    initial += [{} for _row in range(min(MORE_ROWS, MOST_ROWS - len(initial)))]
    return FormSet(initial=initial, prefix="row", form_kwargs=kwargs)


def _needed(name: str, draft: Draft, entries: list[Entry]) -> bool:
    """Whether this ranking needs the column: for its format, or because something stands in it."""
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
    data["row-TOTAL_FORMS"] = str(min(int(total) + MORE_ROWS, MOST_ROWS))
    return data


def _entries(draft: Draft, as_typed: bool) -> list[Entry]:
    """What the form starts from: the worked-out ranking, or the rows in the order they were typed."""
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
    """A decimal as the reader types it; both spellings are understood."""
    text = number or ""
    return text if language(get_language()) == "en" else text.replace(".", ",")
