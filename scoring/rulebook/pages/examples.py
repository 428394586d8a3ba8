"""Numbers that a document prints, beside what the engine makes of its rule.

Every one of them is a golden row of the tests, which find it by `row`, compute it again and look for it on
the page.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from django.utils.translation import gettext as _

from .blocks import Cell, Column, Text
from .figures import Number, fixed, printed, ratio


@dataclass(frozen=True, slots=True)
class Example:
    """One printed number. ``value`` is the engine's, unrounded; ``why`` says why they differ, if they do."""

    row: str
    what: Text
    printed: str
    value: Number
    why: Text = ""

    @property
    def ours(self) -> str:
        """The engine's value as the document would have to print it."""
        if "/" in self.printed:
            return ratio(self.value)
        return fixed(self.value, len(self.printed.partition(".")[2]))

    @property
    def shown(self) -> str:
        """The printed number in the reader's language."""
        return self.printed if "/" in self.printed else printed(self.printed)


@dataclass(frozen=True, slots=True)
class Compared:
    """A table of examples: what, as printed, by the rule; below the name why the two differ."""

    caption: Text
    what: Text
    examples: Sequence[Example]
    source: Text = ""
    look: str = "narrow stays"
    template: ClassVar[str] = "rulebook/blocks/grid.html"

    @property
    def columns(self) -> tuple[Column, ...]:
        return (
            Column(self.what),
            Column(_("Printed"), number=True),
            Column(_("By the rule"), number=True),
        )

    @property
    def lines(self) -> list[list[Cell]]:
        """One row an example."""
        return [
            [
                Cell(each.what, self.what, note=each.why),
                Cell(each.shown, _("Printed"), number=True),
                Cell(each.ours, _("By the rule"), number=True),
            ]
            for each in self.examples
        ]
