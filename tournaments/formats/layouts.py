"""Find the table in a sheet as clubs write it, and propose what each of its columns means.

Above the headings there may be titles and options (lines that begin with `#`); below the rows, totals. The
headings may be missing, or be repeated above each line of play.
"""

import hashlib
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from . import percentages, sit_outs, table_lists, values
from .people_cells import are_pairs, names_pairs, names_teams, split_people, splitter
from .table import Grid
from .types import SheetLayout

HEADING_ROWS = 40  # number of rows in which the headings are looked for
SAMPLE_ROWS = 10
MOST_SEATS = 8  # the largest number of people in a row with a column for each person
PROBED_ROWS = 200  # number of rows whose content proposes the meaning of a column

# What a column can mean. Each is chosen for at most one column; "" is a column that is not read.
MEANINGS = (
    "place", "number", "team",
    "name", "given", "surname", *(f"name_{seat}" for seat in range(1, MOST_SEATS + 1)),
    "licence", *(f"licence_{seat}" for seat in range(1, MOST_SEATS + 1)),
    "percentage", "score", "direction", "section", "boards",
)  # fmt: skip
# What the tables of a sheet can be if nothing names their line: {code: the column that it stands for}.
TABLES = {
    "tables_one": "",  # one ranking
    "tables_lines": "direction",  # the first is North-South, the second East-West
    "tables_turned": "direction",  # the first is East-West, the second North-South
    "tables_sections": "section",
}
_LINES_OF = {"tables_lines": ("NS", "EW"), "tables_turned": ("EW", "NS")}
RESULTS = ("place", "percentage", "score")
PEOPLE = ("name", "name_1", "surname", "licence", "licence_1")

# Headings that are not read by themselves, with the meaning that is proposed for them.
_HINTS = {
    "place": ("pto", "ptos", "clas", "clasif", "orden", "rk", "rank", "ranking", "pl", "plaza", "p"),
    "number": (
        "par", "n", "no", "num", "n pareja", "no pareja", "num pareja", "pair number", "pairnumber", "dorsal",
        "pr", "prj", "pja", "np", "n par",
    ),
    "name": ("jugadores", "nombres", "names", "players", "componentes", "integrantes", "pair names"),
    "given": ("jmeno", "nombre de pila", "first name", "firstname", "given name", "first"),
    "surname": ("prijmeni", "apellido", "apellidos", "surname", "last name", "lastname", "last"),
    "name_1": (
        "jugador 1", "jugador norte", "norte", "north", "north este", "north east", "norte este", "player 1",
        "n este",
    ),
    "name_2": (
        "jugador 2", "jugador sur", "sur", "south", "south oeste", "south west", "sur oeste", "player 2",
        "s oeste", "companero",
    ),
    "licence": (
        "lic", "licencias", "abf no", "aeb", "federado", "ficha", "id number", "nif", "member no",
        "legitimace",
    ),
    "licence_1": ("lic 1", "lic1", "id 1", "id1", "aeb 1"),
    "licence_2": ("lic 2", "lic2", "id 2", "id2", "aeb 2"),
    "percentage": ("porc", "pct", "puntos %", "resultado %", "score %", "% final", "media %"),
    "score": ("puntos", "pts", "points", "mp", "matchpoints", "pm", "dif", "saldo", "total imps", "butler"),
    "direction": ("dir", "eje", "ns eo", "ns ew", "orientacion", "campo", "asiento", "seat"),
    "section": ("sec", "seccion"),
    "boards": ("nr manos", "bds", "estuches", "jugadas", "no manos"),
}  # fmt: skip
_HINT_OF = {heading: meaning for meaning, headings in _HINTS.items() for heading in headings}
# Words of headings of results, such as "% Total" and "IMPs/mano".
_PERCENTAGE_WORDS = frozenset(["%", "porcentaje", "percentage", "percent", "porc", "pct"])
_SCORE_WORDS = frozenset(
    ["imp", "imps", "vp", "vps", "pv", "mp", "mps", "pm", "matchpoints", "score", "puntuacion", "butler"]
)
_TOTALS = frozenset(
    [
        "total", "totales", "totals", "media", "medias", "promedio", "average", "mean", "suma", "sum",
        "medie", "subtotal", "subtotales", "subtotals",
    ]
)  # fmt: skip
_BETWEEN_NUMBERS = re.compile(r"\s*[-–—&+/;,]\s*|\s+(?:y|and)\s+|\s{1,}(?=[0-9]{4})")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_LICENCE = re.compile(r"[A-Z]?[0-9]{4,8}")
_TRAVELLERS = re.compile(r"#\s*TravellerLines", re.IGNORECASE)  # the extractor of Bridge Base Online
# Columns that a ranking may have beside its people, and whose words look like names of people.
_NO_PEOPLE = frozenset(
    [
        "club", "clubs", "ciudad", "city", "localidad", "federacion", "federation", "region", "zona", "pais",
        "country", "categoria", "category", "nivel", "observaciones", "notas", "notes", "comentarios",
    ]
)  # fmt: skip
_LINES = {
    "NS": re.compile(r"\b(?:n ?s|nortes?(?: y)? sur|north south)\b"),
    "EW": re.compile(r"\b(?:e ?[ow]|este(?: y)? oeste|east west)\b"),
}


