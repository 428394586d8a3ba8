"""Write the dataset's zip file: CSV and JSON, row by row, the same bytes for the same rows."""

import csv
import io
import json
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from types import TracebackType
from typing import IO, Any, Self
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from scoring.dataset.schema import File

CHUNK = 2000  # rows that are in memory at once
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the time of every file, so that equal data give equal bytes
READABLE = 0o644 << 16
LEVEL = 1  # of compression: the usual 6 takes more than twice the time, and saves a seventh of the size
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def plain(value: Any) -> int | str | None:
    """Return a value of a row as the files have it: days in ISO format, 1 or 0 for booleans, None for ""."""
    if value.__class__ is str:
        return value or None
    if value is None or value.__class__ is int:
        return value
    if isinstance(value, bool):
        return int(value)
    return value.isoformat() if isinstance(value, date) else str(value)


def csv_lines(rows: Iterable[Iterable[Any]]) -> bytes:
    """Return rows as lines of CSV (RFC 4180) in UTF-8."""
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()


def parts_of(rows: Iterable[Iterable[Any]]) -> Iterator[list[list[int | str | None]]]:
    """Yield the rows in lists of at most `CHUNK`, with plain values. No more rows are in memory."""
    source = iter(rows)
    while part := [list(map(plain, row)) for row in islice(source, CHUNK)]:
        yield part


class Archive:
    """A zip file that is being written. A context manager.

    counts: {name of a CSV file: number of rows} of the files so far
    """

    def __init__(self, path: Path) -> None:
        self._zip, self._folder = ZipFile(path, "w", ZIP_DEFLATED), path.parent
        self.counts: dict[str, int] = {}

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

    def add_rows(self, file: File, rows: Iterable[Iterable[Any]]) -> None:
        """Add a CSV and a JSON file of the rows, which are read once."""
        count = 0
        # A zip file takes one entry at a time, so the lines of JSON wait on the disk.
        with TemporaryFile(dir=self._folder) as lines:
            with self._entry(file.csv) as entry:
                entry.write(csv_lines([file.heads]))
                for part in parts_of(rows):
                    entry.write(csv_lines(part))
                    lines.write(_json_lines(file.heads, part, count))
                    count += len(part)
            lines.seek(0)
            with self._entry(file.json) as entry:
                entry.write(b"[")
                shutil.copyfileobj(lines, entry)
                entry.write(b"\n]\n")
        self.counts[file.csv] = count

    @contextmanager
    def _entry(self, name: str) -> Iterator[IO[bytes]]:
        info = ZipInfo(name, LONG_AGO)
        info.compress_type, info.external_attr, info.create_system = ZIP_DEFLATED, READABLE, 3
        info._compresslevel = LEVEL  # type: ignore[attr-defined]  # public only since Python 3.13
        with self._zip.open(info, "w", force_zip64=True) as entry:
            yield entry


def _json_lines(heads: list[str], rows: list[list[int | str | None]], before: int) -> bytes:
    """Return rows as JSON objects, one a line. `before` is the number of rows in front of them."""
    lines = [_encode(dict(zip(heads, row, strict=True))) for row in rows]
    return (("\n" if not before else ",\n") + ",\n".join(lines)).encode()
