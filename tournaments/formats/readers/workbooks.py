"""Read old Excel workbooks (XLS) and OpenDocument spreadsheets (ODS) with python-calamine.

XLSX stays with openpyxl, which also tells number formats and formulas without a stored result.
"""

import io
import re
from typing import Any

from tournaments.formats import limits
from tournaments.formats.declaration import Evidence, RawFile, TableFormat, UnsupportedFormat
from tournaments.formats.definitions import gettext_noop
from tournaments.formats.issues import IssueList
from tournaments.formats.layouts import column_name
from tournaments.formats.table import Grid

from .xlsx_rows import cell_text

_OLE = b"\xd0\xcf\x11\xe0"
# Streams of an OLE file: the workbook of Excel 97 and later, of Excel 5, and a workbook with a password.
_BOOKS = ("Workbook".encode("utf-16-le"), "Book".encode("utf-16-le"))
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_OPEN_SHEET = b"application/vnd.oasis.opendocument.spreadsheet"
_EXCEL_XML = "urn:schemas-microsoft-com:office:spreadsheet"
_ENCRYPTED_ENTRY = b"encryption-data"
_CELL_ERROR = re.compile(r"#(?:DIV/0!|N/A|REF!|VALUE!|NAME\?|NUM!|NULL!)")


def read_xls(data: bytes, max_rows: int) -> Grid:
    """Read the visible sheets of an old Excel workbook. Problems become issues of the grid."""
    return _read("xls", data, max_rows)


def read_ods(data: bytes, max_rows: int) -> Grid:
    """Read the visible sheets of an OpenDocument spreadsheet. Problems become issues of the grid."""
    from tournaments.formats.package import Refused, inspect_package

    try:
        inspect_package(data)
    except Refused as refusal:
        return Grid("ods", issues=IssueList().with_issue(str(refusal)))
    return _read("ods", data, max_rows)


def _read(code: str, data: bytes, max_rows: int) -> Grid:
    from python_calamine import (
        CalamineError,
        CalamineWorkbook,
        PasswordError,
        SheetTypeEnum,
        SheetVisibleEnum,
    )

    try:
        with CalamineWorkbook.from_filelike(io.BytesIO(data)) as workbook:
            grids = [
                _sheet(code, workbook.get_sheet_by_index(index), sheet.name, max_rows)
                for index, sheet in enumerate(workbook.sheets_metadata[: limits.SHEETS])
                if sheet.visible == SheetVisibleEnum.Visible and sheet.typ == SheetTypeEnum.WorkSheet
            ]
    except PasswordError:
        return Grid(code, issues=IssueList().with_issue("encrypted_workbook"))
    except (CalamineError, OSError, ValueError, OverflowError):
        return Grid(code, issues=IssueList().with_issue("damaged_workbook"))
    except BaseException as error:
        # The library is written in Rust. What it did not foresee arrives as a PanicException, which is no
        # Exception.
        if type(error).__name__ != "PanicException":
            raise
        return Grid(code, issues=IssueList().with_issue("damaged_workbook"))
    return Grid.of_sheets(code, grids)


def _sheet(code: str, sheet: Any, name: str, max_rows: int) -> Grid:
    grid = Grid(code, sheet=name, plain_numbers=True)
    if sheet.width > limits.SHEET_WIDTH:
        grid.issues.add("too_many_columns", line=1, limit=limits.TABLE_COLUMNS)
        return grid
    for line, row in enumerate(sheet.iter_rows(), start=sheet.start[0] + 1 if sheet.start else 1):
        cells = _texts(grid, line, row)
        if len(cells) > limits.TABLE_COLUMNS:
            grid.issues.add("too_many_columns", line=line, limit=limits.TABLE_COLUMNS)
            break
        if cells and len(grid.rows) > max_rows:
            grid.issues.add("too_many_rows", line=line, limit=max_rows)
            break
        if cells:
            grid.rows.append((line, cells))
    return grid


def _texts(grid: Grid, line: int, row: list[Any]) -> list[str]:
    texts = []
    for index, value in enumerate(row):
        if isinstance(value, float | int) and not isinstance(value, bool):
            grid.numeric.add((line, index))
        grid.keep_lines(line, index, str(value))
        text = cell_text(value)
        if _CELL_ERROR.fullmatch(text):
            grid.broken[line, index] = ("cell_error", f"{column_name(index)}{line}", text)
        texts.append(text)
    while texts and not texts[-1]:
        texts.pop()
    return texts


def _is_encrypted(file: RawFile) -> bool:
    return file.data.startswith(_OLE) and _ENCRYPTED in file.data


def _sniff_xls(file: RawFile) -> Evidence:
    is_book = file.data.startswith(_OLE) and any(name in file.data for name in _BOOKS)
    return Evidence.SIGNATURE if is_book and not _is_encrypted(file) else Evidence.NONE


def _sniff_encrypted(file: RawFile) -> Evidence:
    return Evidence.SIGNATURE if _is_encrypted(file) or _is_locked_ods(file) else Evidence.NONE


def _is_open_sheet(file: RawFile) -> bool:
    # The first member of such a package states its media type, uncompressed; some programs compress it.
    return file.is_package and (_OPEN_SHEET in file.data[:200] or file.media_type.startswith(_OPEN_SHEET))


def _is_locked_ods(file: RawFile) -> bool:
    return _is_open_sheet(file) and _ENCRYPTED_ENTRY in file.manifest


def _sniff_ods(file: RawFile) -> Evidence:
    return Evidence.SIGNATURE if _is_open_sheet(file) and not _is_locked_ods(file) else Evidence.NONE


def _sniff_excel_xml(file: RawFile) -> Evidence:
    is_book = file.root.rpartition(":")[2] == "Workbook" and _EXCEL_XML in file.head
    return Evidence.SIGNATURE if is_book else Evidence.NONE


_ANY_SHEET = gettext_noop(
    "Any visible sheet. The stored results of formulas are read; formulas themselves never run."
)

FORMATS = (
    TableFormat(
        code="xls",
        name=gettext_noop("XLS (Excel 97–2003)"),
        content=gettext_noop("an old Excel workbook (.xls)"),
        extensions=(".xls",),
        sniff=_sniff_xls,
        rows=read_xls,
        reads=_ANY_SHEET,
    ),
    TableFormat(
        code="ods",
        name=gettext_noop("ODS (OpenDocument)"),
        content=gettext_noop("an OpenDocument spreadsheet"),
        extensions=(".ods",),
        sniff=_sniff_ods,
        rows=read_ods,
        reads=_ANY_SHEET,
    ),
    UnsupportedFormat(
        code="excel_xml",
        name=gettext_noop("an XML table of Excel 2003"),
        extensions=(".xml", ".xls"),
        sniff=_sniff_excel_xml,
        instead=gettext_noop("Open it in the spreadsheet program, save it as XLSX and upload that."),
    ),
    UnsupportedFormat(
        code="encrypted",
        name=gettext_noop("a workbook with a password"),
        sniff=_sniff_encrypted,
        instead=gettext_noop(
            "Open it in the spreadsheet program, save a copy without a password and upload that."
        ),
    ),
)