@dataclass(slots=True)
class Table:
    """The table of a sheet.

    grid: the sheet
    heading: the line and the texts of the headings; None if the table has none
    rows: (line, cells) of the rows below, without titles, repeated headings and what stands below the table
    directions: {line: NS or EW} by the titles inside the table
    options: {name in lower case: text} of the lines that begin with `#`
    titles: (line, cells) of the rows above the headings
    tables: as in `SheetLayout`
    """

    grid: Grid
    heading: tuple[int, list[str]] | None
    rows: list[tuple[int, list[str]]]
    directions: dict[int, str] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)
    titles: list[tuple[int, list[str]]] = field(default_factory=list)
    tables: int = 0

    @property
    def width(self) -> int:
        """The number of columns that are shown: those of the headings, or of the widest row without any."""
        headings = len(self.heading[1]) if self.heading else 0
        return max(headings, max((len(cells) for _line, cells in self.rows[:PROBED_ROWS]), default=0))

    @property
    def named(self) -> int:
        """The number of columns up to the last heading."""
        headings = self.heading[1] if self.heading else []
        return max((column for column, text in enumerate(headings, start=1) if text), default=0)

    @property
    def headings(self) -> list[str]:
        texts = self.heading[1] if self.heading else []
        return [*texts, *[""] * (self.width - len(texts))]

    def body(self) -> list[list[str]]:
        """Return the cells of the first rows, without sit-outs, and without totals and remarks at the end."""
        rows = [cells for _line, cells in self.rows[:PROBED_ROWS]]
        while len(rows) > 1 and (is_total(rows[-1]) or len(_texts(rows[-1])) < 2):
            rows.pop()
        return [cells for cells in rows if not (is_total(cells) or any(map(is_absent, cells)))] or rows

    def columns(self) -> list[list[str]]:
        """Return for each column its texts in the first rows, without blanks."""
        body = self.body()
        return [
            [cells[index] for cells in body if index < len(cells) and cells[index]]
            for index in range(self.width)
        ]


def is_absent(text: str) -> bool:
    """Return whether a cell of names stands for nobody: "DESCANSO", "~SITOUT - ~SITOUT"."""
    return bool(text) and all(map(sit_outs.is_sit_out, split_people(text) or [text]))


def split_licences(text: str) -> list[str]:
    """Return the licence numbers in a cell: "20049 / 20050" and "20049-20050" are two."""
    return [part for part in _BETWEEN_NUMBERS.split(text.strip()) if part]


