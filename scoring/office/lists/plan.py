"""What applying a list would do: worked out from the file's rows and the database, without writing."""

import hashlib
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.utils.functional import Promise

from players.models import Player, Proposal
from scoring.office.lists.issues import IssueList
from tournaments.formats.licence import normalise
from tournaments.formats.types import Column, Issue, TableRow
from ui.chunks import chunks


@dataclass(frozen=True, slots=True)
class Detail:
    """One thing that a line sets: `old` is None for what is new."""

    label: str | Promise
    new: str
    old: str | None = None


@dataclass(frozen=True, slots=True)
class PlanLine:
    """One line of the file that changes something, as the preview shows it."""

    line: int
    changes: bool  # False: it adds
    number: str
    name: str
    details: tuple[Detail, ...]


@dataclass(slots=True)
class Written:
    """What applying a list wrote, as undoing it needs it.

    created: ids of the rows that the list added
    changed: of each row that it changed the id, and its values before and after
    entries: ids of ledger entries that stand on the approval of a second person
    alone: number of changes that count among those that one person makes alone on a day
    players: whose standing or name may look different now; since: the first day on which, None for any
    """

    created: list[int] = field(default_factory=list)
    changed: list[dict[str, Any]] = field(default_factory=list)
    entries: list[int] = field(default_factory=list)
    alone: int = 0
    players: set[int] = field(default_factory=set)
    since: date | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "created": self.created, "changed": self.changed, "entries": self.entries, "alone": self.alone
        }  # fmt: skip


@dataclass(slots=True)
class Undoing:
    """What undoing a list would write: ids of rows to take away, rows to put back, and what is left alone.

    conflicts: a sentence for each row that is not as the list left it
    """

    remove: list[int] = field(default_factory=list)
    restore: list[dict[str, Any]] = field(default_factory=list)
    take_back: list[int] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)

    @property
    def number(self) -> int:
        return len(self.remove) + len(self.restore) + len(self.take_back)

    @property
    def digest(self) -> str:
        seen = (self.remove, self.restore, self.take_back)
        return hashlib.sha256(repr(seen).encode()).hexdigest()


@dataclass
class Plan:
    """What would be added and changed. `add` and `change` hold what the kind's `apply` writes.

    second: why a second person is needed: code -> number of lines (`scoring.office.acts.imports.WHY`)
    alone: number of changes that count among those that one person makes alone on a day
    """

    add: list[Any] = field(default_factory=list)
    change: list[Any] = field(default_factory=list)
    lines: list[PlanLine] = field(default_factory=list)
    same: int = 0
    second: Counter[str] = field(default_factory=Counter)
    alone: int = 0
    before: dict[int, dict[str, Any]] = field(default_factory=dict)  # row id -> values that change
    issues: tuple[Issue, ...] = ()

    @property
    def has_errors(self) -> bool:
        return any(issue.severity == "error" for issue in self.issues)

    @property
    def has_warnings(self) -> bool:
        return any(issue.severity == "warning" for issue in self.issues)

    @property
    def needs_second(self) -> bool:
        """Whether another person has to approve the list."""
        return any(self.second.values())

    @property
    def counts(self) -> dict[str, int]:
        return {"added": len(self.add), "changed": len(self.change), "same": self.same}

    @property
    def digest(self) -> str:
        """Changes whenever what would be done does: what is applied is what was looked at."""
        told = [
            (line.line, line.changes, line.number, [(each.old, each.new) for each in line.details])
            for line in self.lines
        ]
        return hashlib.sha256(repr(told).encode()).hexdigest()


