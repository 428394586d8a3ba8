"""Plan what applying or undoing an imported list would change, by comparing its rows with the database."""

import hashlib
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Self

from django.utils.functional import Promise
from django.utils.translation import gettext, override

from players.models import Player, PlayerChange, Proposal
from tournaments.formats.catalogue import CATALOGUE
from tournaments.formats.issues import IssueList, merged
from tournaments.formats.licence import normalise
from tournaments.formats.types import Column, Issue, TableRow
from tournaments.services.ticks import Ticked
from ui.chunks import rows_in

# The first column of every list.
NUMBER = Column(
    "number",
    ("Número", "Number", "Licencia", "Número de licencia", "Licence"),
    "licence",
    filled=True,
    hints=("Nº", "Núm", "Lic", "Socio", "Federado", "Carnet", "AEB", "Código", "Member", "ID", "No"),
)


@dataclass(frozen=True, slots=True)
class Detail:
    """A value that a line of an imported list sets, as the preview shows it.

    old: the value before; None if there was none
    daily: whether `old` and `new` depend on the day on which they are computed, like today's category
    private: whether only the office sees `old` and `new`; they are not stored with the applied list
    """

    label: str | Promise
    new: str
    old: str | None = None
    daily: bool = False
    private: bool = False

    def to_json(self) -> list[Any]:
        """Return the detail as `from_json` takes it, with its label as a message id."""
        with override("en"):
            return [str(self.label), self.new, self.old, self.daily, self.private]

    @classmethod
    def from_json(cls, values: Sequence[Any]) -> Self:
        label, *others = values
        return cls(gettext(label), *others)


@dataclass(frozen=True, slots=True)
class PlanLine:
    """A line of the file that adds or changes something, as the preview shows it."""

    line: int
    changes: bool  # False if the line adds a row
    number: str
    name: str
    details: tuple[Detail, ...]


@dataclass(slots=True)
class Written:
    """What applying or undoing an imported list has written to the database.

    All fields except `players` and `since` are stored with the part, so that the list can be undone.

    created: ids of the added rows
    changed: the id of each changed row, with its values before and after
    entries: after applying, ids of the adjustments posted; after undoing, ids of the ledger entries that
        take others back
    conflicts: a sentence for each row that stays, because it was changed or used since
    players: ids of the players whose standings must be refreshed
    since: the first day on which standings may change; None if unknown
    """

    created: list[int] = field(default_factory=list)
    changed: list[dict[str, Any]] = field(default_factory=list)
    entries: list[int] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    players: set[int] = field(default_factory=set)
    since: date | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "created": self.created,
            "changed": self.changed,
            "entries": self.entries,
            "conflicts": self.conflicts,
        }


@dataclass(slots=True)
class UndoPlan:
    """What undoing an imported list would change.

    remove: ids of rows to delete, revoke or reverse
    restore: rows to set back to their former values; each item has the shape of one in `Written.changed`
    take_back: ids of adjustments to take back
    conflicts: a sentence for each row that stays, because it was changed or used after the list was applied
    second: {code of a reason for a second person: number of rows}, as in `Plan`
    alone: how many rows of `remove` count towards the daily limit of changes without a second person
    """

    remove: list[int] = field(default_factory=list)
    restore: list[dict[str, Any]] = field(default_factory=list)
    take_back: list[int] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    second: Counter[str] = field(default_factory=Counter)
    alone: int = 0

    @property
    def number(self) -> int:
        return len(self.remove) + len(self.restore) + len(self.take_back)

    @property
    def digest(self) -> str:
        return digest_of((self.remove, self.restore, self.take_back))


class ForTwo:
    """What may need a second person.

    second: {code of a reason for a second person: number of lines}
    """

    second: Counter[str]

    @property
    def needs_second(self) -> bool:
        """Whether a second person has to approve it."""
        return any(self.second.values())


@dataclass
class Plan(Ticked, ForTwo):
    """What applying an imported list would change.

    add, change: what `ImportKind.apply` adds and changes; the types depend on the kind of list
    same: number of lines that change nothing
    second: {code of a reason for a second person (a key of `scoring.office.lists.acts.WHY`): number of lines}
    alone: number of changes that count towards the daily limit of changes without a second person
    """

    add: list[Any] = field(default_factory=list)
    change: list[Any] = field(default_factory=list)
    lines: list[PlanLine] = field(default_factory=list)
    same: int = 0
    second: Counter[str] = field(default_factory=Counter)
    alone: int = 0
    before: dict[int, dict[str, Any]] = field(default_factory=dict)  # by row id: `Written.changed`
    former: dict[Any, dict[str, Any]] = field(default_factory=dict)  # by row: its values for the journal
    issues: tuple[Issue, ...] = ()
    accepted: Collection[str] = ()

    @property
    def counts(self) -> dict[str, int]:
        return {"added": len(self.add), "changed": len(self.change), "same": self.same}

    @property
    def digest(self) -> str:
        """A digest of the plan's lines, so that only the previewed plan can be applied.

        Details that depend on the present day (`Detail.daily`) are left out. A list may be approved on a
        later day than it was prepared.
        """
        content = [
            (
                line.line,
                line.changes,
                line.number,
                [(detail.old, detail.new) for detail in line.details if not detail.daily],
            )
            for line in self.lines
        ]
        return digest_of(content)


