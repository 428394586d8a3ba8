"""Read CSV in the dialects of spreadsheets and scoring programs."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator

from tournaments.formats import limits
from tournaments.formats.declaration import Evidence, RawFile, TableFormat
from tournaments.formats.definitions import gettext_noop
from tournaments.formats.issues import IssueList
from tournaments.formats.table import Grid
from tournaments.formats.text import decode

CODE = "csv"
_EXTENSIONS = (".csv", ".txt", ".tsv")
_SEPARATORS = ";\t|,"
_SEPARATOR_LINE = re.compile(r"sep=([;,\t|])", re.IGNORECASE)
# Excel's notation to keep leading zeros in a CSV: ="01234"
_QUOTED_NUMBER = re.compile(r'="([0-9 .]*)"')
_QUOTED = re.compile(r'"[^"\n]*"')
_CELL = 60  # length up to which a line without separators may be a single cell
_SENTENCE = 5  # number of blanks over which a line that ends in a stop is a sentence
_FEWEST = 3  # number of lines of the same number of cells that make a text a table
# A decimal number that ends a line of text: its comma separates no cells.
_FINAL_DECIMAL = re.compile(r"(?<=\s)[0-9]{1,3},[0-9]{1,2}\s*%?[\s.]*$")
_FIGURE = re.compile(r"[\s\"]*[+-]?[0-9]+(?:[.,][0-9]+)?\s*%?[\s\"]*")
# Separators in quotes are text: after a quotation mark that is not closed, the longest cell is full of them.
_ROW_SEPARATORS = csv.field_size_limit() + limits.TABLE_COLUMNS
_PROBED = 60  # number of lines from which the separator is worked out


def read_csv(data: bytes, max_rows: int) -> Grid:
    """Read CSV bytes. Problems become issues of the grid; no exception is raised."""
    decoded = decode(data)
    grid = Grid(CODE, decoded.encoding, issues=IssueList(decoded.issues))
    if decoded.text is None:
        return grid
    text, skipped, separator = _dialect(decoded.text)
    grid.separator = separator
    lines = _Lines(text, separator)
    reader = csv.reader(lines, delimiter=separator, strict=True)
    line = skipped + 1
    try:
        for cells in reader:
            if not _add_row(grid, line, cells, max_rows):
                break
            line = skipped + reader.line_num + 1
            lines.separators = 0
    except _RowTooWide:
        grid.issues.add("too_many_columns", line=line, limit=limits.TABLE_COLUMNS)
    except csv.Error as error:
        code = "cell_too_long" if "limit" in str(error) else "bad_quotes"
        grid.issues.add(code, line=line, limit=limits.CELL_LENGTH)
    return grid


class _RowTooWide(Exception):
    """A row has more separators than the columns and the longest cell of a row can have."""


class _Lines:
    """The lines of a text for the CSV reader, which takes several for a row with a newline in quotes.

    Raise `_RowTooWide` before the reader splits a row that has too many separators: the cells of a row as
    long as a file take many times its memory. Set `separators` to 0 after every row.
    """

    def __init__(self, text: str, separator: str):
        self._lines = io.StringIO(text, newline="")
        self._separator = separator
        self.separators = 0

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            self.separators += line.count(self._separator)
            if self.separators > _ROW_SEPARATORS:
                raise _RowTooWide
            yield line


def _dialect(text: str) -> tuple[str, int, str]:
    """Return the text from its first line on, the number of lines before it, and the separator of cells."""
    start = len(text) - len(text.lstrip())
    start = text.rfind("\n", 0, start) + 1
    skipped = text.count("\n", 0, start)
    first, _, after = text[start:].partition("\n")
    if match := _SEPARATOR_LINE.fullmatch(first.strip(" ")):
        return after, skipped + 1, match.group(1)
    return text[start:], skipped, separator_of(text[start:])


def separator_of(text: str) -> str:
    """Return the separator that most lines have equally often, not counting text in quotes; `;` if none.

    Decimal commas do not win: the line of headings has none, so fewer lines agree about the comma.
    """
    lines = _probed_lines(text)
    best = max(_SEPARATORS, key=lambda separator: _agreement(lines, separator))
    return best if _agreement(lines, best) != (0, 0) else ";"


def has_columns(text: str) -> bool:
    """Return whether the lines of a text have the shape of a table: most of them hold a separator.

    Sentences have commas before blanks too. These are separators only if most lines agree on how many there
    are, and at least half of the lines have a number in a cell.
    """
    lines = _probed_lines(text)
    if any(_holds(lines, separator) for separator in ";\t|"):
        return True
    lines = [_FINAL_DECIMAL.sub("", line) for line in lines]
    lines = [line.rstrip(", ") if line.count(",") == 1 else line for line in lines]
    tight = [line.replace(", ", "") for line in lines]
    agreeing, _count = _agreement(lines, ",")
    figures = sum(any(map(_FIGURE.fullmatch, line.split(","))) for line in lines)
    is_loose = agreeing >= _FEWEST and 5 * agreeing >= 4 * len(lines) and 2 * figures >= len(lines)
    return _holds(tight, ",") or is_loose


def has_cells(text: str) -> bool:
    """Return whether the first line has a separator and is no sentence, as that of a list's headings."""
    first = next(iter(_probed_lines(text)), "").rstrip()
    return any(separator in first for separator in _SEPARATORS) and first[-1] not in ".!?:"


