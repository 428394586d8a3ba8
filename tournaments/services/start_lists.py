"""Put the people of a start list into the ranking of an upload whose file does not name them."""

from collections import defaultdict
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
    by_number: dict[str, list[int]] = defaultdict(list)
    for index, entry in enumerate(entries):
        by_number[bare_number(entry.number or "").lstrip("0")].append(index)
    filled: set[int] = set()
    unknown = []
    for row in rows:
        matches = [index for index in by_number.get(row.number, ()) if _is_of(row, entries[index])]
        if len(matches) == 1:
            filled.add(matches[0])
            entries[matches[0]] = _with_people(entries[matches[0]], row.people)
        else:
            unknown.append(" ".join(filter(None, (row.section, row.number, row.direction))))
    kept = {seat: choice for seat, choice in choices.items() if seat[0] not in filled}
    return Placed(replace(parsed, entries=tuple(entries)), kept, len(filled), tuple(unknown))


def _is_of(row: StartRow, entry: Entry) -> bool:
    """Return whether a row of the list may be of this contestant, who has the same number."""
    sections = {(row.section or "").upper(), (entry.section or "").upper()} - {""}
    directions = {row.direction, entry.direction} - {None}
    return len(sections) < 2 and len(directions) < 2


def _with_people(entry: Entry, people: Sequence[Person]) -> Entry:
    seated = [Person(person.number, person.name, entry.line) for person in people]
    if len(seated) < PAIR:
        seated += [Person(None, "", entry.line)] * (PAIR - len(seated))
    return replace(entry, people=tuple(seated))
