"""Find all possible mutants of the code (copies with one small change), and draw a seeded sample of them.

The code is divided into rooms, such as "engine" or "posting". `ROOMS` declares the files of each room, and
the tests that have to notice a change in them.
"""

import ast
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LEAST = 30  # mutants of each room in a sample, however small the room
_STORED = "tests/scoring/ledger/test_stored_spellings.py"
_PURE = ["tests/scoring/engine", "tests/scoring/regulations", _STORED]
_SERVICES = ["tests/scoring/ledger", "tests/scoring/annulments", "tests/scoring/office", "tests/players"]
# Room (here a part of the code) -> (patterns of the files to mutate, tests that have to notice the mutants).
ROOMS = {
    "engine": (["scoring/engine/*.py"], _PURE),
    "regulations": (
        ["scoring/regulations/**/*.py"],
        [*_PURE, "tests/scoring/rulebook", "tests/scoring/calculator"],
    ),
    "readers": (["tournaments/formats/**/*.py", "tournaments/ranking.py"], ["tests/tournaments/formats"]),
    "selection": (["scoring/promotions/pure/*.py"], ["tests/scoring/promotions", _STORED]),
    "posting": (["scoring/ledger/services/posting.py"], [*_SERVICES, "tests/scoring/uploads/test_flow.py"]),
    "standings": (
        ["scoring/ledger/services/standings.py"],
        [*_SERVICES, "tests/scoring/pages/test_standings.py"],
    ),
    "queue": (["scoring/ledger/services/queue.py"], ["tests/scoring/ledger"]),
    "access": (
        ["players/access.py", "players/proposals.py", "players/services/proposals.py"],
        ["tests/access", *_SERVICES, "tests/scoring/uploads/test_access.py"],
    ),
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
    """One change of one file: the bytes from `start` to `end` are replaced by `new`.

    function: qualified name of the function that contains the change; "" outside functions
    start, end: offsets in bytes
    key: identifies the mutant; does not depend on other lines of the file
    """

    path: str
    function: str
    start: int
    end: int
    old: str
    new: str
    key: str

    def applied(self, source: bytes) -> bytes:
        """Return the source with the change."""
        return source[: self.start] + self.new.encode() + source[self.end :]


class Finder(ast.NodeVisitor):
    """A visitor of a syntax tree that finds every mutant of the file.

    It skips annotations, docstrings, decorators and `__all__`: tests can hardly notice a change of these.
    """

    def __init__(self, path: str, source: bytes) -> None:
        self.path, self.source = path, source
        self.starts = [0]  # where the lines start, in bytes
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.mutants: list[Mutant] = []
        self.names: list[str] = []  # names of the classes and functions around the visited node
        self.function = ""

    def visit_Compare(self, node: ast.Compare) -> None:
        left = node.left
        for operator, right in zip(node.ops, node.comparators, strict=True):
            self._add_between(left, right, *COMPARED[type(operator)])
            left = right
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if type(node.op) in COMPUTED:
            self._add_between(node.left, node.right, *COMPUTED[type(node.op)])
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        words = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            self._add_between(left, right, *words)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            start = self._start(node)
            self._add(start, start + len("not "), "not", "")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        start, end = self._start(node), self._end(node)
        if isinstance(node.value, bool):
            self._add(start, end, str(node.value), str(not node.value))
        elif isinstance(node.value, int):
            self._add(start, end, str(node.value), str(node.value + 1))
        elif isinstance(node.value, str) and node.value.isidentifier():
            self._add(start, end, repr(node.value), repr(node.value + "x"))

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring
            self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if ast.unparse(node.targets[0]) != "__all__":
            self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if ast.unparse(node.value) != "Literal":
            self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value:
            self.visit(node.value)

    def visit_arg(self, node: ast.arg) -> None:
        pass

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.names.append(node.name)
        for part in node.body:
            self.visit(part)
        self.names.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for part in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
            self.visit(part)
        outermost = not self.function
        self.names.append(node.name)
        if outermost:  # a nested function is tried as part of the outermost one
            self.function = ".".join(self.names)
        for part in node.body:
            self.visit(part)
        self.names.pop()
        if outermost:
            self.function = ""

    def _add_between(self, left: ast.expr, right: ast.expr, old: str, new: str) -> None:
        start, end = self._end(left), self._start(right)
        gap = self.source[start:end].decode()
        if old in gap:
            offset = start + len(gap[: gap.index(old)].encode())
            self._add(offset, offset + len(old), old, new)

    def _add(self, start: int, end: int, old: str, new: str) -> None:
        line = self.source[:start].count(b"\n")
        before = self.source[self.starts[line] : start].decode().lstrip()
        after = self.source[end : self.starts[line + 1]].decode().rstrip()
        key = f"{self.path} {'.'.join(self.names)}: {before}[{old} → {new}]{after}"
        same = sum(mutant.key.partition(" #")[0] == key for mutant in self.mutants)
        key += f" #{same + 1}" if same else ""
        self.mutants.append(Mutant(self.path, self.function, start, end, old, new, key))

    def _start(self, node: ast.expr) -> int:
        return self.starts[node.lineno - 1] + node.col_offset

    def _end(self, node: ast.expr) -> int:
        return self.starts[node.end_lineno - 1] + node.end_col_offset


def mutants(room: str) -> Iterator[Mutant]:
    """Yield every mutant of the files of a room (a key of ROOMS), in the order of files and lines."""
    for path in sorted({path for pattern in ROOMS[room][0] for path in ROOT.glob(pattern)}):
        source = path.read_bytes()
        finder = Finder(path.relative_to(ROOT).as_posix(), source)
        finder.visit(ast.parse(source))
        yield from finder.mutants


def sampled(seed: int, number: int) -> list[tuple[str, Mutant]]:
    """Draw `number` mutants, or a few more, at random, and return them as (room, mutant).

    The same seed and code always give the same sample. Each room contributes in proportion to its number of
    mutants, but at least LEAST.
    """
    by_room = {room: list(mutants(room)) for room in ROOMS}
    total = sum(map(len, by_room.values()))
    small = {room for room, members in by_room.items() if number * len(members) < LEAST * total}
    share = (number - LEAST * len(small)) / sum(len(by_room[room]) for room in by_room.keys() - small)
    rng = random.Random(seed)
    sample = []
    for room, members in by_room.items():
        size = LEAST if room in small else max(LEAST, math.ceil(share * len(members)))
        sample += [(room, mutant) for mutant in rng.sample(members, min(size, len(members)))]
    rng.shuffle(sample)
    return sample


def mutated_files() -> list[str]:
    """Return the sorted paths of all files that `ROOMS` declares, relative to the project."""
    patterns = [pattern for patterns, _tests in ROOMS.values() for pattern in patterns]
    return sorted({path.relative_to(ROOT).as_posix() for glob in patterns for path in ROOT.glob(glob)})


def functions_of(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield (qualified name, node) of all functions and methods in a syntax tree, except nested functions."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from functions_of(node, f"{prefix}{node.name}.")
        else:
            yield from functions_of(node, prefix)
