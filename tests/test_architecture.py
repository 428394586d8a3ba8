"""Imports follow the layers of docs/architecture.md, and pure packages do not import Django."""

import ast
from functools import cache
from pathlib import Path

import pytest

from tests.folders import ROOT

# Layers, lowest first. A package imports only from lower layers, never from its own.
FLOORS = [
    ("ui",),
    ("players",),
    ("tournaments",),
    ("scoring.engine",),
    ("scoring.regulations",),
    ("scoring.ledger",),
    ("scoring.letters",),
    ("scoring.promotions", "scoring.ratings", "scoring.strength", "scoring.transparency"),
    (
        "scoring.calculator",
        "scoring.rulebook",
        "scoring.annulments",
        "scoring.uploads",
        "scoring.calendar",
        "scoring.clubs",
        "scoring.signups",
        "scoring.dataset",
    ),
    ("scoring.cases", "scoring.audit", "scoring.sanity"),
    ("scoring.office", "scoring.demo"),
    ("scoring.privacy", "scoring.changeover", "scoring.webhooks"),
    ("scoring.pages",),
    ("scoring.mypage", "scoring.feeds"),
    ("scoring.api",),
    ("scoring",),
    ("federation",),
]
FLOOR_OF = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
PACKAGES = ["ui", "players", "tournaments", "scoring", "federation"]
PURE = [
    "scoring.engine",
    "scoring.regulations",
    "scoring.promotions.pure",
    "scoring.transparency.tree",
    "scoring.transparency.notes",
    "tournaments.formats",
    "tournaments.ranking",
]


@cache
def modules() -> dict[str, Path]:
    """Return name -> path of every module of the project, except migrations."""
    files = {
        path: path.relative_to(ROOT).with_suffix("").parts
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
    }
    return {
        ".".join(parts).removesuffix(".__init__"): path
        for path, parts in files.items()
        if "migrations" not in parts
    }


@cache
def imported(module: str) -> set[str]:
    """Return the names of everything that a module imports, also inside functions.

    Modules of the project are named in full. Other imports keep the name in the import statement.
    """
    path = modules()[module]
    package = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            whole = {f"{base}.{alias.name}" for alias in node.names}
            names |= {name if name in modules() else base for name in whole}
    return names


def room_of(module: str) -> str:
    """Return the package, as named in `FLOORS`, that contains a module: "scoring.ledger", or "players"."""
    two = ".".join(module.split(".")[:2])
    return two if two in FLOOR_OF else module.split(".")[0]


def ours(names: set[str]) -> set[str]:
    return {name for name in names if name.split(".")[0] in PACKAGES}


def circles(graph: dict[str, set[str]]) -> dict[str, set[str]]:
    """Remove from an import graph every module that is on no cycle and on no path between cycles.

    Return the modules that are left, with their imports. The result is {} if nothing imports in a circle.

    graph: module -> modules that it imports
    """
    while True:
        inside = {module for module, names in graph.items() if names} & set().union(*graph.values())
        if inside == graph.keys():
            return graph
        graph = {module: graph[module] & inside for module in inside}


def test_the_helper_reduces_an_import_graph_to_its_cycles():
    lines = {"a": {"b"}, "b": {"c"}, "c": set()}
    assert circles(lines) == {}
    assert circles(lines | {"c": {"b"}, "d": {"d"}}) == {"b": {"c"}, "c": {"b"}, "d": {"d"}}


def test_imports_for_types_or_inside_functions_count(tmp_path, monkeypatch):
    path = tmp_path / "health.py"
    path.write_text("if TYPE_CHECKING:\n    from . import alarms\ndef late():\n    import ui.memo\n")
    monkeypatch.setitem(modules(), "federation.health_of_a_test", path)
    assert imported("federation.health_of_a_test") == {"federation.alarms", "ui.memo"}


def test_every_package_of_scoring_has_a_layer():
    folders = {path.parent.name for path in (ROOT / "scoring").glob("*/__init__.py")}
    assert {f"scoring.{folder}" for folder in folders - {"management"}} == {
        room for room in FLOOR_OF if room.startswith("scoring.")
    }
    loose = {path.name for path in (ROOT / "scoring").glob("*.py")}
    assert loose == {"__init__.py", "apps.py", "urls.py"}


@pytest.mark.parametrize("room", FLOOR_OF)
def test_packages_import_only_from_lower_layers(room):
    wrong = {
        f"{module}: {name}"
        for module in modules()
        if room_of(module) == room
        for name in ours(imported(module))
        if room_of(name) != room and FLOOR_OF[room_of(name)] >= FLOOR_OF[room]
    }
    assert not wrong


def test_there_are_no_import_cycles():
    """No module imports itself through others. Imports inside functions, and for types only, count too."""
    assert circles({module: ours(imported(module)) & modules().keys() for module in modules()}) == {}


@pytest.mark.parametrize("place", PURE)
def test_pure_packages_import_neither_django_nor_models(place):
    allowed = {"scoring.engine", "scoring.regulations"} if place.startswith("scoring.") else set()
    result = [module for module in modules() if f"{module}.".startswith(f"{place}.")]
    assert result
    wrong = {
        f"{module}: {name}"
        for module in result
        for name in imported(module)
        if name.split(".")[0] in {"django", "celery"}
        or (name.split(".")[0] in PACKAGES and not name.startswith((*allowed, *PURE)))
    }
    assert not wrong


def test_queries_import_no_services():
    """Queries only read. They could write if they imported services."""
    asking = {
        module
        for module in modules()
        if "queries" in module.split(".")
        and any("services" in name.split(".") for name in ours(imported(module)))
    }
    assert asking == set()


def test_queries_use_acts_only_through_the_registry():
    """Queries import only the registry of acts, never an act. Acts write, and queries only read.

    The registry tells a query which proposals an account may decide.
    """
    asking = {
        module
        for module in modules()
        if "queries" in module.split(".")
        and any("acts" in name.split(".")[:-1] for name in ours(imported(module)))
    }
    assert asking == set()


def test_no_package_imports_the_views_of_another():
    asking = {
        module
        for module in modules()
        if not module.endswith(".urls")
        for name in ours(imported(module))
        if "views" in name.split(".") and room_of(name) != room_of(module)
    }
    assert asking == set()


def test_standings_and_year_totals_declare_their_common_columns_once():
    """Columns that standings and year totals share are declared once, in their base class.

    Code that compares, repairs or shows both kinds of total reads the list of columns of that class.
    """
    tree = ast.parse((ROOT / "scoring/ledger/models/standings.py").read_text())
    columns: dict[str, list[str]] = {}
    for model in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        for line in model.body:
            if isinstance(line, ast.Assign) and isinstance(line.value, ast.Call):
                columns.setdefault(line.targets[0].id, []).append(model.name)
    assert len(columns["points"]) == len(columns["tournaments"]) == 1
    managers = {"objects", "stored"}
    several = {name: models for name, models in columns.items() if len(models) > 1 and name not in managers}
    # `player` needs a different related name in each model. `family` is the primary key of the state.
    assert several == {"player": ["Standing", "YearTotal"], "family": ["Standing", "StandingsState"]}
