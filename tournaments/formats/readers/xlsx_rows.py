"""Read XLSX workbooks. Their unpacked size is checked before they are opened."""

import io
from datetime import date, datetime, time
from typing import Any
from xml.etree.ElementTree import ParseError

from tournaments.formats import limits
from tournaments.formats.declaration import Evidence, RawFile, TableFormat, UnsupportedFormat
from tournaments.formats.definitions import gettext_noop
from tournaments.formats.issues import IssueList
from tournaments.formats.table import Grid
from tournaments.formats.values import decimal_text

CODE = "xlsx"
EXTENSIONS = (".xlsx", ".xlsm")


def read_xlsx(data: bytes, max_rows: int) -> Grid:
    """Read the visible sheets of a workbook.

    Problems become issues of the grid; no exception is raised.
    """
    # Import `zipfile` only for workbooks: importing it takes longer than reading a file of another format.
    from tournaments.formats.package import Refused, inspect_package

    try:
        has_formulas = inspect_package(data)
        grids = _read_sheets(data, max_rows, has_formulas)
    except Refused as refusal:
        return Grid(CODE, issues=IssueList().with_issue(str(refusal)))
    except _openpyxl_errors():
        return Grid(CODE, issues=IssueList().with_issue("damaged_workbook"))
    return Grid.of_sheets(CODE, grids)


def _openpyxl_errors() -> tuple[type[Exception], ...]:
    """Return the exceptions that openpyxl and its XML parser raise for damaged or hostile workbooks.

    openpyxl documents no base class of its exceptions. defusedxml raises a ValueError if the XML declares
    entities.
    """
    from zipfile import BadZipFile

    from openpyxl.utils.exceptions import InvalidFileException

    return (
        InvalidFileException,
        ParseError,
        BadZipFile,
        KeyError,
        ValueError,
        TypeError,
        AttributeError,
        IndexError,
        OverflowError,
        OSError,
    )


def _open_workbook(data: bytes, data_only: bool) -> tuple[Any, list[Any]]:
    """Return the workbook and its visible worksheets."""
    from openpyxl import load_workbook

    workbook = load_workbook(io.BytesIO(data), read_only=True, data_only=data_only, keep_links=False)
    visible = [sheet for sheet in workbook.worksheets if sheet.sheet_state == "visible"]
    return workbook, visible[: limits.SHEETS]


def _read_sheets(data: bytes, max_rows: int, has_formulas: bool) -> list[Grid]:
    """Return the visible sheets. Blank ones are left out, except the first."""
    workbook, sheets = _open_workbook(data, data_only=True)
    grids, presents = [], []
    budget = limits.SHEET_CELLS
    for sheet in sheets:
        grid = Grid(CODE, sheet=sheet.title)
        present, budget = _read_sheet(grid, sheet, max_rows, budget)
        grids.append(grid)
        presents.append(present)
    workbook.close()
    if has_formulas:
        _mark_formulas(grids, data, presents)
    return grids


def _sheet_rows(sheet: Any) -> Any:
    # The size that a sheet declares may be wrong, so read every row.
    sheet.reset_dimensions()
    return enumerate(sheet.iter_rows(min_row=1), start=1)


def _read_sheet(grid: Grid, sheet: Any, max_rows: int, budget: int) -> tuple[set[tuple[int, int]], int]:
    """Add the rows of a sheet to the grid.

    Return the (line, column index) of every cell with a value, and the number of cells that may still be read
    of the workbook.
    """
    present: set[tuple[int, int]] = set()
    for line, row in _sheet_rows(sheet):
        cells = _row_texts(grid, line, row, present)
        budget -= len(row)
        # Blank cells far to the right take time too, so limit their total.
        if len(cells) > limits.TABLE_COLUMNS or budget < 0:
            grid.issues.add("too_many_columns", line=line, limit=limits.TABLE_COLUMNS)
            break
        if cells and len(grid.rows) > max_rows:
            grid.issues.add("too_many_rows", line=line, limit=max_rows)
            break
        if cells:
            grid.rows.append((line, cells))
    return present, budget


