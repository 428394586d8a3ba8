"""Read untrusted files in a child process with limits of memory and time.

The child is forked by a server process that has imported the readers (`forks`). It inherits no environment
variables, no connections and no open files, and so no secrets. If the child fails, the result has an issue
that says why.
"""

import json
import logging
import re
import signal
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, TypeVar

from . import limits
from .child import OUT_OF_MEMORY
from .declaration import FileFormat
from .forks import Finished, ForkServer, ServerLost
from .go_types import GoResult
from .issues import issue
from .registry import GO, RESULTS, TABLES, recognise
from .start_list import StartList
from .types import Choice, Column, Issue, Kind, ParsedResult, TableResult

_logger = logging.getLogger(__name__)
SERVER = ForkServer("tournaments.formats.child")
Result = TypeVar("Result", ParsedResult, TableResult, GoResult)


class _ChildFailed(Exception):
    def __init__(self, failure: Issue) -> None:
        super().__init__(failure.code)
        self.issue = failure


def read_results_safely(
    file_name: str,
    data: bytes,
    kind: Kind | None = None,
    timeout: int = limits.READ_SECONDS,
    memory: int = limits.READ_MEMORY_BYTES,
    choices: Sequence[Choice] = (),
) -> ParsedResult:
    """Run `read_results` in a child process limited to `timeout` seconds and `memory` bytes."""
    request = {"reader": "results", "kind": kind, "choices": [asdict(choice) for choice in choices]}
    return _read(ParsedResult, file_name, data, RESULTS, request, timeout, memory)


def read_table_safely(
    file_name: str,
    data: bytes,
    columns: Sequence[Column],
    max_rows: int = limits.TABLE_ROWS,
    timeout: int = limits.READ_SECONDS,
    memory: int = limits.READ_MEMORY_BYTES,
    choices: Sequence[Choice] = (),
) -> TableResult:
    """Run `read_table` in a child process limited to `timeout` seconds and `memory` bytes."""
    request = {
        "reader": "table",
        "columns": [asdict(column) for column in columns],
        "max_rows": max_rows,
        "choices": [asdict(choice) for choice in choices],
    }
    return _read(TableResult, file_name, data, TABLES, request, timeout, memory)


def read_go_safely(
    file_name: str,
    data: bytes,
    timeout: int = limits.READ_SECONDS,
    memory: int = limits.READ_MEMORY_BYTES,
) -> GoResult:
    """Run `read_go` in a child process limited to `timeout` seconds and `memory` bytes."""
    return _read(GoResult, file_name, data, GO, {"reader": "go"}, timeout, memory)


def read_start_list_safely(
    file_name: str,
    data: bytes,
    timeout: int = limits.READ_SECONDS,
    memory: int = limits.READ_MEMORY_BYTES,
) -> StartList:
    """Run `parse_start_list` in a child process limited to `timeout` seconds and `memory` bytes."""
    request = {"reader": "start_list", "file_name": file_name, "seconds": timeout, "memory": memory}
    try:
        return StartList.from_json(_run_child(request, data, timeout))
    except _ChildFailed as failure:
        return StartList("unknown", file_name, issues=(failure.issue,))


def _read(
    result: type[Result],
    file_name: str,
    data: bytes,
    wanted: tuple[type[FileFormat], ...],
    request: dict[str, Any],
    timeout: int,
    memory: int,
) -> Result:
    """Run a reader in a child process and return what it read.

    If the file has none of the wanted formats, return only issues without starting a child.

    result: the class of what the reader returns
    request: the first line to send to the child
    """
    file_format, issues = recognise(file_name, data, wanted)
    if file_format is None:
        return result("unknown", file_name, issues=issues)
    request |= {"file_name": file_name, "seconds": timeout, "memory": memory}
    try:
        return result.from_json(_run_child(request, data, timeout))
    except _ChildFailed as failure:
        return result("unknown", file_name, issues=(failure.issue,))


def _run_child(request: dict[str, Any], data: bytes, timeout: int) -> dict[str, Any]:
    header = json.dumps(request).encode("ascii") + b"\n"
    try:
        finished = SERVER.run(header + data, timeout)
    except ServerLost as error:
        _logger.exception("The fork server was lost while reading a file")
        raise _ChildFailed(issue("reader_failed")) from error
    if finished.code == 0:
        return json.loads(finished.output)
    raise _ChildFailed(_failure_of(finished, timeout))


def _failure_of(finished: Finished, timeout: int) -> Issue:
    if finished.code in (None, -signal.SIGXCPU):
        return issue("too_slow", seconds=timeout)
    # The kernel's out-of-memory killer sends SIGKILL. A library may also crash on a failed allocation.
    # Rust aborts the process when it cannot allocate.
    is_short = b"MemoryError" in finished.messages or b"memory allocation of" in finished.messages
    if finished.code in (OUT_OF_MEMORY, -signal.SIGKILL) or is_short:
        return issue("too_big_to_read")
    _logger.error("Reader failed with status %s: %s", finished.code, _place_of(finished.messages))
    return issue("reader_failed")


_RAISED = re.compile(r"([A-Za-z_][\w.]*)(?::|$)", re.ASCII)  # the last line of a traceback


def _place_of(messages: bytes) -> str:
    """Return the type of the exception that a reader printed and where it was raised.

    The message of the exception may quote the file, which names people, and is left out.
    """
    lines = messages.decode("utf-8", errors="replace").splitlines()
    frames = [line.strip() for line in lines if line.startswith('  File "')]
    types = [match[1] for line in lines if (match := _RAISED.match(line))]
    return " | ".join([*types[-1:], *frames[-5:]])
