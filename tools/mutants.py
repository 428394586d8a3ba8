"""`make mutants`: change one small thing of the code at a time, and see whether a test notices.

A seeded sample of changes is tried in a copy of the project; the working tree stays as it is. What was tried
is kept in `var/mutants.json`: a run that is stopped, or whose time is over, goes on where it was. See
docs/testing.md.
"""

import argparse
import ast
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STATE = ROOT / "var" / "mutants.json"
SECONDS = 240  # that the tests of one mutant may take: an endless loop is noticed too
# What is mutated, and the tests that have to notice. The first match counts.
ROOMS = {
    "scoring/engine/*.py": ["tests/engine", "tests/services/test_stored_spellings.py"],
    "scoring/regulations/**/*.py": ["tests/engine", "tests/services/test_stored_spellings.py"],
    "tournaments/formats/*.py": ["tests/formats"],
    "tournaments/ranking.py": ["tests/formats"],
    "scoring/campaigns/*.py": ["tests/campaigns", "tests/services/test_stored_spellings.py"],
    "scoring/services/posting.py": ["tests/services", "tests/uploads/test_flow.py"],
    "scoring/services/standings.py": ["tests/services", "tests/public/test_standings.py"],
    "scoring/services/queue.py": ["tests/services"],
    "players/access.py": ["tests/access", "tests/uploads/test_access.py", "tests/services/test_edges.py"],
    "players/proposals.py": ["tests/services/test_proposals.py", "tests/office"],
    "players/services/proposals.py": ["tests/services/test_proposals.py", "tests/office"],
}
COMPARED = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is"),
}  # fmt: skip
COMPUTED = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "+"), ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "+"), ast.BitOr: ("|", "&"), ast.BitAnd: ("&", "|"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one file: the bytes between two offsets replaced by a text."""

    path: str
    line: int
    start: int
    end: int
    old: str
    new: str

    @property
    def key(self) -> str:
        """What tells it from all others, in whatever order they are tried."""
        return f"{self.path}:{self.line}:{self.start}: {self.old} → {self.new}"

    def applied(self, source: bytes) -> bytes:
        """The file with the change."""
        return source[: self.start] + self.new.encode() + source[self.end :]


class Finder(ast.NodeVisitor):
    """Every mutant of a file. Annotations and docstrings are left alone: no test can notice them."""

    def __init__(self, path: str, source: bytes) -> None:
        self.path, self.source = path, source
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.found: list[Mutant] = []

    def visit_Compare(self, node: ast.Compare) -> None:
        left = node.left
        for operator, right in zip(node.ops, node.comparators, strict=True):
            self._between(left, right, *COMPARED[type(operator)])
            left = right
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if type(node.op) in COMPUTED:
            self._between(node.left, node.right, *COMPUTED[type(node.op)])
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        words = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            self._between(left, right, *words)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._add(self._at(node), self._at(node.operand), "not", "")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        start, end = self._at(node), self._end(node)
        if isinstance(node.value, bool):
            self._add(start, end, str(node.value), str(not node.value))
        elif isinstance(node.value, int):
            self._add(start, end, str(node.value), str(node.value + 1))
        elif isinstance(node.value, str) and node.value.isidentifier():
            self._add(start, end, repr(node.value), repr(node.value + "x"))

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring
            self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value:
            self.visit(node.value)

    def visit_arg(self, node: ast.arg) -> None:
        pass

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for part in (
            *node.decorator_list,
            *node.args.defaults,
            *filter(None, node.args.kw_defaults),
            *node.body,
        ):
            self.visit(part)

    def _between(self, left: ast.expr, right: ast.expr, old: str, new: str) -> None:
        start, end = self._end(left), self._at(right)
        gap = self.source[start:end].decode()
        if old in gap:
            at = start + len(gap[: gap.index(old)].encode())
            self._add(at, at + len(old), old, new)

    def _add(self, start: int, end: int, old: str, new: str) -> None:
        line = self.source[:start].count(b"\n") + 1
        self.found.append(Mutant(self.path, line, start, end, old, new))

    def _at(self, node: ast.expr) -> int:
        return self.starts[node.lineno - 1] + node.col_offset

    def _end(self, node: ast.expr) -> int:
        return self.starts[node.end_lineno - 1] + node.end_col_offset


def mutants() -> Iterator[Mutant]:
    """Every mutant of every room, in the order of files and lines."""
    seen: set[Path] = set()
    for pattern in ROOMS:
        for path in sorted(set(ROOT.glob(pattern)) - seen):
            seen.add(path)
            source = path.read_bytes()
            finder = Finder(path.relative_to(ROOT).as_posix(), source)
            finder.visit(ast.parse(source))
            yield from finder.found


def tests_of(path: str) -> list[str]:
    """The tests that have to notice a change of a file."""
    return next(tests for pattern, tests in ROOMS.items() if ROOT / path in set(ROOT.glob(pattern)))


def copied(folder: Path) -> Path:
    """A copy of the project as it is now, with its environment and compiled translations."""
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


def outcome(mutant: Mutant, copy: Path) -> str:
    """killed, survived or timeout: what the tests say of a mutant."""
    path = copy / mutant.path
    source = path.read_bytes()
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "2", "-p", "no:cacheprovider"]
    try:
        path.write_bytes(mutant.applied(source))
        done = subprocess.run(
            [*command, *tests_of(mutant.path)], cwd=copy, capture_output=True, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return "timeout"
    finally:
        path.write_bytes(source)
    return "survived" if done.returncode == 0 else "killed"


def sampled(seed: int, number: int) -> list[Mutant]:
    """So many of all mutants, the same for the same seed and code."""
    every = list(mutants())
    return random.Random(seed).sample(every, min(number, len(every)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=600, help="mutants of the sample")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60, help="when to stop; the next run goes on")
    options = parser.parse_args()
    known = json.loads(STATE.read_text()) if STATE.exists() else {}
    chosen = sampled(options.seed, options.number)
    until = time.monotonic() + 60 * options.minutes
    with tempfile.TemporaryDirectory(prefix="baza-mutants-") as folder:
        copy = copied(Path(folder))
        for mutant in chosen:
            if mutant.key in known:
                continue
            if time.monotonic() > until:
                break
            known[mutant.key] = outcome(mutant, copy)
            print(f"{known[mutant.key]:8} {mutant.key}", flush=True)
            STATE.parent.mkdir(exist_ok=True)
            STATE.write_text(json.dumps(known, indent=1))
    results = Counter(known.get(mutant.key, "not tried") for mutant in chosen)
    print("\n".join(f"survived {m.key}" for m in chosen if known.get(m.key) == "survived"))
    print(", ".join(f"{number} {word}" for word, number in results.most_common()))
    return 1 if results["survived"] else 0


if __name__ == "__main__":
    sys.exit(main())
