"""Put the people of a start list into a ranking that was typed or edited by hand.

Where there are files, a list is one of them (`tournaments.services.files`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tournaments.formats.start_list import StartRow, begin_at, named
from tournaments.formats.types import ParsedResult

from .people import Choice, Seat


@dataclass(frozen=True)
class Placed:
    """What became of a start list.

    parsed: the ranking with the people of the list
    choices: the decisions about seats whose people did not change
    filled: how many contestants got their people
    unknown: the numbers of the list that are not in the ranking
    several: the numbers of the list that several contestants have
    """

    parsed: ParsedResult
    choices: dict[Seat, Choice]
    filled: int
    unknown: tuple[str, ...]
    several: tuple[str, ...]


def place_people(parsed: ParsedResult, choices: dict[Seat, Choice], rows: Sequence[StartRow]) -> Placed:
    """Return the ranking with the people of the list. Other contestants keep theirs."""
    placed = named(parsed.entries, rows, begin_at(parsed.entries, parsed.seats))
    filled = placed.filled
    entries = tuple(
        replace(entry, people=tuple(replace(person, line=entry.line) for person in entry.people))
        if index in filled
        else entry
        for index, entry in enumerate(placed.entries)
    )
    kept = {seat: choice for seat, choice in choices.items() if seat[0] not in filled}
    whole = replace(parsed, entries=entries)
    return Placed(whole, kept, len(filled), placed.unknown, placed.several)
