"""Compute the places of a ranking from the places printed in a file or typed by hand.

Rulings where the documents leave the question open:

* Places use standard competition ranking (1, 2, 2, 4). Two contestants with the same printed number are tied,
  with or without a tie mark. Printed places that do not skip after a tie (1, 2, 2, 3) are renumbered. A place
  of 0, a text or a gap is an error.
* The printed place is kept even if the score disagrees, because a tie-break or a penalty may explain it; the
  difference is a warning. Equal scores with different places are only a note.
* Blank places are computed from the scores if all contestants of the ranking have one. Otherwise a blank
  place is an error.
* North-South and East-West (or sections) that were ranked separately are merged into one ranking, because
  their printed places cannot be compared. The merged places are computed from percentages, or from scores if
  nobody has a percentage. A file that only states "two winners" is merged too, unless the director chooses
  two fields. Without percentages and scores, only two fields are possible. If an overall ranking is divided
  into two fields, each field keeps its order.
* A higher percentage or score is better, as with matchpoints, IMPs and victory points.

Pure Python: no Django.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from typing import Literal, TypeVar

from tournaments.formats.issues import IssueList
from tournaments.formats.types import Direction, Entry, HasIssues, Issue
from tournaments.formats.values import place_number

Fields = Literal["one", "two"]
Key = Callable[[Entry], tuple[str, ...]]
Number = TypeVar("Number", int, Decimal)


@dataclass(frozen=True, slots=True)
class Ranked:
    """An entry with its computed place. `field` is "NS" or "EW" if there are two fields, else ""."""

    entry: Entry
    place: int
    field: Literal["", "NS", "EW"] = ""


@dataclass(frozen=True, slots=True)
class Ranking(HasIssues):
    """The entries of a ranking by field and place, tied ones in the order of the file.

    `rows` is empty if one of the issues is an error.
    """

    rows: tuple[Ranked, ...]
    issues: tuple[Issue, ...]


def rank(entries: Iterable[Entry], fields: Fields = "one", winner_type: int | None = None) -> Ranking:
    """Compute the places of the entries.

    fields: "one" for one ranking, "two" to rank North-South and East-West separately
    winner_type: 2 if the file states that it ranks North-South and East-West separately; if None, infer this
        from the places
    """
    entries = list(entries)
    issues = IssueList()
    if fields == "two":
        rows = _two_fields(entries, issues)
    else:
        rows = _one_field(entries, winner_type, issues)
    return Ranking(() if issues.has_errors else tuple(rows), issues.done())


def _two_fields(entries: Sequence[Entry], issues: IssueList) -> list[Ranked]:
    for entry in entries:
        if entry.direction is None:
            issues.add("direction_missing", line=entry.line, field="direction", value=_name(entry))
    if issues.has_errors:
        return []
    overall = _is_standard(entries)
    rows: list[Ranked] = []
    directions: tuple[Direction, ...] = ("NS", "EW")
    for direction in directions:
        line = [entry for entry in entries if entry.direction == direction]
        # An overall ranking also gives the order within each line of play.
        places = _reduced(line) if overall else _places(line, [_whole, _section], issues)
        rows.extend(_sorted(Ranked(entry, place, direction) for entry, place in places))
    return rows


def _reduced(entries: Sequence[Entry]) -> list[tuple[Entry, int]]:
    numbers = [number for number in _numbers(entries) if number]
    places = dict(zip(sorted(numbers), _standard(numbers), strict=True))
    return [(entry, places[number]) for entry, number in zip(entries, numbers, strict=True)]


def _one_field(entries: Sequence[Entry], winner_type: int | None, issues: IssueList) -> list[Ranked]:
    keys: list[Key] = [_whole, _section]
    if entries and all(entry.direction for entry in entries):
        keys = [_whole, _line, _section, _line_and_section]
        if winner_type == 2:
            keys = [_line, _line_and_section]
    elif entries and winner_type == 2:
        # If the line of play is unknown, equal places of the two lines would look like ties.
        return _sorted(Ranked(entry, place) for entry, place in _merged(entries, issues))
    return _sorted(Ranked(entry, place) for entry, place in _places(entries, keys, issues))


def _sorted(rows: Iterable[Ranked]) -> list[Ranked]:
    return sorted(rows, key=lambda row: row.place)


def _whole(entry: Entry) -> tuple[str, ...]:
    return ()


def _line(entry: Entry) -> tuple[str, ...]:
    return (entry.direction or "",)


def _section(entry: Entry) -> tuple[str, ...]:
    return (entry.section or "",)


def _line_and_section(entry: Entry) -> tuple[str, ...]:
    return _line(entry) + _section(entry)


def _name(entry: Entry) -> str:
    return entry.team or entry.number or " - ".join(person.name for person in entry.people)


def _split(entries: Sequence[Entry], key: Key) -> list[list[Entry]]:
    groups: dict[tuple[str, ...], list[Entry]] = defaultdict(list)
    for entry in entries:
        groups[key(entry)].append(entry)
    return list(groups.values())


def _places(entries: Sequence[Entry], keys: Sequence[Key], issues: IssueList) -> list[tuple[Entry, int]]:
    """Return the entries of one field with their places.

    The printed places are used if they were counted in the whole field. They may also have been counted
    separately in parts of the field. Then the places in the whole field are computed from the results, as
    they are if no place is printed. If that is impossible, add an error and return an empty list.

    keys: possible ways to divide the entries into such parts, most likely first; the first way that gives
        valid places in every part is used
    """
    if not entries:
        return []
    if not any(entry.place for entry in entries):
        return _computed(entries, issues)
    for key in keys:
        groups = _split(entries, key)
        if all(_is_standard(group) for group in groups):
            if len(groups) == 1:
                return _printed(entries, issues)
            for group in groups:
                _compare(group, _numbers(group), issues)
            return _merged(entries, issues)
    if len(_split(entries, keys[0])) > 1:
        for group in _split(entries, keys[0]):
            _printed(group, issues)
        return [] if issues.has_errors else _merged(entries, issues)
    return _printed(entries, issues)


def _numbers(entries: Sequence[Entry]) -> list[int | None]:
    return [place_number(entry.place or "") for entry in entries]


def _is_standard(entries: Sequence[Entry]) -> bool:
    numbers = _numbers(entries)
    readable = [number for number in numbers if number is not None]
    return len(readable) == len(numbers) and sorted(readable) == _standard(readable)


def _standard(values: Sequence[Number]) -> list[int]:
    """Return the places of a ranking in which the smallest value is first, in ascending order.

    Equal values share a place: the values 7, 3, 1, 3 give the places 1, 2, 2, 4.
    """
    places: list[int] = []
    for _value, run in groupby(sorted(values)):
        places += [len(places) + 1] * len(list(run))
    return places


def _printed(entries: Sequence[Entry], issues: IssueList) -> list[tuple[Entry, int]]:
    """Return the entries with their printed places. Blank places are computed.

    Places that do not skip after a tie are renumbered. If there are errors, add issues and return an empty
    list.
    """
    measured = _measure(entries)
    numbers = _numbers(entries)
    for entry, number in zip(entries, numbers, strict=True):
        if not entry.place and measured is None:
            issues.add("place_missing", line=entry.line, field="place", value=_name(entry))
        elif entry.place and number is None:
            issues.add("place_text", line=entry.line, field="place", value=entry.place)
        elif number == 0:
            issues.add("place_zero", line=entry.line, field="place", value=entry.place)
    if any(entry.place and not number for entry, number in zip(entries, numbers, strict=True)):
        return []
    printed = [number for number in numbers if number]
    if len(printed) < len(numbers):
        return _computed(entries, issues, compare=numbers) if measured else []
    if not _fits(entries, printed, issues):
        return []
    places = dict(zip(sorted(printed), _standard(printed), strict=True))
    if any(number != place for number, place in places.items()):
        issues.add("places_renumbered")
    _compare(entries, [places[number] for number in printed], issues)
    return [(entry, places[number]) for entry, number in zip(entries, printed, strict=True)]


def _fits(entries: Sequence[Entry], numbers: Sequence[int], issues: IssueList) -> bool:
    """Return whether the printed places leave no gap. Add an issue for the first gap."""
    by_place = sorted(zip(numbers, entries, strict=True), key=lambda pair: pair[0])
    for expected, (number, entry) in zip(_standard(numbers), by_place, strict=True):
        if number > expected:
            issues.add("place_gap", line=entry.line, field="place", value=number, expected=expected)
            return False
    return True


def _measure(entries: Sequence[Entry]) -> tuple[str, list[Decimal]] | None:
    """Return ("percentage" or "score", the values) by which the entries can be compared.

    Return None if there is neither a percentage nor a score of every entry.
    """
    percentages = [entry.percentage for entry in entries]
    if all(percentages):
        return "percentage", [Decimal(text) for text in percentages if text]
    scores = [entry.score for entry in entries]
    if not any(percentages) and all(scores):
        return "score", [Decimal(text) for text in scores if text]
    return None


def _by_measure(numbers: Sequence[Decimal]) -> list[int]:
    places = dict(zip(sorted(numbers, reverse=True), _standard([-number for number in numbers]), strict=True))
    return [places[number] for number in numbers]


def _computed(
    entries: Sequence[Entry], issues: IssueList, compare: Sequence[int | None] | None = None
) -> list[tuple[Entry, int]]:
    measured = _measure(entries)
    if measured is None:
        for entry in entries:
            if not entry.place:
                issues.add("place_missing", line=entry.line, field="place", value=_name(entry))
        return []
    places = _by_measure(measured[1])
    for entry, printed, place in zip(entries, compare or [None] * len(places), places, strict=True):
        if printed is not None and printed != place:
            issues.add("place_replaced", line=entry.line, field="place", value=printed, computed=place)
    issues.add("places_computed")
    return list(zip(entries, places, strict=True))


def _merged(entries: Sequence[Entry], issues: IssueList) -> list[tuple[Entry, int]]:
    measured = _measure(entries)
    if measured is None:
        issues.add("cannot_merge")
        return []
    name, numbers = measured
    issues.add("lines_merged_by_score" if name == "score" else "lines_merged")
    return list(zip(entries, _by_measure(numbers), strict=True))


def _compare(entries: Sequence[Entry], places: Sequence[int | None], issues: IssueList) -> None:
    """Add issues for printed places that differ from those computed from the percentages or scores."""
    measured = _measure(entries)
    if measured is None:
        return
    computed = _by_measure(measured[1])
    by_place: dict[int, list[Entry]] = defaultdict(list)
    for entry, expected in zip(entries, computed, strict=True):
        by_place[expected].append(entry)
    for entry, place, expected in zip(entries, places, computed, strict=True):
        tied = by_place[expected]
        if place is None or place == expected:
            continue
        if expected < place < expected + len(tied):
            peer = next(peer for peer in tied if peer is not entry)
            issues.add("tie_split", line=entry.line, field="place", value=place, first=peer.line)
        else:
            issues.add("place_differs", line=entry.line, field="place", value=place, computed=expected)
