"""Export lists as CSV and XLSX files that are safe to open in a spreadsheet.

A spreadsheet may read a text as a formula if it begins with = + - @ (also in full-width form) or a control
character. An apostrophe is written in front of such a text. Numbers and dates, also negative numbers, are
written unchanged.
"""

import csv
import os
import re
import tempfile
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from functools import partial
from typing import Any, TypeVar
from urllib.parse import quote

from django.http import FileResponse, Http404, HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django_tables2 import RequestConfig
from django_tables2.data import TableData

from ui.columns import exact_format
from ui.formatting import language
from ui.paging import ROWS, every_record, paged, table_of
from ui.tables import BaseTable, FileColumns

CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
FORMATS = tuple(CONTENT_TYPES)
# Spreadsheets in East Asian locales read full-width signs like the plain ones, and trim wide spaces.
DANGEROUS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
OPENPYXL_SPECIAL = ("=", "#")  # openpyxl takes such texts for formulas, or errors such as #N/A
BLANKS = " \u00a0\u3000"
Table = TypeVar("Table", bound=BaseTable)
NumberFormat = Callable[[Decimal], str]
LONGEST_NAME = 100  # characters of a file name: proxies limit the length of headers


def requested_format(request: HttpRequest) -> str:
    """Return the file format ("csv" or "xlsx") that the query parameter `formato` requests.

    Return "" without the parameter: the reader wants a page. Raise Http404 for an unknown format.
    """
    kind = request.GET.get(BaseTable.export_param, "")
    if kind and kind not in FORMATS:
        raise Http404(_("There is no file of that format."))
    return kind


def safe_text(value: Any) -> str:
    """Return the value as text that no spreadsheet reads as a formula."""
    text = str(value)
    # A space before the sign does not help: spreadsheets trim it.
    return f"'{text}" if text.lstrip(BLANKS).startswith(DANGEROUS) else text


class _Line:
    """A file-like object whose `write` returns the text.

    The `writerow` of a csv writer on this object therefore returns the line.
    """

    def write(self, text: str) -> str:
        return text


def csv_cell(value: Any, lang: str) -> str:
    """Return the text of a CSV cell: numbers ungrouped, with the language's decimal separator.

    Dates are written as YYYY-MM-DD.
    """
    if value is None:
        return ""
    if isinstance(value, (int, Decimal)):
        text = format(value, "f") if isinstance(value, Decimal) else str(int(value))
        return text.replace(".", ",") if language(lang) == "es" else text
    if isinstance(value, date):
        return value.isoformat()
    return safe_text(value)


def csv_lines(heads: Sequence[Any], rows: Iterable[Sequence[Any]], lang: str) -> Iterator[bytes]:
    """Yield the lines of a CSV file as Excel expects them: UTF-8 with a BOM.

    The separator is `;` in Spanish and `,` in English.
    """
    writer = csv.writer(_Line(), delimiter=";" if language(lang) == "es" else ",")
    yield b"\xef\xbb\xbf" + writer.writerow([safe_text(head) for head in heads]).encode()
    for row in rows:
        yield writer.writerow([csv_cell(value, lang) for value in row]).encode()


def xlsx_file(
    heads: Sequence[Any],
    rows: Iterable[Sequence[Any]],
    title: str,
    number_formats: Sequence[NumberFormat] = (),
):
    """Return an open temporary file with an XLSX workbook of one sheet.

    The rows are written to the file one by one, so that a long list needs little memory.

    number_formats: for each column the function that returns the number format of a Decimal. By default all
        its decimals are shown.
    """
    from openpyxl import Workbook  # here, as in `_Sheet`: importing it takes 0.1 s, and few processes need it

    book = Workbook(write_only=True)
    sheet = _Sheet(book.create_sheet(title[:31]), number_formats or [exact_format] * len(heads))
    sheet.append([str(head) for head in heads])
    for row in rows:
        sheet.append(row)
    file = tempfile.TemporaryFile()  # noqa: SIM115 (the response closes it)
    book.save(file)
    file.seek(0)
    return file


