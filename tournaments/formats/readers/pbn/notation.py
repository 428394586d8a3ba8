"""Parse the notation of PBN: tags, the tables below them, and the metadata of the heading.

Rows are split at blanks outside quotation marks, because programs ignore the column widths they declare.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tournaments.formats import limits

_TAG = re.compile(r'\[\s*([A-Za-z_][\w]*)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_TOKEN = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)("?)|([^\s"]+))', re.DOTALL)
_META = re.compile(r'%\s*<META\s+name=(\w+)\s+content="([^"]*)"', re.IGNORECASE)
_TITLE = re.compile(r'%HRTitleEvent\s+"?([^"]*)"?', re.IGNORECASE)
_DAYS = ("Date", "EventDate")
_DEAL_TAGS = ("Dealer", "Vulnerable", "Deal")


@dataclass(slots=True)
class Table:
    """A table of a PBN file: its columns, and its rows as (line number, values).

    The values of a row are None if a quotation mark is not closed.
    """

    line: int
    columns: list[str]
    board: str
    rows: list[tuple[int, list[str] | None]] = field(default_factory=list)

    def records(self) -> Iterator[tuple[int, dict[str, str] | None]]:
        """Yield (line number, {column name: value}) of every row.

        The second item is None if the row has too few or too many values.
        """
        for line, tokens in self.rows:
            if tokens is None or len(tokens) != len(self.columns):
                yield line, None
            else:
                yield line, dict(zip(self.columns, tokens, strict=True))


@dataclass(slots=True)
class Notation:
    """The parts of a PBN file that this application uses.

    tags: {name of a tag: its first value}
    meta: {name: value} of the metadata in the heading
    comments: (line number, text) of the lines of the heading that begin with `%`, without the metadata
    days: every value of the tags [Date] and [EventDate]
    rankings: the tables below [TotalScoreTable] tags
    boards: the tables below [ScoreTable] tags
    games: for every tag [Board], its value and {name: value} of [Dealer], [Vulnerable] and [Deal] after it
    cut_at: number of the last line if the file ends within a table, else None
    too_long_at: number of the first row beyond the maximum of all tables together, where reading stopped
    """

    tags: dict[str, str] = field(default_factory=dict)
    meta: dict[str, str] = field(default_factory=dict)
    comments: list[tuple[int, str]] = field(default_factory=list)
    days: set[str] = field(default_factory=set)
    rankings: list[Table] = field(default_factory=list)
    boards: list[Table] = field(default_factory=list)
    games: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    cut_at: int | None = None
    too_long_at: int | None = None


def read_notation(text: str) -> Notation:
    """Return the parts of a PBN text that this application uses. Auctions and play are skipped."""
    notation = Notation()
    table: Table | None = None
    number, rows = 0, 0
    for number, line in enumerate(_without_comments(text).split("\n"), start=1):
        if line.startswith("%"):
            if not _read_meta(line, notation.meta) and not notation.games:
                notation.comments.append((number, line.lstrip("% ")))
            continue
        if match := _TAG.match(line.strip()):
            name, value = match.groups()
            table = _read_tag(notation, name, _value(value), number)
        elif not line.strip():
            table = None
        elif table is not None:
            rows += 1
            if rows > limits.PBN_ROWS:
                notation.too_long_at = number
                return notation
            table.rows.append((number, _tokens(line)))
    # A text that ends with a newline has a blank last line, which closes the table.
    notation.cut_at = None if table is None else number
    return notation


def _read_tag(notation: Notation, name: str, value: str, line: int) -> Table | None:
    """Store a tag. Return the table of results that it opens, or None."""
    if name in ("ScoreTable", "TotalScoreTable"):
        board = notation.games[-1][0] if notation.games else ""
        table = Table(line, [_column(part) for part in value.split(";")], board)
        (notation.boards if name == "ScoreTable" else notation.rankings).append(table)
        return table
    if name == "Board" and value:
        notation.games.append((value, {}))
    elif name in _DEAL_TAGS and notation.games:
        notation.games[-1][1].setdefault(name, value)
    if value not in ("", "-", "?"):
        notation.tags.setdefault(name, value)
        if name in _DAYS:
            notation.days.add(value)
    return None


def _without_comments(text: str) -> str:
    """Remove comments in braces, keeping their newlines so that line numbers stay right."""
    parts, end = [], 0
    while (start := text.find("{", end)) >= 0 and (close := text.find("}", start)) >= 0:
        parts += [text[end:start], "\n" * text.count("\n", start, close)]
        end = close + 1
    return "".join([*parts, text[end:]])


def _read_meta(line: str, meta: dict[str, str]) -> bool:
    """Store what a line of the heading states as metadata. Return whether it states any."""
    if match := _META.match(line):
        meta.setdefault(match.group(1).lower(), match.group(2).strip())
    elif match := _TITLE.match(line):
        meta.setdefault("contestname", match.group(1).strip())
    return bool(match)


def _value(text: str) -> str:
    """Return a tag's value, unescaped, without PBN's prefixes "#" and "##".

    The prefixes state that the value is repeated in other games.
    """
    return text.removeprefix("##").removeprefix("#").replace('\\"', '"').replace("\\\\", "\\").strip()


def _column(part: str) -> str:
    return part.partition("\\")[0].strip().lstrip("+-")


def _tokens(line: str) -> list[str] | None:
    """Return the values of a row, or None if a quotation mark is not closed."""
    tokens, end, line = [], 0, line.rstrip()
    while end < len(line):
        match = _TOKEN.match(line, end)
        assert match is not None  # the line does not end with blanks, and any other text matches
        quoted, closed, plain = match.groups()
        if plain is None and not closed:
            return None
        tokens.append((plain if quoted is None else quoted).strip())
        end = match.end()
    return tokens
