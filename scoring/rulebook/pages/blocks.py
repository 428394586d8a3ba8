"""What a page of a regulation is made of: sections of sentences, formulas, tables, charts and receipts."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from django.utils.functional import Promise

from scoring.ledger.receipts import ReceiptLine
from ui.plots import Chart

Text = str | Promise


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of plain text; ``note`` sets it off from the others."""

    text: Text
    note: bool = False
    template: ClassVar[str] = "rulebook/blocks/paragraph.html"


@dataclass(frozen=True, slots=True)
class Bullets:
    """Sentences side by side."""

    items: Sequence[Text]
    template: ClassVar[str] = "rulebook/blocks/bullets.html"


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula as the engine writes it, and where it is printed."""

    text: str
    source: Text = ""
    template: ClassVar[str] = "rulebook/blocks/formula.html"


@dataclass(frozen=True, slots=True)
class Cell:
    """What a table shows of one value; ``formula`` typesets it, a ``note`` stands below it."""

    text: Text
    label: Text
    number: bool = False
    formula: bool = False
    note: Text = ""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a Grid: its head, whether it holds figures, whether its cells are formulas.

    Cells that head their rows are always text: assistive technology may read a formula as nothing.
    """

    label: Text
    number: bool = False
    formula: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; the first cell of each row heads it. ``look`` adds classes of the style sheet."""

    caption: Text
    columns: Sequence[Column]
    rows: Sequence[Sequence[Text]]
    source: Text = ""
    look: str = "narrow"
    template: ClassVar[str] = "rulebook/blocks/grid.html"

    @property
    def lines(self) -> list[list[Cell]]:
        """The rows with what each cell's column says of it."""
        return [
            [
                Cell(text, column.label, column.number, column.formula)
                for text, column in zip(row, self.columns, strict=True)
            ]
            for row in self.rows
        ]


@dataclass(frozen=True, slots=True)
class Plot:
    """A chart with its data as a table."""

    chart: Chart
    template: ClassVar[str] = "rulebook/blocks/plot.html"


@dataclass(frozen=True, slots=True)
class Working:
    """The receipt of one example, as the engine derives it."""

    caption: Text
    lines: Sequence[ReceiptLine]
    template: ClassVar[str] = "rulebook/blocks/working.html"


@dataclass(frozen=True, slots=True)
class Link:
    """A way to another page, for the screen only."""

    url: str
    text: Text
    template: ClassVar[str] = "rulebook/blocks/link.html"


Block = Paragraph | Bullets | Formula | Grid | Plot | Working | Link


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands below it."""

    title: Text
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True)
class Page:
    """A regulation explained: the answer in a sentence, the document it follows, the sections in order.

    ``compared`` are (address, words) of the same tournament or game under another regulation.
    """

    code: str
    lead: Text
    document: Text
    sections: Sequence[Section]
    compared: Sequence[tuple[str, Text]] = field(default=())
