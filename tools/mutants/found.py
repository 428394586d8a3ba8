"""Which changes there are to try, and a seeded sample of them."""

import ast
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LEAST = 30  # mutants of every room in a sample, however small the room
_STORED = "tests/scoring/ledger/test_stored_spellings.py"
_PURE = ["tests/scoring/engine", "tests/scoring/regulations", _STORED]
_SERVICES = ["tests/scoring/ledger", "tests/scoring/annulments", "tests/scoring/office", "tests/players"]
# What is mutated by room, and the tests that have to notice.
ROOMS = {
    "engine": (["scoring/engine/*.py"], _PURE),
    "regulations": (
        ["scoring/regulations/**/*.py"],
        _PURE,
    ),
    "readers": (["tournaments/formats/*.py", "tournaments/ranking.py"], ["tests/tournaments/formats"]),
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
    """One change of one file: the bytes between two offsets replaced by a text.

    function: whose body it is in, as Python qualifies its name; "" outside of any
    key: what tells it from all others, in words that other changes of the file leave alone
    """

    path: str
    function: str
    start: int
    end: int
    old: str
    new: str
    key: str

    def applied(self, source: bytes) -> bytes:
        """The file with the change."""
        return source[: self.start] + self.new.encode() + source[self.end :]


class Finder(ast.NodeVisitor):
    """Every mutant of a file.

    Annotations, docstrings, decorators (`slots`, the size of a cache) and `__all__` are left alone: no test
    can notice them.
    """

    def __init__(self, path: str, source: bytes) -> None:
        self.path, self.source = path, source
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.found: list[Mutant] = []
        self.names: list[str] = []  # of the classes and functions around
        self.function = ""

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
            start = self._at(node)
            self._add(start, start + len("not "), "not", "")
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
        if outermost:  # what is inside another function has no life of its own
            self.function = ".".join(self.names)
        for part in node.body:
            self.visit(part)
        self.names.pop()
        if outermost:
            self.function = ""

    def _between(self, left: ast.expr, right: ast.expr, old: str, new: str) -> None:
        start, end = self._end(left), self._at(right)
        gap = self.source[start:end].decode()
        if old in gap:
            at = start + len(gap[: gap.index(old)].encode())
            self._add(at, at + len(old), old, new)

    def _add(self, start: int, end: int, old: str, new: str) -> None:
        line = self.source[:start].count(b"\n")
        before = self.source[self.starts[line] : start].decode().lstrip()
        after = self.source[end : self.starts[line + 1]].decode().rstrip()
        key = f"{self.path} {'.'.join(self.names)}: {before}[{old} → {new}]{after}"
        same = sum(each.key.partition(" #")[0] == key for each in self.found)
        key += f" #{same + 1}" if same else ""
        self.found.append(Mutant(self.path, self.function, start, end, old, new, key))

    def _at(self, node: ast.expr) -> int:
        return self.starts[node.lineno - 1] + node.col_offset

    def _end(self, node: ast.expr) -> int:
        return self.starts[node.end_lineno - 1] + node.end_col_offset


def mutants(room: str) -> Iterator[Mutant]:
    """Every mutant of a room, in the order of files and lines."""
    for path in sorted({path for pattern in ROOMS[room][0] for path in ROOT.glob(pattern)}):
        source = path.read_bytes()
        finder = Finder(path.relative_to(ROOT).as_posix(), source)
        finder.visit(ast.parse(source))
        yield from finder.found


def sampled(seed: int, number: int) -> list[tuple[str, Mutant]]:
    """So many mutants, or a few more, with their rooms; the same for the same seed and code.

    A room gives as many as it is large, and at least some.
    """
    every = {room: list(mutants(room)) for room in ROOMS}
    total = sum(map(len, every.values()))
    small = {room for room, found in every.items() if number * len(found) < LEAST * total}
    share = (number - LEAST * len(small)) / sum(len(every[room]) for room in every.keys() - small)
    chance = random.Random(seed)
    chosen = []
    for room, found in every.items():
        wanted = LEAST if room in small else max(LEAST, math.ceil(share * len(found)))
        chosen += [(room, each) for each in chance.sample(found, min(wanted, len(found)))]
    chance.shuffle(chosen)
    return chosen


def mutated_files() -> list[str]:
    """The files of all rooms, as paths within the project."""
    patterns = [pattern for patterns, _tests in ROOMS.values() for pattern in patterns]
    return sorted({path.relative_to(ROOT).as_posix() for each in patterns for path in ROOT.glob(each)})


def functions_of(tree: ast.AST, around: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    """Functions and methods with their qualified names; not what is inside a function."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield around + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from functions_of(node, f"{around}{node.name}.")
        else:
            yield from functions_of(node, around)
