"""The page of a regulation as data: sections of paragraphs, formulas, tables, charts and receipts.

`scoring.rulebook` renders it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from scoring.engine.types import Step

from .texts import Amount, Text, Words, fixed, printed


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph; ``note`` highlights it."""

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

    The cells of the first column are row headers. They are never typeset as formulas, because some screen
    readers skip formulas.
    """

    label: Words
    number: bool = False
    formula: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A table. The first cell of a row is its header. ``look`` holds CSS classes."""

    caption: Words
    columns: Sequence[Column]
    rows: Sequence[Sequence[Words]]
    source: Words = ""
    look: str = "narrow"


@dataclass(frozen=True, slots=True)
class Example:
    """A number that the document prints, compared with the engine's.

    row: id of the number's row in the golden files
    value: the engine's number, unrounded
    reason: why the two numbers differ, if they do
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
    """A table of examples. ``label`` is the heading of its first column."""

    caption: Words
    label: Words
    examples: Sequence[Example]
    source: Words = ""
    look: str = "narrow stays"


@dataclass(frozen=True, slots=True)
class Line:
    """A curve of a chart. ``in_table`` is false if its points are not listed in the table below the chart."""

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

    chosen: the sentence about values that the example makes up; a receipt names the office as their source
    names: the names of the steps by key, for steps that have no names elsewhere
    source: the source of all steps, if ``names`` is used
    """

    caption: Words
    steps: Sequence[Step]
    chosen: Words = ""
    names: Mapping[str, Words] = field(default_factory=dict)
    source: Words = ""


@dataclass(frozen=True, slots=True)
class OfficeFactors:
    """The table of the factors that the office has entered, with value and source.

    names: the factors to list
    defaults: the text, by name, for factors that have a default value as long as the office has entered none
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

    lead: the regulation in one sentence
    document: title of the document
    comparison: the text of links to the calculator's comparison with another regulation of the family, whose
    name replaces ``%(regulation)s``; None if the calculator cannot compare them
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
