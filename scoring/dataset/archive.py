"""Write the dataset's zip file: CSV and JSON, row by row, the same bytes for the same rows."""

import csv
import io
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from itertools import islice
from json.encoder import encode_basestring
from pathlib import Path
from tempfile import TemporaryFile
from types import TracebackType
from typing import IO, Any, Self
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

CHUNK = 2000  # rows that are in memory at once
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the time of every file, so that equal data give equal bytes
READABLE = 0o644 << 16
LEVEL = 1  # of compression: the usual 6 takes more than twice the time, and saves a seventh of the size
Row = Iterable[Any]


def plain(value: Any) -> int | str | None:
    """Return a value of a row as the files have it: days in ISO format, 1 or 0 for booleans, None for ""."""
    if value.__class__ is str:
        return value or None
    if value is None or value.__class__ is int:
        return value
    if isinstance(value, bool):
        return int(value)
    return value.isoformat() if isinstance(value, date) else str(value)


def csv_lines(rows: Iterable[Row]) -> bytes:
    """Return rows as lines of CSV (RFC 4180) in UTF-8."""
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()


def parts_of(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Yield the rows in lists of at most `CHUNK`. No more rows are in memory."""
    source = iter(rows)
    while part := list(islice(source, CHUNK)):
        yield part


class Archive:
    """A zip file that is being written. A context manager."""

    def __init__(self, path: Path) -> None:
        self._zip, self._folder = ZipFile(path, "w", ZIP_DEFLATED), path.parent

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._zip.close()

    def add_text(self, name: str, content: str) -> None:
        """Add a file with this text."""
        with self._entry(name) as entry:
            entry.write(content.encode())

    def add_table(self, csv_name: str, json_name: str, heads: list[str], parts: Iterable[list[Row]]) -> None:
        """Add a CSV and a JSON file of the same rows.

        parts: the rows as `parts_of` yields them, which are read once
        """
        count = 0
        # A zip file takes one entry at a time, so the lines of JSON wait on the disk.
        with TemporaryFile(dir=self._folder) as lines:
            with self._entry(csv_name) as entry:
                entry.write(csv_lines([heads]))
                for rows in parts:
                    part = [list(map(plain, row)) for row in rows]
                    entry.write(csv_lines(part))
                    lines.write(_json_lines(heads, part, count))
                    count += len(part)
            lines.seek(0)
            with self._entry(json_name) as entry:
                entry.write(b"[")
                shutil.copyfileobj(lines, entry)
                entry.write(b"\n]\n")

    @contextmanager
    def _entry(self, name: str) -> Iterator[IO[bytes]]:
        info = ZipInfo(name, LONG_AGO)
        info.compress_type, info.external_attr, info.create_system = ZIP_DEFLATED, READABLE, 3
        info._compresslevel = LEVEL  # type: ignore[attr-defined]  # public only since Python 3.13
        with self._zip.open(info, "w", force_zip64=True) as entry:
            yield entry


def _json_lines(heads: list[str], rows: list[list[int | str | None]], before: int) -> bytes:
    """Return rows as JSON objects, one a line. `before` is the number of rows in front of them.

    Joined by hand, because there are millions: `json.dumps` takes twice the time.
    """
    line = "{" + ",".join(f"{encode_basestring(head)}:%s" for head in heads) + "}"
    lines = [line % tuple(map(_json, row)) for row in rows]
    return (("\n" if not before else ",\n") + ",\n".join(lines)).encode()


def _json(value: int | str | None) -> int | str:
    if value.__class__ is int:
        return value
    return "null" if value is None else encode_basestring(value)
