"""Write small Access databases (Jet 4), so that tests of Bridgemate files need no real file.

Only what mdbtools reads is written: the header, the catalog of tables, and for each table its definition, the
map of its pages and its rows. There are no indexes, relations or long values.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from struct import pack

PAGE = 4096
KEY = bytes((0xC7, 0xDA, 0x39, 0x6B))
CATALOG = 2  # page of the definition of MSysObjects
BOOLEAN, INTEGER, LONG, DATE, TEXT, OLE = 1, 3, 4, 8, 10, 11
SIZES = {BOOLEAN: 1, INTEGER: 2, LONG: 4, DATE: 8}
FIRST_DAY = datetime(1899, 12, 30)

Cell = str | int | datetime | None
Columns = Mapping[str, int]  # {name of a column: its type}
Rows = Sequence[Mapping[str, Cell]]


def database(tables: Mapping[str, tuple[Columns, Rows]]) -> bytes:
    """Return the bytes of a database with these tables: {name: (columns, rows)}."""
    pages: list[bytes] = [_header(), b"", b""]
    catalog_columns = {"Id": LONG, "Name": TEXT, "Type": INTEGER, "Flags": LONG, "LvProp": OLE}
    catalog: list[dict[str, Cell]] = []
    maps: list[list[int]] = [[]]
    for name, (columns, rows) in tables.items():
        definition = len(pages)
        pages.append(b"")
        maps.append(_add_data(pages, definition, columns, rows))
        pages[definition] = _definition(columns, len(rows), map_row=len(maps) - 1, kind=0x4E)
        catalog.append({"Id": definition, "Name": name, "Type": 1, "Flags": 0})
    maps[0] = _add_data(pages, CATALOG, catalog_columns, catalog)
    pages[CATALOG] = _definition(catalog_columns, len(catalog), map_row=0, kind=0x53)
    pages[1] = _data_page(1, [_page_map(numbers) for numbers in maps])
    assert len(pages) < 512, "the map of a table has 512 bits"
    return b"".join(pages)


def _header() -> bytes:
    page = bytearray(PAGE)
    page[:20] = b"\x00\x01\x00\x00Standard Jet DB\x00"
    page[0x14] = 1
    secret = bytearray(128)
    secret[0x3C - 0x18 : 0x3E - 0x18] = pack("<H", 1252)
    secret[0x6E - 0x18 : 0x70 - 0x18] = pack("<H", 1033)
    page[0x18 : 0x18 + 128] = _rc4(bytes(secret))
    return bytes(page)


def _rc4(data: bytes) -> bytes:
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + KEY[i % 4]) % 256
        state[i], state[j] = state[j], state[i]
    out, i, j = bytearray(), 0, 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(out)


def _definition(columns: Columns, rows: int, map_row: int, kind: int) -> bytes:
    variable = [name for name, type_ in columns.items() if type_ not in SIZES]
    body = pack("<I", rows) + bytes(20) + pack("<BHHH", kind, len(columns), len(variable), len(columns))
    body += bytes(8) + pack("<I", 1 << 8 | map_row) * 2
    fixed = 0
    for position, (name, type_) in enumerate(columns.items()):
        size = SIZES.get(type_, 510 if type_ == TEXT else 0)
        order = variable.index(name) if name in variable else 0
        flags = 2 if name in variable else 3
        body += pack("<B4xHHH4xB5x", type_, position, order, position, flags)
        body += pack("<HH", 0 if name in variable else fixed, size)
        fixed += size if type_ in SIZES and type_ != BOOLEAN else 0
    for name in columns:
        text = name.encode("utf-16-le")
        body += pack("<H", len(text)) + text
    page = b"\x02\x01" + bytes(6) + pack("<II", 12 + len(body), 0x659)
    page += body
    assert len(page) <= PAGE
    return page.ljust(PAGE, b"\x00")


def _page_map(numbers: Sequence[int]) -> bytes:
    bits = bytearray(64)
    for number in numbers:
        bits[number // 8] |= 1 << number % 8
    return b"\x00" + bytes(4) + bytes(bits)


def _add_data(pages: list[bytes], definition: int, columns: Columns, rows: Rows) -> list[int]:
    """Append pages with a table's rows to `pages`. Return the indexes of the new pages.

    definition: index of the page that defines the table
    """
    numbers, batch, free = [], [], PAGE - 14
    for row in [*(_row(columns, row) for row in rows), None]:
        if batch and (row is None or free < len(row) + 2):
            numbers.append(len(pages))
            pages.append(_data_page(definition, batch))
            batch, free = [], PAGE - 14
        if row is not None:
            batch.append(row)
            free -= len(row) + 2
    return numbers


def _data_page(definition: int, rows: Sequence[bytes]) -> bytes:
    page = bytearray(PAGE)
    end, offsets = PAGE, []
    for row in rows:
        page[end - len(row) : end] = row
        end -= len(row)
        offsets.append(end)
    head = pack("<BBHIIH", 1, 1, end - 14 - 2 * len(rows), definition, 0, len(rows))
    head += b"".join(pack("<H", offset) for offset in offsets)
    assert len(head) <= end
    page[: len(head)] = head
    return bytes(page)


def _row(columns: Columns, values: Mapping[str, Cell]) -> bytes:
    mask = bytearray((len(columns) + 7) // 8)
    fixed, variable, ends = b"", b"", []
    for position, (name, type_) in enumerate(columns.items()):
        value = values.get(name)
        if bool(value) if type_ == BOOLEAN else value is not None:
            mask[position // 8] |= 1 << position % 8
        if type_ in SIZES:
            fixed += _fixed(type_, value)
        else:
            ends.append(2 + len(variable))  # the start; the length of the fixed part is added below
            variable += b"\xff\xfe" + value.encode("latin-1") if isinstance(value, str) and value else b""
    ends.append(2 + len(variable))
    row = pack("<H", len(columns)) + fixed + variable
    row += b"".join(pack("<H", end + len(fixed)) for end in reversed(ends)) + pack("<H", len(ends) - 1)
    return row + bytes(mask)


def _fixed(type_: int, value: Cell) -> bytes:
    if type_ == BOOLEAN:
        return b""
    if type_ == DATE:
        days = (value - FIRST_DAY).total_seconds() / 86400 if isinstance(value, datetime) else 0.0
        return pack("<d", days)
    return pack("<h" if type_ == INTEGER else "<i", value or 0)
