"""Read the tables of Access databases (.mdb) with the programs of mdbtools.

These programs are C code that parses untrusted bytes. Each runs with its own limits on processor time, memory
and output, without environment variables, and may neither write files nor start other programs. The readers
call this module inside the child process of `sandbox`, whose limits hold as well. Should that process be
killed, a program ends with its processor limit at the latest, or when it writes to the closed pipe.
"""

import csv
import io
import os
import resource
import selectors
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO

from . import limits

INSTALL = "apt-get install mdbtools"
_FOLDERS = "/usr/local/bin:/usr/bin:/bin"
# Jet 3 databases state no encoding; the others are UTF-16.
_ENVIRONMENT = {"MDB_JET3_CHARSET": "cp1252", "LC_ALL": "C.UTF-8"}
_CHUNK = 64 * 1024
_MESSAGES_BYTES = 4096

Table = list[dict[str, str]]


class Unreadable(Exception):
    """The database is damaged, encrypted, or not a database at all."""


class ProgramMissing(Exception):
    """The programs of mdbtools are not installed on this machine."""


class TooSlow(Exception):
    """Reading took longer than `limits.DATABASE_SECONDS`."""


class TooLarge(Exception):
    """A table is larger than `limits.DATABASE_BYTES` as text."""


def missing_command() -> str:
    """Return the command that installs the programs if this machine lacks them, else ""."""
    return "" if _path("mdb-export") and _path("mdb-tables") else INSTALL


def read_tables(data: bytes, wanted: Iterable[str]) -> dict[str, Table]:
    """Return {name: rows} of those wanted tables that the database has. A row is {column: text}.

    Dates are ISO texts, booleans 0 or 1. Raises one of this module's exceptions if the database cannot be
    read as a whole.
    """
    if missing_command():
        raise ProgramMissing
    deadline = time.monotonic() + limits.DATABASE_SECONDS
    with _file_of(data) as file:
        present = _run(["mdb-tables", "-1"], file, [], deadline).decode("utf-8", "replace").splitlines()
        return {name: _table(file, name, deadline) for name in wanted if name in present}


def _table(file: IO[bytes], name: str, deadline: float) -> Table:
    options = ["--bin=strip", "--date-format=%Y-%m-%d", "--datetime-format=%Y-%m-%d %H:%M:%S"]
    output = _run(["mdb-export", *options], file, [name], deadline).decode("utf-8", "replace")
    output = output.replace("\x00", "")  # PostgreSQL stores no NUL
    try:
        return [
            {column: text or "" for column, text in row.items() if isinstance(column, str)}
            for row in csv.DictReader(io.StringIO(output, newline=""), strict=True)
        ]
    except csv.Error as error:
        raise Unreadable from error


@contextmanager
def _file_of(data: bytes) -> Iterator[IO[bytes]]:
    """Yield a file without a name that has this content. Nothing is left behind if a process is killed."""
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.flush()
        yield file


def _run(program: list[str], file: IO[bytes], arguments: list[str], deadline: float) -> bytes:
    """Run a program on an open file, and return its output."""
    path = _path(program[0])
    assert path
    number = file.fileno()
    with (
        subprocess.Popen(  # noqa: S603 - a fixed program and fixed table names, the file only as a number
            [path, *program[1:], f"/dev/fd/{number}", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=_ENVIRONMENT,
            pass_fds=(number,),
            preexec_fn=_limit,  # noqa: PLW1509 - the process that reads files has one thread
        ) as process
    ):
        try:
            output, messages = _communicate(process, deadline)
        except BaseException:
            process.kill()
            raise
    # The programs report damaged pages only as messages, and end with status 0.
    if process.returncode or messages:
        raise Unreadable(messages[:_MESSAGES_BYTES].decode("utf-8", "replace"))
    return output


def _communicate(process: subprocess.Popen[bytes], deadline: float) -> tuple[bytes, bytes]:
    """Return the output and the messages of a program. Stop at the deadline and at the limits of size."""
    assert process.stdout and process.stderr
    parts: dict[int, list[bytes]] = {process.stdout.fileno(): [], process.stderr.fileno(): []}
    size = 0
    with selectors.DefaultSelector() as selector:
        for number in parts:
            selector.register(number, selectors.EVENT_READ)
        while selector.get_map():
            left = deadline - time.monotonic()
            events = selector.select(left) if left > 0 else []
            if not events:
                raise TooSlow
            for key, _mask in events:
                part = os.read(key.fd, _CHUNK)
                size += len(part)
                parts[key.fd].append(part)
                if not part:
                    selector.unregister(key.fd)
            if size > limits.DATABASE_BYTES:
                raise TooLarge
    output, messages = (b"".join(part) for part in parts.values())
    return output, messages


def _limit() -> None:
    """Set the limits of a program. Called in the new process before the program starts."""
    for kind, most in (
        (resource.RLIMIT_CPU, limits.DATABASE_SECONDS),
        (resource.RLIMIT_AS, limits.DATABASE_MEMORY_BYTES),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        _soft, hard = resource.getrlimit(kind)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (most, most))


def _path(program: str) -> str | None:
    return shutil.which(program, path=_FOLDERS)
