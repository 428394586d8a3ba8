"""Read a result table: CSV or XLSX with one row per player or one row per contestant.

One row per player: the rows of a contestant have the same value in the pair or team column. Without such a
column, a row with a blank place belongs to the contestant of the row above. If no place is blank, and equal
places always come in an even number of adjacent rows, every two rows are a pair. Otherwise each row is an
individual contestant.

One row per contestant: the columns `licencia 1`, `nombre 1`, `licencia 2`... contain its players.

Licence numbers may be missing: people are then matched by name on the review page.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import cast

from . import checks, values
from .issues import IssueList
from .table import Grid, parse_table
from .types import Column, Direction, Entry, EventInfo, Kind, ParsedResult, TableResult, TableRow

PLACES = ("puesto", "place", "posición", "pos", "clasificación", "rank", "position", "lugar")
LICENCES = (
    "licencia",
    "licence",
    "license",
    "nº licencia",
    "n licencia",
    "número de licencia",
    "licence number",
    "license number",
    "licencia aeb",
    "nº de licencia",
    "núm. licencia",
    "nº aeb",
    "número",
    "number",
)
NAMES = ("nombre", "name", "jugador", "jugadora", "player", "nombre y apellidos", "player name")
TEAMS = ("equipo/pareja", "team/pair", "equipo", "pareja", "team", "pair", "nº pareja", "pair number")
PERCENTAGES = ("porcentaje", "percentage", "%", "percent")
SCORES = ("puntuación", "score", "imps", "imp", "pv", "vp", "vps", "total", "resultado", "result")
DIRECTIONS = ("línea", "direction", "line", "ns/eo", "ns/ew", "orientación")
SECTIONS = ("sección", "section", "grupo", "group")
BOARDS = ("manos", "boards", "manos jugadas", "boards played")

SEATS = range(1, 9)
_BASE = (
    Column("place", PLACES, required=False),
    Column("team", TEAMS, required=False),
    Column("percentage", PERCENTAGES, "decimal", required=False),
    Column("score", SCORES, "decimal", required=False),
    Column("direction", DIRECTIONS, required=False),
    Column("section", SECTIONS, required=False),
    Column("boards", BOARDS, required=False),
)
_ONE_PLAYER = (
    Column("licence", LICENCES, "licence", required=False),
    Column("name", NAMES, required=False),
)


def _seat_columns(seat: int) -> tuple[Column, Column]:
    numbers = [f"{name} {seat}" for name in LICENCES] + [f"{name}{seat}" for name in LICENCES]
    names = [f"{name} {seat}" for name in NAMES] + [f"{name}{seat}" for name in NAMES]
    return (
        Column(f"licence_{seat}", tuple(numbers), "licence", required=False),
        Column(f"name_{seat}", tuple(names), required=False),
    )


COLUMNS = _BASE + _ONE_PLAYER + tuple(column for seat in SEATS for column in _seat_columns(seat))


@dataclass(slots=True)
class _Group:
    """The rows of one contestant.

    values: {column key: text} of the cells about the contestant as a whole
    lines: {column key: line where its value was first read}
    seats: (line, licence number, name) of each person
    """

    line: int
    values: dict[str, str]
    lines: dict[str, int] = field(default_factory=dict)
    seats: list[tuple[int, str, str]] = field(default_factory=list)


def parse_results_table(
    file_name: str,
    grid: Grid,
    kind: Kind | None = None,
) -> ParsedResult:
    """Interpret the rows of a CSV or XLSX file as a ranking.

    kind: pairs, teams or individual, as chosen by the director; None to infer it from the rows
    """
    table = parse_table(file_name, grid, COLUMNS)
    issues = IssueList(table.issues)
    if table.has_errors and not table.rows:
        return ParsedResult(table.format_name, file_name, table.encoding, issues=issues.done())
    is_wide = any(f"licence_{seat}" in table.headings or f"name_{seat}" in table.headings for seat in SEATS)
    _check_columns(table, is_wide, issues)
    groups = _wide_groups(table) if is_wide else _player_groups(table, kind, issues)
    entries = [_entry(group, table, issues) for group in groups]
    kind = kind or _kind_by_size(entries)
    checks.check_entries(entries, kind, issues)
    boards, scheduled = _boards(entries)
    event = EventInfo(kind=kind, boards=boards, boards_scheduled=scheduled)
    return ParsedResult(
        table.format_name, file_name, table.encoding, event, tuple(entries), issues=issues.done()
    )


def _check_columns(table: TableResult, is_wide: bool, issues: IssueList) -> None:
    headings = table.headings
    present = ", ".join(headings.values())
    if not {"place", "percentage", "score"} & set(headings):
        issues.add("missing_column", column="puesto", headings=present)
    if is_wide and {"licence", "name"} & set(headings):
        issues.add("mixed_layout")
    if any(key.startswith("licence") for key in headings):
        return
    if any(key.startswith("name") for key in headings):
        issues.add("no_licence_column")
    else:
        issues.add("missing_column", column="licencia 1" if is_wide else "licencia", headings=present)


def _wide_groups(table: TableResult) -> list[_Group]:
    groups = []
    for row in table.rows:
        group = _new_group(row)
        for seat in SEATS:
            number, name = row.get(f"licence_{seat}"), row.get(f"name_{seat}")
            if number or name:
                group.seats.append((row.line, number, name))
        groups.append(group)
    return groups


def _player_groups(table: TableResult, kind: Kind | None, issues: IssueList) -> list[_Group]:
    rows = table.rows
    if kind == "individual":
        return [_with_player(_new_group(row), row) for row in rows]
    has_teams = any(row.get("team") for row in rows)
    if not has_teams and kind != "teams":
        return _groups_by_place(rows, kind, issues)
    groups: list[_Group] = []
    by_key: dict[tuple[str, ...], _Group] = {}
    for row in rows:
        key = _group_key(row)
        if row.get("team"):
            group = by_key.get(key)
        else:
            group = groups[-1] if groups and not row.get("place") else None
            if group is None:
                issues.add("team_missing", line=row.line)
        if group is None:
            group = _new_group(row)
            groups.append(group)
        if row.get("team"):
            by_key[key] = group
        _add_row(group, row, table, issues)
    return groups


def _group_key(row: TableRow) -> tuple[str, ...]:
    """Return a key that is the same for all rows of one contestant.

    It contains section and direction, because two contestants may have the same number in different sections
    or directions.
    """
    direction = row.get("direction")
    team, section = (values.fold(row.get(name)) or row.get(name) for name in ("team", "section"))
    return section, values.direction_text(direction) or direction, team


def _groups_by_place(rows: Sequence[TableRow], kind: Kind | None, issues: IssueList) -> list[_Group]:
    """Group the rows of a table without a pair or team column into contestants, by their places."""
    if rows and rows[0].get("place") and any(not row.get("place") for row in rows):
        return _groups_with_blank_places(rows)
    runs = [list(run) for _, run in groupby(rows, key=lambda row: (row.get("place"), row.get("direction")))]
    if kind != "pairs":
        if not rows[0].get("place") or any(len(run) % 2 for run in runs):
            return [_with_player(_new_group(row), row) for row in rows]
        issues.add("pairs_assumed")
    groups = []
    for first, second in zip(rows[::2], [*rows[1::2], None], strict=False):
        group = _with_player(_new_group(first), first)
        if second is not None:
            if first.get("place") != second.get("place"):
                issues.add("pair_incomplete", line=second.line, first=first.line)
            _with_player(group, second)
        groups.append(group)
    return groups


def _groups_with_blank_places(rows: Sequence[TableRow]) -> list[_Group]:
    """Add every row without a place to the contestant above it."""
    groups: list[_Group] = []
    for row in rows:
        if row.get("place"):
            groups.append(_new_group(row))
        _with_player(groups[-1], row)
    return groups


def _new_group(row: TableRow) -> _Group:
    cells = {column.key: row.get(column.key) for column in _BASE if row.get(column.key)}
    return _Group(row.line, cells, dict.fromkeys(cells, row.line))


def _with_player(group: _Group, row: TableRow) -> _Group:
    if row.get("licence") or row.get("name"):
        group.seats.append((row.line, row.get("licence"), row.get("name")))
    return group


def _add_row(group: _Group, row: TableRow, table: TableResult, issues: IssueList) -> None:
    """Add a row to its contestant. Add issues for values that differ between the contestant's rows."""
    for column in _BASE:
        text = row.get(column.key)
        if not text or column.key in ("team", "section", "direction"):
            continue
        known = group.values.setdefault(column.key, text)
        first = group.lines.setdefault(column.key, row.line)
        if known != text:
            title = table.headings[column.key]
            issues.add("contestant_conflict", line=row.line, field=title, value=text, first=first)
    _with_player(group, row)


