"""The child process of the sandbox: read one request from stdin and answer with JSON on stdout.

A request is a line of JSON (file name, what to read, limits) followed by the raw bytes of the file.
"""

from __future__ import annotations

import json
import resource
import sys

from . import read_results, read_table
from .go import read_go
from .go_types import GoResult
from .types import Column, ParsedResult, TableResult

OUT_OF_MEMORY = 3


def _limit(seconds: int, memory: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    # The soft limit sends SIGXCPU, which tells slowness from the SIGKILL of the system's memory guard.
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> int:
    request = json.loads(sys.stdin.buffer.readline())
    _limit(request["seconds"], request["memory"])
    result: GoResult | ParsedResult | TableResult
    try:
        data = sys.stdin.buffer.read()
        if request.get("go"):
            result = read_go(request["file_name"], data)
        elif request["columns"] is None:
            result = read_results(request["file_name"], data, request["kind"])
        else:
            columns = [Column.from_json(column) for column in request["columns"]]
            result = read_table(request["file_name"], data, columns, request["max_rows"])
        answer = json.dumps(result.to_json(), ensure_ascii=True)
    except MemoryError:
        return OUT_OF_MEMORY
    sys.stdout.write(answer)
    return 0


if __name__ == "__main__":
    sys.exit(main())
