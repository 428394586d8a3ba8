"""Read a start list: who plays in each pair or team of a file that names nobody.

The list is a CSV file, a workbook or pasted text. A row has the number of a pair, and the names or the
licence numbers of its players; or it has one player, so that the rows with one number are a pair. Headings
are used if there are any; those of a table and its seats (Mesa, Norte, Sur, Este, Oeste) make two pairs of
each row, and those of a table and a line (Mesa, Línea) give each row its pair. Otherwise the first number of
a row is that of the pair, further numbers are licences, and other texts are names.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, Self, cast

from . import limits, registry, results_table, table_lists, values
from .contestants import PositionFinder
from .declaration import TableFormat
from .issues import IssueList, issue
from .people_cells import splitter
from .table import Grid
from .types import Direction, Entry, HasIssues, Issue, Person, TableSeats

Kind = Literal[
    "pair", "direction", "section", "licence", "name", "table", "NS", "EW", "pair NS", "pair EW", "other"
]
# {(table, direction): [(section, index in the ranking of the pair that begins there)]}
Begin = Mapping[tuple[str, str | None], Sequence[tuple[str | None, int]]]
PAIR = 2
PROBED_ROWS = 40  # rows that tell whether a column has seats
_PACKAGES = (b"PK", b"\xd0\xcf\x11\xe0")
_NUMBER = re.compile(
    r"(?:([A-Za-z]{1,3})[ -]?)?0*([1-9][0-9]{0,3})(?:\s*-?\s*([A-Za-z]{2}|[A-Za-z]-[A-Za-z]))?"
)
_NUMBER_AND_TEXT = re.compile(r"([0-9]{1,4})[\s.:)]+(\D.*)")
_LICENCE = re.compile(r"[0-9]{1,8}")
_KINDS: dict[Kind, Sequence[str]] = {
    "pair": (*results_table.TEAMS, "pairnumber", "nº de pareja", "par", "nº equipo", "nº"),
    "direction": (*results_table.DIRECTIONS, "initial seating", "seat", "asiento", "seating"),
    "section": results_table.SECTIONS,
    "licence": (*results_table.LICENCES, "abf no", "nº federado", "federado"),
    "name": results_table.NAMES,
}


# Columns of the pairs of a line: their numbers, or the names of both people.
_PAIR_OF: dict[Direction, Kind] = {"NS": "pair NS", "EW": "pair EW"}
_SIDE_OF: dict[Kind, Direction] = {"pair NS": "NS", "pair EW": "EW"}
_HEADINGS = {values.fold(name): kind for kind, names in _KINDS.items() for name in names}


@dataclass(frozen=True, slots=True)
class StartRow:
    """The people of one pair or team. Section and direction are None if the list does not state them.

    tables: the number of tables if `number` is that of the table at which the pair begins, else 0
    """

    line: int
    number: str
    direction: Direction | None
    section: str | None
    people: tuple[Person, ...]
    tables: int = 0

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        people = tuple(Person(**person) for person in data["people"])
        return cls(**{**data, "people": people})


@dataclass(frozen=True, slots=True)
class StartList(HasIssues):
    """A parsed start list, at most one row for each number, section and direction."""

    format_name: str
    file_name: str
    rows: tuple[StartRow, ...] = ()
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
            rows=tuple(StartRow.from_json(row) for row in data["rows"]),
            issues=tuple(Issue.from_json(item) for item in data["issues"]),
        )


def parse_start_list(file_name: str, data: bytes) -> StartList:
    """Read the bytes of a list. Problems become issues; no exception is raised."""
    if len(data) > limits.UPLOAD_BYTES:
        too_large = issue("too_large", size=len(data), limit=limits.UPLOAD_BYTES)
        return StartList("unknown", file_name, issues=(too_large,))
    file_format, refused = registry.recognise(file_name, data, registry.TABLES)
    if not data.startswith(_PACKAGES):
        file_format = registry.get("csv")  # a list may have a single column and no headings
    if not isinstance(file_format, TableFormat):
        return StartList("unknown", file_name, issues=refused)
    grid = file_format.rows(data, limits.RESULT_ENTRIES)
    issues = IssueList(item for item in grid.issues.done() if item.severity == "error")
    for line, cells in grid.rows:
        if max(map(len, cells), default=0) > limits.CELL_LENGTH:
            issues.add("cell_too_long", line=line, limit=limits.CELL_LENGTH)
    rows = () if issues.has_errors else tuple(_rows(grid.with_lines_apart()))
    if not rows and not issues.has_errors:
        issues.add("start_list_empty")
    return StartList(file_format.code, file_name, rows, issues.done())


@dataclass(frozen=True, slots=True)
class Named:
    """A ranking with the people of a start list.

    entries: the contestants; those that are not in the list keep their people
    filled: the indexes of those that got people
    unknown: the numbers of the list that are not in the ranking
    several: the numbers of the list that several contestants have, in both lines or in several sections
    """

    entries: tuple[Entry, ...]
    filled: set[int]
    unknown: tuple[str, ...]
    several: tuple[str, ...]


def named(entries: Sequence[Entry], rows: Sequence[StartRow], begin: Begin | None = None) -> Named:
    """Put the people of a list into a ranking.

    begin: what `begin_at` returns, by which lists by tables find the pairs; empty if that is not known
    """
    result = list(entries)
    by_number: dict[str, list[int]] = defaultdict(list)
    for index, entry in enumerate(result):
        by_number[values.bare_number(entry.number or "").lstrip("0")].append(index)
    filled: set[int] = set()
    unknown: list[str] = []
    several: list[str] = []
    for row in rows:
        if row.tables and begin:
            matches = _matches_at(row, begin, result)
        else:
            numbers = (at for at in _numbers_of(row) if _matches(row, by_number.get(at, ()), result))
            matches = _matches(row, by_number.get(next(numbers, ""), ()), result)
        if len(matches) == 1:
            filled.add(matches[0])
            blank = [Person(None, "", row.line)] * (PAIR - len(row.people))
            result[matches[0]] = replace(result[matches[0]], people=(*row.people, *blank))
        else:
            text = " ".join(filter(None, (row.section, row.number, row.direction)))
            (several if matches else unknown).append(text)
    return Named(tuple(result), filled, tuple(unknown), tuple(several))


def begin_at(entries: Sequence[Entry], seats: Sequence[TableSeats]) -> Begin:
    """Return where the pairs of a ranking begin; {} if one of them would begin at two places."""
    find = PositionFinder(entries)
    begin: dict[tuple[str, str | None], list[tuple[str | None, int]]] = defaultdict(list)
    for at in seats:
        for side, number in (("NS", at.ns), ("EW", at.ew)):
            if position := number and find(at.section or "", number, side):
                begin[str(at.table), side].append((at.section, position - 1))
    indexes = [index for places in begin.values() for _section, index in places]
    return begin if len(set(indexes)) == len(indexes) else {}


def _matches_at(row: StartRow, begin: Begin, entries: Sequence[Entry]) -> list[int]:
    """Return the indexes of the pairs that begin where a row of a list by tables has its people."""
    section = (row.section or "").upper()
    return [
        index
        for own, index in begin.get((row.number, row.direction), ())
        if not section or section in {(own or section).upper(), (entries[index].section or "").upper()}
    ]


def _numbers_of(row: StartRow) -> tuple[str, ...]:
    """Return the numbers that the pair may have.

    East-West pairs have the number of their table, or are numbered on from the North-South pairs.
    """
    if row.tables and row.direction == "EW":
        return row.number, str(int(row.number) + row.tables)
    return (row.number,)


def _matches(row: StartRow, indexes: Sequence[int], entries: Sequence[Entry]) -> list[int]:
    return [index for index in indexes if _is_of(row, entries[index])]


def _is_of(row: StartRow, entry: Entry) -> bool:
    """Return whether a row of the list may be of this contestant, who has the same number."""
    if row.tables and row.direction != entry.direction:
        return False  # a pair that changes lines does not have the number of its table
    sections = {(row.section or "").upper(), (entry.section or "").upper()} - {""}
    directions = {row.direction, entry.direction} - {None}
    return len(sections) < 2 and len(directions) < 2


def _rows(grid: Grid) -> list[StartRow]:
    by_key: dict[tuple[str | None, str, str | None], StartRow] = {}
    kinds: dict[int, Kind] = {}
    table = ""
    for at, (line, cells) in enumerate(grid.rows, start=1):
        below = [row for _line, row in grid.rows[at : at + PROBED_ROWS]]
        headings = {} if by_key else _kinds_of(cells, below)
        if not by_key and len(headings) > 1 and ("pair" in headings.values() or _is_of_tables(headings)):
            kinds = {index: headings.get(index, "other") for index in range(len(cells))}
            continue
        if _is_of_tables(kinds):
            cells, table = _with_table(cells, kinds, table)
        for row in _table_rows(line, cells, kinds) if _has_seats(kinds) else _row(line, cells, kinds):
            key = (row.section, row.number, row.direction)
            before = by_key.get(key)
            by_key[key] = row if before is None else _joined(before, row)
    rows = _parted([row for row in by_key.values() if row.people])
    is_numbered = any(_own_numbers(cells, kinds) for _line, cells in grid.rows)
    is_of_tables = _is_of_tables(kinds) and not is_numbered
    tables = max((int(row.number) for row in rows), default=0) if is_of_tables else 0
    return [replace(row, tables=tables) for row in rows]


def _kinds_of(cells: Sequence[str], below: Sequence[Sequence[str]]) -> dict[int, Kind]:
    """Return {index of a column: its kind} if these cells are headings.

    Columns of people to the right of one such as `Pareja NS` are of that line.

    below: the rows that follow
    """
    kinds = {index: kind for index, cell in enumerate(cells) if (kind := _kind_of(cell))}
    if "table" not in kinds.values():
        return kinds
    for index in range(len(cells)):
        if index not in kinds and table_lists.are_seats([row[index] for row in below if row[index:]]):
            kinds[index] = "direction"
    side: Kind | None = None
    for index, kind in sorted(kinds.items()):
        if kind in _SIDE_OF:
            side = _SIDE_OF[kind]
        elif side and kind in ("name", "licence"):
            kinds[index] = side
    return kinds


def _kind_of(heading: str) -> Kind | None:
    text = re.sub(r"\s*[0-9]+$", "", values.fold(heading))
    side = table_lists.side_of(heading)
    of_side: Kind | None = _PAIR_OF[side] if side and table_lists.is_pair_of_side(heading) else side
    kind = _HEADINGS.get(text) or of_side
    return "table" if table_lists.is_table(heading) else kind


def _has_seats(kinds: Mapping[int, Kind]) -> bool:
    """Return whether the columns are a table and the people of both its lines."""
    present = {_SIDE_OF.get(kind, kind) for kind in kinds.values()}
    return {"table", "NS", "EW"} <= present and "pair" not in present


def _is_of_tables(kinds: Mapping[int, Kind]) -> bool:
    """Return whether the list is by tables, with the people of both lines in a row, or of one."""
    return _has_seats(kinds) or (
        {"table", "direction"} <= set(kinds.values()) and "pair" not in kinds.values()
    )


def _with_table(cells: Sequence[str], kinds: Mapping[int, Kind], before: str) -> tuple[list[str], str]:
    """Return the cells of a row with the bare number of its table, and that number.

    A blank cell stands for the table of the row above, as merged cells do.

    before: the number of the row above
    """
    column = next(index for index, kind in kinds.items() if kind == "table")
    number = table_lists.table_number(cells[column]) if column < len(cells) else ""
    row = [*cells, *[""] * (column + 1 - len(cells))]
    row[column] = number = number or before
    return row, number


def _table_rows(line: int, cells: Sequence[str], kinds: Mapping[int, Kind]) -> list[StartRow]:
    """Return the two pairs of a table."""
    own = _own_numbers(cells, kinds)
    of_kind: dict[Kind, list[str]] = defaultdict(list)
    for index, cell in enumerate(cells):
        kind = kinds.get(index, "other")
        if (text := " ".join(cell.split())) and not (kind in _SIDE_OF and _pair(text)):
            of_kind[_SIDE_OF.get(kind, kind)].append(text)
    table = _pair(of_kind["table"][0]) if of_kind["table"] else None
    if table is None:
        return []
    section = of_kind["section"][0] if of_kind["section"] else table[0]
    sides: tuple[Direction, ...] = ("NS", "EW")
    people = {side: tuple(_person(text, line) for text in of_kind[side]) for side in sides}
    if own:
        return [StartRow(line, number, side, section, people[side]) for side, number in own.items()]
    return [StartRow(line, table[1], side, section, people[side]) for side in sides]


def _own_numbers(cells: Sequence[str], kinds: Mapping[int, Kind]) -> dict[Direction, str]:
    """Return {line of play: number of its pair} of columns of pairs that have numbers instead of names."""
    numbers: dict[Direction, str] = {}
    for index, cell in enumerate(cells):
        side = _SIDE_OF.get(kinds.get(index, "other"))
        if side and (pair := _pair(cell)):
            numbers[side] = pair[1]
    return numbers


def _person(text: str, line: int) -> Person:
    return Person(text, "", line) if _LICENCE.fullmatch(text) else Person(None, text, line)


def _row(line: int, cells: Sequence[str], kinds: Mapping[int, Kind]) -> list[StartRow]:
    """Return the people of one row; nothing if it has no number of a pair."""
    filled = [cell.strip() for cell in cells if cell.strip()]
    if len(filled) == 1 and (match := _NUMBER_AND_TEXT.fullmatch(filled[0])):
        cells = match.groups()
    may_be_pair = (index for index in range(len(cells)) if kinds.get(index, "pair") in ("pair", "table"))
    numbered = next((index for index in may_be_pair if _pair(cells[index])), None)
    if numbered is None:
        return []
    section, number, direction = cast("tuple[str | None, str, Direction | None]", _pair(cells[numbered]))
    people: list[tuple[Kind, str]] = []
    for index, cell in enumerate(cells):
        text = " ".join(cell.split())
        if not text or index == numbered:
            continue
        kind = kinds.get(index) or _kind_by_content(text)
        if kind == "pair" and _kind_by_content(text) == "name":
            kind = "name"  # the column of the number is another one, as in Nº;Pareja
        if kind == "direction":
            direction = _direction(text) or direction
        elif kind == "section":
            section = text
        elif kind in ("licence", "name"):
            people.append((kind, text))
    return [StartRow(line, number, direction, section, _people(people, line))]


def _pair(text: str) -> tuple[str | None, str, Direction | None] | None:
    """Return section, number and direction of a text such as `7`, `A7`, `7NS` or `7 E-O`; else None."""
    match = _NUMBER.fullmatch(text.strip())
    if match is None:
        return None
    direction = _direction(match[3] or "")
    return None if match[3] and not direction else (match[1] and match[1].upper(), match[2], direction)


def _direction(text: str) -> Direction | None:
    seat = _pair(text) if text[:1].isdigit() else None
    return seat[2] if seat else table_lists.side_of(text)


def _kind_by_content(text: str) -> Kind:
    if _direction(text):
        return "direction"
    if _LICENCE.fullmatch(text.replace(".", "")):
        return "licence"
    return "name" if "@" not in text and sum(char.isalpha() for char in text) > 1 else "other"


def _people(cells: Sequence[tuple[Kind, str]], line: int) -> tuple[Person, ...]:
    """Return the people of a row from its names and licences in order. Either may stand first."""
    people: list[Person] = []
    number_first = bool(cells) and cells[0][0] == "licence"
    for kind, text in cells:
        last = people[-1] if people else None
        if kind == "licence" and last and not number_first and last.number is None:
            people[-1] = Person(text, last.name, line)
        elif kind == "name" and last and number_first and not last.name:
            people[-1] = Person(last.number, text, line)
        else:
            people.append(Person(text, "", line) if kind == "licence" else Person(None, text, line))
    return tuple(people)


def _joined(first: StartRow, second: StartRow) -> StartRow:
    return StartRow(first.line, first.number, first.direction, first.section, first.people + second.people)


def _parted(rows: Sequence[StartRow]) -> list[StartRow]:
    """Return the rows with two people where the only cell of names has both names of a pair."""
    cells = [row.people[0].name for row in rows if _has_one_cell(row)]
    split = splitter(cells, is_of_pairs=True)
    return [_with_two_people(row, split(row.people[0].name)) if _has_one_cell(row) else row for row in rows]


def _has_one_cell(row: StartRow) -> bool:
    return len(row.people) == 1 and not row.people[0].number


def _with_two_people(row: StartRow, names: Sequence[str]) -> StartRow:
    if len(names) != PAIR:
        return row
    return replace(row, people=tuple(Person(None, name, row.line) for name in names))
