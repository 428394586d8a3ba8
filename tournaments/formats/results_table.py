"""Read a result table: CSV or XLSX with one row per player or one row per contestant.

One row per player: the rows of a contestant have the same value in the pair or team column. Without such a
column, a row with a blank place belongs to the contestant of the row above. If no place is blank, and equal
places always come in an even number of adjacent rows, every two rows are a pair. Otherwise each row is an
individual contestant.

One row per contestant: the columns `licencia 1`, `nombre 1`, `licencia 2`... contain its players.

In either layout a cell of names may hold both people of a pair: "Ana - Luis", "Ana / Luis", "Ana; Luis".

Licence numbers may be missing: people are then matched by name on the review page.

If the headings do not tell a ranking, the result has no contestants but the layouts of the sheets, from which
a user chooses what each column means. What was chosen is passed as `Choice`.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import groupby, zip_longest
from typing import cast

from . import checks, layouts, online, people_cells, percentages, split_decimals, table_lists, titles, values
from .issues import IssueList
from .layouts import Table
from .table import Grid, parse_table, read_columns
from .types import (
    Choice,
    Column,
    Direction,
    Entry,
    EventInfo,
    Kind,
    ParsedResult,
    SheetLayout,
    TableResult,
    TableRow,
)

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

SEATS = range(1, layouts.MOST_SEATS + 1)
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

# What the headings of a ranking mean, and the columns that a user can choose.
_BY_HEADING = {values.fold(name): column.key for column in COLUMNS for name in column.names}
_NUMBER = Column("number", ("número de pareja",), required=False)
_CHOSEN = {column.key: column for column in COLUMNS} | {
    "number": _NUMBER,
    "given": Column("given", ("nombre",), required=False),
    "surname": Column("surname", ("apellidos",), required=False),
}
_OF_CONTESTANT = (*_BASE, _NUMBER)
_PEOPLE = ("name", "licence", "surname")
# The issue that tells that a value comes from the titles above the table.
_TITLE_ISSUES = {
    "title": "title_title",
    "date": "title_date",
    "club_name": "title_club_name",
    "boards": "title_boards",
}
# Options of the extractor of Bridge Base Online; of other programs' files, two of them are not known.
_EXTRACTOR = frozenset({"boardcount", "tournament", "scoringtype", "ranking", "travellerlines"})
_MATCHPOINTS = frozenset(["mp", "mps", "matchpoints", "matchpoint"])
# Issues that say that the headings do not tell what the columns mean.
_UNTOLD = frozenset({"no_headings", "missing_column", "duplicate_column", "mixed_layout"})


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
    file_name: str, grid: Grid, kind: Kind | None = None, choices: Sequence[Choice] = ()
) -> ParsedResult:
    """Interpret the rows of a table as a ranking.

    kind: pairs, teams or individual, as chosen by the director; None to infer it from the rows
    choices: what users have chosen for layouts of columns; the first that fits a sheet is used
    """
    grid = grid.with_lines_apart()
    tables = [layouts.find_table(sheet, _BY_HEADING) for sheet in (grid, *grid.others)]
    for table in tables:
        split_decimals.join_decimals(table, _BY_HEADING)
    if listed := _list_of_tables(tables):
        return _start_list(file_name, listed)
    if chosen := _chosen_table(tables, choices):
        table, choice = chosen
        return _parse_chosen(file_name, table, choice, kind)
    table = next((table for table in tables if _has_ranking(table)), tables[0])
    parsed = _parse(file_name, table, _by_headings(file_name, table, tables), kind, IssueList())
    if not _UNTOLD & {issue.code for issue in parsed.issues}:
        unread = layouts.unread_headings(table, _BY_HEADING)
        if other := _other_percentage(table, _known_meanings(table)):
            unread.append(other["value"])
        if not (unread or table.tables) or not _is_choosable(table):
            known = _known_meanings(table)
            issues = IssueList(parsed.issues)
            _warn_of_unread_people(table, [at for at, meaning in enumerate(known) if meaning], issues)
            _warn_of_other_percentage(table, known, issues)
            return replace(parsed, issues=issues.done(), layouts=_with_unread_columns(table))
        issues = IssueList(parsed.issues)
        if unread:
            issues.add("columns_to_choose", headings=", ".join(unread))
        if table.tables:
            issues.add("tables_to_choose", count=table.tables)
        parsed = replace(parsed, issues=issues.done())
    shapes = [layouts.layout_of(table, _BY_HEADING) for table in tables if _is_choosable(table)]
    return _without_entries(parsed, shapes) if shapes else parsed


def _without_entries(parsed: ParsedResult, shapes: Sequence[SheetLayout]) -> ParsedResult:
    """Return a table whose columns are to be chosen, or that is a list without a result.

    shapes: the layouts of its sheets
    """
    issues = IssueList(parsed.issues)
    if what := layouts.kind_of_list(shapes[0].meanings):
        issues = IssueList()
        issues.add(what, count=shapes[0].count)
    return replace(parsed, entries=(), issues=issues.done(), layouts=tuple(shapes))


def _with_unread_columns(table: Table) -> tuple[SheetLayout, ...]:
    """Return the layout of a table if some of its headings are not read: these columns can be chosen."""
    known = _known_meanings(table)
    is_whole = all(map(bool, known[: table.named]))
    if is_whole or not _is_choosable(table):
        return ()
    layout = layouts.layout_of(table, _BY_HEADING)
    meanings = [read or proposed for read, proposed in zip(known, layout.meanings, strict=True)]
    repeated = [meaning if meaning not in meanings[:at] else "" for at, meaning in enumerate(meanings)]
    return (replace(layout, meanings=tuple(repeated)),)


def _list_of_tables(tables: Sequence[Table]) -> Table | None:
    """Return the sheet that says who sits at each table; None if there is none, or a ranking beside it.

    A sheet with too many rows is none, so that its error stands alone.
    """
    if any(map(_has_ranking, tables)):
        return None
    whole = (table for table in tables if not table.grid.issues.has_fatal)
    return next((table for table in whole if layouts.lists_tables(table, _BY_HEADING)), None)


def _start_list(file_name: str, table: Table) -> ParsedResult:
    """Return a sheet that says who sits at each table, with the issue that it is no ranking."""
    shape, issues = layouts.layout_of(table, _BY_HEADING), IssueList()
    issues.add("start_list", count=shape.count)
    return ParsedResult(table.grid.format_name, file_name, issues=issues.done(), layouts=(shape,))


def _chosen_table(tables: Sequence[Table], choices: Sequence[Choice]) -> tuple[Table, Choice] | None:
    """Return the first table for which a user has chosen the columns, with that choice."""
    for choice in choices:
        for table in tables:
            is_named = choice.sheet in ("", table.grid.sheet)
            if is_named and len(choice.meanings) <= table.width and layouts.digest_of(table) == choice.digest:
                return table, choice
    return None


def _has_ranking(table: Table) -> bool:
    """Return whether the headings tell a ranking: people, and places or results.

    A column of seats has no places, even if it is named `Posición`.
    """
    columns = zip(table.headings, table.columns(), strict=True)
    meanings = {
        _BY_HEADING.get(values.fold(text), "") for text, cells in columns if not table_lists.are_seats(cells)
    }
    return bool(meanings & set(layouts.RESULTS)) and any(meaning.startswith(_PEOPLE) for meaning in meanings)


def _is_choosable(table: Table) -> bool:
    return table.width > 1 and len(table.rows) > 1 and not table.grid.issues.has_fatal


def _by_headings(file_name: str, table: Table, tables: Sequence[Table]) -> TableResult:
    """Read a table whose columns are recognised by their headings.

    tables: all tables of the file; those beside `table` are named in an issue
    """
    grid = table.grid
    rows = grid.rows if table.heading is None else [table.heading, *table.rows]
    others = [other.grid for other in tables if other is not table]
    return parse_table(file_name, replace(grid, rows=rows, others=others), COLUMNS)


def _parse_chosen(file_name: str, table: Table, choice: Choice, kind: Kind | None) -> ParsedResult:
    """Read a table whose columns a user has chosen."""
    meanings = _padded(choice.meanings, table.width)
    shape = replace(layouts.layout_of(table, _BY_HEADING), meanings=meanings)
    of_tables = meanings[-1] if table.tables else ""
    if of_tables:
        table = layouts.with_tables(table, of_tables)
        meanings = (*meanings[:-1], layouts.TABLES.get(of_tables, ""))
    columns = {index: _CHOSEN[meaning] for index, meaning in enumerate(meanings) if meaning in _CHOSEN}
    titles = [text or layouts.column_name(index) for index, text in enumerate(table.headings)]
    result = read_columns(file_name, replace(table.grid, rows=table.rows, others=[]), columns, titles)
    issues = IssueList()
    if choice.is_remembered:
        issues.add("columns_remembered")
    _warn_of_unread_people(table, columns, issues)
    _warn_of_other_percentage(table, meanings, issues)
    _check_extra_cells(table, columns, issues)
    parsed = _parse(file_name, table, _with_full_names(result), kind, issues)
    if of_tables == "tables_one":
        # The places were counted in each table.
        parsed = replace(parsed, entries=tuple(replace(entry, place=None) for entry in parsed.entries))
    return replace(parsed, layouts=(shape,))


def _warn_of_unread_people(table: Table, read: Collection[int], issues: IssueList) -> None:
    """Add a warning for each column that holds names but is not read. read: the columns that are read"""
    for heading, count in layouts.unread_people(table, read):
        issues.add(
            "names_not_read", line=table.heading[0] if table.heading else None, value=heading, count=count
        )


def _known_meanings(table: Table) -> list[str]:
    """Return the meanings of the columns whose headings are read by themselves; "" for the others."""
    return [_BY_HEADING.get(values.fold(text), "") for text in table.headings]


def _other_percentage(table: Table, meanings: Sequence[str]) -> dict[str, str]:
    """Return the parameters of the issue about percentages that the places follow but that are not read.

    Return {} if the places follow the percentages that are read, or none at all.

    meanings: what each column is read as
    """
    if "percentage" not in meanings:
        return {}
    column = meanings.index("percentage")
    other = layouts.column_of_ranking(table, meanings, _BY_HEADING)
    if other in (None, column) or layouts.follows_places(table, column, meanings):
        return {}
    names = [text or layouts.column_name(index) for index, text in enumerate(table.headings)]
    first = next(cells for _line, cells in table.rows if len(cells) > max(column, other))
    return {"value": names[other], "figure": first[other], "column": names[column], "read": first[column]}


def _warn_of_other_percentage(table: Table, meanings: Sequence[str], issues: IssueList) -> None:
    if other := _other_percentage(table, meanings):
        issues.add("other_percentage", line=table.heading[0] if table.heading else None, **other)


def _check_extra_cells(table: Table, read: Collection[int], issues: IssueList) -> None:
    """Add an error for each row with a figure to the right of the last heading that is not read.

    Such a figure is usually a part of a cell that holds the separator of the cells, as in 62,15. Other
    values, such as remarks, are named in one warning.

    read: the columns that are read
    """
    if table.heading is None:
        return
    remarks = []
    for line, cells in table.rows:
        last = len(cells) - 1 if table.tables else len(cells)
        extra = [cells[index] for index in range(table.named, last) if cells[index] and index not in read]
        if not extra or layouts.is_total(cells):
            continue
        if any(char.isdigit() for text in extra for char in text):
            issues.add("extra_cells", line=line, value=extra[0])
        else:
            remarks.append((line, extra[0]))
    if remarks:
        issues.add("extra_texts", line=remarks[0][0], value=remarks[0][1], count=len(remarks))


def _padded(meanings: Sequence[str], width: int) -> tuple[str, ...]:
    return (*meanings, *[""] * (width - len(meanings)))


def _with_full_names(table: TableResult) -> TableResult:
    """Join given names and surnames that are in two columns."""
    if "surname" not in table.headings:
        return table
    rows = [
        replace(row, values={**row.values, "name": f"{row.get('given')} {row.get('surname')}".strip()})
        for row in table.rows
    ]
    return replace(table, rows=tuple(rows), headings={**table.headings, "name": table.headings["surname"]})


def _parse(
    file_name: str, source: Table, table: TableResult, kind: Kind | None, extra: IssueList
) -> ParsedResult:
    """Interpret the rows of a table, whose columns are known, as a ranking.

    extra: issues to add to those of the table
    """
    issues = IssueList([*table.issues, *extra.done()])
    if table.has_errors and not table.rows:
        return ParsedResult(table.format_name, file_name, table.encoding, issues=issues.done())
    table = _without_footer(table, issues)
    table = _without_subtotals(table, issues)
    table = _without_sit_outs(table, issues)
    table = _with_lines(table, source.directions)
    table = _with_matchpoints(table, source.options)
    table = _with_percentages(table, source.grid.plain_numbers, issues)
    is_of_pairs = kind == "pairs" or _numbers_pairs(table)
    if kind != "individual":
        is_of_teams = kind == "teams" or (_names_teams(table) and not is_of_pairs)
        table = _with_single_people(table, is_of_pairs, is_of_teams)
    is_wide = any(f"licence_{seat}" in table.headings or f"name_{seat}" in table.headings for seat in SEATS)
    _check_columns(table, is_wide, issues)
    groups = _wide_groups(table) if is_wide else _player_groups(table, kind, issues)
    entries = [_entry(group, table, issues) for group in groups]
    if not kind:
        kind = _kind_by_size(entries)
        _check_people(table, kind, is_of_pairs, entries, issues)
    checks.check_entries(entries, kind, issues)
    event = online.with_venue(
        _event(source, kind, entries, issues), [(None, file_name), *_marks(source)], issues
    )
    return ParsedResult(
        table.format_name, file_name, table.encoding, event, tuple(entries), issues=issues.done()
    )


def _check_people(
    table: TableResult, kind: Kind, is_of_pairs: bool, entries: Sequence[Entry], issues: IssueList
) -> None:
    """Add a warning if contestants or names may have more people than were read."""
    names = [person.name for entry in entries for person in entry.people if person.name]
    is_individual = kind == "individual" and any(entry.people for entry in entries)
    if is_individual and is_of_pairs:
        issues.add("pairs_of_one", line=entries[0].line, field=_heading_of_numbers(table))
    elif is_individual and _names_teams(table):
        issues.add("teams_of_one", line=entries[0].line, field=table.headings["team"])
    elif people_cells.hold_several(names):
        issues.add("names_of_several", line=entries[0].line, value=names[0])


def _event(source: Table, kind: Kind, entries: Sequence[Entry], issues: IssueList) -> EventInfo:
    """Return the data of the tournament: by the options of the file, the rows, or else the titles above."""
    boards, scheduled = _boards(entries)
    options = source.options
    days = set(titles.dates_in(options.get("date", "")))
    total = values.count(options.get("boards") or options.get("boardcount") or "")
    stated = {value.field: value for value in titles.read_titles(source.titles)}
    known = {"date": days, "boards": boards or total}
    used = {name: value for name, value in stated.items() if not known.get(name)}
    for name, value in used.items():
        issues.add(_TITLE_ISSUES[name], line=value.line, value=value.text)
    texts = {name: value.text for name, value in used.items()}
    total = total or values.count(texts.get("boards", ""))
    return EventInfo(
        title=texts.get("title"),
        date=days.pop() if len(days) == 1 else texts.get("date"),
        club_name=texts.get("club_name"),
        kind=kind,
        boards=boards or total,
        boards_scheduled=scheduled or total,
    )


def _marks(source: Table) -> list[tuple[int | None, str]]:
    """Return (line or None, text) of the texts that may say on which site a tournament was played."""
    extracted = sorted(_EXTRACTOR & source.options.keys())
    above = [(line, " ".join(filter(None, cells))) for line, cells in source.titles]
    return [*above, *([(None, f"BBO: #{' #'.join(extracted)}")] if len(extracted) > 1 else [])]


def _without_footer(table: TableResult, issues: IssueList) -> TableResult:
    """Leave out totals and remarks below the table, and say so."""
    rows = list(table.rows)
    while len(rows) > 1 and _is_footer(rows[-1], table):
        rows.pop()
    if left := len(table.rows) - len(rows):
        issues.add("rows_left_out", line=table.rows[len(rows)].line, count=left)
    return replace(table, rows=tuple(rows))


def _is_footer(row: TableRow, table: TableResult) -> bool:
    has_person = any(row.get(key) for key in table.headings if key.startswith(_PEOPLE))
    first = next((row.get(key) for key in table.headings if row.get(key)), "")
    return layouts.is_footer(first, has_person, row.get("place"))


def _without_subtotals(table: TableResult, issues: IssueList) -> TableResult:
    """Leave out totals that stand between the rows of the ranking, and say so."""
    totals = [row for row in table.rows if _is_subtotal(row, table)]
    if not totals or len(totals) == len(table.rows):
        return table
    issues.add("subtotals_left_out", line=totals[0].line, count=len(totals))
    return replace(table, rows=tuple(row for row in table.rows if row not in totals))


def _is_subtotal(row: TableRow, table: TableResult) -> bool:
    texts = [row.get(key) for key in table.headings if row.get(key)]
    # A single word where people should be is no name; more words may be, such as "Media Luna".
    people = [text for text in _people_cells(row, table) if text != texts[0] or " " in text]
    return layouts.is_total(texts) and not people


def _people_cells(row: TableRow, table: TableResult) -> list[str]:
    return [text for key in table.headings if key.startswith(_PEOPLE) and (text := row.get(key))]


def _without_sit_outs(table: TableResult, issues: IssueList) -> TableResult:
    """Leave out the rows of missing pairs, and say so. The contestants below move up."""
    absent = [row for row in table.rows if _is_sit_out(row, table)]
    if not absent or len(absent) == len(table.rows):
        return table
    names = [next(text for text in [*_people_cells(row, table), row.get("team")] if text) for row in absent]
    issues.add("sit_outs_left_out", line=absent[0].line, value=names[0], count=len(absent))
    present = [row for row in table.rows if row not in absent]
    ranked = [row for row in absent if not _shares_place(row, present)]
    rows = [_moved_up(row, ranked) for row in present]
    return replace(table, rows=tuple(rows))


def _is_sit_out(row: TableRow, table: TableResult) -> bool:
    """Return whether a row has the word for a missing pair where it should have people, and nobody else."""
    names = _people_cells(row, table) or [row.get("team")]
    return any(map(layouts.is_absent, names)) and all(
        layouts.is_absent(text) or not text.strip(" -0") for text in names
    )


def _shares_place(row: TableRow, present: Sequence[TableRow]) -> bool:
    """Return whether the places go on as if the row of a missing pair were not there.

    Then another contestant has its place, and is not tied with it: the next place follows without a gap.
    """
    place = values.place_number(row.get("place"))
    field = [
        (values.place_number(other.get("place")), other) for other in present if _field(other) == _field(row)
    ]
    same = {
        _group_key(other) if _contestant(other) else other.line for number, other in field if number == place
    }
    later = [number for number, _other in field if place and number and number > place]
    return bool(same and later) and min(later) - (place or 0) <= len(same)


def _moved_up(row: TableRow, absent: Sequence[TableRow]) -> TableRow:
    """Return a row with the place that it has without the missing pairs before it."""
    place = values.place_number(row.get("place"))
    better = {
        (other.get("team"), number)
        for other in absent
        if (number := values.place_number(other.get("place"))) and _field(other) == _field(row)
    }
    steps = sum(number < (place or 0) for _team, number in better)
    return replace(row, values={**row.values, "place": str(place - steps)}) if place and steps else row


def _field(row: TableRow) -> tuple[str, str]:
    return row.get("direction"), row.get("section")


def _with_lines(table: TableResult, directions: Mapping[int, str]) -> TableResult:
    """Add the lines of play that stand as titles inside the table."""
    if not directions or "direction" in table.headings:
        return table
    rows = [
        replace(row, values={**row.values, "direction": directions.get(row.line, "")}) for row in table.rows
    ]
    return replace(table, rows=tuple(rows), headings={**table.headings, "direction": "N-S / E-O"})


def _with_matchpoints(table: TableResult, options: Mapping[str, str]) -> TableResult:
    """Take scores for percentages if the options of the file say that it was scored in matchpoints."""
    is_of_matchpoints = set(values.fold(options.get("scoringtype", "")).split()) & _MATCHPOINTS
    if not is_of_matchpoints or "score" not in table.headings or "percentage" in table.headings:
        return table
    scores = [Decimal(text) for row in table.rows if (text := row.get("score"))]
    if not scores or not 1 < max(scores) <= 100 or min(scores) < 0:
        return table
    rows = [
        replace(row, values={**row.values, "percentage": row.get("score"), "score": ""}) for row in table.rows
    ]
    return replace(
        table, rows=tuple(rows), headings={**table.headings, "percentage": table.headings["score"]}
    )


def _with_percentages(table: TableResult, is_plain: bool, issues: IssueList) -> TableResult:
    """Multiply percentages that are parts of one, and say so if their sheet could state that.

    is_plain: whether the sheet has numbers without formats, so that every percentage is a part of one
    """
    texts = [text for row in table.rows if (text := row.get("percentage"))]
    figures = list(map(Decimal, texts))
    are_parts = percentages.are_percentages(texts) or percentages.are_parts_of_one(texts)
    if len(figures) < 2 or max(figures) > 1 or not (is_plain or are_parts):
        return table
    if not is_plain:
        issues.add("percentages_multiplied", field=table.headings["percentage"], value=texts[0])
    rows = [
        replace(row, values={**row.values, "percentage": f"{(Decimal(text) * 100).normalize():f}"})
        if text
        else row
        for row, text in ((row, row.get("percentage")) for row in table.rows)
    ]
    return replace(table, rows=tuple(rows))


def _heading_of_numbers(table: TableResult) -> str:
    return table.headings.get("number") or table.headings.get("team") or ""


def _numbers_pairs(table: TableResult) -> bool:
    """Return whether a column says that each row is a pair: its heading names pairs, and no value repeats."""
    keys = [_group_key(row) for row in table.rows]
    is_named = people_cells.names_pairs(_heading_of_numbers(table))
    return is_named and all(map(_contestant, table.rows)) and len(set(keys)) == len(keys) > 1


def _names_teams(table: TableResult) -> bool:
    """Return whether a column says that each row is a team: its heading names teams, and no value repeats."""
    names = [values.fold(row.get("team")) or row.get("team") for row in table.rows]
    is_named = people_cells.names_teams(table.headings.get("team", ""))
    return is_named and all(names) and len(set(names)) == len(names) > 1


def _with_single_people(table: TableResult, is_of_pairs: bool, is_of_teams: bool) -> TableResult:
    """Give each person a column of their own if most cells of names hold more than one.

    The names may stand in one column, or in several: the pairs of a team.

    is_of_pairs, is_of_teams: whether each row is known to be a pair, or a team
    """
    headings = table.headings
    columns = ["name"] if "name" in headings else [f"name_{n}" for n in SEATS if f"name_{n}" in headings]
    is_of_pairs = any(people_cells.names_pairs(headings[name]) for name in columns[1:]) or (
        is_of_pairs and columns == ["name"]
    )
    filled = [text for row in table.rows for name in columns if (text := row.get(name))]
    split = people_cells.splitter(filled, is_of_pairs, is_of_teams and columns == ["name"])
    several = [people for people in map(split, filled) if len(people) > 1]
    if len(columns) > 1 and not is_of_pairs:
        several = [people for people in several if layouts.are_full_names(people)]
    seats = [[seat for name in columns for seat in _seats_of(row, name, split)] for row in table.rows]
    most = max(seats, key=len, default=[])
    if 2 * len(several) <= len(filled) or len(most) > len(SEATS):
        return table
    keys = ("name", "licence") if "licence" in headings or "licence_1" in headings else ("name",)
    titles = {key: title for key, title in headings.items() if not key.startswith(("name", "licence"))}
    titles |= {
        f"{key}_{seat}": headings.get(name.replace("name", key), "")
        for key in keys
        for seat, (name, _licence, _person) in enumerate(most, start=1)
    }
    rows = [
        replace(row, values={**row.values, **_seat_cells(people)})
        for row, people in zip(table.rows, seats, strict=True)
    ]
    return replace(table, rows=tuple(rows), headings=titles)


def _seats_of(row: TableRow, name: str, split: Callable[[str], list[str]]) -> list[tuple[str, str, str]]:
    """Return (key of the column, licence number, name) of each person in a cell of names."""
    licence = row.get(name.replace("name", "licence"))
    people, numbers = split(row.get(name)), layouts.split_licences(licence)
    if len(numbers) > len(people):
        numbers = [licence]  # not a number for each: an error that shows the cell
    return [(name, *seat) for seat in zip_longest(numbers, people, fillvalue="")]


def _seat_cells(seats: Sequence[tuple[str, str, str]]) -> dict[str, str]:
    cells = {f"{key}_{seat}": "" for key in ("name", "licence") for seat in SEATS}
    for seat, (_column, licence, name) in enumerate(seats, start=1):
        cells |= {f"licence_{seat}": licence, f"name_{seat}": name}
    return cells


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
    has_teams = any(_contestant(row) for row in rows)
    if not has_teams and kind != "teams":
        return _groups_by_place(rows, kind, issues)
    groups: list[_Group] = []
    by_key: dict[tuple[str, ...], _Group] = {}
    for row in rows:
        key = _group_key(row)
        if _contestant(row):
            group = by_key.get(key)
        else:
            group = groups[-1] if groups and not row.get("place") else None
            if group is None:
                issues.add("team_missing", line=row.line)
        if group is None:
            group = _new_group(row)
            groups.append(group)
        if _contestant(row):
            by_key[key] = group
        _add_row(group, row, table, issues)
    return groups


def _contestant(row: TableRow) -> str:
    """Return what a row says of its contestant: the number, else the name of the team."""
    return row.get("number") or row.get("team")


def _group_key(row: TableRow) -> tuple[str, ...]:
    """Return a key that is the same for all rows of one contestant.

    It contains section and direction, because two contestants may have the same number in different sections
    or directions.
    """
    direction = row.get("direction")
    team, section = (values.fold(text) or text for text in (_contestant(row), row.get("section")))
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
    cells = {column.key: row.get(column.key) for column in _OF_CONTESTANT if row.get(column.key)}
    return _Group(row.line, cells, dict.fromkeys(cells, row.line))


def _with_player(group: _Group, row: TableRow) -> _Group:
    if row.get("licence") or row.get("name"):
        group.seats.append((row.line, row.get("licence"), row.get("name")))
    return group


def _add_row(group: _Group, row: TableRow, table: TableResult, issues: IssueList) -> None:
    """Add a row to its contestant. Add issues for values that differ between the contestant's rows."""
    for column in _OF_CONTESTANT:
        text = row.get(column.key)
        if not text or column.key in ("number", "team", "section", "direction"):
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
        number=cells.get("number") or (team if team and team[0].isdigit() else None),
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
