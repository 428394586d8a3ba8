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
Seat = Literal["N", "E", "S", "W"]
Vulnerable = Literal["none", "NS", "EW", "both"]
Hands = tuple[str, str, str, str]
# What a file contributed to an upload of several files.
Role = Literal["ranking", "session", "section", "boards", "hands", "names", "unused"]
# In a result joined from several files, the line numbers of the n-th file are raised by n times this number.
LINES_PER_FILE = 10_000_000


def _plain(item: Any) -> dict[str, Any]:
    """Return {field: value} of a slotted dataclass. The values are not converted."""
    return {name: getattr(item, name) for name in item.__slots__}


def place_of(line: int | None, files: Sequence[str]) -> tuple[str, int]:
    """Return the name of the file to which a line number belongs, and the line there; 0 for the whole file.

    files: the names of the files of a joined result, as `ParsedResult.files` has them
    """
    index, line = divmod(line or 0, LINES_PER_FILE)
    return (files[index - 1] if 0 < index <= len(files) else ""), line


@dataclass(frozen=True, slots=True)
class Issue:
    """A problem of a file, or a note about it.

    code: key of `tournaments.formats.catalogue.CATALOGUE`; codes are stored, so never rename them
    severity: an error blocks, a warning has to be accepted, an info only informs
    line: line of a text or XML file, row of a sheet; None if it concerns the whole file
    field: column heading or XML element as in the file, or one of licence, place, percentage and direction
    value: the text in the file, shortened and without control characters
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

    number: the licence number as in the file; None for a guest, or for a director who plays to complete a
        table
    line: the line of the file where the person stands
    """

    number: str | None
    name: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One contestant (pair, team or single player) as printed in the file's ranking.

    number: the contestant's number in the tournament, as in the file
    """

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
    """The result of one board at one table: a line of the board's traveller.

    ns, ew: numbers of the contestants who sat North-South and East-West, as in the file. An individual
        tournament has two numbers per side. Number, section and side together identify an `Entry`
    score: points for North-South, or an artificial score such as A6040
    ns_points, ew_points: matchpoints or IMPs printed on the line, as decimal strings
    contract, declarer, lead, tricks: as in the file; `tournaments.formats.cards` parses them. The tricks are
        those that declarer took, from 0 to 13
    round_number: number of the round, only in a match of teams
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
    lead: str | None = None

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        return cls(**{**data, "ns": tuple(data["ns"]), "ew": tuple(data["ew"])})


@dataclass(frozen=True, slots=True)
class TableSeats:
    """The pairs whose people sit down at a table before play.

    section: as in `BoardResult`
    ns, ew: the numbers of the pairs; "" if nobody sits there
    is_sure: False if the pairs move before the first round, if they follow from the results alone, or if
        another session begins with other pairs there
    """

    section: str | None
    table: int
    ns: str
    ew: str
    is_sure: bool = True


@dataclass(frozen=True, slots=True)
class Deal:
    """The cards of one board. `tournaments.formats.cards.make_deal` builds and checks it.

    section: the section that played these cards; None if all sections did
    vulnerable: the sides that are vulnerable
    hands: the hands of North, East, South and West, each its four suits from spades to clubs, such as
        `AQ84.K73.QT5.K92`
    """

    board: int
    section: str | None
    dealer: Seat
    vulnerable: Vulnerable
    hands: Hands

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        return cls(**{**data, "hands": tuple(data["hands"])})


