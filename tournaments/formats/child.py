"""The child process of the sandbox: read a request from standard input, write the answer to standard output.

A request is a line of JSON (file name, what to read, limits) followed by the raw bytes of the file. The
answer is JSON. The fork server calls `prepare` once, and `main` in each child.
"""

import importlib
import json
import re
import resource
import sys
from typing import Any

from . import limits, read_go, read_results, read_table
from .go_types import GoResult
from .start_list import StartList, parse_start_list
from .types import Choice, Column, ParsedResult, TableResult

OUT_OF_MEMORY = 3
# An escaped backslash, or one of `ui.text.DIRECTION_MARKS`, as JSON in ASCII has them.
_MARK = re.compile(r"(\\\\)|\\u(?:061c|200[ef]|202[a-e]|206[6-9])")


def _limit(seconds: int, memory: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    # The soft limit sends SIGXCPU, so that the parent can distinguish it from the out-of-memory killer's
    # SIGKILL.
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (limits.ANSWER_BYTES, limits.ANSWER_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _read(request: dict[str, Any], data: bytes) -> GoResult | ParsedResult | StartList | TableResult:
    file_name = request["file_name"]
    if request["reader"] == "go":
        return read_go(file_name, data)
    if request["reader"] == "start_list":
        return parse_start_list(file_name, data)
    if request["reader"] == "results":
        choices = [Choice.from_json(choice) for choice in request["choices"]]
        return read_results(file_name, data, request["kind"], choices)
    columns = [Column.from_json(column) for column in request["columns"]]
    choices = [Choice.from_json(choice) for choice in request["choices"]]
    return read_table(file_name, data, columns, request["max_rows"], choices)


def _without_marks(answer: str) -> str:
    """Return JSON in ASCII without characters that change the direction of texts."""
    return _MARK.sub(r"\1", answer)


def prepare() -> None:
    """Import what readers import when they need it, so that children of the fork server need not."""
    # openpyxl would import it, and it would start threads, which a forked process loses.
    sys.modules["numpy"] = None  # type: ignore[assignment]
    importlib.import_module("openpyxl")


def main() -> int:
    """Answer the request on standard input, and return the exit code."""
    with open(0, "rb", closefd=False) as stdin, open(1, "w", encoding="ascii", closefd=False) as stdout:
        request = json.loads(stdin.readline())
        _limit(request["seconds"], request["memory"])
        try:
            result = _read(request, stdin.read())
            answer = _without_marks(json.dumps(result.to_json(), ensure_ascii=True))
        except MemoryError:
            return OUT_OF_MEMORY
        if len(answer) > limits.ANSWER_BYTES:
            return OUT_OF_MEMORY
        stdout.write(answer)
    return 0
