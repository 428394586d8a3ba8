"""Put the people of a start list into the ranking of an upload whose file does not name them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tournaments.formats.start_list import StartRow
from tournaments.formats.types import Entry, ParsedResult, Person
from tournaments.formats.values import bare_number

from .people import Choice, Seat

PAIR = 2


@dataclass(frozen=True)
class Placed:
    """What became of a start list.

    parsed: the ranking with the people of the list
    choices: the decisions about seats whose people did not change
    filled: how many contestants got their people
    unknown: the numbers of the list that are not in the ranking, or of which it has several
    """

    parsed: ParsedResult
    choices: dict[Seat, Choice]
    filled: int
    unknown: tuple[str, ...]


def place_people(parsed: ParsedResult, choices: dict[Seat, Choice], rows: Sequence[StartRow]) -> Placed:
    """Return the ranking with the people of the list. Other contestants keep theirs."""
    entries = list(parsed.entries)
    filled: set[int] = set()
    unknown = []
    for row in rows:
        matches = [index for index, entry in enumerate(entries) if _is_of(row, entry)]
        if len(matches) == 1:
            filled.add(matches[0])
            entries[matches[0]] = _with_people(entries[matches[0]], row.people)
        else:
            unknown.append(" ".join(filter(None, (row.section, row.number, row.direction))))
    kept = {seat: choice for seat, choice in choices.items() if seat[0] not in filled}
    return Placed(replace(parsed, entries=tuple(entries)), kept, len(filled), tuple(unknown))


def _is_of(row: StartRow, entry: Entry) -> bool:
    """Return whether a row of the list may be of this contestant."""
    return (
        bare_number(entry.number or "").lstrip("0") == row.number
        and (row.section is None or entry.section is None or row.section.upper() == entry.section.upper())
        and (row.direction is None or entry.direction is None or row.direction == entry.direction)
    )


def _with_people(entry: Entry, people: Sequence[Person]) -> Entry:
    seated = [Person(person.number, person.name, entry.line) for person in people]
    if len(seated) < PAIR:
        seated += [Person(None, "", entry.line)] * (PAIR - len(seated))
    return replace(entry, people=tuple(seated))
