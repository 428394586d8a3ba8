"""Read tables whose columns are declared: result tables and the tables that the office imports."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from . import limits, values
from .issues import IssueList
from .types import Column, TableResult, TableRow

# Texts that a spreadsheet would run as a formula when pasted back. Places such as =5 are not formulas.
_FORMULA = re.compile(r"[=@](?!\s*[0-9]{1,4}\s*$)|[+-]\s*[A-Za-z(]")


@dataclass(slots=True)
class Grid:
    """The output of the CSV and XLSX readers: rows of cell texts with their line numbers, without blank rows.

    The headings are not interpreted yet.

    numeric: (line, column index) of cells stored as numbers, which have lost their leading zeros
    broken: {(line, column index): (issue code, cell name, text to show)} of cells without a usable value
    sheet: the name of the sheet; "" if the file is no workbook
    others: the other visible sheets of the workbook that are not blank
    plain_numbers: whether number formats are unknown, so that 50 % stands as 0.5
    separator: what separates the cells of a text; "" in a workbook
    apart: {(line, column index): text} of cells of several lines, with dashes between the lines
    """

    format_name: str
    encoding: str | None = None
    rows: list[tuple[int, list[str]]] = field(default_factory=list)
    numeric: set[tuple[int, int]] = field(default_factory=set)
    broken: dict[tuple[int, int], tuple[str, str, str]] = field(default_factory=dict)
    issues: IssueList = field(default_factory=IssueList)
    sheet: str = ""
    others: list["Grid"] = field(default_factory=list)
    plain_numbers: bool = False
    separator: str = ""
    apart: dict[tuple[int, int], str] = field(default_factory=dict)

    def keep_lines(self, line: int, index: int, text: str) -> None:
        """Keep the lines of a cell apart, for `with_lines_apart`."""
        if "\n" in text and (joined := values.lines_apart(text)):
            self.apart[line, index] = joined

    def with_lines_apart(self) -> "Grid":
        """Return the sheets with dashes between the lines of a cell, which may be two people of a pair."""
        rows = [
            (line, [self.apart.get((line, index), cell) for index, cell in enumerate(cells)])
            for line, cells in self.rows
        ]
        return replace(self, rows=rows, others=[other.with_lines_apart() for other in self.others])

    @classmethod
    def of_sheets(cls, format_name: str, grids: "list[Grid]") -> "Grid":
        """Return the first sheet that is not blank, with the others; an issue if there is none."""
        filled = [grid for grid in grids if grid.rows or grid.issues.has_errors]
        if not filled:
            return cls(format_name, issues=IssueList().with_issue("no_sheet"))
        filled[0].others = filled[1:]
        return filled[0]


def parse_table(file_name: str, grid: Grid, columns: Sequence[Column]) -> TableResult:
    """Return the rows of a grid. The headings in the grid's first row assign the cells to `columns`.

    Headings are compared without case, accents and punctuation. Every problem is an issue with its line.
    """
    issues = grid.issues
    if grid.others:
        issues.add("other_sheets", value=grid.sheet)
    names: dict[str, str] = {}
    rows: list[TableRow] = []
    if grid.rows and not issues.has_errors:
        headings = _match_headings(grid.rows[0], columns, issues)
        names = {column.key: grid.rows[0][1][index] for index, column in headings.items()}
        rows = [] if issues.has_errors else _read_rows(grid, headings)
    if not rows and not issues.has_errors:
        issues.add("no_rows")
    return TableResult(grid.format_name, file_name, grid.encoding, names, tuple(rows), issues.done())


def _match_headings(
    header: tuple[int, list[str]], columns: Sequence[Column], issues: IssueList
) -> dict[int, Column]:
    line, headings = header
    present = ", ".join(heading for heading in headings if heading)
    by_name = {values.fold(name): column for column in columns for name in column.names}
    matched: dict[int, Column] = {}
    heading_of: dict[str, str] = {}
    for index, heading in enumerate(headings):
        column = by_name.get(values.fold(heading))
        if column is None:
            if heading:
                issues.add("unknown_column", line=line, value=heading)
            continue
        if column.key in heading_of:
            issues.add("duplicate_column", line=line, value=heading, first=heading_of[column.key])
        heading_of[column.key] = heading
        matched[index] = column
    if not matched:
        issues.add("no_headings", line=line, headings=present)
        return matched
    for column in columns:
        if column.required and column.key not in heading_of:
            issues.add("missing_column", line=line, column=column.names[0], headings=present)
    return matched


def read_columns(
    file_name: str, grid: Grid, headings: dict[int, Column], titles: Sequence[str]
) -> TableResult:
    """Return the rows of a grid whose columns a user has chosen. The grid has no row of headings.

    headings: {column index: the column that is there}
    titles: the headings of the file, for messages
    """
    width = len(titles)
    rows = [(line, cells[:width]) for line, cells in grid.rows]
    headed = Grid(
        grid.format_name, grid.encoding, [(0, list(titles)), *rows], grid.numeric, grid.broken, grid.issues
    )
    table_rows = [] if grid.issues.has_errors else _read_rows(headed, headings)
    if not table_rows and not grid.issues.has_errors:
        grid.issues.add("no_rows")
    names = {column.key: titles[index] or column.names[0] for index, column in headings.items()}
    return TableResult(
        grid.format_name, file_name, grid.encoding, names, tuple(table_rows), grid.issues.done()
    )


def _read_rows(grid: Grid, headings: dict[int, Column]) -> list[TableRow]:
    titles = grid.rows[0][1]
    rows: list[TableRow] = []
    lost_zeros = 0
    for line, cells in grid.rows[1:]:
        if len(cells) > len(titles):
            grid.issues.add("long_row", line=line, count=len(cells), headings=len(titles), last=titles[-1])
            continue
        texts: dict[str, str] = {}
        for index, column in headings.items():
            text = cells[index] if index < len(cells) else ""
            texts[column.key] = _value(grid, line, index, column, titles[index], text)
            lost_zeros += column.kind == "licence" and (line, index) in grid.numeric
        if any(texts.values()) or any((line, index) in grid.broken for index in headings):
            rows.append(TableRow(line, texts))
    if lost_zeros:
        grid.issues.add("leading_zeros_lost", count=lost_zeros)
    return rows


def _value(grid: Grid, line: int, index: int, column: Column, title: str, text: str) -> str:
    """Return the cell's text, normalised for the kind of its column (integer, decimal or date).

    If the cell has no valid value, add an issue and return "".
    """
    if (line, index) in grid.broken:
        code, cell, shown = grid.broken[line, index]
        grid.issues.add(code, line=line, field=title, value=shown, cell=cell)
        return ""
    if len(text) > limits.CELL_LENGTH:
        grid.issues.add("cell_too_long", line=line, field=title, value=text, limit=limits.CELL_LENGTH)
        return ""
    if _FORMULA.match(text):
        grid.issues.add("formula_in_cell", line=line, field=title, value=text)
        return ""
    if not text and column.filled:
        grid.issues.add("missing_value", line=line, field=title)
    return _typed(grid.issues, line, column, title, text)


def _typed(issues: IssueList, line: int, column: Column, title: str, text: str) -> str:
    readers = {
        "integer": (values.integer_text, "bad_number"),
        "decimal": (values.decimal_text, "bad_number"),
        "date": (values.date_text, "bad_date"),
    }
    if column.kind not in readers:
        return text
    reader, code = readers[column.kind]
    value = reader(text)
    if value is None:
        issues.add(code, line=line, field=title, value=text)
        return ""
    return value
