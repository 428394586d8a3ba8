"""Form fields that several rooms use."""

from typing import Any

from django import forms

from ui.text import one_line


class LineField(forms.CharField):
    """A name or another text of one line. Line breaks and repeated spaces become one space.

    Browsers send no line breaks from a text box, but programs do.
    """

    def to_python(self, value: Any) -> str | None:
        text = super().to_python(value)
        return one_line(text) if text else text
