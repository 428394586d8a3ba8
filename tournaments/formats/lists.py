"""Read the office's lists: tables whose columns are declared, or else chosen by a user on a page.

If every heading is known, nobody is asked. Otherwise the result has the layout of each sheet, with the column
that is proposed for each heading. A layout that was chosen before, or for this file, is read as chosen.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from . import layouts, values
from .layouts import Table
from .table import Grid, parse_table, read_columns
from .types import Choice, Column, SheetLayout, TableResult

HEADING_ROWS = 10  # number of rows in which the headings are looked for
SAMPLE_ROWS = 3
# Issues of lists that can be read once somebody has said what the columns mean.
OPEN = frozenset({"no_headings", "missing_column", "duplicate_column"})


def read_list(
    file_name: str, grid: Grid, columns: Sequence[Column], choices: Sequence[Choice] = ()
) -> TableResult:
    """Read a list by its headings, or as a user has chosen. See `TableResult.layouts`.

    choices: what was chosen for layouts, first for this file and then for earlier ones
    """
    if grid.issues.has_errors:
        return parse_table(file_name, grid, columns)
    tables = [_table_of(sheet, columns) for sheet in (grid, *grid.others)]
    for choice in choices:
        for table in tables:
            if choice.sheet in ("", table.grid.sheet) and layouts.digest_of(table) == choice.digest:
                return _read_chosen(file_name, table, tables, columns, choice)
    shapes = tuple(_layout_of(table, columns) for table in tables if table.rows)
    if tables[0].heading is None:
        tables[0].grid.issues.add("no_headings", headings=", ".join(filter(None, grid.rows[0][1])))
        issues = tables[0].grid.issues.done()
        return TableResult(grid.format_name, file_name, grid.encoding, issues=issues, layouts=shapes)
    first = replace(grid, rows=[tables[0].heading, *tables[0].rows])
    result = parse_table(file_name, first, columns)
    unknown = any(item.code in OPEN or item.code == "unknown_column" for item in result.issues)
    return replace(result, layouts=shapes if unknown else ())


def _read_chosen(
    file_name: str, table: Table, tables: Sequence[Table], columns: Sequence[Column], choice: Choice
) -> TableResult:
    by_key = {column.key: column for column in columns}
    meanings = (*choice.meanings, *[""] * table.width)[: table.width]
    chosen = {index: by_key[key] for index, key in enumerate(meanings) if key in by_key}
    titles = [text or layouts.column_name(index) for index, text in enumerate(table.headings)]
    sheet = replace(table.grid, rows=table.rows, others=[])
    if choice.is_remembered:
        sheet.issues.add("columns_remembered")
    result = read_columns(file_name, sheet, chosen, titles)
    shapes = [_layout_of(other, columns) for other in tables if other.rows]
    digest, name = layouts.digest_of(table), table.grid.sheet
    shapes = [
        replace(shape, meanings=meanings) if (shape.digest, shape.sheet) == (digest, name) else shape
        for shape in shapes
    ]
    return replace(result, layouts=tuple(shapes))


def _table_of(grid: Grid, columns: Sequence[Column]) -> Table:
    """Return the table of a sheet. Its headings are the row with most known ones, or else the first row.

    If the first row has a number or an e-mail address, it is one of the list: then there are no headings.
    """
    names = _names(columns)
    first = grid.rows[:HEADING_ROWS]
    known = [sum(values.fold(text) in names for text in cells) for _line, cells in first]
    best = max(known, default=0)
    if best >= 2 or (known and best and known[0] == best):
        at = known.index(best)
        return Table(grid, grid.rows[at], grid.rows[at + 1 :])
    if not first or any(_is_value(text) for text in first[0][1]):
        return Table(grid, None, grid.rows)
    return Table(grid, grid.rows[0], grid.rows[1:])


def _is_value(text: str) -> bool:
    return "@" in text or bool(values.decimal_text(text))


def _names(columns: Sequence[Column]) -> dict[str, str]:
    return {values.fold(name): column.key for column in columns for name in column.names}


def _layout_of(table: Table, columns: Sequence[Column]) -> SheetLayout:
    width = table.width
    sample = [cells for _line, cells in table.rows if any(cells)][:SAMPLE_ROWS]
    return SheetLayout(
        sheet=table.grid.sheet,
        digest=layouts.digest_of(table),
        headings=tuple(table.headings),
        rows=tuple(tuple((cells + [""] * width)[:width]) for cells in sample),
        count=len(table.rows),
        meanings=tuple(propose(table.headings, columns)),
    )


def propose(headings: Sequence[str], columns: Sequence[Column]) -> list[str]:
    """Return the key of the column proposed for each heading; "" where none or several fit.

    Two headings that fit the same column get no proposal, unless only one of them is exactly its name.
    """
    exact = _names(columns)
    meanings = [exact.get(values.fold(heading), "") for heading in headings]
    taken = set(meanings)
    free = [column for column in columns if column.key not in taken]
    meanings = [
        meaning or _by_words(values.fold(heading), free)
        for heading, meaning in zip(headings, meanings, strict=True)
    ]
    return [meaning if meanings.count(meaning) == 1 else "" for meaning in meanings]


def fitting(headings: Sequence[str], columns: Sequence[Column]) -> Mapping[str, list[int]]:
    """Return {key of a column: the indexes of the headings that fit it}, where several do."""
    exact = _names(columns)
    fits: dict[str, list[int]] = {}
    for index, heading in enumerate(headings):
        folded = values.fold(heading)
        if key := exact.get(folded) or _by_words(folded, columns):
            fits.setdefault(key, []).append(index)
    return {key: indexes for key, indexes in fits.items() if len(indexes) > 1}


def _by_words(heading: str, columns: Sequence[Column]) -> str:
    """Return the key of the only column of which a name or a hint has all its words in the heading, or ""."""
    words = set(heading.split())
    best: dict[str, int] = {}
    for column in columns:
        for name in (*column.names, *column.hints):
            needed = set(values.fold(name).split())
            if needed and needed <= words:
                best[column.key] = max(best.get(column.key, 0), len(needed))
    most = max(best.values(), default=0)
    keys = [key for key, number in best.items() if number == most]
    return keys[0] if len(keys) == 1 else ""