def _entry(group: _Group, table: TableResult, issues: IssueList) -> Entry:
    titles = table.headings
    cells = group.values
    direction = values.direction_text(cells.get("direction", ""))
    if direction is None:
        issues.add("bad_direction", line=group.line, field=titles["direction"], value=cells["direction"])
    team = cells.get("team")
    people = tuple(checks.person(number, name, line, "licence", issues) for line, number, name in group.seats)
    return Entry(
        line=group.line,
        number=team if team and team[0].isdigit() else None,
        place=cells.get("place"),
        score=cells.get("score"),
        percentage=cells.get("percentage"),
        direction=cast("Direction | None", direction or None),
        section=cells.get("section"),
        team=team,
        people=people,
        boards=_board_count(group, titles.get("boards"), issues),
    )


def _board_count(group: _Group, title: str | None, issues: IssueList) -> int | None:
    text = group.values.get("boards", "")
    number = values.integer_text(text)
    if number == "":
        return None
    if number is None or not 1 <= int(number) <= 999:
        issues.add("bad_boards", line=group.line, field=title, value=text)
        return None
    return int(number)


def _kind_by_size(entries: Sequence[Entry]) -> Kind:
    """Infer pairs, teams or individual from the median number of people in a contestant.

    With the median, one wrong row changes nothing.
    """
    sizes = sorted(len(entry.people) for entry in entries)
    median = sizes[len(sizes) // 2]
    if median <= 1:
        return "individual"
    return "pairs" if median == 2 else "teams"


def _boards(entries: Sequence[Entry]) -> tuple[int | None, int | None]:
    """Return the winner's number of boards, and the highest number of boards of any contestant.

    The winner is the contestant with the best place among those with a number of boards.
    """
    counts = [entry.boards for entry in entries if entry.boards is not None]
    if not counts:
        return None, None
    ranked = [(values.place_number(entry.place or ""), entry.boards) for entry in entries]
    played = [(place, count) for place, count in ranked if place and count]
    winner = min(played)[1] if played else None
    return winner, max(counts)
