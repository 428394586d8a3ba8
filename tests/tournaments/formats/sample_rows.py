"""The rows of docs/samples.md: what the application does with a file. They name no people."""

import re

from tests.folders import ROOT
from tournaments.formats import read_go, read_results
from tournaments.formats.catalogue import CATALOGUE
from tournaments.formats.go_types import GoResult
from tournaments.formats.registry import get, is_of_go
from tournaments.formats.types import Issue, ParsedResult
from tournaments.formats.wording import describe

DOCUMENT = ROOT / "docs" / "samples.md"
_MISSING = {"name": "name", "start": "first day", "end": "last day", "tournament_class": "class"}


def row_of(shown: str, name: str, data: bytes) -> str:
    """Return the row about a file: what it is shown as, what kind it is, and what happens.

    shown: the file's name in the document
    name: the file's name as sent
    """
    result = read_go(name, data) if is_of_go(name, data) else read_results(name, data)
    errors = {issue.code: issue for issue in result.issues if issue.severity == "error"}
    declared = get(result.format_name)
    called = next((issue.params["found"] for issue in errors.values() if "found" in issue.params), "")
    kind = declared.name if declared else called or "–"
    what = "refused: " + " ".join(map(_refusal, errors.values())) if errors else _read(result)
    return f"| `{shown}` | {kind} | {what} |"


def _refusal(issue: Issue) -> str:
    """Return the texts of an issue, without what it quotes from the file."""
    message = CATALOGUE[issue.code].message.replace("%(found)s", issue.params.get("found", ""))
    quoted = re.sub(r"%\((\w+)\)s", r"*\1*", message)
    return f"{quoted} {describe(issue).remedy}".strip()


def _read(result: ParsedResult | GoResult) -> str:
    warnings = sorted({issue.code for issue in result.issues if issue.severity == "warning"})
    if isinstance(result, GoResult):
        rated = sum(not game.reason for game in result.games)
        text = f"read; players: {len(result.players)}; rated games: {rated}"
        if missing := [label for name, label in _MISSING.items() if not getattr(result, name)]:
            text += f"; the review asks for {', '.join(missing)}"
    else:
        text = f"read; contestants: {len(result.entries)}; results of boards: {len(result.boards)}"
    codes = ", ".join(f"`{code}`" for code in warnings)
    return f"{text}; to tick: {codes}" if codes else text
