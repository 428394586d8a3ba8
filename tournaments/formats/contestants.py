"""Find contestants by number, and recognise the same contestants in two rankings."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from . import limits
from .issues import issue
from .licence import normalise
from .types import Entry, ParsedResult, Person
from .values import bare_number, fold

PersonKey = tuple[str, str]
LINE_MARK = "#"  # before the line of an entry, where a board result refers to that instead of to a number


class PositionFinder:
    """A function that returns the position in the ranking of the contestant with a section, number and side.

    It returns None unless exactly one contestant fits. Contestants of different sections or sides may have
    the same number. The first position is 1.
    """

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.by_number: dict[str, list[tuple[int, Entry]]] = defaultdict(list)
        self.by_line = {line_reference(entry.line): place for place, entry in enumerate(entries, start=1)}
        for position, entry in enumerate(entries, start=1):
            if entry.number:
                self.by_number[bare_number(entry.number)].append((position, entry))

    def __call__(self, section: str, number: str, side: str) -> int | None:
        if number.startswith(LINE_MARK):
            return self.by_line.get(number)
        matches = self.by_number.get(bare_number(number), [])
        if len(matches) > 1:
            matches = [match for match in matches if (match[1].section or "") in ("", section)]
        if len(matches) > 1:
            matches = [match for match in matches if match[1].direction == side]
        return matches[0][0] if len(matches) == 1 else None


def line_reference(line: int) -> str:
    """Return what stands for a contestant in the board results of a correction: the line of its entry.

    Stored rankings need not have numbers, and contestants of two sections may have the same one.
    """
    return f"{LINE_MARK}{line}"


@dataclass(frozen=True, slots=True)
class Match:
    """The contestants of a second ranking that are also in a first one.

    indexes: {index in the second: index in the first}
    substituted: those indexes of the second that share a number and some, but not all people
    common: the number of people in both; first, second: the numbers of people in each
    is_named: whether contestants were compared by their people, instead of by their numbers
    sizes: the numbers of contestants in each
    """

    indexes: dict[int, int]
    substituted: tuple[int, ...]
    common: int
    first: int
    second: int
    is_named: bool
    sizes: tuple[int, int]

    @property
    def is_whole(self) -> bool:
        """Whether both rankings have the same contestants."""
        return len(self.indexes) == self.sizes[0] == self.sizes[1]


def match_contestants(first: Sequence[Entry], second: Sequence[Entry]) -> Match:
    """Compare two rankings: by their people if both name them, else by section, number and side."""
    if is_named(first) and is_named(second):
        match = _by_people(first, second)
        # The two files may have numbers of different registers.
        by_name = _by_people(_without_numbers(first), _without_numbers(second)) if not match.common else match
        return by_name if by_name.is_whole else match
    indexes = {}
    unique = _unique_numbers(first) & _unique_numbers(second)
    places = {_number_key(entry, unique): index for index, entry in enumerate(first)}
    for index, entry in enumerate(second):
        key = _number_key(entry, unique)
        if entry.number and key in places:
            indexes[index] = places[key]
    return Match(indexes, (), 0, 0, 0, False, (len(first), len(second)))


def is_named(entries: Iterable[Entry]) -> bool:
    """Return whether a ranking has the number or the name of anybody."""
    return any(keys_of(person) for entry in entries for person in entry.people)


def keys_of(person: Person) -> set[PersonKey]:
    """Return the keys by which a person is recognised: licence number, and words of the name in any order."""
    number = normalise(person.number) if person.number else None
    words = sorted(filter(None, map(fold, re.split(r"[\s,]+", person.name))))
    return {*([("number", number)] if number else []), *([("name", " ".join(words))] if words else [])}


def _without_numbers(entries: Sequence[Entry]) -> list[Entry]:
    return [
        replace(entry, people=tuple(replace(person, number=None) for person in entry.people))
        for entry in entries
    ]


def _by_people(first: Sequence[Entry], second: Sequence[Entry]) -> Match:
    find = _people_finder(first)
    indexes, substituted, common = {}, [], 0
    for index, entry in enumerate(second):
        known = [find(person) for person in entry.people if keys_of(person)]
        shared = Counter(place for places in known for place in places)
        common += sum(map(bool, known))
        best = max(shared, key=lambda place: shared[place], default=None)
        if best is None:
            continue
        is_same = shared[best] == len(known) == sum(bool(keys_of(person)) for person in first[best].people)
        if is_same or bare_number(entry.number or "") == bare_number(first[best].number or ""):
            indexes[index] = best
        if not is_same and index in indexes:
            substituted.append(index)
    if len(set(indexes.values())) < len(indexes):
        indexes = {}  # several contestants are of the same people
    sizes = (len(first), len(second))
    return Match(indexes, tuple(substituted), common, _people(first), _people(second), True, sizes)


def _people_finder(entries: Sequence[Entry]) -> Callable[[Person], set[int]]:
    """Return a function that returns the indexes of the contestants with a person. The number decides."""
    by_number: dict[str, set[int]] = defaultdict(set)
    by_name: dict[str, set[int]] = defaultdict(set)
    unnumbered: dict[str, set[int]] = defaultdict(set)
    for index, entry in enumerate(entries):
        for keys in (dict(keys_of(person)) for person in entry.people):
            if "number" in keys:
                by_number[keys["number"]].add(index)
            if "name" in keys:
                by_name[keys["name"]].add(index)
            if "name" in keys and "number" not in keys:
                unnumbered[keys["name"]].add(index)

    def find(person: Person) -> set[int]:
        keys = dict(keys_of(person))
        name = keys.get("name", "")
        if "number" in keys:
            return by_number.get(keys["number"]) or unnumbered.get(name, set())
        return by_name.get(name, set())

    return find


def _people(entries: Iterable[Entry]) -> int:
    return sum(bool(keys_of(person)) for entry in entries for person in entry.people)


def _unique_numbers(entries: Sequence[Entry]) -> set[str]:
    counts = Counter(bare_number(entry.number or "") for entry in entries)
    return {number for number, count in counts.items() if count == 1}


def _number_key(entry: Entry, unique: set[str]) -> tuple[str, str, str]:
    number = bare_number(entry.number or "")
    if number in unique:
        return "", number, ""
    return entry.section or "", number, entry.direction or ""


def within_limit(result: ParsedResult) -> ParsedResult:
    """Return a result as it is; one with too many contestants or people without them, but with an issue."""
    sizes = [len(entry.people) for entry in result.entries]
    people, largest = sum(sizes), max(sizes, default=0)
    if len(sizes) > limits.RESULT_ENTRIES:
        item = issue("too_many_entries", count=len(sizes), limit=limits.RESULT_ENTRIES)
    elif people > limits.RESULT_PEOPLE:
        item = issue("too_many_people", count=people, limit=limits.RESULT_PEOPLE)
    elif largest > limits.ENTRY_PEOPLE:
        item = issue("too_large_contestant", count=largest, limit=limits.ENTRY_PEOPLE)
    else:
        return result
    return ParsedResult(
        result.format_name, result.file_name, result.encoding, issues=(item,), files=result.files
    )
