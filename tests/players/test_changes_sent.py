"""All code that hides, erases or merges players sends `players_changed`."""

import ast
from collections.abc import Iterator

from tests.folders import ROOT

FIELDS = {"hidden", "erased_on", "merged_into"}
WRITERS = {"bulk_create", "bulk_update", "create", "update", "update_or_create"}
SIGNAL = "send_players_changed"
# Modules that leave the signal to others, and why.
EXCEPT = {
    "scoring/office/lists/players.py": "`writing` sends it for all kinds of lists",
    "scoring/dataset/loading.py": "an installation that was empty has no dumps and no pages to renew",
}


def modules() -> Iterator[tuple[str, ast.Module]]:
    """Yield the modules of the program but demo and migrations, as (path, tree)."""
    for package in ("accounts", "clubs", "federation", "players", "scoring", "tournaments"):
        for path in sorted((ROOT / package).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if "/migrations/" not in name and not name.startswith("scoring/demo/"):
                yield name, ast.parse(path.read_text())


def writes(node: ast.AST) -> bool:
    """Return whether a node sets one of `FIELDS`, or writes players past `save`."""
    if isinstance(node, ast.Assign):
        return any(
            getattr(part, "attr", "") in FIELDS for target in node.targets for part in ast.walk(target)
        )
    if not (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WRITERS
    ):
        return False
    if {keyword.arg for keyword in node.keywords} & FIELDS:
        return True
    return ast.unparse(node.func.value).startswith("Player.objects")


def test_modules_that_hide_erase_or_merge_send_the_signal():
    writing = {name: tree for name, tree in modules() if any(map(writes, ast.walk(tree)))}
    sending = {name for name, tree in writing.items() if SIGNAL in ast.dump(tree)}
    assert set(writing) - sending == set(EXCEPT)
    assert {"players/services/privacy.py", "scoring/privacy/erasing.py"} <= sending
