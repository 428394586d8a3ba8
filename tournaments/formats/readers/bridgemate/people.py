"""Find the people of each pair in a Bridgemate database.

Numbers and names of people are entered by table and seat. Each belongs to the pair that has this seat in the
first round.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from tournaments.formats.mdb import Table
from tournaments.formats.types import Direction

from .results import whole_number
from .seats import Seated, moves_of, table_of_first_round

# A pair: ID of the section, side at the table, and number.
Pair = tuple[str, Direction, int]
_SEATS: dict[str, tuple[Direction, int]] = {"N": ("NS", 0), "S": ("NS", 1), "E": ("EW", 0), "W": ("EW", 1)}


@dataclass(frozen=True, slots=True)
class Named:
    """A person's number and name as the database has them. Each may be blank."""

    number: str
    name: str


def people_of(tables: Mapping[str, Table], seated: Seated) -> dict[Pair, list[Named]]:
    """Return {pair: its two people} for every pair with a number or a name of at least one person.

    seated: what `seated_first` returns
    """
    moves = moves_of(tables.get("Section", []))
    names = _names(tables.get("PlayerNames", []))
    people: dict[Pair, list[Named]] = {}
    for row in tables.get("PlayerNumbers", []):
        seat = _SEATS.get(row.get("Direction", "").strip().upper())
        number = row.get("Number", "").strip()
        name = row.get("Name", "").strip() or names.get(number, "")
        # With a column Round, later rounds have the players who came in their place.
        if seat is None or not (number or name) or whole_number(row.get("Round", "")) > 1:
            continue
        side, place = seat
        section, table = row.get("Section", ""), whole_number(row.get("Table", ""))
        if side == "EW":
            table = table_of_first_round(table, *moves.get(section, (0, 0)))
        _turn, pair = seated.get((section, side, table), (0, 0))
        if pair:
            people.setdefault((section, side, pair), [Named("", ""), Named("", "")])[place] = Named(
                number, name
            )
    return people


def _names(rows: Table) -> dict[str, str]:
    """Return {number: name} of the list of players in the database."""
    names = {}
    for row in rows:
        name = row.get("Name", "").strip()
        for number in (row.get("ID", "").strip(), row.get("strID", "").strip()):
            if number and name:
                names[number] = name
    return names