def _is_single_column(text: str) -> bool:
    """Return whether the text looks like a table of one column, which has no separators.

    It does if its first lines are short, and none of them is a sentence or has more commas than a name.
    """
    lines = _probed_lines(text)
    sentences = (
        line for line in lines if line.strip().count(" ") > _SENTENCE and line.rstrip()[-1:] in ".!?:"
    )
    are_short = all(len(line) <= _CELL and line.count(", ") < 2 for line in lines)
    return bool(lines) and are_short and not any(sentences)


def _probed_lines(text: str) -> list[str]:
    """Return the first lines that are not blank, without the texts in quotes.

    Lines of options, which begin with `#`, are left out unless there are no other lines.
    """
    lines = [_QUOTED.sub("", line) for line in text.split("\n", 4 * _PROBED)[: 4 * _PROBED] if line.strip()]
    return ([line for line in lines if not line.startswith("#")] or lines)[:_PROBED]


def _agreement(lines: list[str], separator: str) -> tuple[int, int]:
    """Find how many times a separator usually occurs in a line.

    Return (number of lines with this many separators, number of separators in each). Lines without the
    separator are ignored; if no line has it, return (0, 0).
    """
    counts = Counter(line.count(separator) for line in lines)
    del counts[0]
    return max(((lines_with, count) for count, lines_with in counts.items()), default=(0, 0))


def _holds(lines: list[str], separator: str) -> bool:
    holding = sum(separator in line for line in lines)
    agreeing = _agreement(lines, separator)[0]
    return holding > 0 and 2 * holding >= len(lines) and (agreeing >= min(_FEWEST, len(lines)) or holding < 3)


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
    for index, text in enumerate(cells):
        grid.keep_lines(line, index, text)
    grid.rows.append((line, [_cell(text) for text in cells]))
    return True


def _cell(text: str) -> str:
    text = " ".join(text.split())
    match = _QUOTED_NUMBER.fullmatch(text)
    return match.group(1) if match else text


def _sniff(file: RawFile) -> Evidence:
    """Return how strongly the file indicates a table.

    Text without a table's shape is no table, whatever the file name says. Text that cannot be decoded is left
    to the reader, whose issue says why, but only if the name is that of a text.
    """
    if not file.is_text:
        return Evidence.ANY_TEXT if file.extension in (*_EXTENSIONS, "") else Evidence.NONE
    head = file.head if file.head.strip() else RawFile(file.name, file.data.lstrip()).head
    is_named_so = file.extension in (".csv", ".tsv")
    is_table = has_columns(head) or (is_named_so and _is_single_column(head))
    return Evidence.ANY_TEXT if is_table else Evidence.NONE


FORMATS = (
    TableFormat(
        code=CODE,
        name="CSV",
        extensions=_EXTENSIONS,
        sniff=_sniff,
        rows=read_csv,
        reads=gettext_noop(
            "A table with semicolons, commas, tabs or bars between its cells and decimal commas or points. "
            "In UTF-8, UTF-16 with its mark, or Windows-1252."
        ),
    ),
)