@dataclass(frozen=True, slots=True)
class EventInfo:
    """The event as stated in the file. Missing and unreadable values are None.

    date: ISO text
    winner_type: 2 if North-South and East-West are ranked separately
    boards: boards played by the winner
    boards_scheduled: boards of a contestant who sat out no round
    unit: of the scores, if the file states it: IMPs, victory points or matchpoints
    session: number of the session after which the file has the ranking of all sessions so far
    section: letter of the only section that the file has
    start_date: the first day as ISO text, if it is another than `date`
    venue: online, if the file comes from a program for playing online
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
    unit: Literal["imps", "vp", "mp"] | None = None
    session: int | None = None
    section: str | None = None
    start_date: str | None = None
    venue: Literal["online"] | None = None


@dataclass(frozen=True, slots=True)
class SheetLayout:
    """The shape of the table in a sheet, from which a user says what each column means.

    sheet: the name of the sheet; "" if the file is no workbook
    digest: of the headings, by which the same layout is recognised in another file
    rows: the first rows
    count: the number of rows
    meanings: what each column means (`layouts.MEANINGS`), as proposed or as chosen; "" is not read
    tables: the number of tables in the sheet if the user has to choose what they are, else 0. The last column
        then has the number of the table, and its meaning is one of `layouts.TABLES`
    file: the number of its file, from 1 on, if the result was joined from several; else 0
    """

    sheet: str
    digest: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    count: int
    meanings: tuple[str, ...]
    tables: int = 0
    file: int = 0

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        rows = tuple(tuple(row) for row in data["rows"])
        headings, meanings = tuple(data["headings"]), tuple(data["meanings"])
        return cls(**{**data, "headings": headings, "rows": rows, "meanings": meanings})


@dataclass(frozen=True, slots=True)
class Choice:
    """What a user has chosen that the columns of a layout mean.

    digest, meanings: as in `SheetLayout`
    sheet: the name of the sheet, if it was chosen for this very file
    is_remembered: whether it was chosen for an earlier file of the club
    """

    digest: str
    meanings: tuple[str, ...]
    sheet: str = ""
    is_remembered: bool = False

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        return cls(**{**data, "meanings": tuple(data["meanings"])})


@dataclass(frozen=True, slots=True)
class Found:
    """One of several entries of a board result in a file.

    time: the time of day when it was entered, such as 19:30; "" if it is not known
    remark: what the file remarks about it
    erased: whether it was erased
    """

    time: str
    remark: str
    erased: bool
    result: BoardResult

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        return cls(**{**data, "result": BoardResult.from_json(data["result"])})


@dataclass(frozen=True, slots=True)
class Doubt:
    """A board result about which the director should decide.

    index: its index among the board results of the file
    codes: the codes of the issues about it
    board, ns, ew: the numbers of the board and of the pairs, as in these issues
    entries: the entries that were found, of which one may be chosen
    place: section, table and round, as in the parameter of that name of these issues
    file: the number of its file, from 1 on, if the result was joined from several; else 0
    """

    index: int
    codes: tuple[str, ...]
    board: int
    ns: int
    ew: int
    entries: tuple[Found, ...]
    place: str = ""
    file: int = 0

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        entries = tuple(Found.from_json(item) for item in data["entries"])
        return cls(**{**data, "codes": tuple(data["codes"]), "entries": entries})


@dataclass(frozen=True, slots=True)
class FilePart:
    """A file of a result that was joined from several."""

    name: str
    role: Role


@dataclass(frozen=True, slots=True)
class Stated:
    """The results of a ranking that could also be computed, because another file has results of the boards.

    name, other: the names of the file with the ranking and of the first file with results of the boards
    scoring, unit, boards: of the ranking, as in `EventInfo`
    figures: place, percentage, score and number of boards of each contestant
    method: the way of scoring by which the contestants have computed results; "" if they have the stated ones
    """

    name: str
    other: str
    scoring: str | None
    unit: Literal["imps", "vp", "mp"] | None
    boards: int | None
    figures: tuple[tuple[str | None, str | None, str | None, int | None], ...]
    method: str = ""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        return cls(**{**data, "figures": tuple(tuple(figures) for figures in data["figures"])})


@dataclass(frozen=True, slots=True)
class ParsedResult(HasIssues):
    """A parsed result file. It can only be confirmed if none of its issues is an error.

    doubts: the board results about which the director should decide
    deals: at most one of each section and board
    files: the files from which the result was joined; empty for a single file. `LINES_PER_FILE` says how line
        numbers then name their file
    layouts: of CSV files and workbooks, the sheets in which a user chose or may choose what a column means
    stated: the results of the ranking, if those of the boards come from another file that has no ranking
    seats: where the pairs begin, if the file has a movement. They name the pairs of a list by tables
    """

    format_name: str
    file_name: str
    encoding: str | None = None
    event: EventInfo = EventInfo()
    entries: tuple[Entry, ...] = ()
    boards: tuple[BoardResult, ...] = ()
    deals: tuple[Deal, ...] = ()
    issues: tuple[Issue, ...] = ()
    layouts: tuple[SheetLayout, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    files: tuple[FilePart, ...] = ()
    stated: Stated | None = None
    seats: tuple[TableSeats, ...] = ()

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
            "deals": [_plain(deal) for deal in self.deals],
            "issues": [issue.to_json() for issue in self.issues],
            "layouts": [_plain(layout) for layout in self.layouts],
            "doubts": [asdict(doubt) for doubt in self.doubts],
            "files": [_plain(part) for part in self.files],
            "stated": _plain(self.stated) if self.stated else None,
            "seats": [_plain(seats) for seats in self.seats],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Rebuild the object from the output of to_json, also after a round trip through JSON text.

        Drafts that were stored before deals were read have no "deals", and their boards no "lead"; those from
        before columns could be chosen have no "layouts"; earlier ones have no "doubts", "files", "stated" and
        "seats".
        """
        return cls(
            format_name=data["format_name"],
            file_name=data["file_name"],
            encoding=data["encoding"],
            event=EventInfo(**data["event"]),
            entries=tuple(Entry.from_json(item) for item in data["entries"]),
            boards=tuple(BoardResult.from_json(item) for item in data["boards"]),
            deals=tuple(Deal.from_json(item) for item in data.get("deals", ())),
            issues=tuple(Issue.from_json(item) for item in data["issues"]),
            layouts=tuple(SheetLayout.from_json(item) for item in data.get("layouts", ())),
            doubts=tuple(Doubt.from_json(item) for item in data.get("doubts", ())),
            files=tuple(FilePart(**item) for item in data.get("files", ())),
            stated=Stated.from_json(data["stated"]) if data.get("stated") else None,
            seats=tuple(TableSeats(**item) for item in data.get("seats", ())),
        )


