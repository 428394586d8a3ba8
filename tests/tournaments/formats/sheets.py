"""Write workbooks that openpyxl cannot write: ODS, and XLS (BIFF8 in an OLE file) of numbers and texts."""

import io
import struct
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

TYPE_OF_SHEETS = "application/vnd.oasis.opendocument.spreadsheet"
_NAMESPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
)
_MANIFEST = (
    '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
    "{}</manifest:manifest>"
)
Rows = Sequence[Sequence[object]]
_SECTOR = 512
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


def ods(sheets: Mapping[str, Rows], body: str = "", manifest: str = "", compressed: bool = False) -> bytes:
    """Return an ODS workbook with the XML `body` instead of sheets, and `manifest` inside its manifest.

    compressed: whether the media type is compressed, as the standard forbids
    """
    tables = body or "".join(_ods_sheet(name, rows) for name, rows in sheets.items())
    content = (
        f'<?xml version="1.0"?><office:document-content {_NAMESPACES}><office:body><office:spreadsheet>'
        f"{tables}</office:spreadsheet></office:body></office:document-content>"
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        package.writestr("mimetype", TYPE_OF_SHEETS, zipfile.ZIP_DEFLATED if compressed else None)
        package.writestr("META-INF/manifest.xml", _MANIFEST.format(manifest))
        package.writestr("content.xml", content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _ods_sheet(name: str, rows: Rows) -> str:
    lines = "".join(f"<table:table-row>{''.join(map(_ods_cell, row))}</table:table-row>" for row in rows)
    return f'<table:table table:name="{escape(name)}">{lines}</table:table>'


def _ods_cell(value: object) -> str:
    if value in (None, ""):
        return "<table:table-cell/>"
    kind = (
        f'office:value-type="float" office:value="{value}"'
        if isinstance(value, int | float)
        else ('office:value-type="string"')
    )
    return f"<table:table-cell {kind}><text:p>{escape(str(value))}</text:p></table:table-cell>"


def xls(rows: Rows, name: str = "Hoja1") -> bytes:
    """Return an XLS workbook with one sheet."""
    sheet = _record(0x0809, struct.pack("<HHHHII", 0x0600, 0x0010, 0, 0, 0, 0))
    for line, row in enumerate(rows):
        for column, value in enumerate(row):
            sheet += _xls_cell(line, column, value)
    sheet += _record(0x000A)
    start = _record(0x0809, struct.pack("<HHHHII", 0x0600, 0x0005, 0, 0, 0, 0))
    title = struct.pack("<BB", len(name), 1) + name.encode("utf-16-le")
    end = _record(0x000A)
    offset = len(start) + 4 + 6 + len(title) + len(end)
    stream = start + _record(0x0085, struct.pack("<IBB", offset, 0, 0) + title) + end + sheet
    return _ole("Workbook", stream)


def _record(code: int, data: bytes = b"") -> bytes:
    return struct.pack("<HH", code, len(data)) + data


def _xls_cell(line: int, column: int, value: object) -> bytes:
    place = struct.pack("<HHH", line, column, 0)
    if value in (None, ""):
        return b""
    if isinstance(value, int | float):
        return _record(0x0203, place + struct.pack("<d", value))
    text = str(value)
    return _record(0x0204, place + struct.pack("<HB", len(text), 1) + text.encode("utf-16-le"))


def _ole(name: str, stream: bytes) -> bytes:
    """Return an OLE file with one stream, of at least the 4096 bytes from which streams have own sectors."""
    stream = stream.ljust(4096, b"\0")
    stream += b"\0" * (-len(stream) % _SECTOR)
    count = len(stream) // _SECTOR
    chain = [_FAT, _END, *range(3, count + 2), _END]
    table = struct.pack(f"<{len(chain)}I", *chain).ljust(_SECTOR, b"\xff")
    folder = _entry("Root Entry", 5, 1, _END, 0) + _entry(name, 2, _FREE, 2, len(stream))
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    head += struct.pack("<HHHHH6xIIIIIIIII", 0x3E, 3, 0xFFFE, 9, 6, 0, 1, 1, 0, 4096, _END, 0, _END, 0)
    head += struct.pack("<I", 0).ljust(436, b"\xff")
    return head + table + folder.ljust(_SECTOR, b"\0") + stream


def _entry(name: str, kind: int, child: int, first: int, size: int) -> bytes:
    text = name.encode("utf-16-le")
    entry = text.ljust(64, b"\0") + struct.pack("<HBBIII", len(text) + 2, kind, 1, _FREE, _FREE, child)
    return entry + bytes(16 + 4 + 16) + struct.pack("<IQ", first, size)
