"""Apply the director's decisions about single seats to a ranking under review. No database access.

Every function takes and returns a `ParsedResult` with the decisions (`Choice`) about its seats. A `Choice`
keeps the number in the file, so that it can be undone.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import Enum

from tournaments.formats.types import Entry, ParsedResult, Person

from .people import Choice, Seat, seats_of

Ranking = tuple[ParsedResult, dict[Seat, Choice]]


class Decision(Enum):
    """A decision about a seat that is not the number of a player."""

    GUEST = "guest"
    AS_READ = "as read"  # undo an earlier decision


class NoSuchSeat(Exception):
    """The ranking has no such seat."""


def apply_decisions(
    parsed: ParsedResult, choices: Mapping[Seat, Choice], decisions: Mapping[Seat, str | Decision]
) -> Ranking:
    """Apply decisions to seats: a number ("" for none), a mark as guest, or undoing an earlier decision.

    Return the changed ranking and the decisions in force. Raises NoSuchSeat.
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
    """Transfer decisions to another reading of the same file, in which the rows are grouped differently.

    Return the new ranking and its decisions. Drop all decisions if the two readings have different people.
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
    """Return the guest decisions that still apply to another ranking, because the guests' names are in both.

    Seats that got a number, and guests who share a name, have to be decided again.
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