def column_name(index: int) -> str:
    """Return the letter by which a spreadsheet names a column."""
    first = chr(ord("A") + index // 26 - 1) if index >= 26 else ""
    return first + chr(ord("A") + index % 26)


# --- The table of a sheet -------------------------------------------------------------------------------
def find_table(grid: Grid, known: Collection[str]) -> Table:
    """Find the headings and the rows of a sheet.

    known: the headings that are read by themselves, as `values.fold` gives them
    """
    grid = replace(grid, rows=_without_travellers(grid.rows))
    index = _heading_index(grid.rows, known)
    options = _options(grid.rows)
    if index is None:
        rows = [row for row in grid.rows if not row[1][0].startswith("#")]
        first = _first_data_row(rows)
        return Table(grid, None, rows[first:], options=options, titles=rows[:first])
    grid, index = _with_joined_headings(grid, index, known)
    titles = grid.rows[:index]
    grid = _one_below_the_other(grid, index, known)
    line, cells = grid.rows[index]
    heading = (line, [cells[0].removeprefix("#").strip(), *cells[1:]])
    table = Table(grid, heading, [], options=options, titles=titles)
    above = _texts(grid.rows[index - 1][1]) if index else []
    direction = _line_of_title(above[0]) if len(above) == 1 else ""
    starts = _collect_rows(table, grid.rows[index + 1 :], direction)
    _number_tables(table, starts, known)
    return table


def _without_travellers(rows: list[tuple[int, list[str]]]) -> list[tuple[int, list[str]]]:
    """Return the rows above the travellers, which have more headings that are known than the ranking."""
    starts = (at for at, (_line, cells) in enumerate(rows) if _TRAVELLERS.fullmatch(cells[0]))
    return rows[: next(starts, None)]


def _with_joined_headings(grid: Grid, index: int, known: Collection[str]) -> tuple[Grid, int]:
    """Return the sheet and the index of its headings, joined in one row if they stand in two.

    A heading of the upper row may stand for several columns of the lower one, as merged cells do.

    index: of the row of headings that was found, either the upper or the lower one
    """
    names = known if isinstance(known, Mapping) else {}
    pairs = ((at, grid.rows[at : at + 2]) for at in (index - 1, index) if at >= 0)
    are_headings = (
        (at, rows)
        for at, rows in pairs
        if len(rows) == 2 and all(_is_heading_row(cells, names) for _line, cells in rows)
    )
    headings = next(are_headings, None)
    if headings is None:
        return grid, index
    first, ((_line, upper), (_next_line, lower)) = headings
    joined = _join_headings(upper, lower, names)
    rows: list[tuple[int, list[str]]] = []
    for line, cells in grid.rows:
        if cells == lower and rows and rows[-1][1] == upper:
            rows[-1] = (rows[-1][0], joined)
        else:
            rows.append((line, cells))
    return replace(grid, rows=rows), first


def _is_heading_row(cells: Sequence[str], by_heading: Mapping[str, str]) -> bool:
    """Return whether most texts of a row, and at least two, are headings with a meaning."""
    texts = _texts(cells)
    meant = sum(bool(meaning_of_heading(text, by_heading)) for text in texts)
    is_other = cells[0].startswith("#") or any(_is_number(text) or _line_of_title(text) for text in texts)
    return meant >= 2 and 2 * meant >= len(texts) and not is_other


def _join_headings(upper: Sequence[str], lower: Sequence[str], by_heading: Mapping[str, str]) -> list[str]:
    """Join two rows of headings: `Total` above `%` is "Total %", unless only one heading is `%`."""
    joined = []
    above = ""
    for column in range(max(len(upper), len(lower))):
        high, low = (cells[column] if column < len(cells) else "" for cells in (upper, lower))
        above = high or above
        is_clear = lower.count(low) == 1 and meaning_of_heading(low, by_heading)
        joined.append(high if not low else low if is_clear else f"{above} {low}".strip())
    return joined


def _one_below_the_other(grid: Grid, index: int, known: Collection[str]) -> Grid:
    """Return a sheet in which rankings that stand side by side stand one below the other.

    Side by side are headings that repeat as a whole group, among them a place or a result. If a title above
    each group, or its headings, name its line of play, that becomes one more column. Otherwise the headings
    are repeated above each group.

    index: of the row of headings
    """
    line, headings = grid.rows[index]
    starts = _group_starts(headings, known)
    if len(starts) < 2:
        return grid
    bounds = list(zip(starts, [*starts[1:], None], strict=True))
    width = starts[1] - starts[0]
    directions = [_direction_above(grid.rows[: index + 1], first, last) for first, last in bounds]
    has_lines = all(directions) and len(set(directions)) == len(directions)
    heading = [*headings[starts[0] : starts[1]], "NS/EO"][: width + has_lines]
    rows: list[tuple[int, list[str]]] = []
    ends: list[tuple[int, list[str]]] = []
    for (first, last), direction in zip(bounds, directions, strict=True):
        group = [(at, cells[first:last]) for at, cells in grid.rows[index + 1 :]]
        group = [(at, cells) for at, cells in group if _texts(cells)]
        while len(group) > 1 and (is_total(group[-1][1]) or len(_texts(group[-1][1])) < 2):
            ends.insert(0, group.pop())
        if rows and not has_lines:
            rows.append((line, heading))
        rows += [
            (at, [*(cells + [""] * width)[:width], direction][: width + has_lines]) for at, cells in group
        ]
    column_of = {start + offset: offset for start in starts for offset in range(width)}
    return replace(
        grid,
        rows=[*grid.rows[:index], (line, heading), *rows, *ends],
        numeric={(at, column_of[column]) for at, column in grid.numeric if column in column_of},
        broken={
            (at, column_of[column]): cell for (at, column), cell in grid.broken.items() if column in column_of
        },
    )


def _group_starts(headings: Sequence[str], known: Collection[str]) -> list[int]:
    """Return the columns in which the groups of headings that repeat begin; at most one if none repeat."""
    filled = [column for column, text in enumerate(headings) if text]
    keys = [_without_line(headings[column]) for column in filled]
    for size in range(2, len(filled) // 2 + 1):
        group = keys[:size]
        repeats = len(keys) % size == 0 and keys == group * (len(keys) // size)
        starts = filled[::size]
        is_even = all(
            column - start == filled[place % size] - filled[0]
            for place, column in enumerate(filled)
            for start in [starts[place // size]]
        )
        if repeats and is_even and len(set(group)) == size and _has_result(group, known):
            return starts
    return []


def _without_line(heading: str) -> str:
    """Return a heading, folded, without the line of play that it names: `Pareja N-S` gives `pareja`."""
    folded = values.fold(heading)
    for pattern in _LINES.values():
        folded = pattern.sub("", folded)
    return " ".join(folded.split())


def _has_result(headings: Sequence[str], known: Collection[str]) -> bool:
    names = known if isinstance(known, Mapping) else {}
    return any((names.get(heading) or _HINT_OF.get(heading, "")) in RESULTS for heading in headings)


def _direction_above(rows: Sequence[tuple[int, list[str]]], first: int, last: int | None) -> str:
    """Return the line of play that the nearest row names in some columns; "" if none does."""
    named = (_line_of_title(text) for _line, cells in reversed(rows) for text in cells[first:last] if text)
    return next(filter(None, named), "")


def unread_people(table: Table, read: Collection[int]) -> list[tuple[str, int]]:
    """Return (heading or letter, number of people) of the columns that hold names but are not read.

    read: the columns that are read
    """
    body = [cells for _line, cells in table.rows if not is_total(cells)]
    unread = []
    for index, heading in enumerate(table.headings):
        texts = [cells[index] for cells in body if index < len(cells) and cells[index]]
        is_other = index in read or values.fold(heading) in _NO_PEOPLE or len(texts) < 2
        if is_other:
            continue
        people = list(map(splitter(texts), texts))
        named = sum(map(are_full_names, people))
        if named > 0.6 * len(texts) and 2 * len(set(texts)) > len(texts):
            unread.append((heading or column_name(index), sum(map(len, people))))
    return unread


def are_full_names(people: Sequence[str]) -> bool:
    """Return whether texts look like names of people, each of two to six words."""
    return all(_is_person(person) and 2 <= len(person.split()) <= 6 for person in people)


def _is_number(text: str) -> bool:
    return bool(values.decimal_text(text)) or values.place_number(text) is not None


def _texts(cells: Sequence[str]) -> list[str]:
    return [text for text in cells if text]


def _heading_index(rows: Sequence[tuple[int, list[str]]], known: Collection[str]) -> int | None:
    """Return the index of the row of headings, by the headings that are known or else by its shape."""
    scores = [
        sum(values.fold(text) in known for text in cells) if len(cells) > 1 or index == 0 else 0
        for index, (_line, cells) in enumerate(rows[:HEADING_ROWS])
    ]
    best = max(scores, default=0)
    if best >= 2 or (scores and best and scores[0] == best):
        return scores.index(best)
    widths = sorted(len(_texts(cells)) for _line, cells in rows[:PROBED_ROWS])
    usual = widths[len(widths) // 2] if widths else 0
    for index, (_line, cells) in enumerate(rows[: min(HEADING_ROWS, max(len(rows) - 1, 0))]):
        texts = _texts(cells)
        below = _texts(rows[index + 1][1])
        if table_lists.lists_tables(texts, has_lines=False):
            return index
        has_shape = len(texts) >= 2 and 5 * len(texts) >= 3 * usual and len(set(texts)) == len(texts)
        if has_shape and not any(map(_is_number, texts)) and any(map(_is_number, below)) and len(below) >= 2:
            return index
    return None


def _first_data_row(rows: Sequence[tuple[int, list[str]]]) -> int:
    """Return the index of the first row that is about as wide as the others; titles above are narrower."""
    widths = sorted(len(_texts(cells)) for _line, cells in rows[:PROBED_ROWS])
    usual = widths[len(widths) // 2] if widths else 0
    wide = (index for index, (_line, cells) in enumerate(rows) if 2 * len(_texts(cells)) > usual)
    return next(wide, 0)


def _options(rows: Sequence[tuple[int, list[str]]]) -> dict[str, str]:
    """Return the options of the lines that begin with `#`: `#Date 14/03/2026` or `#Date,14/03/2026`."""
    options: dict[str, str] = {}
    for _line, cells in rows:
        if cells[0].startswith("#"):
            name, _blank, text = cells[0].removeprefix("#").strip().partition(" ")
            options.setdefault(name.casefold(), " ".join([text, *cells[1:]]).strip())
    return options


def _collect_rows(table: Table, rows: Sequence[tuple[int, list[str]]], direction: str) -> list[int]:
    """Add the rows below the headings to the table, up to the next line that begins with `#`.

    Return the indexes of the rows above which the headings are repeated.

    direction: NS or EW if the title above the headings names that line of play, else ""
    """
    headings = [values.fold(text) for text in table.headings if text]
    starts: list[int] = []
    for line, cells in rows:
        texts = _texts(cells)
        if cells[0].startswith("#"):
            if table.rows:
                break
            continue
        if [values.fold(text.removeprefix("#")) for text in texts] == headings and len(headings) > 1:
            starts.append(len(table.rows))
            continue
        if len(texts) == 1 and len(headings) > 1 and (title := _line_of_title(texts[0])):
            direction = title
            continue
        table.rows.append((line, cells))
        if direction:
            table.directions[line] = direction
    return sorted({start for start in starts if 0 < start < len(table.rows)})


def _number_tables(table: Table, starts: Sequence[int], known: Collection[str]) -> None:
    """Add a column with the number of each table if a sheet has several and nothing says what they are.

    Headings that are repeated on each page of one ranking do not make several tables.

    starts: the indexes of the first rows of the tables after the first
    """
    names = known if isinstance(known, Mapping) else {}
    meanings = [meaning_of_heading(heading, names) for heading in table.headings]
    parts = [table.rows[first:last] for first, last in pairwise([0, *starts, len(table.rows)])]
    is_named = {"direction", "section"} & set(meanings) or len(table.directions) == len(
        {line for line, _cells in table.rows}
    )
    if len(parts) < 2 or is_named or _is_continued(parts, meanings) or table.heading is None:
        return
    width = table.width
    line, headings = table.heading
    table.heading = line, [*(headings + [""] * width)[:width], ""]
    table.rows = [
        (line, [*(cells + [""] * width)[:width], str(number)])
        for number, part in enumerate(parts, start=1)
        for line, cells in part
    ]
    table.tables = len(parts)


def _is_continued(parts: Sequence[Sequence[tuple[int, list[str]]]], meanings: Sequence[str]) -> bool:
    """Return whether each table goes on where the one before ends, by its places or else its results."""
    for name, sign in (("place", 1), ("percentage", -1), ("score", -1)):
        if name in meanings:
            column = meanings.index(name)
            figures = [_figures(part, column, is_place=name == "place") for part in parts]
            return all(figures) and all(
                sign * after[0] >= sign * before[-1] for before, after in pairwise(figures)
            )
    return False


def _figures(part: Sequence[tuple[int, list[str]]], column: int, is_place: bool) -> list[float]:
    """Return the places or results in a column, without totals and other texts."""
    texts = [cells[column] for _line, cells in part if column < len(cells) and not is_total(cells)]
    read = values.place_number if is_place else values.decimal_text
    return [float(number) for number in map(read, texts) if number]


def with_tables(table: Table, meaning: str) -> Table:
    """Return a table whose last column, with the number of each table, says what they are.

    meaning: key of `TABLES`
    """
    texts = _LINES_OF.get(meaning) or [column_name(index) for index in range(table.tables)]
    rows = [(line, [*cells[:-1], texts[int(cells[-1]) - 1]]) for line, cells in table.rows]
    return replace(table, rows=rows)


def _line_of_title(text: str) -> str:
    """Return NS or EW if a title inside a table names that line of play, else ""."""
    words = values.fold(text)
    lines = [line for line, pattern in _LINES.items() if pattern.search(words)]
    return lines[0] if len(lines) == 1 and not any(map(str.isdigit, words)) else ""


def is_total(cells: Sequence[str]) -> bool:
    """Return whether a row begins with a word for totals."""
    words = values.fold(next(iter(_texts(cells)), "")).split()
    return bool(words and words[0] in _TOTALS)


def is_footer(first: str, has_person: bool, place: str) -> bool:
    """Return whether a row at the end of a table is no contestant: a total, or a remark without people.

    first: the first cell that is not blank
    """
    return is_total([first]) or (not has_person and values.place_number(place) is None)


# --- The meaning of its columns -------------------------------------------------------------------------
def layout_of(table: Table, by_heading: Mapping[str, str]) -> SheetLayout:
    """Return the layout of a table with its first rows and the meaning proposed for each column.

    by_heading: {folded heading: meaning} of the headings that are read by themselves
    """
    width = table.width
    rows = tuple(tuple((cells + [""] * width)[:width]) for cells in _sample(table))
    return SheetLayout(
        sheet=table.grid.sheet,
        digest=digest_of(table),
        headings=tuple(table.headings),
        rows=rows,
        count=len(table.rows),
        meanings=tuple(propose(table, by_heading)),
        tables=table.tables,
    )


def _sample(table: Table) -> list[list[str]]:
    """Return the first rows of the table, or some of each table if the sheet has several."""
    body = table.body()
    if table.tables:
        count = max(1, SAMPLE_ROWS // table.tables)
        numbers = [str(number) for number in range(1, table.tables + 1)]
        body = [cells for number in numbers for cells in [row for row in body if row[-1] == number][:count]]
    return body[:SAMPLE_ROWS]


def digest_of(table: Table) -> str:
    """Return a digest by which the same layout is recognised next week.

    It is of the headings, or, without any, of which columns have numbers; and of the number of tables.
    """
    if table.heading:
        headings = [values.fold(text) for text in table.headings]
    else:
        headings = [_digest_letter(texts) for texts in table.columns()]
    if table.tables:
        headings.append(str(table.tables))
    return hashlib.sha256("\x1f".join(headings).encode()).hexdigest()[:32]


def _digest_letter(texts: Sequence[str]) -> str:
    if not texts:
        return "-"
    return "#" if _share(texts, _is_number) > 0.5 else "a"


def propose(table: Table, by_heading: Mapping[str, str]) -> list[str]:
    """Return the meaning proposed for each column: by its heading if the content fits, else by content."""
    columns = table.columns()
    meanings = [meaning_of_heading(heading, by_heading) for heading in table.headings]
    meanings = [
        meaning if texts and _fits(meaning, heading, texts) else ""
        for meaning, heading, texts in zip(meanings, table.headings, columns, strict=True)
    ]
    _propose_pair_numbers(meanings, table)
    repeated = {index for index, meaning in enumerate(meanings) if meaning and meaning in meanings[:index]}
    for index in repeated:
        meanings[index] = ""
    _propose_people(meanings, table.headings, columns)
    headings = table.headings
    numbers = table_lists.number_columns(headings)
    free = [
        index
        for index, texts in enumerate(columns)
        if texts and not (index in repeated or index in numbers or percentages.names_award(headings[index]))
    ]
    # The column of the percentages follows from the places of each line of play.
    _propose_by_content(meanings, columns, free, ("direction", "place"))
    _propose_percentage(meanings, table, by_heading)
    _propose_by_content(meanings, columns, free, ("direction", "place", "percentage"))
    _propose_by_words(meanings, table.headings, columns, free)
    _propose_by_content(meanings, columns, free, ("score",))
    return [*meanings[:-1], ""] if table.tables else meanings


def _propose_pair_numbers(meanings: list[str], table: Table) -> None:
    """Propose the number of the pair for a column named `Pareja` that has numbers instead of names."""
    if "number" in meanings:
        return
    for index, texts in enumerate(table.columns()):
        is_pair = meanings[index] == "team" and values.fold(table.headings[index]) in ("pareja", "pair")
        if is_pair and _fits("number", table.headings[index], texts):
            meanings[index] = "number"


def meaning_of_heading(heading: str, by_heading: Mapping[str, str]) -> str:
    """Return the meaning that a heading suggests; "" if none."""
    folded = values.fold(heading)
    hint = _HINT_OF.get(folded, "")
    meaning = hint if hint == "number" else by_heading.get(folded) or hint
    return meaning if meaning in MEANINGS else ""


def _share(texts: Sequence[str], test: Callable[[str], object]) -> float:
    return sum(bool(test(text)) for text in texts) / len(texts)


def _is_person(text: str) -> bool:
    return bool(_LETTERS.search(text)) and not any(map(str.isdigit, text))


def _fits(meaning: str, heading: str, texts: Sequence[str]) -> bool:
    """Return whether the content of a column can have a meaning that its heading suggests."""
    if meaning == "team":
        return not are_pairs(texts, names_pairs(heading))
    if meaning == "number":
        return _share(texts, values.place_number) > 0.5
    if meaning == "place":
        return _share(texts, values.place_number) > 0.5
    if meaning in ("percentage", "score"):
        return _share(texts, lambda text: values.decimal_text(text) is not None) > 0.5
    if meaning.startswith("licence"):
        return _share(texts, lambda text: any(map(str.isdigit, text))) > 0.5
    if meaning == "direction":
        return _share(texts, values.direction_text) > 0.5
    return True


def _propose_people(meanings: list[str], headings: Sequence[str], columns: Sequence[Sequence[str]]) -> None:
    """Propose the columns of names and licences that the headings do not tell."""
    if "name" not in meanings and "name_1" not in meanings and "surname" not in meanings:
        named = _columns_of_names(meanings, headings, columns)
        for seat, index in enumerate(named, start=1):
            meanings[index] = f"name_{seat}" if len(named) > 1 else "name"
    if "surname" in meanings and "given" not in meanings and "name" in meanings:
        meanings[meanings.index("name")] = "given"
    if any(meaning.startswith("licence") for meaning in meanings):
        return
    numbers = [
        index
        for index, texts in enumerate(columns)
        if texts
        and not meanings[index]
        and _share(texts, lambda text: _LICENCE.fullmatch(text.removesuffix(".0"))) > 0.8
        and len(set(texts)) == len(texts)
    ]
    seats = sum(meaning.startswith("name_") for meaning in meanings)
    if len(numbers) == 1 and "name_2" not in meanings:
        meanings[numbers[0]] = "licence"
    elif len(numbers) > 1 and "name_2" in meanings:
        for seat, index in enumerate(numbers[: max(seats, 2)], start=1):
            meanings[index] = f"licence_{seat}"


def _columns_of_names(
    meanings: Sequence[str], headings: Sequence[str], columns: Sequence[Sequence[str]]
) -> list[int]:
    """Return the columns that seem to hold the names of people, or of the pairs of a team.

    A column whose heading names teams has the names of people only if no other column has.
    """
    has_teams = any(map(names_teams, headings))
    free = [index for index, texts in enumerate(columns) if texts and meanings[index] in ("", "team")]
    teams = {index for index in free if names_teams(headings[index])}
    pairs = [index for index in free if are_pairs(columns[index], names_pairs(headings[index]))]
    if pairs:
        pairs = [index for index in pairs if index not in teams] or pairs
        full = [index for index in pairs if _holds_people(headings[index], columns[index])]
        # The pairs of a line of play are those of a table, unless the rows are teams.
        has_lines = any(_line_of_title(headings[index]) for index in pairs)
        is_of_teams = len(full) > 1 and (has_teams or not has_lines)
        return full[:MOST_SEATS] if is_of_teams else pairs[:1]
    named = [
        index
        for index in free
        if _share(columns[index], _is_person) > 0.8 and 2 * len(set(columns[index])) > len(columns[index])
    ]
    named = [index for index in named if index not in teams] or named
    full = [index for index in named if _holds_people(headings[index], columns[index])]
    # Two columns are those of a pair. A third may be the home of its players, unless the rows are teams.
    is_of_teams = len(full) > 3 or (len(full) == 3 and has_teams)
    return full[:MOST_SEATS] if is_of_teams else named[:2]


def _holds_people(heading: str, texts: Sequence[str]) -> bool:
    """Return whether most texts of a column are full names, of several people or of one."""
    if values.fold(heading) in _NO_PEOPLE:
        return False
    split = splitter(texts, names_pairs(heading))
    return _share(texts, lambda text: are_full_names(split(text))) > 0.6


def _propose_percentage(meanings: list[str], table: Table, by_heading: Mapping[str, str]) -> None:
    """Propose the column of percentages that the places follow, whichever column has their heading."""
    column = column_of_ranking(table, meanings, by_heading)
    if column is not None:
        if "percentage" in meanings:
            meanings[meanings.index("percentage")] = ""
        meanings[column] = "percentage"


def column_of_ranking(table: Table, meanings: Sequence[str], by_heading: Mapping[str, str]) -> int | None:
    """Return the column of percentages that the places follow; None if none does.

    If several do, a column that is read as the percentage comes first, then one whose heading names the final
    result, then the last.

    meanings: what each column means, as far as it is known
    by_heading: {folded heading: meaning} of the headings that are read by themselves
    """
    following = []
    for column, (heading, texts) in enumerate(zip(table.headings, table.columns(), strict=True)):
        may_be = meaning_of_heading(heading, by_heading) in ("", "percentage")
        is_free = meanings[column] in ("", "percentage", "score")
        is_candidate = is_free and (may_be or percentages.names_final(heading))
        if is_candidate and percentages.are_percentages(texts) and follows_places(table, column, meanings):
            following.append(column)
    read = [column for column in following if meanings[column] == "percentage"]
    final = [column for column in following if percentages.names_final(table.headings[column])]
    return next((columns[-1] for columns in (read, final, following) if columns), None)


def follows_places(table: Table, column: int, meanings: Sequence[str]) -> bool:
    """Return whether the results in a column follow the places, or the order of the rows if it has none."""
    figures = []
    for row, (line, cells) in enumerate(table.rows[:PROBED_ROWS]):
        of_row = {meaning: cells[at] for at, meaning in enumerate(meanings[: len(cells)]) if meaning}
        result = values.decimal_text(cells[column]) if column < len(cells) else ""
        place = values.place_number(of_row.get("place", "")) if "place" in meanings else row
        if result and place is not None and not is_total(cells):
            group = (table.directions.get(line, ""), of_row.get("direction", ""), of_row.get("section", ""))
            figures.append((group, place, float(result)))
    return percentages.follow_places(figures)


def _propose_by_content(
    meanings: list[str], columns: Sequence[Sequence[str]], free: Sequence[int], wanted: Collection[str]
) -> None:
    """Propose meanings for columns by their content. free: the columns that may have one"""
    for index in free:
        if not meanings[index] and (meaning := _by_content(columns[index], meanings)) in wanted:
            meanings[index] = meaning


def _propose_by_words(
    meanings: list[str], headings: Sequence[str], columns: Sequence[Sequence[str]], free: Sequence[int]
) -> None:
    """Propose a result for a column whose heading has a word for one. free: the columns that may have one"""
    for index in free:
        words, texts = percentages.words_of_heading(headings[index]), columns[index]
        if meanings[index] or "percentage" in meanings:
            continue
        if words & _PERCENTAGE_WORDS and percentages.may_be_percentages(texts):  # no handicaps
            meanings[index] = "percentage"
        elif "score" not in meanings and words & _SCORE_WORDS and _fits("score", headings[index], texts):
            meanings[index] = "score"


def _by_content(texts: Sequence[str], taken: Sequence[str]) -> str:
    """Return the meaning that the content of a column suggests, if no other column has it; else ""."""
    if "direction" not in taken and _share(texts, values.direction_text) > 0.9:
        return "direction"
    if "place" not in taken and _are_places(texts):
        return "place"
    numbers = [values.decimal_text(text) for text in texts]
    if len(texts) < 3 or not all(numbers):
        return ""
    figures = [float(number) for number in numbers if number]
    if percentages.are_percentages(texts):
        return "" if "percentage" in taken else "percentage"
    is_falling = all(first >= second for first, second in zip(figures, figures[1:], strict=False))
    has_result = "score" in taken or "percentage" in taken
    return "score" if not has_result and is_falling and figures[0] > figures[-1] else ""


def _are_places(texts: Sequence[str]) -> bool:
    numbers = [values.place_number(text) for text in texts]
    places = [number for number in numbers if number]
    steps = all(0 <= after - before <= 8 for before, after in zip(places, places[1:], strict=False))
    return len(places) == len(texts) and len(places) > 2 and places[0] == 1 and places[-1] > 1 and steps


def unread_headings(table: Table, by_heading: Mapping[str, str]) -> list[str]:
    """Return the headings that are not read but seem to mean something that the ranking lacks.

    A column seems to hold results by its content, too, whatever its heading is.
    """
    read = {by_heading.get(values.fold(heading), "") for heading in table.headings}
    lacks_number = not read & {"team", "number"}
    has_licences = any(meaning.startswith("licence") for meaning in read)
    unread = []
    for heading, meaning in zip(table.headings, propose(table, by_heading), strict=True):
        folded = values.fold(heading)
        is_hint = folded not in by_heading and (folded in _HINT_OF or meaning in ("percentage", "score"))
        is_lacking = meaning not in read and (meaning != "score" or "percentage" not in read)
        is_lacking = is_lacking and (meaning != "number" or lacks_number)
        if is_hint and meaning and is_lacking and not (meaning.startswith("licence") and has_licences):
            unread.append(heading)
    return unread


def has_results(layout: SheetLayout) -> bool:
    """Return whether a sheet whose columns are not known has results, so that it is no list of names.

    Places and scores count only by their heading, because the numbers of the pairs of a list look like them.
    """
    columns = zip(layout.headings, layout.meanings, strict=True)
    return any(meaning in RESULTS and (meaning == "percentage" or heading) for heading, meaning in columns)


def lists_tables(table: Table, by_heading: Mapping[str, str]) -> bool:
    """Return whether a sheet says who sits at each table, without any result.

    by_heading: as for `layout_of`
    """
    has_seats = any(map(table_lists.are_seats, table.columns()))
    others = [heading for heading in table.headings if not table_lists.side_of(heading)]
    of_headings = {meaning_of_heading(heading, by_heading) for heading in others}
    is_list = table_lists.lists_tables(table.headings, has_seats or "direction" in of_headings)
    if not is_list or of_headings & {"number", "team"}:
        return False
    return not set(RESULTS) & set(propose(table, by_heading))


def kind_of_list(meanings: Collection[str]) -> str:
    """Return the code of the issue that says what a list without a result is; "" if it may be a ranking."""
    if any(meaning in meanings for meaning in RESULTS) or not any(meaning in meanings for meaning in PEOPLE):
        return ""
    if "number" in meanings or "direction" in meanings or "team" in meanings:
        return "start_list"
    return "register_list" if any(meaning.startswith("licence") for meaning in meanings) else ""
