"""Numbers that a document prints, compared with those of the engine.

`row` is the id of the number's row in the golden files of the tests, which check that the page shows it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from django.utils.translation import gettext as _

from .blocks import Cell, Column, Text
from .figures import Number, fixed, printed


@dataclass(frozen=True, slots=True)
class Example:
    """A printed number. ``value`` is the engine's, unrounded; ``reason`` explains a difference."""

    row: str
    label: Text
    printed: str
    value: Number
    reason: Text = ""

    @property
    def computed_text(self) -> str:
        """The engine's value in the precision of the printed number."""
        if "/" in self.printed:
            return str(self.value)
        return fixed(self.value, len(self.printed.partition(".")[2]))

    @property
    def printed_text(self) -> str:
        """The printed number in the active language."""
        return self.printed if "/" in self.printed else printed(self.printed)


@dataclass(frozen=True, slots=True)
class ExampleTable:
    """A table of examples: label, printed number and computed number. ``label`` heads the first column."""

    caption: Text
    label: Text
    examples: Sequence[Example]
    source: Text = ""
    look: str = "narrow stays"
    template: ClassVar[str] = "rulebook/blocks/grid.html"

    @property
    def columns(self) -> tuple[Column, ...]:
        return (
            Column(self.label),
            Column(_("Printed"), number=True),
            Column(_("By the rule"), number=True),
        )

    @property
    def lines(self) -> list[list[Cell]]:
        """One row of cells per example."""
        return [
            [
                Cell(example.label, self.label, note=example.reason),
                Cell(example.printed_text, _("Printed"), number=True),
                Cell(example.computed_text, _("By the rule"), number=True),
            ]
            for example in self.examples
        ]
