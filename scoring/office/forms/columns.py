"""The form in which the office says what the columns of a list mean."""

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.text import get_text_list
from django.utils.translation import get_language, gettext

from tournaments.column_forms import ColumnsForm
from tournaments.formats.types import Column
from ui.formatting import language


def name_of(column: Column) -> str:
    """Return the first heading of a column in the reader's language."""
    return column.names[0 if language(get_language()) == "es" else 1]


class ListColumnsForm(ColumnsForm):
    """What the columns of a list mean.

    columns: those of the kind of list
    """

    def __init__(self, *args: Any, columns: Sequence[Column], **kwargs: Any) -> None:
        self.columns = {column.key: column for column in columns}
        super().__init__(*args, **kwargs)

    def meanings(self) -> list[str]:
        return list(self.columns)

    def label_of(self, meaning: str) -> str:
        name = name_of(self.columns[meaning])
        return gettext("%(column)s (required)") % {"column": name} if self._is_required(meaning) else name

    def _is_required(self, meaning: str) -> bool:
        return self.columns[meaning].required

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if self.errors:
            return values
        self.refuse_repeated({name: values.get(name, "") for name in self.fields})
        if missing := self.missing(list(values.values())):
            raise ValidationError(missing_words(missing))
        return values

    def missing(self, chosen: Sequence[str]) -> list[str]:
        """Return the names of the required columns that are not among the meanings."""
        required = (column for column in self.columns.values() if column.required)
        return [name_of(column) for column in required if column.key not in chosen]


def missing_words(names: Sequence[str]) -> str:
    """Return the sentence that says which required columns have not been chosen."""
    return gettext("Choose the column of: %(names)s.") % {"names": get_text_list(list(names), gettext("and"))}