def _row_texts(grid: Grid, line: int, row: Any, present: set[tuple[int, int]]) -> list[str]:
    texts: list[str] = []
    for index, cell in enumerate(row):
        value = cell.value
        if value is None:
            texts.append("")
            continue
        present.add((line, index))
        if cell.data_type == "e":
            grid.broken[line, index] = ("cell_error", cell.coordinate, str(value))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            grid.numeric.add((line, index))
        grid.keep_lines(line, index, str(value))
        texts.append(cell_text(value, cell.number_format))
    while texts and not texts[-1]:
        texts.pop()
    return texts


def cell_text(value: object, number_format: str = "General") -> str:
    """Return a cell's value as text.

    Whole numbers have no `.0`, dates are ISO text, and a percentage stored as 0.5 is "50".
    """
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(sep=" ")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        scaled = value * 100 if number_format.endswith("%") else value
        return _float_text(scaled)
    return " ".join(str(value).split())


def _float_text(value: float) -> str:
    # Ten decimals remove binary rounding errors: 61.25000000000001 is 61.25, and 57.99999999999999 is 58.
    rounded = round(value, 10)
    if rounded.is_integer() and abs(rounded) < 1e15:
        return str(int(rounded))
    text = f"{rounded:.10f}".rstrip("0")
    return decimal_text(text) or str(value)


def _mark_formulas(grids: list[Grid], data: bytes, presents: list[set[tuple[int, int]]]) -> None:
    """Mark formulas without a stored result as broken, because such cells would be read as blank.

    presents: for each grid, the (line, column index) of every cell with a value
    """
    workbook, sheets = _open_workbook(data, data_only=False)
    for grid, sheet, present in zip(grids, sheets, presents, strict=True):
        if grid.issues.has_errors:
            continue
        last = grid.rows[-1][0] if grid.rows else 0
        cached = 0
        for line, row in _sheet_rows(sheet):
            if line > last:
                break
            formulas = [(index, cell) for index, cell in enumerate(row) if cell.data_type == "f"]
            for index, cell in formulas:
                if (line, index) in present:
                    cached += 1
                else:
                    grid.broken[line, index] = ("formula_without_value", cell.coordinate, "")
        if cached:
            grid.issues.add("formulas_read", count=cached)
    workbook.close()


def _sniff(file: RawFile) -> Evidence:
    is_workbook = file.is_package and "xl/workbook.xml" in (file.members or ())
    return Evidence.SIGNATURE if is_workbook else Evidence.NONE


def _sniff_damaged(file: RawFile) -> Evidence:
    return Evidence.CONTAINER if file.is_package and file.members is None else Evidence.NONE


def _sniff_other(file: RawFile) -> Evidence:
    return Evidence.EXTENSION if file.extension in EXTENSIONS else Evidence.NONE


FORMATS = (
    TableFormat(
        code=CODE,
        name="XLSX",
        extensions=EXTENSIONS,
        sniff=_sniff,
        rows=read_xlsx,
        reads=gettext_noop(
            "Any visible sheet. The stored results of formulas are read; formulas themselves never run."
        ),
    ),
    UnsupportedFormat(
        code="damaged_package",
        name=gettext_noop("a damaged workbook"),
        sniff=_sniff_damaged,
        why="damaged_workbook",
        instead=gettext_noop(
            "Open it in the spreadsheet program, save it again as XLSX and upload the copy."
        ),
    ),
    UnsupportedFormat(
        code="not_xlsx",
        name=gettext_noop("no XLSX workbook"),
        sniff=_sniff_other,
        instead=gettext_noop(
            "Open it in the spreadsheet program, save it again as XLSX and upload the copy."
        ),
    ),
)
