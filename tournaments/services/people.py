"""Check the people of a ranking, and apply and store the director's decisions about single seats."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Any

from players.models import LicenceState, Player
from players.names import names_differ
from tournaments.formats import checks
from tournaments.formats.issues import IssueList
from tournaments.formats.licence import normalise
from tournaments.formats.types import Entry, Issue, ParsedResult, Person
from tournaments.models import ResultUpload

from .issues import issue

Seat = tuple[int, int]  # index of the contestant, index of the person in it
SCORE_LIMIT = Decimal(1_000_000)
MIN_PLAYERS = 4
MIN_MISMATCHES = 4


@dataclass(frozen=True, slots=True)
class Choice:
    """The director's decision about a seat: the person is a guest, or has another number than in the file.

    The number that the director chose is in the ranking, not here.

    number: the player number that the file has for the person, with which the decision can be undone
    guest: whether the director marked the person as a guest
    country: ISO 3166 code of the country whose federation the guest belongs to; "" for none
    name: the guest's name as the director wrote it; "" for the name in the file
    picked: whether the director chose a player whose name was shown, so that another name needs no tick
    remembered: whether the person is a guest because a director said so of an earlier file of the club
    """

    number: str | None
    guest: bool = False
    country: str = ""
    picked: bool = False
    name: str = ""
    remembered: bool = False


class Picked(str):
    """A player number that was chosen by the player's name instead of typed."""

    __slots__ = ()


def choices_of(upload: ResultUpload) -> dict[Seat, Choice]:
    """Return {seat: decision} with the director's stored decisions about an upload."""
    stored = upload.parsed.get("choices", {})
    return {seat_of(key): Choice(**values) for key, values in stored.items()}


def stored_choices(choices: Mapping[Seat, Choice]) -> dict[str, dict[str, Any]]:
    """Return the decisions about seats as JSON, to store them in `ResultUpload.parsed`."""
    return {key_of(seat): asdict(choice) for seat, choice in sorted(choices.items())}


def key_of(seat: Seat) -> str:
    """Return a seat as text, such as "3-0", for JSON and for names of form fields."""
    return f"{seat[0]}-{seat[1]}"


def seat_of(key: str) -> Seat:
    """Return the seat for a text made by `key_of`."""
    row, _dash, index = key.partition("-")
    return int(row), int(index)


def seats_of(entries: Sequence[Entry]) -> Iterator[tuple[Seat, Person, int]]:
    """Yield every seat with its person and the line of the file where the person stands."""
    for row, entry in enumerate(entries):
        for index, person in enumerate(entry.people):
            yield (row, index), person, person.line or entry.line


def is_nameless(entries: Sequence[Entry], choices: Mapping[Seat, Choice]) -> bool:
    """Return whether nobody in a ranking has a name or a number, and no seat has been decided."""
    people = [person for _seat, person, _line in seats_of(entries)]
    return bool(people) and not choices and not any(person.name or person.number for person in people)


def check_people(
    entries: Sequence[Entry], choices: Mapping[Seat, Choice], kind: str, issues: IssueList
) -> None:
    """Add the issues of seats and contestants that can be found without the register of players."""
    guests = 0
    nameless = is_nameless(entries, choices)
    if nameless:
        issues.add("nobody_named")
    for seat, person, line in seats_of(entries if not nameless else ()):
        if seat in choices and choices[seat].guest:
            guests += 1
        elif not person.number:
            checks.person("", person.name, line, "licence", issues)
    if guests:
        issues.add("guests", count=guests)
    for entry in entries:
        if entry.score is not None and abs(Decimal(entry.score)) >= SCORE_LIMIT:
            issues.add("score_too_large", line=entry.line, field="score", value=entry.score)
    checks.check_entries(entries, kind or None, issues)
    persons = sum(len(entry.people) for entry in entries)
    if 0 < persons < MIN_PLAYERS:
        issues.add("too_few_players", count=persons)


def check_register(
    entries: Sequence[Entry],
    by_number: Mapping[str, Player],
    licences: Mapping[int, str],
    day: date | None,
    issues: IssueList,
    club_id: int | None,
    picked: Collection[Seat] = (),
) -> None:
    """Add the issues that a comparison with the register of players finds.

    They concern unknown and merged numbers, names that differ from the register, and missing licences. Names
    are not compared with that of a hidden player of another club than the uploading one: otherwise a director
    could find out the name behind a number by trying names. All of them have to be ticked.

    by_number: {normalised number: player}
    licences: {player id: state of the licence on `day`}
    club_id: the uploading club
    picked: seats whose player was chosen or recognised by name, so that another name in the file is no issue
    """
    first_numbers: dict[int, str] = {}
    numbered = unknown = misnamed = 0
    for seat, person, line in seats_of(entries):
        if not person.number:
            continue
        number = normalise(person.number)
        player = by_number.get(number or "")
        numbered += bool(person.name) and seat not in picked
        where = {"line": line, "field": "licence", "value": person.number}
        if player is None:
            unknown += bool(person.name)
            if number:
                issues.add("unknown_player", **where, name=person.name)
            continue
        named = replace(person, name="") if seat in picked else person
        is_secret = player.hidden and player.club_id != club_id
        licensed = licences.get(player.pk) == LicenceState.VALID
        player_issues = _player_issues(player, seat, named, line, is_secret, licensed, day)
        misnamed += any(item.code == "name_differs" for item in player_issues)
        issues.extend(player_issues)
        first = first_numbers.setdefault(player.pk, number)
        if first != number:
            issues.add("same_person", **where, first=first, **_name_params(player))
    mismatches = unknown + misnamed
    if mismatches >= MIN_MISMATCHES and 2 * mismatches > numbered:
        issues.add("numbers_not_ours", count=numbered, others=misnamed, unknown=unknown)


