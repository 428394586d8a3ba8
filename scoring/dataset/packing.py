"""Write a dump's zip file in a process of its own, while another one reads the rows: with two cores sooner.

The reading process sends pickles to the standard input of the writing one: a text with its name, or the names
and heads of a table and then its rows in parts, of which the last is empty; at the end None. An OSError, such
as of a full disk, comes back the same way.
"""

import fcntl
import pickle
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from scoring.dataset.archive import Archive, Row, parts_of
from scoring.dataset.schema import File

ROOT = Path(__file__).resolve().parents[2]
AHEAD = 2**20  # bytes that the reading process may be ahead: some parts, so that neither waits for the other


class Packer:
    """A zip file that another process writes. A context manager; at its end the file is complete.

    Its methods raise OSError if the file cannot be written.

    counts: {name of a CSV file: number of rows} of the files so far
    """

    def __init__(self, path: Path) -> None:
        self.counts: dict[str, int] = {}
        self._process = subprocess.Popen(  # noqa: S603 - a fixed command
            [sys.executable, "-m", "scoring.dataset.packing", str(path.absolute())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env={"PYTHONPATH": str(ROOT)},
        )
        _widen(self._process.stdin)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error:
            self._process.kill()
            self._process.communicate()
        else:
            self._send(None)
            self._end()

    def add_text(self, name: str, content: str) -> None:
        """Add a file with this text."""
        self._send((name, content))

    def add_rows(self, file: File, rows: Iterable[Row]) -> None:
        """Add a CSV and a JSON file of the rows, which are read once."""
        self._send((file.csv, file.json, file.heads))
        count = 0
        for part in parts_of(rows):
            self._send(part)
            count += len(part)
        self._send([])
        self.counts[file.csv] = count

    def _send(self, message: Any) -> None:
        assert self._process.stdin
        try:
            pickle.dump(message, self._process.stdin, pickle.HIGHEST_PROTOCOL)
        except BrokenPipeError:
            self._end()

    def _end(self) -> None:
        """Wait for the process. Raise the OSError that it sent, or RuntimeError if it failed otherwise."""
        answer, _errors = self._process.communicate()
        if answer:
            raise pickle.loads(answer)  # noqa: S301 - from our own process
        if self._process.returncode:
            raise RuntimeError(f"the writing process ended with {self._process.returncode}")


def _widen(pipe: IO[bytes] | None) -> None:
    """Let a pipe hold `AHEAD` bytes, if the system can and allows it. Without that, the dump takes longer."""
    if pipe and (command := getattr(fcntl, "F_SETPIPE_SZ", None)):
        with suppress(OSError):
            fcntl.fcntl(pipe, command, AHEAD)


def main() -> None:
    """Write the zip file that the command line names, from the messages on standard input."""

    def received() -> Any:
        return pickle.load(sys.stdin.buffer)  # noqa: S301 - from our own process

    try:
        with Archive(Path(sys.argv[1])) as archive:
            while message := received():
                if len(message) == 2:
                    archive.add_text(*message)
                else:
                    archive.add_table(*message, iter(received, []))
    except OSError as error:
        pickle.dump(error, sys.stdout.buffer)


if __name__ == "__main__":
    main()