@dataclass
class Comparison(Ticked, ForTwo):
    """What applying a list, or a part of it, would change: a `Plan` without its rows, which are stored.

    digest: the digest of the plan, or of the parts' plans
    counts: the numbers of rows that add, that change, and that change nothing
    second, alone: as in `Plan`
    issues: as in `Plan`
    day: the day for which it was made
    language: the language of the stored details, in which the digest was computed
    """

    digest: str
    counts: dict[str, int]
    second: Counter[str]
    alone: int
    issues: tuple[Issue, ...]
    day: date
    language: str
    accepted: Collection[str] = ()

    @classmethod
    def of_plan(cls, plan: Plan, day: date, language: str) -> Self:
        return cls(plan.digest, plan.counts, plan.second, plan.alone, plan.issues, day, language)

    @classmethod
    def of_parts(cls, parts: Sequence["Comparison"], day: date, language: str) -> Self:
        """Join the comparisons of all parts of a list, in their order."""
        digest = parts[0].digest if len(parts) == 1 else digest_of([part.digest for part in parts])
        counts = {key: sum(part.counts[key] for part in parts) for key in ("added", "changed", "same")}
        second: Counter[str] = Counter()
        for part in parts:
            second.update(part.second)
        alone, issues = sum(part.alone for part in parts), merged([part.issues for part in parts])
        return cls(digest, counts, second, alone, issues, day, language)

    @classmethod
    def empty(cls, day: date, language: str) -> Self:
        """Return the comparison of a list without rows, or of one that is not compared yet."""
        return cls.of_parts([], day, language)

    def to_json(self) -> dict[str, Any]:
        return {
            "digest": self.digest,
            "counts": self.counts,
            "second": dict(self.second),
            "alone": self.alone,
            "issues": [issue.to_json() for issue in self.issues],
            "day": self.day.isoformat(),
            "language": self.language,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        return cls(
            **data
            | {
                "second": Counter(data["second"]),
                "issues": tuple(Issue.from_json(item) for item in data["issues"]),
                "day": date.fromisoformat(data["day"]),
            }
        )

    @property
    def number(self) -> int:
        """The number of lines that are written."""
        return self.counts["added"] + self.counts["changed"]


def digest_of(content: Any) -> str:
    """Return a digest of plain values."""
    return hashlib.sha256(repr(content).encode()).hexdigest()


@dataclass
class Undoing(ForTwo):
    """What undoing a list would change: the plans of its parts, counted.

    digests: those of the parts' plans
    conflicts, second, alone: of all parts, as in `UndoPlan`
    """

    number: int = 0
    alone: int = 0
    digests: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    second: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of_plan(cls, plan: UndoPlan) -> Self:
        return cls(plan.number, plan.alone, [plan.digest], plan.conflicts, plan.second)

    @classmethod
    def of_parts(cls, parts: Iterable["Undoing"]) -> Self:
        """Join what undoing the parts of a list would change, in their order."""
        whole = cls()
        for part in parts:
            whole.number += part.number
            whole.alone += part.alone
            whole.digests += part.digests
            whole.conflicts += part.conflicts
            whole.second.update(part.second)
        return whole

    def to_json(self, day: date) -> dict[str, Any]:
        return {
            "number": self.number,
            "alone": self.alone,
            "digests": self.digests,
            "conflicts": self.conflicts,
            "second": dict(self.second),
            "day": day.isoformat(),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        values = {key: value for key, value in data.items() if key != "day"}
        return cls(**values | {"second": Counter(data["second"])})

    @property
    def digest(self) -> str:
        return digest_of(self.digests)


class ImportKind(ABC):
    """A kind of imported list: its columns, and how to plan, apply and undo it."""

    columns: Sequence[Column]
    whole = False  # whether a list is written in one transaction, not part by part

    @abstractmethod
    def plan(self, rows: Sequence[TableRow], today: date) -> Plan:
        """Return what applying the rows would change, compared with the database.

        The number of queries must not grow with the number of rows.
        """

    def journal(self, plan: Plan) -> list[PlayerChange]:
        """Return unsaved lines of the journal of the register about what `apply` has just written.

        By default there are none: the history of what the list changes is kept elsewhere.
        """
        return []

    def undo_journal(self, plan: UndoPlan) -> list[PlayerChange]:
        """Return unsaved lines of the journal of the register about what `undo` is going to write."""
        return []

    def count_reasons_for(self, plan: Comparison | Undoing, by, today: date) -> None:  # noqa: B027
        """Count in `plan.second` why the account `by` needs a second person for this plan.

        Count only the reasons that depend on the account, such as its daily limit. By default there are none.
        """

    @abstractmethod
    def apply(self, plan: Plan, by, proposal: Proposal | None = None, part: int = 0) -> Written:
        """Write to the database what the plan would change. Return what was written.

        The plan must have no errors. The caller has begun a transaction. Each query writes many rows.

        proposal: the approved proposal, if a second person decided
        part: the number of the list's part whose plan it is
        """

    @abstractmethod
    def plan_undo(self, written: dict[str, Any], today: date) -> UndoPlan:
        """Return what undoing would change now, with the reasons for a second person.

        The number of queries must not grow with the number of rows.

        written: the stored fields of `Written`
        """

    @abstractmethod
    def undo(
        self, plan: UndoPlan, reason: str, by, at: datetime, proposal: Proposal | None = None
    ) -> Written:
        """Undo a part as planned. Return what was written.

        The caller has begun a transaction. Each query changes many rows.

        at: when undoing the list began
        """


class RowReader:
    """Reads the cells of a list's rows and collects their issues.

    columns: the columns of the kind of list; issues name a column by its first heading
    """

    def __init__(self, columns: Sequence[Column]) -> None:
        self.issues = IssueList()
        self._headings = {column.key: column.names[0] for column in columns}
        self._first_lines: dict[Any, tuple[int, Any]] = {}
        self._wrong_lines: set[int] = set()

    def add_issue(
        self, code: str, row: TableRow, key: str, value: object = None, **params: str | int
    ) -> None:
        """Add an issue about a cell. `value` defaults to the cell's text.

        key: the cell's column
        params: values for the placeholders of the message
        """
        text = row.get(key) if value is None else value
        self.issues.add(code, row.line, self._headings[key], text, **params)
        if CATALOGUE[code].severity == "error":
            self._wrong_lines.add(row.line)

    def is_wrong(self, row: TableRow) -> bool:
        """Return whether the row has an error. The plan leaves such rows out: they add and change nothing."""
        return row.line in self._wrong_lines

    def number(self, row: TableRow) -> str | None:
        """Return the row's federation number, normalised. Return None and add an issue if it is invalid."""
        number = normalise(row.get("number"))
        if number is None:
            self.add_issue("bad_federation_number", row, "number")
        return number

    def is_first(self, row: TableRow, key: Any, content: Any = None) -> bool:
        """Return whether this is the first row with this key. If not, add an issue with both line numbers.

        The issue is "repeated_row" if `content` equals that of the first row, else "contradicting_row".

        key: identifies what the row is about, for example a player
        content: the other values of the row
        """
        line, first_content = self._first_lines.setdefault(key, (row.line, content))
        if line == row.line:
            return True
        code = "repeated_row" if first_content == content else "contradicting_row"
        self.add_issue(code, row, "number", first=line)
        return False

    def is_merged(self, row: TableRow, player: Player) -> bool:
        """Return whether the player was merged into another number. Add an issue if so."""
        if player.merged_into_id:
            self.add_issue("number_merged", row, "number", player.number, kept=player.merged_into.number)
        return player.merged_into_id is not None

    def is_erased(self, row: TableRow, player: Player) -> bool:
        """Return whether the player's data were erased. Add an issue if so: no list brings them back."""
        if player.erased_on:
            self.add_issue("number_erased", row, "number", player.number)
        return player.erased_on is not None

    def text(self, row: TableRow, key: str, limit: int) -> str | None:
        """Return a cell's text with single spaces. Return None and add an issue if it is too long."""
        text = " ".join(row.get(key).split())
        if len(text) > limit:
            self.add_issue("text_over_limit", row, key, limit=limit)
            return None
        return text

    def yes_no(self, row: TableRow, key: str) -> bool | None:
        """Return True for yes, False for no, None for a blank cell.

        For any other word, return None and add an issue.
        """
        word = row.get(key).strip().casefold()
        if not word:
            return None
        if word in {"sí", "si", "s", "yes", "y", "x", "1"}:
            return True
        if word in {"no", "n", "0"}:
            return False
        self.add_issue("bad_yes_no", row, key)
        return None

    def known_players(self, rows: Iterable[TableRow]) -> list[tuple[TableRow, Player]]:
        """Return each row with its player. Rows without a player are left out and get an issue instead."""
        numbered = [(row, number) for row in rows if (number := self.number(row))]
        players = players_by_number(number for _row, number in numbered)
        known = []
        for row, number in numbered:
            if number not in players:
                self.add_issue("unknown_number", row, "number")
            elif not self.is_merged(row, players[number]):
                known.append((row, players[number]))
        return known


def players_by_number(numbers: Iterable[str]) -> dict[str, Player]:
    """Return {number: player}, with the players' clubs and, for merged players, the surviving players."""
    players = Player.objects.select_related("club", "merged_into")
    return {player.number: player for player in rows_in(players, "number", set(numbers))}


def parse_date(text: str) -> date | None:
    """Parse a date cell, which the file's reader has converted to ISO format; None if it is blank."""
    return date.fromisoformat(text) if text else None


def category_code(text: str) -> str:
    """Convert a category as people write it ("2♠", "2p") to its code ("2P")."""
    plain = re.sub(r"[\s\ufe0e\ufe0f]", "", text).upper()
    return plain.translate(str.maketrans("♦♥♠", "DCP"))
