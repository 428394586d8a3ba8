"""Imports point one way, and the pure rooms know no Django (docs/architecture.md)."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ["players", "tournaments", "scoring", "federation"]  # each may import from those before it
PURE = ["scoring/engine", "scoring/regulations", "tournaments/formats", "tournaments/ranking.py"]


def imported(path: Path) -> set[str]:
    """The modules a file imports, wherever in it."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add(node.module)
    return names


def sources(place: str) -> list[Path]:
    path = ROOT / place
    return [path] if path.suffix else sorted(path.rglob("*.py"))


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_import_only_what_stands_before_them(room):
    later = set(ROOMS[ROOMS.index(room) + 1 :])
    files = sources(room)
    assert files
    wrong = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in files
        for name in imported(path)
        if name.split(".")[0] in later
    }
    assert not wrong


@pytest.mark.parametrize("place", PURE)
def test_pure_rooms_import_no_django_and_no_models(place):
    allowed = {"scoring": ("scoring.engine", "scoring.regulations"), "tournaments": ("tournaments.formats",)}
    files = sources(place)
    assert files
    for path in files:
        for name in imported(path):
            top = name.split(".")[0]
            assert top not in {"django", "celery", "players", "federation"}, path
            if top in allowed:
                assert name.startswith(allowed[top]) or name == "tournaments.ranking", f"{path}: {name}"


def test_files_stay_readable():
    """A file over 400 lines holds two things."""
    places = [*ROOMS, "tests", "benchmarks", "templates", "static/css", "static/js"]
    files = [
        path
        for place in places
        for path in (ROOT / place).rglob("*")
        # Django writes migrations; one for many tables is long, and is not read.
        if path.suffix in {".py", ".html", ".css", ".js"} and path.parent.name != "migrations"
    ]
    long = {
        str(path.relative_to(ROOT)): n for path in files if (n := len(path.read_text().splitlines())) > 400
    }
    assert not long


def test_sums_of_the_ledger_declare_their_columns_once():
    """A column of one of these models alone would be compared, mended and shown for that one alone."""
    tree = ast.parse((ROOT / "scoring/ledger/models/standings.py").read_text())
    columns: dict[str, list[str]] = {}
    for model in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        for line in model.body:
            if isinstance(line, ast.Assign) and isinstance(line.value, ast.Call):
                columns.setdefault(line.targets[0].id, []).append(model.name)
    assert len(columns["points"]) == len(columns["tournaments"]) == 1
    several = {name: models for name, models in columns.items() if len(models) > 1}
    # The player's other end has a name of each; the family is a key of the state.
    assert several == {"player": ["Standing", "YearTotal"], "family": ["Standing", "StandingsState"]}
