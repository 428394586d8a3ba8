"""Read the files of a changeover row by row, so that a file of any length needs little memory.

A file is a CSV table, plain or compressed (.gz, or .zip with one file). The readers of
`tournaments.formats` hold a whole table in memory; these files have millions of rows.
"""

import codecs
import csv
import gzip
import io
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import IO

from scoring.office.lists.opening import Opening, parse_hundredths
from scoring.office.lists.plan import NUMBER
from tournaments.formats import lists
from tournaments.formats.limits import CELL_LENGTH, TABLE_COLUMNS
from tournaments.formats.readers.csv_rows import separator_of
from tournaments.formats.text import CODE_PAGE
from tournaments.formats.types import LINES_PER_FILE, Column

AWARDS = Opening.columns
BALANCES = (
    NUMBER,
    Column("points", ("Puntos", "Points"), filled=True, hints=("Total", "Pts", "PM")),
)
MOST_BYTES = 1024**3  # of a file after decompressing
MOST_LINES = LINES_PER_FILE - 1
LONGEST_LINE = TABLE_COLUMNS * CELL_LENGTH
_PROBE = 64 * 1024  # bytes from which separator and headings are worked out
_BLOCK = 1024 * 1024


class Unreadable(Exception):
    """The file cannot be read on. `code` is the code of the issue that says why, `line` the line or None."""

    def __init__(self, code: str, line: int | None = None, **params: object) -> None:
        super().__init__(code)
        self.code, self.line, self.params = code, line, params


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a file: its line, and the text of each column by its key."""

    line: int
    cells: dict[str, str]


def rows_of(content: bytes, columns: Sequence[Column]) -> Iterator[Row]:
    """Yield the rows of a file. Raise Unreadable for what makes the rest of it meaningless.

    columns: the columns that the file must have, in any order; others are ignored
    """
    encoding = _encoding(content)
    with _opened(content) as stream:
        text = io.TextIOWrapper(io.BufferedReader(_Bounded(stream)), encoding, newline="")
        lines = _lines(text)
        first = next(lines, "").lstrip("\ufeff")
        separator = _separator(content, encoding)
        reader = csv.reader(chain([first], lines), delimiter=separator, strict=True)
        try:
            headings = next(reader, [])
            meanings = _meanings(headings, columns)
            for cells in reader:
                if any(cells):
                    values = {key: cells[index].strip() for key, index in meanings if index < len(cells)}
                    yield Row(reader.line_num, values)
        except csv.Error:
            raise Unreadable("bad_quotes", reader.line_num + 1) from None


def _opened(content: bytes) -> IO[bytes]:
    """Return the decompressed stream of a file."""
    if content.startswith(b"\x1f\x8b"):
        return gzip.open(io.BytesIO(content))
    if content.startswith(b"PK\x03\x04"):
        try:
            members = zipfile.ZipFile(io.BytesIO(content))
            (member,) = (item for item in members.infolist() if not item.is_dir())
            return members.open(member)
        except (zipfile.BadZipFile, ValueError, RuntimeError, NotImplementedError):
            raise Unreadable("changeover_bad_archive") from None
    return io.BytesIO(content)


class _Bounded(io.RawIOBase):
    """A binary stream that raises Unreadable after `MOST_BYTES`, whatever the archive says of its size."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self._left = stream, MOST_BYTES

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:  # type: ignore[no-untyped-def]
        try:
            block = self._stream.read(len(buffer))
        except (EOFError, OSError, zlib.error, zipfile.BadZipFile):
            raise Unreadable("changeover_bad_archive") from None
        self._left -= len(block)
        if self._left < 0:
            raise Unreadable("changeover_too_long", limit=MOST_BYTES // 1024**2)
        buffer[: len(block)] = block
        return len(block)


def _encoding(content: bytes) -> str:
    """Return the encoding of a file, as `tournaments.formats.text` decides it: UTF-8 if it is valid."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    with _opened(content) as stream:
        bounded = io.BufferedReader(_Bounded(stream))
        if (start := bounded.read(2)) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            return "utf-16"
        try:
            decoder.decode(start)
            while block := bounded.read(_BLOCK):
                if b"\0" in block:
                    raise Unreadable("nul_bytes", 1)
                decoder.decode(block)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return CODE_PAGE
    return "utf-8"


def _separator(content: bytes, encoding: str) -> str:
    with _opened(content) as stream:
        return separator_of(stream.read(_PROBE).decode(encoding, errors="replace"))


def _lines(text: io.TextIOWrapper) -> Iterator[str]:
    """Yield the lines of a text. Raise Unreadable for a line or a file that is too long."""
    number = 0
    try:
        while line := text.readline(LONGEST_LINE + 1):
            number += 1
            if len(line) > LONGEST_LINE:
                raise Unreadable("cell_too_long", number, limit=CELL_LENGTH)
            if number > MOST_LINES:
                raise Unreadable("too_many_rows", number, limit=MOST_LINES)
            yield line
    except UnicodeDecodeError:
        raise Unreadable("undecodable", number + 1) from None


def _meanings(headings: Sequence[str], columns: Sequence[Column]) -> list[tuple[str, int]]:
    """Return (key, index) of each column. Raise Unreadable if one is missing."""
    proposed = lists.propose(headings, columns)
    names = ", ".join(filter(None, headings))
    if not any(proposed):
        raise Unreadable("no_headings", 1, headings=names)
    for column in columns:
        if column.required and column.key not in proposed:
            raise Unreadable("missing_column", 1, column=column.names[0], headings=names)
    return [(key, index) for index, key in enumerate(proposed) if key]


@lru_cache(maxsize=100_000)
def hundredths(text: str) -> int | None:
    """Parse points as `parse_hundredths` does, but accept zero, which former programs store too."""
    if text and not text.strip("0.,") and text.count(".") + text.count(",") < 2:
        return 0
    return parse_hundredths(text)