class ImportKind(ABC):
    """One kind of list: its columns, how it turns into a plan, how the plan is written."""

    columns: Sequence[Column]

    @abstractmethod
    def plan(self, rows: Sequence[TableRow], today: date) -> Plan:
        """Compare the rows with the database. A handful of queries whatever their number."""

    def weigh_for(self, plan: Plan, by, today: date) -> None:  # noqa: B027
        """Add to the plan's `second` what depends on who applies it: nothing, unless a kind says so."""

    @abstractmethod
    def apply(self, plan: Plan, by, proposal: Proposal | None = None) -> Written:
        """Write a plan without errors, in bulk; the caller holds a transaction.

        proposal: the act of two persons that it stands on, if it needs one
        """

    @abstractmethod
    def undoing(self, written: dict[str, Any]) -> Undoing:
        """What undoing would do now. A handful of queries whatever the number of rows."""

    @abstractmethod
    def undo(self, undoing: Undoing, reason: str, by, proposal: Proposal | None = None) -> Written:
        """Write it, in bulk; the caller holds a transaction."""


class RowReader:
    """Reads the cells of a list's rows and keeps what is wrong with them.

    columns: those of the kind; an issue names the first of a column's headings
    """

    def __init__(self, columns: Sequence[Column]) -> None:
        self.issues = IssueList()
        self._headings = {column.key: column.names[0] for column in columns}
        self._seen: dict[Any, tuple[int, Any]] = {}

    def problem(self, code: str, row: TableRow, key: str, value: object = None, **params: str | int) -> None:
        """Note a problem of one cell."""
        shown = row.get(key) if value is None else value
        self.issues.add(code, row.line, self._headings[key], shown, **params)

    def number(self, row: TableRow) -> str | None:
        """The federation number as it is stored, or None with an issue."""
        number = normalise(row.get("number"))
        if number is None:
            self.problem("bad_federation_number", row, "number")
        return number

    def first_time(self, row: TableRow, key: Any, content: Any = None) -> bool:
        """Whether no earlier line spoke of `key`; otherwise an issue naming both lines."""
        earlier = self._seen.setdefault(key, (row.line, content))
        if earlier[0] == row.line:
            return True
        code = "repeated_row" if earlier[1] == content else "contradicting_row"
        self.problem(code, row, "number", first=earlier[0])
        return False

    def merged(self, row: TableRow, player: Player) -> bool:
        """Whether the number was merged into another one, with an issue that names it."""
        if player.merged_into_id:
            self.problem("merged_number", row, "number", player.number, kept=player.merged_into.number)
        return player.merged_into_id is not None

    def text(self, row: TableRow, key: str, limit: int) -> str | None:
        """A cell with single blanks, or None with an issue when it is too long."""
        text = " ".join(row.get(key).split())
        if len(text) > limit:
            self.problem("text_too_long", row, key, limit=limit)
            return None
        return text

    def yes_no(self, row: TableRow, key: str) -> bool | None:
        """True, False, or None for a blank cell (or one that is neither, with an issue)."""
        word = row.get(key).strip().casefold()
        if not word:
            return None
        if word in {"sí", "si", "s", "yes", "y", "x", "1"}:
            return True
        if word in {"no", "n", "0"}:
            return False
        self.problem("bad_yes_no", row, key)
        return None

    def known_players(self, rows: Iterable[TableRow]) -> list[tuple[TableRow, Player]]:
        """The rows whose number is a player's, with the player; issues for the others."""
        numbered = [(row, self.number(row)) for row in rows]
        players = players_by_number(number for _row, number in numbered if number)
        found = []
        for row, number in numbered:
            if number is None:
                continue
            if number not in players:
                self.problem("unknown_number", row, "number")
                continue
            if self.merged(row, players[number]):
                continue
            found.append((row, players[number]))
        return found


def players_by_number(numbers: Iterable[str]) -> dict[str, Player]:
    """Players by their number, with their club and whom they were merged into."""
    found: dict[str, Player] = {}
    for chunk in chunks(sorted(set(numbers))):
        for player in Player.objects.select_related("club", "merged_into").filter(number__in=chunk):
            found[player.number] = player
    return found


def iso(text: str) -> date | None:
    """A date cell, which the reader has already turned into ISO text; None when blank."""
    return date.fromisoformat(text) if text else None


def category_code(text: str) -> str:
    """A category as people write it, as its code: "2♠" and "2p" are 2P."""
    plain = re.sub(r"[\s\ufe0e\ufe0f]", "", text).upper()
    return plain.translate(str.maketrans("♦♥♠", "DCP"))
