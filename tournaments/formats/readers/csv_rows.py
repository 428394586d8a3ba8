"""Read CSV in the dialects of spreadsheets and scoring programs."""

import csv
import io
import re

from tournaments.formats import limits
from tournaments.formats.declaration import Evidence, RawFile, TableFormat
from tournaments.formats.definitions import gettext_noop
from tournaments.formats.issues import IssueList
from tournaments.formats.table import Grid
from tournaments.formats.text import decode

CODE = "csv"
_SEPARATORS = ";,\t"
_SEPARATOR_LINE = re.compile(r"sep=([;,\t|])", re.IGNORECASE)
# Excel's notation to keep leading zeros in a CSV: ="01234"
_QUOTED_NUMBER = re.compile(r'="([0-9 .]*)"')


def read_csv(data: bytes, max_rows: int) -> Grid:
    """Read CSV bytes. Problems become issues of the grid; no exception is raised.

    The separator is the most common of `;`, `,` and tab in the heading line, not counting text in quotes.
    Other lines do not count, because percentages in them may have decimal commas.
    """
    decoded = decode(data)
    grid = Grid(CODE, decoded.encoding, issues=IssueList(decoded.issues))
    if decoded.text is None:
        return grid
    text, skipped, separator = _dialect(decoded.text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    line = skipped + 1
    try:
        for cells in reader:
            if not _add_row(grid, line, cells, max_rows):
                break
            line = skipped + reader.line_num + 1
    except csv.Error as error:
        code = "cell_too_long" if "limit" in str(error) else "bad_quotes"
        grid.issues.add(code, line=line, limit=limits.CELL_LENGTH)
    return grid


def _dialect(text: str) -> tuple[str, int, str]:
    """Return the text from its heading line on, the number of lines before it, and the separator of cells."""
    start = len(text) - len(text.lstrip())
    start = text.rfind("\n", 0, start) + 1
    skipped = text.count("\n", 0, start)
    heading, _, after = text[start:].partition("\n")
    if match := _SEPARATOR_LINE.fullmatch(heading.strip(" ")):
        return after, skipped + 1, match.group(1)
    return text[start:], skipped, separator_of(heading)


def separator_of(heading: str) -> str:
    """Return the most common of `;`, `,` and tab outside quotation marks; `;` if there is none."""
    outside = re.sub(r'"[^"]*"', "", heading)
    return max(_SEPARATORS, key=outside.count)


def _add_row(grid: Grid, line: int, cells: list[str], max_rows: int) -> bool:
    """Add a row to the grid unless it is blank. Return False, with an issue, if a limit is exceeded."""
    while cells and not cells[-1].strip():
        cells.pop()
    if not cells:
        return True
    if len(cells) > limits.TABLE_COLUMNS:
        grid.issues.add("too_many_columns", line=line, limit=limits.TABLE_COLUMNS)
        return False
    if len(grid.rows) > max_rows:
        grid.issues.add("too_many_rows", line=line, limit=max_rows)
        return False
    grid.rows.append((line, [_cell(text) for text in cells]))
    return True


def _cell(text: str) -> str:
    text = " ".join(text.split())
    match = _QUOTED_NUMBER.fullmatch(text)
    return match.group(1) if match else text


def _sniff(file: RawFile) -> Evidence:
    return Evidence.ANY_TEXT


FORMATS = (
    TableFormat(
        code=CODE,
        name="CSV",
        extensions=(".csv", ".txt", ".tsv"),
        sniff=_sniff,
        rows=read_csv,
        reads=gettext_noop(
            "A table with semicolons, commas or tabs between its cells and decimal commas or points. "
            "In UTF-8, UTF-16 with its mark, or Windows-1252."
        ),
    ),
)
