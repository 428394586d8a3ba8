"""Form fields that several rooms use, and the texts of submitted forms."""

from typing import Any

from django import forms
from django.http import QueryDict

from ui.text import one_line, without_direction_marks


class LineField(forms.CharField):
    """A name or another text of one line. Line breaks and repeated spaces become one space.

    Browsers send no line breaks from a text box, but programs do.
    """

    def to_python(self, value: Any) -> str | None:
        text = super().to_python(value)
        return one_line(text) if text else text


def submitted(data: QueryDict) -> QueryDict:
    """Return a submitted form without characters that change the direction of texts."""
    if not any(text != without_direction_marks(text) for _name, texts in data.lists() for text in texts):
        return data
    cleaned = data.copy()
    for name, texts in data.lists():
        cleaned.setlist(name, list(map(without_direction_marks, texts)))
    return cleaned
