"""Types of the notes on regulations."""

from dataclasses import dataclass

from django.utils.functional import Promise

Text = str | Promise


@dataclass(frozen=True, slots=True)
class Erratum:
    """A misprint: where it is, what is printed, and what the document's own rules give."""

    where: Text
    printed: Text
    right: Text
