"""Try mutants in two copies of the project. In each, a pytest process has collected all tests beforehand."""

import ast
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

from tools.mutants.mutations import ROOMS, ROOT, Mutant, functions_of, mutated_files

RECORDS = ROOT / "var" / "mutants"
PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tools.mutants.plugin"]
# Two lanes run in parallel: one whose tests need no database, and one whose tests do.
LANES = {
    "pure": ["engine", "regulations", "readers"],
    "stored": ["selection", "posting", "standings", "queue", "access"],
}


def copy_project(folder: Path) -> Path:
    """Copy the working tree, with its compiled translations, to `folder`. Return `folder`."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, check=True
    ).stdout
    names = [*filter(None, listed.decode().split("\0")), *map(str, (ROOT / "locale").rglob("*.mo"))]
    for name in names:
        source = ROOT / name
        if source.is_file():
            target = folder / source.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    return folder


def run(folder: Path, jobs: list[tuple[str, Mutant]], until: float, results: Path) -> None:
    """Try the mutants, and append a line with the outcome of each to the file `results`.

    folder: where to copy the project
    jobs: (room, mutant)
    until: when to begin no further mutant, in seconds since 1970
    """
    with ThreadPoolExecutor() as lanes:
        futures = []
        for lane, rooms in LANES.items():
            share = [{"room": room, **asdict(mutant)} for room, mutant in jobs if room in rooms]
            if share:
                work = {"jobs": share, "until": until, "results": results}
                futures.append(lanes.submit(_run_lane, copy_project(folder / lane), lane, work))
        for future in futures:
            future.result()


def _run_lane(copy: Path, lane: str, work: dict[str, object]) -> None:
    tests = sorted({test for room in LANES[lane] for test in ROOMS[room][1]})
    records = RECORDS / f"tests-{lane}.json"
    if not records.exists():
        print(
            f"Recording the tests of {', '.join(LANES[lane])} first; --minutes does not bound this.",
            flush=True,
        )
        _record(copy, tests, records)
    _pytest(copy, tests, what="try", records=records, **work)


def _record(copy: Path, tests: list[str], records: Path) -> None:
    """Run every test once in a copy of the project.

    Store in the file `records` how long each test takes and which functions it enters.
    """
    for path in mutated_files():
        (copy / path).write_text(
            _with_marks(path, (ROOT / path).read_text(encoding="utf-8")), encoding="utf-8"
        )
    _pytest(copy, tests, what="record", records=records)
    for path in mutated_files():
        shutil.copy2(ROOT / path, copy / path)


def _pytest(copy: Path, tests: list[str], **work: object) -> None:
    """Run these tests in a copy of the project. `work` is passed to our pytest plugin, as `work.json`.

    Raises RuntimeError with the end of the output if pytest fails.
    """
    (copy / "work.json").write_text(json.dumps(work, default=str))
    # Some tests' names depend on the order of a set, which has to be the same in every process.
    environment = {**os.environ, "PYTHONHASHSEED": "0", "BAZA_MUTANTS": str(copy)}
    log = copy / f"{work['what']}.log"
    with log.open("wb") as output:
        process = subprocess.run(
            [*PYTEST, *tests],
            cwd=copy,
            env=environment,
            stdout=output,
            stderr=output,
            stdin=subprocess.DEVNULL,
        )
    if process.returncode:
        raise RuntimeError(log.read_text(errors="replace")[-5000:])


def _with_marks(path: str, source: str) -> str:
    """Return a file's source code with a statement in every function that records that it was entered."""
    lines = source.splitlines(keepends=True)
    for name, node in reversed(list(functions_of(ast.parse(source)))):
        first = node.body[bool(ast.get_docstring(node)) and len(node.body) > 1]
        if first.lineno > node.lineno:
            mark = f"getattr(__import__('builtins'), 'entered', set()).add('{path}::{name}')"
            lines.insert(first.lineno - 1, f"{' ' * first.col_offset}{mark}\n")
    return "".join(lines)
