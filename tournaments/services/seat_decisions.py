"""Apply the director's decisions about single seats to a ranking under review. No database access.

A decision is stored as a `Choice`. It keeps the number in the file, so that the decision can be undone.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import Enum

from tournaments.formats.types import Entry, ParsedResult, Person

from .people import Choice, Seat, seats_of

Ranking = tuple[ParsedResult, dict[Seat, Choice]]


class Decision(Enum):
    """A decision about a seat other than the number of a player."""

    GUEST = "guest"
    AS_READ = "as read"  # undo an earlier decision


class NoSuchSeat(Exception):
    """The ranking has no such seat."""


def apply_decisions(
    parsed: ParsedResult, choices: Mapping[Seat, Choice], decisions: Mapping[Seat, str | Decision]
) -> Ranking:
    """Apply new decisions to seats: a player number, "" for no number, or a `Decision`.

    Return the changed ranking and all decisions now in force. Raises NoSuchSeat.

    choices: the decisions in force before
    """
    people = {seat: person for seat, person, _line in seats_of(parsed.entries)}
    if missing := decisions.keys() - people.keys():
        raise NoSuchSeat(missing)
    choices = dict(choices)
    for seat, decision in decisions.items():
        as_read = choices[seat].number if seat in choices else people[seat].number
        number = {Decision.GUEST: None, Decision.AS_READ: as_read}.get(decision, decision or None)
        people[seat] = replace(people[seat], number=number)
        if decision is Decision.GUEST or number != as_read:
            choices[seat] = Choice(as_read, guest=decision is Decision.GUEST)
        else:
            choices.pop(seat, None)
    return _with_people(parsed, people), choices


def transfer_decisions(before: ParsedResult, choices: Mapping[Seat, Choice], after: ParsedResult) -> Ranking:
    """Transfer decisions to a new reading of the same file that groups the rows into other contestants.

    Return the new ranking and its decisions. If the two readings have different people, drop all decisions.

    before, after: the file as read before and as read now
    """
    old = sorted(seats_of(before.entries), key=lambda row: row[2])
    new = sorted(seats_of(after.entries), key=lambda row: row[2])
    if [(line, person.name) for _, person, line in old] != [(line, person.name) for _, person, line in new]:
        return after, {}
    people, new_choices = {}, {}
    for (seat, person, _line), (new_seat, new_person, _same_line) in zip(old, new, strict=True):
        people[new_seat] = new_person
        if seat in choices:
            people[new_seat] = replace(new_person, number=person.number)
            new_choices[new_seat] = choices[seat]
    return _with_people(after, people), new_choices


def keep_guests(
    before: Sequence[Entry], choices: Mapping[Seat, Choice], after: Sequence[Entry]
) -> dict[Seat, Choice]:
    """Return the decisions that mark guests, for the seats of those guests in an edited ranking.

    Guests are recognised by name. A decision is dropped if the seat now has a number, or if another person of
    the edited ranking has the same name.

    before, after: the contestants before and after editing
    """
    names = Counter(person.name for _seat, person, _line in seats_of(after))
    guests = {
        person.name: choices[seat]
        for seat, person, _line in seats_of(before)
        if person.name and seat in choices and choices[seat].guest
    }
    return {
        seat: guests[person.name]
        for seat, person, _line in seats_of(after)
        if not person.number and person.name in guests and names[person.name] == 1
    }


def _with_people(parsed: ParsedResult, people: Mapping[Seat, Person]) -> ParsedResult:
    entries = (
        replace(entry, people=tuple(people[row, place] for place in range(len(entry.people))))
        for row, entry in enumerate(parsed.entries)
    )
    return replace(parsed, entries=tuple(entries))