class _Sheet:
    """A sheet of a workbook, to which rows of Python values can be appended.

    number_formats: as for `xlsx_file`
    """

    def __init__(self, sheet, number_formats: Sequence[NumberFormat]) -> None:
        from openpyxl.cell import WriteOnlyCell
        from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

        self.sheet, self.number_formats = sheet, number_formats
        self.new_cell, self.illegal = partial(WriteOnlyCell, sheet), ILLEGAL_CHARACTERS_RE
        self.styles: dict[str, Any] = {}  # by number format: looking one up for every cell is slow

    def append(self, row: Sequence[Any]) -> None:
        self.sheet.append(list(map(self._cell, row, self.number_formats)))

    def _cell(self, value: Any, number_format: NumberFormat) -> Any:
        """Convert a value to what openpyxl can append to the sheet as a cell's content.

        Only Decimals, and texts that openpyxl would misread, become cell objects, because these are slow.
        Other values are returned as they are.
        """
        if isinstance(value, Decimal):
            cell = self.new_cell(value)
            cell._style = self._style(number_format(value))
            return cell
        if value is None or isinstance(value, (int, date)):
            return value
        text = self.illegal.sub("", safe_text(value))
        if not text.startswith(OPENPYXL_SPECIAL):
            return text
        cell = self.new_cell(text)
        cell.data_type = "s"  # a string, never a formula or an error
        return cell

    def _style(self, number_format: str) -> Any:
        if number_format not in self.styles:
            cell = self.new_cell()
            cell.number_format = number_format
            self.styles[number_format] = cell._style
        return self.styles[number_format]


def file_or_table(
    request: HttpRequest,
    kind: type[Table],
    name: str,
    source: Any,
    *,
    file_source: Any = None,
    per_page: int = ROWS,
    **options: Any,
) -> HttpResponseBase | Table:
    """Return the file that the request asks for, or else the page's table, which links to its files.

    The file has all rows, filtered and sorted as on the page. It has all columns of the table's class: the
    option `exclude` concerns only the page, because programs read the files and expect the same columns.
    Raise Http404 for an unknown format.

    kind: class of the table
    name: name of the file, without extension
    source: the rows, as for `ui.paging.paged`
    file_source: the rows of the file, if they differ from those of the page, for example because only the
        page may show the names of hidden players: a source for `Listing`, or a function that returns records
    options: options of the table
    """
    extension = requested_format(request)
    if not extension:
        return paged(kind, request, source, per_page=per_page, exports=FORMATS, **options)
    # Sorting the table sorts its source, which `file_source` may read.
    sorted_table = table_of(kind, source, **options)
    RequestConfig(request, paginate=False).configure(sorted_table)
    if callable(file_source):
        records = file_source()
    elif file_source is not None:
        records = every_record(file_source)
    else:
        records = sorted_table.data if isinstance(source, (list, TableData)) else every_record(source)
    return download(extension, name, _file_table(kind, options), records)


def requested_file(
    request: HttpRequest,
    kind: type[BaseTable],
    name: str,
    records: Callable[[], Iterable[Any]],
    **options: Any,
) -> HttpResponseBase | None:
    """Return the file that the request asks for; None if it asks for a page.

    For pages that are more than a list: their view passes `exports=FORMATS` to the table that links to the
    files. Raise Http404 for an unknown format.

    kind, name, options: as for `file_or_table`
    records: function that returns the rows of the file
    """
    extension = requested_format(request)
    return download(extension, name, _file_table(kind, options), records()) if extension else None


def _file_table(kind: type[BaseTable], options: dict[str, Any]) -> BaseTable:
    """Return a table without rows, whose columns are those of the file."""
    columns = {name: value for name, value in options.items() if name != "exclude"}
    return kind([], **{"sequence": kind.file_sequence or None, **columns})


def download(kind: str, name: str, table: BaseTable, records: Iterable[Any]) -> HttpResponseBase:
    """Return a response that downloads the records as a file.

    kind: "csv" or "xlsx"
    name: name of the file, without extension
    table: declares the file's columns; its own data is not used
    """
    columns = FileColumns(table)
    rows = map(columns.row, records)
    if kind == "xlsx":
        file = xlsx_file(columns.heads, rows, name, columns.number_formats)
        response = FileResponse(file, content_type=CONTENT_TYPES["xlsx"])
    else:
        lines = csv_lines(columns.heads, rows, get_language() or "")
        response = StreamingHttpResponse(lines, content_type=CONTENT_TYPES["csv"])
    return attached(response, f"{name}.{kind}")


def attached(response: HttpResponseBase, name: str) -> HttpResponseBase:
    """Make the response a download named `name`, and return it."""
    response.headers["Content-Disposition"] = content_disposition(name)
    return response


def content_disposition(name: str) -> str:
    """Return the Content-Disposition header that makes a response a download named `name`.

    The header has the name twice: in ASCII for old clients, and in UTF-8 (RFC 6266). Names come from
    translations and from uploads: every character but letters, digits, dots, hyphens and underscores becomes
    a hyphen.
    """
    parts = [_tidy(part) for part in os.path.splitext(unicodedata.normalize("NFC", name))]
    full, plain = _file_name(*parts), _file_name(*(_tidy(_in_ascii(part)) for part in parts))
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(full)}"


def _tidy(text: str) -> str:
    return re.sub(r"[^\w.]+", "-", text).strip("-.")[:LONGEST_NAME]


def _file_name(stem: str, extension: str) -> str:
    return f"{stem or 'file'}.{extension}" if extension else stem or "file"


def _in_ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
