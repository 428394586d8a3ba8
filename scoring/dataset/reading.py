"""Read a dump that may be damaged, foreign or hostile: row by row, within limits. Errors name the place."""

import csv
import io
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self
from zipfile import BadZipFile, ZipFile

from scoring.dataset import schema
from scoring.dataset.schema import File

LONGEST_LINE = 10_000  # bytes
MOST_BYTES = 4 * 1024**3  # of a file after decompressing
MOST_MANIFEST = 1024**2  # bytes
MOST_ENTRIES = 1_000
Values = dict[str, Any]


class BadDataset(Exception):
    """A file that is no dataset of this version, or whose content cannot be right.

    where: the file, and if known the line and the column
    """

    def __init__(self, what: str, *where: str) -> None:
        super().__init__(f"{', '.join(where)}: {what}" if where else what)


class Dataset:
    """A dump that is open for reading. A context manager.

    name: name of the file
    day: the day of its standings
    line: the line that errors name: of the row that was read last
    """

    def __init__(self, path: Path) -> None:
        """Open a dump. Raise BadDataset, or OSError if the file cannot be read."""
        try:
            self._zip = ZipFile(path)
        except BadZipFile as error:
            raise BadDataset(f"is no complete zip file ({error})", path.name) from None
        self.name, self.line = path.name, 0
        try:
            if len(self._zip.infolist()) > MOST_ENTRIES:
                raise BadDataset(f"has more than {MOST_ENTRIES} files", path.name)
            manifest = self._manifest()
            self._counts: dict[str, Any] = dict(manifest["rows"])
            self.day = schema.day(str(manifest["day"]))
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            self._zip.close()
            raise BadDataset(f"is not the list of a dataset's files ({error})", schema.MANIFEST) from None
        except BadDataset:
            self._zip.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._zip.close()

    def _manifest(self) -> Values:
        with self._bounded(schema.MANIFEST, MOST_MANIFEST) as stream:
            manifest = json.loads(stream.read().decode())
        if manifest["schema"] != schema.VERSION:
            raise BadDataset(
                f"schema version {manifest['schema']}; this program reads {schema.VERSION}", schema.MANIFEST
            )
        return manifest

    def rows(self, file: File) -> Iterator[Values]:
        """Yield the rows of a file as {column: value}. Raise BadDataset."""
        expected, count = self._counts.get(file.csv), 0
        for cells in self._cells(file.csv):
            if not count and cells != file.heads:
                raise BadDataset(f"the columns have to be {','.join(file.heads)}", file.csv, "line 1")
            if count:
                yield self._values(file, cells)
            count += 1
            if count - 1 > (expected if isinstance(expected, int) else 0):
                raise BadDataset(f"has more rows than the {expected} of {schema.MANIFEST}", file.csv)
        if count - 1 != expected:
            raise BadDataset(f"has {count - 1} rows, and {schema.MANIFEST} says {expected}", file.csv)

    def error(self, file: File, column: str, what: str) -> BadDataset:
        """Return an error about the row that was read last."""
        return BadDataset(what, file.csv, f"line {self.line}", f"column {column}")

    def _values(self, file: File, cells: list[str]) -> Values:
        if len(cells) != len(file.columns):
            raise BadDataset(
                f"has {len(cells)} cells instead of {len(file.columns)}", file.csv, f"line {self.line}"
            )
        values = {}
        for column, cell in zip(file.columns, cells, strict=True):
            try:
                values[column.name] = column.value(cell)
            except ValueError as error:
                raise self.error(file, column.name, f"{cell[:40]!r} {error}") from None
        return values

    def _cells(self, name: str) -> Iterator[list[str]]:
        """Yield the rows of a CSV file, and note their lines. Raise BadDataset."""
        self.line = 0
        with self._bounded(name, MOST_BYTES) as stream:
            reader = csv.reader(self._lines(name, stream), strict=True)
            while True:
                try:
                    cells = next(reader, None)
                except csv.Error as error:
                    raise BadDataset(str(error), name, f"line {reader.line_num}") from None
                if cells is None:
                    return
                self.line = reader.line_num
                yield cells

    def _lines(self, name: str, stream: io.BufferedReader) -> Iterator[str]:
        number = 0
        while line := stream.readline(LONGEST_LINE + 1):
            number += 1
            if len(line) > LONGEST_LINE:
                raise BadDataset(f"has more than {LONGEST_LINE} bytes", name, f"line {number}")
            try:
                yield line.decode()
            except UnicodeDecodeError:
                raise BadDataset("is not in UTF-8", name, f"line {number}") from None

    def _bounded(self, name: str, most: int) -> io.BufferedReader:
        try:
            stream = self._zip.open(name)
        except KeyError:
            raise BadDataset("is missing: this is no dataset, or only a part of one", name) from None
        except (BadZipFile, NotImplementedError, RuntimeError, OSError) as error:
            raise BadDataset(f"cannot be read ({error})", name) from None
        return io.BufferedReader(_Bounded(stream, name, most))


class _Bounded(io.RawIOBase):
    """A file of a zip file. Raises BadDataset after `most` bytes, whatever the zip file says of its size."""

    def __init__(self, stream: IO[bytes], name: str, most: int) -> None:
        self._stream, self._name, self._most, self._left = stream, name, most, most

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:  # type: ignore[no-untyped-def]
        try:
            block = self._stream.read(len(buffer))
        except (EOFError, BadZipFile, zlib.error, OSError) as error:
            raise BadDataset(f"is damaged ({error})", self._name) from None
        self._left -= len(block)
        if self._left < 0:
            raise BadDataset(f"has more than {self._most} bytes", self._name)
        buffer[: len(block)] = block
        return len(block)

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
        super().close()
