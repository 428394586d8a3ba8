"""The form in which a user says what the columns of a table mean."""

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.formats import layouts
from tournaments.formats.types import Choice, SheetLayout

LEFT_OUT = _("Not read")
SAMPLE = 10
BESIDE = 9  # number of columns that a table shows beside each other on a desktop, whatever they hold


class ColumnsForm(forms.Form):
    """A choice for each column of a sheet: what it means, or that it is not read.

    Subclasses say which meanings there are. `tournaments/_columns.html` shows the form above the first rows.
    """

    beside = BESIDE

    def __init__(self, *args: Any, layout: SheetLayout, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.layout = layout
        choices: list[tuple[str, str | Promise]] = [("", LEFT_OUT)]
        choices += [(meaning, self.label_of(meaning)) for meaning in self.meanings()]
        for index, heading in enumerate(layout.headings):
            self.fields[f"column_{index}"] = forms.ChoiceField(
                label=heading or gettext("Column %(letter)s") % {"letter": layouts.column_name(index)},
                choices=choices,
                required=False,
                initial=layout.meanings[index],
                widget=forms.Select(attrs={"class": "form-select"}),
            )

    def meanings(self) -> Iterable[str]:
        """Return the codes of the meanings offered for a column, in the order of the choices."""
        raise NotImplementedError

    def label_of(self, meaning: str) -> str:
        """Return the name of a meaning."""
        raise NotImplementedError

    def sample(self) -> list[list[tuple[str, str]]]:
        """Return the first rows of the table, as (label, text) of each cell."""
        labels = [str(field.label) for field in self.fields.values()]
        return [list(zip(labels, row, strict=True)) for row in self.sample_rows()]

    def sample_rows(self) -> list[list[str]]:
        """Return the cells of the first rows."""
        return [list(row) for row in self.layout.rows[:SAMPLE]]

    def refuse_repeated(self, chosen: dict[str, str]) -> None:
        """Refuse two columns with one meaning, naming both.

        chosen: {name of the field: meaning}
        """
        first: dict[str, str] = {}
        for name, meaning in chosen.items():
            if meaning and meaning in first:
                column = self.fields[first[meaning]].label
                self.add_error(name, self.repeated(meaning, str(column)))
            first.setdefault(meaning, name)

    def repeated(self, meaning: str, column: str) -> str:
        """Return why a meaning cannot be chosen twice. column: the heading that has it already"""
        text = gettext("“%(meaning)s” is already column %(column)s: choose it for one of the two.")
        return text % {"meaning": self.label_of(meaning), "column": column}

    def choice(self) -> Choice:
        """Return what was chosen, for the readers."""
        chosen = tuple(self.cleaned_data[f"column_{index}"] for index in range(len(self.layout.headings)))
        return Choice(self.layout.digest, chosen, sheet=self.layout.sheet)


def sheet_number(request: HttpRequest, shapes: Sequence[SheetLayout], open_ones: Iterable[int] = ()) -> int:
    """Return the index of the sheet in the URL (`?hoja=`, from 1 on).

    If it has none or another, return that of the first sheet whose columns have to be chosen.

    open_ones: the indexes of these sheets
    """
    text = request.GET.get("hoja", "")
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 3 else 0
    return number - 1 if 1 <= number <= len(shapes) else next(iter(open_ones), 0)
