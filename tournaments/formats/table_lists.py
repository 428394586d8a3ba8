"""Recognise lists by tables: who sits at each table, as directors write it before play.

A row has the people of both lines of a table (Mesa, Norte, Sur, Este, Oeste), or of one (Mesa, Línea,
Jugador 1, Jugador 2). The numbers of the tables in their order look like places.
"""

from collections.abc import Collection

from . import values
from .types import Direction

_TABLES = frozenset(["mesa", "no mesa", "numero de mesa", "num mesa", "table", "table number", "table no"])
_SIDES: dict[str, Direction] = {
    **dict.fromkeys(("norte", "sur", "north", "south", "n", "s"), "NS"),
    **dict.fromkeys(("este", "oeste", "east", "west", "e", "o", "w"), "EW"),
}
_PERSON = frozenset(["jugador", "jugadora", "nombre", "player", "name"])
_TABLE_WORDS = ("mesa", "table")


def is_table(heading: str) -> bool:
    """Return whether a heading is that of the numbers of tables."""
    return values.fold(heading) in _TABLES


def table_number(text: str) -> str:
    """Return the text of a cell of such a column without the word for a table: `Mesa 7` gives `7`."""
    first, _blank, rest = text.strip().partition(" ")
    return rest.strip() if rest and values.fold(first) in _TABLE_WORDS else text


def side_of(heading: str) -> Direction | None:
    """Return the line of play that a text names: `Norte`, `Jugador sur`, `S` and `N-S` give NS."""
    words = [word for word in values.fold(heading).split() if word not in _PERSON]
    sides = {_SIDES.get(word) for word in words}
    if len(sides) == 1 and None not in sides:
        return sides.pop()
    match values.direction_text(" ".join(words)):
        case "NS":
            return "NS"
        case "EW":
            return "EW"
    return None


def lists_tables(headings: Collection[str], has_lines: bool) -> bool:
    """Return whether headings are those of a list by tables.

    has_lines: whether a column has the line of play of each row
    """
    sides = {side_of(heading) for heading in headings}
    return any(map(is_table, headings)) and (has_lines or {"NS", "EW"} <= sides)
