"""Recognise lists by tables: who sits at each table, as directors write it before play.

A row has the people of both lines of a table (Mesa, Norte, Sur, Este, Oeste), or of one (Mesa, Línea,
Jugador 1, Jugador 2). The numbers of the tables in their order look like places.
"""

from collections.abc import Collection, Sequence

from . import values
from .types import Direction

_TABLES = frozenset(["mesa", "no mesa", "numero de mesa", "num mesa", "table", "table number", "table no"])
_SIDES: dict[str, Direction] = {
    **dict.fromkeys(("norte", "sur", "north", "south", "n", "s"), "NS"),
    **dict.fromkeys(("este", "oeste", "east", "west", "e", "o", "w"), "EW"),
}
_PAIR = frozenset(["pareja", "parejas", "pair", "pairs", "par"])
_PERSON = frozenset(
    ["jugador", "jugadora", "jugadores", "nombre", "nombres", "player", "players", "name", "names"]
)
_TABLE_WORDS = ("mesa", "table")


def is_table(heading: str) -> bool:
    """Return whether a heading is that of the numbers of tables."""
    return values.fold(heading) in _TABLES


def table_number(text: str) -> str:
    """Return the text of a cell of such a column without the word for a table: `Mesa 7` gives `7`."""
    first, _blank, rest = text.strip().partition(" ")
    return rest.strip() if rest and values.fold(first) in _TABLE_WORDS else text


def side_of(heading: str) -> Direction | None:
    """Return the line of play that a text names: `Norte`, `Jugador sur`, `S`, `N-S`, `Pareja NS` give NS."""
    words = [word for word in values.fold(heading).split() if word not in _PERSON | _PAIR]
    sides = {_SIDES.get(word) for word in words}
    if len(sides) == 1 and None not in sides:
        return sides.pop()
    match values.direction_text(" ".join(words)):
        case "NS":
            return "NS"
        case "EW":
            return "EW"
    return None


def is_pair_of_side(heading: str) -> bool:
    """Return whether a heading is that of the pairs of a line: `Pareja NS` may have numbers or names."""
    return bool(side_of(heading)) and not _PAIR.isdisjoint(values.fold(heading).split())


def number_columns(headings: Sequence[str]) -> set[int]:
    """Return the indexes of the columns of tables, and of the pairs beside them: no places or results."""
    tables = {index for index, heading in enumerate(headings) if is_table(heading)}
    pairs = {index for index, heading in enumerate(headings) if is_pair_of_side(heading)}
    return tables | pairs if tables else set()


def are_seats(texts: Collection[str]) -> bool:
    """Return whether all cells of a column name a seat or a line, and both lines are named."""
    return {side_of(text) for text in texts} == {"NS", "EW"}


def lists_tables(headings: Collection[str], has_lines: bool) -> bool:
    """Return whether headings are those of a list by tables.

    has_lines: whether a column has the line of play of each row
    """
    sides = {side_of(heading) for heading in headings}
    return any(map(is_table, headings)) and (has_lines or {"NS", "EW"} <= sides)
