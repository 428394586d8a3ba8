"""What a note on a regulation is."""

from dataclasses import dataclass

from django.utils.functional import Promise

Text = str | Promise


@dataclass(frozen=True, slots=True)
class Erratum:
    """A place of the document, what is printed there, and what its own rules give."""

    where: Text
    printed: Text
    right: Text