ColumnKind = Literal["text", "licence", "integer", "decimal", "date"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column that a table may have.

    names: accepted headings in Spanish and English, compared without case, accents and punctuation
    kind: how cells are normalised: `integer` and `decimal` to decimal strings with a point, `date` to ISO
        text
    required: whether the table must have the column
    filled: whether every cell must have a value
    hints: headings for which the page of columns proposes this column
    """

    key: str
    names: tuple[str, ...]
    kind: ColumnKind = "text"
    required: bool = True
    filled: bool = False
    hints: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        return cls(**{**data, "names": tuple(data["names"]), "hints": tuple(data["hints"])})


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of a table: its line in the file and {column key: cell text}."""

    line: int
    values: Mapping[str, str]

    def get(self, key: str) -> str:
        """Return the cell's text; "" if the cell is blank or the column missing."""
        return self.values.get(key, "")


@dataclass(frozen=True, slots=True)
class TableResult(HasIssues):
    """A parsed CSV or XLSX table.

    headings: {key of a recognised column: its heading in the file}
    layouts: the sheets in which a user chose, or may choose, what the columns mean; empty if all are known
    """

    format_name: str
    file_name: str
    encoding: str | None = None
    headings: Mapping[str, str] = dataclass_field(default_factory=dict)
    rows: tuple[TableRow, ...] = ()
    issues: tuple[Issue, ...] = ()
    layouts: tuple[SheetLayout, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return JSON values: dictionaries, lists, strings and numbers.

        Does not use dataclasses.asdict, which would deep-copy many thousands of rows.
        """
        return {
            "format_name": self.format_name,
            "file_name": self.file_name,
            "encoding": self.encoding,
            "headings": dict(self.headings),
            "rows": [_plain(row) for row in self.rows],
            "issues": [issue.to_json() for issue in self.issues],
            "layouts": [_plain(layout) for layout in self.layouts],
        }

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
            layouts=tuple(SheetLayout.from_json(item) for item in data.get("layouts", ())),
        )
