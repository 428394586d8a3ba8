"""The people of a ranking: whose their numbers are, and what the director decided about each seat."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from players.models import Player
from tournaments.formats import checks
from tournaments.formats.issues import IssueList
from tournaments.formats.licence import normalise
from tournaments.formats.types import Entry, Issue, Person
from tournaments.models import ResultUpload

from .issues import issue
from .matching import names_differ

Seat = tuple[int, int]  # the contestant and the place in it, both from 0
SCORE_LIMIT = Decimal(1_000_000)
FEWEST_PLAYERS = 4
FEWEST_STRANGERS = 4


@dataclass(frozen=True, slots=True)
class Choice:
    """A seat that the director decided on the review page; `number` is what the file has there."""

    number: str | None
    guest: bool = False


def choices_of(upload: ResultUpload) -> dict[Seat, Choice]:
    """The stored decisions by seat."""
    stored = upload.parsed.get("choices", {})
    return {seat_of(key): Choice(**values) for key, values in stored.items()}


def stored_choices(choices: Mapping[Seat, Choice]) -> dict[str, dict[str, Any]]:
    """Decisions as `ResultUpload.parsed` keeps them."""
    return {key_of(seat): asdict(choice) for seat, choice in sorted(choices.items())}


def key_of(seat: Seat) -> str:
    """A seat in JSON and in the names of form fields: "3-0"."""
    return f"{seat[0]}-{seat[1]}"


def seat_of(key: str) -> Seat:
    """The seat of such a key."""
    row, _dash, place = key.partition("-")
    return int(row), int(place)


def seats_of(entries: Sequence[Entry]) -> Iterator[tuple[Seat, Person, int]]:
    """Every seat with who sits there and the line that says so."""
    for row, entry in enumerate(entries):
        for place, person in enumerate(entry.people):
            yield (row, place), person, person.line or entry.line


def check_people(
    entries: Sequence[Entry], choices: Mapping[Seat, Choice], kind: str, issues: IssueList
) -> None:
    """What can be said about the seats without looking anybody up."""
    guests = 0
    for seat, person, line in seats_of(entries):
        if seat in choices and choices[seat].guest:
            guests += 1
        elif not person.number:
            checks.person("", person.name, line, "licence", issues)
    if guests:
        issues.extend([issue("guests", count=guests)])
    for entry in entries:
        if entry.score is not None and abs(Decimal(entry.score)) >= SCORE_LIMIT:
            issues.extend([issue("score_too_large", line=entry.line, field="score", value=entry.score)])
    checks.check_entries(entries, kind or None, issues)
    persons = sum(len(entry.people) for entry in entries)
    if 0 < persons < FEWEST_PLAYERS:
        issues.extend([issue("too_few_players", count=persons)])


def check_register(
    entries: Sequence[Entry],
    by_number: Mapping[str, Player],
    licensed: frozenset[int],
    day: date | None,
    issues: IssueList,
) -> None:
    """Numbers nobody has, two of one player, names that are somebody else's, licences not valid on `day`."""
    seated: dict[int, str] = {}
    numbered = unknown = others = 0
    for seat, person, line in seats_of(entries):
        if not person.number:
            continue
        number = normalise(person.number)
        player = by_number.get(number or "")
        numbered += bool(person.name)
        if player is None:
            unknown += bool(person.name)
            if number:
                place = {"line": line, "field": "licence", "value": person.number}
                issues.extend([issue("unknown_player", **place, name=person.name)])
            continue
        about = _about(player, seat, person, line, player.pk in licensed, day)
        others += any(each.code == "name_differs" for each in about)
        issues.extend(about)
        first = seated.setdefault(player.pk, number)
        if first != number:
            place = {"line": line, "field": "licence", "value": person.number}
            issues.extend([issue("same_person", **place, first=first, **_named(player))])
    strangers = unknown + others
    if strangers >= FEWEST_STRANGERS and 2 * strangers > numbered:
        issues.extend([issue("numbers_not_ours", count=numbered, others=others, unknown=unknown)])


def _about(
    player: Player, seat: Seat, person: Person, line: int, licensed: bool, day: date | None
) -> list[Issue]:
    issues = []
    place = {"line": line, "field": "licence", "value": person.number}
    if normalise(person.number) != player.number:
        issues.append(issue("merged_number", **place, kept=player.number, **_named(player)))
    if person.name and names_differ(person.name, player):
        names = {"name": person.name, **_named(player, "registered")}
        issues.append(issue("name_differs", **place, **names, seat=key_of(seat)))
    if day and not licensed:
        issues.append(issue("unlicensed", **place, **_named(player), day=day.isoformat()))
    return issues


def _named(player: Player, key: str = "name") -> dict[str, str | int]:
    """The parameters about a registered player: issues are stored, and name nobody who is hidden."""
    return {key: player.public_name, "player": player.pk}
