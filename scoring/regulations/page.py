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
    """A formula in the engine's plain-text notation, with the article that prints it."""

    text: str
    source: Words = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a `Grid`, whose cells are texts, numbers or formulas.

    The cells of the first column are row headers, which are never typeset as formulas, because some screen
    readers skip formulas.
    """

    label: Words
    number: bool = False
    formula: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A table. The first cell of each row is the row's header. ``look`` holds CSS classes."""

    caption: Words
    columns: Sequence[Column]
    rows: Sequence[Sequence[Words]]
    source: Words = ""
    look: str = "narrow"


@dataclass(frozen=True, slots=True)
class Example:
    """A number that the document prints, and the engine's number to compare it with.

    row: the id of the number's row in the golden files, which list every printed number for the tests
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
    """A table of `Example` rows. ``label`` is the heading of its first column."""

    caption: Words
    label: Words
    examples: Sequence[Example]
    source: Words = ""
    look: str = "narrow stays"


@dataclass(frozen=True, slots=True)
class Line:
    """A curve of a chart. ``in_table`` says whether the table below the chart lists its points."""

    label: Words
    points: Sequence[tuple[Any, Amount]]
    kind: Literal["line", "dotted"] = "line"
    in_table: bool = True


@dataclass(frozen=True, slots=True)
class Plot:
    """A chart, with a table of its data below.

    description: what the chart shows, for screen readers
    axes: the labels of the x axis and the y axis
    digits: the most decimals with which x and y are shown; None if the values are hundredths of a point
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
    """The receipt of an example, as the engine derives it.

    chosen: the sentence to show beside values that the example makes up, where other receipts name the
    federation's office as the source
    names: the names of the steps by key, for steps that have no names elsewhere
    source: the source of all steps if ``names`` is set
    """

    caption: Words
    steps: Sequence[Step]
    chosen: Words = ""
    names: Mapping[str, Words] = field(default_factory=dict)
    source: Words = ""


@dataclass(frozen=True, slots=True)
class OfficeFactors:
    """The table of the factors that the federation's office has entered, with value and source.

    names: the names of the factors to list
    defaults: by factor name, the text to show if the factor has a default value and the office entered none
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
    comparison: the text of links to the calculator, which compares this regulation with another of the
    family; that one's name replaces ``%(regulation)s``. None if the calculator cannot compare them.
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
