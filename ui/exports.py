"""Lists as files, CSV and XLSX, that a spreadsheet opens without running anything.

A text that begins with = + - @, also in their full-width forms, or with a control character would be taken
for a formula: such a cell gets an apostrophe in front. Numbers and dates stay what they are, so a negative
figure is not touched.
"""

import csv
import os
import re
import tempfile
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import Any
from urllib.parse import quote

from django.http import FileResponse, Http404, HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.utils.translation import gettext as _
from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

from ui.formatting import language

FORMATS = ("csv", "xlsx")
XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
# Spreadsheets in East Asian locales read the full-width signs like the plain ones, and trim wide blanks too.
DANGEROUS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
READ_OTHERWISE = ("=", "#")  # by openpyxl: formulas, and errors such as #N/A
BLANKS = " \u00a0\u3000"
POINTS_FORMAT = "#,##0.00"
LONGEST_NAME = 100  # of a file: proxies limit the length of headers


def asked(request: HttpRequest) -> str:
    """The kind of file that the address asks for by `formato`; "" for the page. An unknown one is a 404."""
    kind = request.GET.get("formato", "")
    if kind and kind not in FORMATS:
        raise Http404(_("There is no file of that format."))
    return kind


def points_value(hundredths: int | None) -> Decimal | None:
    """Integer hundredths as the number that a file holds."""
    return None if hundredths is None else Decimal(hundredths).scaleb(-2)


def safe_text(value: Any) -> str:
    """A text that no spreadsheet takes for a formula."""
    text = str(value)
    # A blank before the sign does not protect: spreadsheets trim it.
    return f"'{text}" if text.lstrip(BLANKS).startswith(DANGEROUS) else text


class _Line:
    """A file for the csv writer that hands back the line it was given."""

    def write(self, text: str) -> str:
        return text


def csv_cell(value: Any, lang: str) -> str:
    """One cell: numbers without grouping, with the language's decimal sign; days as YYYY-MM-DD."""
    if value is None:
        return ""
    if isinstance(value, (int, Decimal)):
        text = format(value, "f") if isinstance(value, Decimal) else str(int(value))
        return text.replace(".", ",") if language(lang) == "es" else text
    if isinstance(value, date):
        return value.isoformat()
    return safe_text(value)


def csv_lines(heads: Sequence[Any], rows: Iterable[Sequence[Any]], lang: str) -> Iterator[bytes]:
    """The file, line by line: UTF-8 with its mark, `;` in Spanish and `,` in English, as Excel expects."""
    writer = csv.writer(_Line(), delimiter=";" if language(lang) == "es" else ",")
    yield b"\xef\xbb\xbf" + writer.writerow([safe_text(head) for head in heads]).encode()
    for row in rows:
        yield writer.writerow([csv_cell(value, lang) for value in row]).encode()


def xlsx_file(heads: Sequence[Any], rows: Iterable[Sequence[Any]], title: str):
    """The workbook in a temporary file, written row by row so that a long list needs little memory."""
    book = Workbook(write_only=True)
    sheet = book.create_sheet(title[:31])
    # The format of points, looked up once and not for every cell.
    points = WriteOnlyCell(sheet)
    points.number_format = POINTS_FORMAT
    sheet.append([_xlsx_value(sheet, str(head), points) for head in heads])
    for row in rows:
        sheet.append([_xlsx_value(sheet, value, points) for value in row])
    file = tempfile.TemporaryFile()  # noqa: SIM115 (the response closes it)
    book.save(file)
    file.seek(0)
    return file


def _xlsx_value(sheet, value: Any, points: WriteOnlyCell) -> Any:
    """What the sheet takes: the value, and only where it needs a format a cell, which is slow to make."""
    if isinstance(value, Decimal):
        cell = WriteOnlyCell(sheet, value)
        cell._style = points._style
        return cell
    if value is None or isinstance(value, (int, date)):
        return value
    text = ILLEGAL_CHARACTERS_RE.sub("", safe_text(value))
    if not text.startswith(READ_OTHERWISE):
        return text
    cell = WriteOnlyCell(sheet, text)
    cell.data_type = "s"  # never a formula or an error, whatever the text
    return cell


def download(
    kind: str, name: str, heads: Sequence[Any], rows: Iterable[Sequence[Any]], lang: str
) -> HttpResponseBase:
    """The list as an attachment called `name` with the ending of its kind ("csv" or "xlsx")."""
    if kind == "xlsx":
        response = FileResponse(xlsx_file(heads, rows, name), content_type=XLSX_TYPE)
    else:
        response = StreamingHttpResponse(csv_lines(heads, rows, lang), content_type="text/csv; charset=utf-8")
    return attached(response, f"{name}.{kind}")


def attached(response: HttpResponseBase, name: str) -> HttpResponseBase:
    """The same response, to be saved as a file called `name`."""
    response.headers["Content-Disposition"] = content_disposition(name)
    return response


def content_disposition(name: str) -> str:
    """The header of an attachment: its name in plain letters for old programs, and as it is (RFC 6266).

    Names come from translations and from whoever sent a file: what is no letter, digit, dot, hyphen or
    underscore becomes a hyphen.
    """
    parts = [_tidy(part) for part in os.path.splitext(unicodedata.normalize("NFC", name))]
    full, plain = _file_name(*parts), _file_name(*(_tidy(_in_ascii(part)) for part in parts))
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(full)}"


def _tidy(text: str) -> str:
    return re.sub(r"[^\w.]+", "-", text).strip("-.")[:LONGEST_NAME]


def _file_name(stem: str, ending: str) -> str:
    return f"{stem or 'file'}.{ending}" if ending else stem or "file"


def _in_ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
