"""The page of a regulation as data: sections of paragraphs, formulas, tables, charts and receipts.

The room of the rulebook draws it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from scoring.engine.types import Step

from .texts import Amount, Text, Words, fixed, printed


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph; a ``note`` is set off from the others."""

    text: Words
    note: bool = False


@dataclass(frozen=True, slots=True)
class Bullets:
    """A bulleted list."""

    items: Sequence[Words]


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula in the engine's notation, and the source that prints it."""

    text: str
    source: Words = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a Grid, of numbers or of formulas.

    The first column heads the rows and is never typeset as formulas, which some screen readers skip.
    """

    label: Words
    number: bool = False
    formula: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; the first cell of a row heads it. ``look`` has CSS classes."""

    caption: Words
    columns: Sequence[Column]
    rows: Sequence[Sequence[Words]]
    source: Words = ""
    look: str = "narrow"


@dataclass(frozen=True, slots=True)
class Example:
    """A number that the document prints, beside the engine's.

    row: id of its row in the golden files
    value: the engine's number, unrounded
    reason: why they differ, if they do
    """

    row: str
    label: Words
    printed: str
    value: Amount
    reason: Words = ""

    @property
    def printed_words(self) -> Words:
        return self.printed if "/" in self.printed else printed(self.printed)

    @property
    def computed_words(self) -> Words:
        """The engine's number in the precision of the printed one."""
        if "/" in self.printed:
            return str(self.value)
        return fixed(self.value, len(self.printed.partition(".")[2]))


@dataclass(frozen=True, slots=True)
class ExampleTable:
    """A table of examples. ``label`` heads its first column."""

    caption: Words
    label: Words
    examples: Sequence[Example]
    source: Words = ""
    look: str = "narrow stays"


@dataclass(frozen=True, slots=True)
class Line:
    """A curve of a chart; without ``in_table`` its points only make it smooth."""

    label: Words
    points: Sequence[tuple[Any, Amount]]
    kind: Literal["line", "dotted"] = "line"
    in_table: bool = True


@dataclass(frozen=True, slots=True)
class Plot:
    """A chart, with its data as a table.

    description: for screen readers
    axes: labels of x and y
    digits: the most decimals of x and of y; None for hundredths of a point
    """

    title: Words
    description: Words
    axes: tuple[Words, Words]
    lines: Sequence[Line]
    digits: tuple[int, int | None] = (0, 2)
    whole_x: bool = False
    y_from_zero: bool = True


@dataclass(frozen=True, slots=True)
class Working:
    """The receipt of one example, as the engine derives it.

    chosen: what to say of values that the example chooses; a receipt would name the office as their source
    names: what to call the steps by key, if they have no other names; then ``source`` prints them all
    """

    caption: Words
    steps: Sequence[Step]
    chosen: Words = ""
    names: Mapping[str, Words] = field(default_factory=dict)
    source: Words = ""


@dataclass(frozen=True, slots=True)
class OfficeFactors:
    """The table of the factors that the office has entered, with value and source.

    defaults: what to say of factors that have a value without the office
    """

    names: Sequence[str]
    defaults: Mapping[str, Words]


Block = Paragraph | Bullets | Formula | Grid | ExampleTable | Plot | Working | OfficeFactors


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with its blocks."""

    title: Words
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True)
class Page:
    """The page of a regulation.

    lead: the answer in a sentence
    document: title of the document
    comparison: names the calculator's comparison with another regulation of the family, ``%(regulation)s``;
        empty if the calculator compares none
    """

    lead: Words
    document: Words
    sections: Sequence[Section]
    comparison: Text | None = None


@dataclass(frozen=True, slots=True)
class Erratum:
    """A misprint: where it is, what is printed, and what the document's own rules give."""

    where: Words
    printed: Words
    right: Words
