"""Changes to the numbers of a ranking under review, as plain values: nothing here reads or stores.

Each function takes and returns a `ParsedResult` with the decisions (`Choice`) about its seats, which remember
what the file had, so that every one of them can be undone.
"""

from collections.abc import Mapping
from dataclasses import replace
from enum import Enum

from tournaments.formats.types import ParsedResult, Person

from .people import Choice, Seat, seats_of

Ranking = tuple[ParsedResult, dict[Seat, Choice]]


class Decision(Enum):
    """What else than a number can be decided about a seat."""

    GUEST = "guest"
    AS_READ = "as read"  # undoes what was decided before


class NoSuchSeat(Exception):
    """The ranking has no such seat."""


def decide(
    parsed: ParsedResult, choices: Mapping[Seat, Choice], seats: Mapping[Seat, str | Decision]
) -> Ranking:
    """Give seats a number ("": none), a guest, or back what the file has. Raises NoSuchSeat."""
    people = {seat: person for seat, person, _line in seats_of(parsed.entries)}
    if missing := seats.keys() - people.keys():
        raise NoSuchSeat(missing)
    choices = dict(choices)
    for seat, decision in seats.items():
        as_read = choices[seat].number if seat in choices else people[seat].number
        number = {Decision.GUEST: None, Decision.AS_READ: as_read}.get(decision, decision or None)
        people[seat] = replace(people[seat], number=number)
        if decision is Decision.GUEST or number != as_read:
            choices[seat] = Choice(as_read, guest=decision is Decision.GUEST)
        else:
            choices.pop(seat, None)
    return _with_people(parsed, people), choices


def regroup(before: ParsedResult, choices: Mapping[Seat, Choice], fresh: ParsedResult) -> Ranking:
    """Carry decisions over to the same file read as another format, which groups its lines differently.

    They are dropped where the two readings do not have the same people.
    """
    old = sorted(seats_of(before.entries), key=lambda seated: seated[2])
    new = sorted(seats_of(fresh.entries), key=lambda seated: seated[2])
    if [(line, person.name) for _seat, person, line in old] != [(line, p.name) for _seat, p, line in new]:
        return fresh, {}
    people, carried = {}, {}
    for (seat, person, _line), (target, fresh_person, _same) in zip(old, new, strict=True):
        people[target] = fresh_person
        if seat in choices:
            people[target] = replace(fresh_person, number=person.number)
            carried[target] = choices[seat]
    return _with_people(fresh, people), carried


def _with_people(parsed: ParsedResult, people: Mapping[Seat, Person]) -> ParsedResult:
    entries = (
        replace(entry, people=tuple(people[row, place] for place in range(len(entry.people))))
        for row, entry in enumerate(parsed.entries)
    )
    return replace(parsed, entries=tuple(entries))