def _player_issues(
    player: Player, seat: Seat, person: Person, line: int, is_secret: bool, licensed: bool, day: date | None
) -> list[Issue]:
    issues = []
    where = {"line": line, "field": "licence", "value": person.number}
    if normalise(person.number) != player.number:
        issues.append(issue("merged_number", **where, kept=player.number, **_name_params(player)))
    if person.name and (is_secret or names_differ(person.name, player)):
        code = "name_hidden" if is_secret else "name_differs"
        names = {"name": person.name, **_name_params(player, "registered")}
        issues.append(issue(code, **where, **names, seat=key_of(seat)))
    if day and not licensed:
        issues.append(issue("unlicensed", **where, **_name_params(player), day=day.isoformat()))
    return issues


def _name_params(player: Player, key: str = "name") -> dict[str, str | int]:
    """Return the parameters of an issue about a player: id and public name.

    Issues are stored, so they must not hold the name of a hidden player.
    """
    return {key: player.public_name, "player": player.pk}


# --- Decisions ------------------------------------------------------------------------------------------
# A ranking with the decisions in force about its seats. A `Choice` keeps the number in the file, so that it
# can be undone.
Ranking = tuple[ParsedResult, dict[Seat, Choice]]


class Decision(Enum):
    """A decision about a seat that does not give the seat a player's number.

    GUEST marks the person as a guest. AS_READ undoes the earlier decision about the seat.
    """

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
        is_guest = decision is Decision.GUEST
        if is_guest and seat in choices and choices[seat].guest:
            continue  # and keeps name and country
        if is_guest or number != as_read:
            choices[seat] = Choice(as_read, guest=is_guest, picked=isinstance(decision, Picked))
        else:
            choices.pop(seat, None)
    return _with_people(parsed, people), choices


def with_players(parsed: ParsedResult, players: Mapping[Seat, Player]) -> ParsedResult:
    """Return the ranking with the numbers of these players."""
    if not players:
        return parsed
    people = {seat: person for seat, person, _line in seats_of(parsed.entries)}
    numbered = {seat: replace(people[seat], number=player.number) for seat, player in players.items()}
    return _with_people(parsed, people | numbered)


def with_guests(
    choices: Mapping[Seat, Choice], countries: Mapping[Seat, str], names: Mapping[Seat, str]
) -> dict[Seat, Choice]:
    """Return the decisions with countries and names of guests. Those of other seats are ignored.

    countries: {seat: ISO 3166 code, "" for none}
    names: {seat: name, "" for the name in the file}
    """
    changed = dict(choices)
    for seat in countries.keys() | names.keys():
        if (choice := choices.get(seat)) and choice.guest:
            country, name = countries.get(seat, choice.country), names.get(seat, choice.name)
            changed[seat] = replace(choice, country=country, name=name)
    return changed


def states_of(parsed: ParsedResult, choices: Mapping[Seat, Choice]) -> dict[str, Any]:
    """Return {key of a seat: its number and the stored decision about it}, as JSON, to undo decisions."""
    stored = stored_choices(choices)
    return {
        key_of(seat): [person.number, stored.get(key_of(seat))]
        for seat, person, _line in seats_of(parsed.entries)
    }


def with_states(parsed: ParsedResult, choices: Mapping[Seat, Choice], states: Mapping[str, Any]) -> Ranking:
    """Return the ranking and its decisions with these seats as they were. Unknown seats are ignored.

    states: as from `states_of`
    """
    people = {seat: person for seat, person, _line in seats_of(parsed.entries)}
    choices = dict(choices)
    for key, (number, choice) in states.items():
        if (seat := seat_of(key)) in people:
            people[seat] = replace(people[seat], number=number)
            choices.pop(seat, None)
            if choice:
                choices[seat] = Choice(**choice)
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


def keep_decisions(before: ParsedResult, choices: Mapping[Seat, Choice], after: ParsedResult) -> Ranking:
    """Transfer decisions to a ranking that was read from more or fewer files.

    People are recognised by their name and number as read. A decision about somebody who is not in the new
    ranking, or of whom it has several, is dropped. Return the new ranking and its decisions.

    before, after: the ranking before and after the change
    """
    people = {seat: person for seat, person, _line in seats_of(after.entries)}
    seats = defaultdict(list)
    for seat, person in people.items():
        seats[person.name, person.number].append(seat)
    kept = {}
    for seat, person, _line in seats_of(before.entries):
        same = seats[person.name, choices[seat].number] if seat in choices else []
        if len(same) == 1:
            kept[same[0]] = choices[seat]
            people[same[0]] = replace(people[same[0]], number=person.number)
    return _with_people(after, people), kept


def keep_guests(
    before: Sequence[Entry], choices: Mapping[Seat, Choice], after: Sequence[Entry]
) -> dict[Seat, Choice]:
    """Return {seat in the edited ranking: decision} for people who were marked as guests before.

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
