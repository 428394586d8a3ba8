"""The output of the readers: frozen dataclasses that convert to and from JSON.

Numbers stay text (decimal strings with a point), so that nothing is rounded before the engine.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from dataclasses import field as dataclass_field
from typing import Any, Literal, Self

Severity = Literal["error", "warning", "info"]
Kind = Literal["pairs", "teams", "individual"]
Direction = Literal["NS", "EW"]


def _plain(item: Any) -> dict[str, Any]:
    """Return the fields of a slotted dataclass without converting their values."""
    return {name: getattr(item, name) for name in item.__slots__}


@dataclass(frozen=True, slots=True)
class Issue:
    """A problem of a file, or a note about it.

    code: key of `tournaments.formats.catalogue.CATALOGUE`; it is stored, so never rename one
    severity: an error blocks, a warning has to be accepted, an info only informs
    line: line of a text or XML file, row of a sheet; None if it concerns the whole file
    field: column heading or XML element as in the file, or the kind of value (licence, place, percentage,
    direction)
    value: the text of the file, at most 80 characters and without control characters
    params: further values for the placeholders of the message
    """

    code: str
    severity: Severity
    line: int | None = None
    field: str | None = None
    value: str = ""
    params: Mapping[str, str | int] = dataclass_field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {**_plain(self), "params": dict(self.params)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        return cls(**data)


class HasIssues:
    """Base class of results that come with issues: parsed files, rankings, drafts, plans of imports."""

    __slots__ = ()
    issues: Sequence[Issue]

    @property
    def has_errors(self) -> bool:
        return any(issue.severity == "error" for issue in self.issues)


@dataclass(frozen=True, slots=True)
class Person:
    """A person of a contestant.

    number: the licence as in the file; None for a guest or a stand-in
    line: the line of the file with this person
    """

    number: str | None
    name: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One contestant (pair, team or single player) as printed in the file's ranking."""

    line: int
    number: str | None
    place: str | None
    score: str | None
    percentage: str | None
    direction: Direction | None
    section: str | None
    team: str | None
    people: tuple[Person, ...]
    boards: int | None

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        people = tuple(Person(**person) for person in data["people"])
        return cls(**{**data, "people": people})


@dataclass(frozen=True, slots=True)
class BoardResult:
    """The result of one board at one table, which is one line of its traveller.

    ns, ew: contestant numbers of the two sides as in the file (two per side for individuals); number, section
    and side together identify an entry
    score: points for North-South, or an artificial score such as A6040
    ns_points, ew_points: matchpoints or IMPs printed on the line, as decimal strings
    round_number: of the match in a teams event, else None
    """

    board: int
    section: str | None
    ns: tuple[str, ...]
    ew: tuple[str, ...]
    score: str | None
    ns_points: str | None = None
    ew_points: str | None = None
    contract: str | None = None
    declarer: str | None = None
    tricks: str | None = None
    round_number: str | None = None

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        return cls(**{**data, "ns": tuple(data["ns"]), "ew": tuple(data["ew"])})


@dataclass(frozen=True, slots=True)
class EventInfo:
    """The event as stated in the file; None for missing or unreadable values.

    date: ISO text, never guessed
    winner_type: 2 if North-South and East-West are ranked separately
    boards: boards played by the winner
    boards_scheduled: boards of a contestant who sat out no round
    """

    title: str | None = None
    date: str | None = None
    club_name: str | None = None
    club_number: str | None = None
    source_id: str | None = None
    program: str | None = None
    kind: Kind | None = None
    scoring: str | None = None
    winner_type: Literal[1, 2] | None = None
    boards: int | None = None
    boards_scheduled: int | None = None
    session_count: int | None = None


@dataclass(frozen=True, slots=True)
class ParsedResult(HasIssues):
    """A parsed result file. Usable only if its issues have no error."""

    format_name: str
    file_name: str
    encoding: str | None = None
    event: EventInfo = EventInfo()
    entries: tuple[Entry, ...] = ()
    boards: tuple[BoardResult, ...] = ()
    issues: tuple[Issue, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return JSON values: dictionaries, lists, strings and numbers.

        Does not use dataclasses.asdict, which would deep-copy thousands of board results.
        """
        return {
            "format_name": self.format_name,
            "file_name": self.file_name,
            "encoding": self.encoding,
            "event": _plain(self.event),
            "entries": [
                {**_plain(entry), "people": [_plain(person) for person in entry.people]}
                for entry in self.entries
            ],
            "boards": [_plain(board) for board in self.boards],
            "issues": [issue.to_json() for issue in self.issues],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Rebuild the object from the output of to_json, also after a round trip through JSON text."""
        return cls(
            format_name=data["format_name"],
            file_name=data["file_name"],
            encoding=data["encoding"],
            event=EventInfo(**data["event"]),
            entries=tuple(Entry.from_json(item) for item in data["entries"]),
            boards=tuple(BoardResult.from_json(item) for item in data["boards"]),
            issues=tuple(Issue.from_json(item) for item in data["issues"]),
        )


ColumnKind = Literal["text", "licence", "integer", "decimal", "date"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column that a table may have.

    names: accepted headings in Spanish and English, compared without case, accents and punctuation
    kind: `integer` and `decimal` are returned as decimal strings with a point, `date` as ISO text
    required: whether the heading must be present
    filled: whether every cell must have a value
    """

    key: str
    names: tuple[str, ...]
    kind: ColumnKind = "text"
    required: bool = True
    filled: bool = False

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        return cls(**{**data, "names": tuple(data["names"])})


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of a table: its line in the file and the text of each recognised column."""

    line: int
    values: Mapping[str, str]

    def get(self, key: str) -> str:
        """Return the cell's text; "" if the cell is blank or the column missing."""
        return self.values.get(key, "")


@dataclass(frozen=True, slots=True)
class TableResult(HasIssues):
    """A parsed CSV or XLSX table. `headings` maps keys of recognised columns to the file's headings."""

    format_name: str
    file_name: str
    encoding: str | None = None
    headings: Mapping[str, str] = dataclass_field(default_factory=dict)
    rows: tuple[TableRow, ...] = ()
    issues: tuple[Issue, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return JSON values: dictionaries, lists, strings and numbers."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Rebuild the object from the output of to_json, also after a round trip through JSON text."""
        return cls(
            format_name=data["format_name"],
            file_name=data["file_name"],
            encoding=data["encoding"],
            headings=data["headings"],
            rows=tuple(TableRow(**row) for row in data["rows"]),
            issues=tuple(Issue.from_json(item) for item in data["issues"]),
        )
