"""Classes that describe the page of a regulation: sections of paragraphs, formulas, tables and charts.

`scoring.rulebook` renders such a page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from scoring.engine.types import Step

from .texts import Amount, Text, Words, fixed, printed


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph. ``note`` tells the template to highlight it."""

    text: Words
    note: bool = False


@dataclass(frozen=True, slots=True)
class Bullets:
    """A bulleted list."""

    items: Sequence[Words]


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula in the engine's plain-text notation. ``source`` is the article that prints it."""

    text: str
    source: Words = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a `Grid`.

    number: whether its cells are numbers
    formula: whether its cells are formulas; not for the first column, whose cells are row headers, because
    some screen readers skip formulas
    """

    label: Words
    number: bool = False
    formula: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A table. The first cell of each row is the row's header. ``look`` holds the table's CSS classes."""

    caption: Words
    columns: Sequence[Column]
    rows: Sequence[Sequence[Words]]
    source: Words = ""
    look: str = "narrow"


@dataclass(frozen=True, slots=True)
class Example:
    """A row of an `ExampleTable`: a number that the document prints, beside the engine's number.

    row: the id of the printed number in the golden files, which list all printed numbers for the tests
    printed: the number as printed
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
        """The engine's number with as many decimals as the printed one has."""
        if "/" in self.printed:
            return str(self.value)
        return fixed(self.value, len(self.printed.partition(".")[2]))


@dataclass(frozen=True, slots=True)
class ExampleTable:
    """A table that compares printed numbers with the engine's. ``label`` is the first column's heading."""

    caption: Words
    label: Words
    examples: Sequence[Example]
    source: Words = ""
    look: str = "narrow stays"


@dataclass(frozen=True, slots=True)
class Line:
    """A curve of a chart. ``in_table`` says whether the table below the chart contains the curve's points."""

    label: Words
    points: Sequence[tuple[Any, Amount]]
    kind: Literal["line", "dotted"] = "line"
    in_table: bool = True


@dataclass(frozen=True, slots=True)
class Plot:
    """A chart, with a table of its data below.

    description: what the chart shows, for screen readers
    axes: the labels of the x axis and the y axis
    digits: (decimals of x, decimals of y), the largest numbers of decimals shown. If the second is None, the
        values of y are hundredths of a point, and are shown as points.
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
    """The receipt of an example: the steps with which the engine computes one award or rating.

    chosen: a sentence shown with every factor whose value is invented for the example. It replaces the
    usual sentence, which names the office as source of the value; "" keeps the usual one.
    names: {step key: the step's name on the page}; empty if the receipts of the regulation name the steps
    source: the document that the page states as source of every step; used only if ``names`` is not empty
    """

    caption: Words
    steps: Sequence[Step]
    chosen: Words = ""
    names: Mapping[str, Words] = field(default_factory=dict)
    source: Words = ""


@dataclass(frozen=True, slots=True)
class OfficeFactors:
    """The table of the factors that the federation's office has entered, with their values and sources.

    names: the names of the factors to list
    defaults: {factor name: text to show} for factors with a default value that the office has not entered
    """

    names: Sequence[str]
    defaults: Mapping[str, Words]


Block = Paragraph | Bullets | Formula | Grid | ExampleTable | Plot | Working | OfficeFactors


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a page: a heading and the blocks below it."""

    title: Words
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True)
class Page:
    """The page of a regulation.

    lead: the regulation in one sentence
    document: the title of the regulation's document
    comparison: the text of a link to the calculator, which compares this regulation with another of its
    family; ``%(regulation)s`` stands for the other's name. None if the calculator cannot compare them.
    """

    lead: Words
    document: Words
    sections: Sequence[Section]
    comparison: Text | None = None


@dataclass(frozen=True, slots=True)
class Erratum:
    """A misprint: where it is, what is printed, and what the document's own rules give instead."""

    where: Words
    printed: Words
    right: Words
