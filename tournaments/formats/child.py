"""The child process of the sandbox: read one request from stdin and answer with JSON on stdout.

A request is a line of JSON (file name, what to read, limits) followed by the raw bytes of the file.
"""

import json
import resource
import sys
from typing import Any

from . import read_go, read_results, read_table
from .go_types import GoResult
from .start_list import StartList, parse_start_list
from .types import Choice, Column, ParsedResult, TableResult

OUT_OF_MEMORY = 3


def _limit(seconds: int, memory: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    # The soft limit sends SIGXCPU, so that the parent can distinguish it from the out-of-memory killer's
    # SIGKILL.
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
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
    return read_table(file_name, data, columns, request["max_rows"])


def main() -> int:
    request = json.loads(sys.stdin.buffer.readline())
    _limit(request["seconds"], request["memory"])
    try:
        result = _read(request, sys.stdin.buffer.read())
        answer = json.dumps(result.to_json(), ensure_ascii=True)
    except MemoryError:
        return OUT_OF_MEMORY
    sys.stdout.write(answer)
    return 0


if __name__ == "__main__":
    sys.exit(main())
