"""The blocks of a regulation's page: paragraphs, formulas, tables, charts and receipts, in sections."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from django.utils.functional import Promise

from scoring.ledger.receipts import ReceiptLine
from ui.plots import Chart

Text = str | Promise


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of plain text; a ``note`` is set off from the others."""

    text: Text
    note: bool = False
    template: ClassVar[str] = "rulebook/blocks/paragraph.html"


@dataclass(frozen=True, slots=True)
class Bullets:
    """A bulleted list."""

    items: Sequence[Text]
    template: ClassVar[str] = "rulebook/blocks/bullets.html"


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula in the engine's notation, and the source that prints it."""

    text: str
    source: Text = ""
    template: ClassVar[str] = "rulebook/blocks/formula.html"


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table; ``formula`` typesets its text, ``note`` is shown below it."""

    text: Text
    label: Text
    number: bool = False
    formula: bool = False
    note: Text = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a Grid, of numbers or of formulas.

    The first column heads the rows and is never typeset as formulas, which some screen readers skip.
    """

    label: Text
    number: bool = False
    formula: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; the first cell of a row heads it. ``look`` has CSS classes."""

    caption: Text
    columns: Sequence[Column]
    rows: Sequence[Sequence[Text]]
    source: Text = ""
    look: str = "narrow"
    template: ClassVar[str] = "rulebook/blocks/grid.html"

    @property
    def lines(self) -> list[list[Cell]]:
        """The rows as cells with the properties of their columns."""
        return [
            [
                Cell(text, column.label, column.number, column.formula)
                for text, column in zip(row, self.columns, strict=True)
            ]
            for row in self.rows
        ]


@dataclass(frozen=True, slots=True)
class Plot:
    """A chart, with its data as a table."""

    chart: Chart
    template: ClassVar[str] = "rulebook/blocks/plot.html"


@dataclass(frozen=True, slots=True)
class Working:
    """The receipt of one example, as the engine derives it."""

    caption: Text
    lines: Sequence[ReceiptLine]
    template: ClassVar[str] = "rulebook/blocks/working.html"


Block = Paragraph | Bullets | Formula | Grid | Plot | Working


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with its blocks."""

    title: Text
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True)
class Page:
    """A regulation's page: a summary in one sentence, the title of the document, the sections.

    ``comparisons`` are (URL, text) of the calculator's comparisons with other regulations.
    """

    code: str
    lead: Text
    document: Text
    sections: Sequence[Section]
    comparisons: Sequence[tuple[str, Text]] = ()
