"""No variable, argument, function or class is called by a participle that does not say what it holds."""

import ast
from collections.abc import Iterator

import pytest

from tests.folders import ROOT

VAGUE = {"said", "told", "found", "each", "given"}
FOLDERS = ["benchmarks", "federation", "players", "scoring", "tests", "tools", "tournaments", "ui"]


def names_in(tree: ast.AST) -> Iterator[str]:
    """Yield the names that a module binds."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                yield name


def test_vague_names_of_all_kinds_are_noticed():
    source = "def told(each): self.given = 1\nclass found: _said = each"
    assert {name.strip("_") for name in names_in(ast.parse(source))} >= VAGUE


@pytest.mark.parametrize("folder", FOLDERS)
def test_names_say_what_they_hold(folder):
    modules = {path: ast.parse(path.read_text(encoding="utf-8")) for path in (ROOT / folder).rglob("*.py")}
    assert modules
    vague = [(path.name, name) for path, tree in modules.items() for name in names_in(tree)]
    assert [item for item in vague if item[1].strip("_") in VAGUE] == []
