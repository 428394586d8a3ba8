"""Read changeovers: their issues and differences."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from players.models import Player
from scoring.changeover.models import Changeover, ChangeoverBalance
from tournaments.formats.types import LINES_PER_FILE, Issue
from ui.chunks import rows_in


def has_errors(changeover: Changeover) -> bool:
    """Return whether an issue keeps the changeover from being applied."""
    return any(item.severity == "error" for item in issues_of(changeover))


def issues_of(changeover: Changeover) -> list[Issue]:
    """Return all issues. The line of an issue also says in which file it is, see `LINES_PER_FILE`."""
    issues = [Issue.from_json(item) for item in changeover.issues]
    for file in changeover.files.defer("content"):
        for item in map(Issue.from_json, file.issues):
            issues.append(replace(item, line=file.position * LINES_PER_FILE + (item.line or 0)))
    return issues


def with_players(balances: Sequence[ChangeoverBalance]) -> list[dict[str, Any]]:
    """Return the rows of the table of differences, with the players' names. One query."""
    players = {
        player.number: player
        for player in rows_in(Player.objects.all(), "number", [balance.number for balance in balances])
    }
    return [
        {
            "number": balance.number,
            "name": players[balance.number].desk_name if balance.number in players else "",
            "stated": balance.stated,
            "computed": balance.computed,
            "difference": (balance.computed or 0) - (balance.stated or 0),
        }
        for balance in balances
    ]


def brought_in() -> Iterator[tuple[int, int]]:
    """Yield (first id, last id) of the ledger entries that changeovers posted."""
    applied = Changeover.objects.exclude(applied_at=None).values_list("entries", flat=True)
    yield from ((first, last) for entries in applied for first, last in entries)
