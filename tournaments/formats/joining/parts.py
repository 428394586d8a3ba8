"""The files to join, each with its people, results of boards and deals in comparable form."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from tournaments.formats.contestants import PositionFinder, match_contestants
from tournaments.formats.issues import issue
from tournaments.formats.types import (
    LINES_PER_FILE,
    BoardResult,
    Deal,
    Entry,
    Hands,
    Issue,
    ParsedResult,
    Person,
)

from .figures import are_comparable, contradiction, is_same_ranking

Indexes = tuple[int | None, ...]  # of the contestants of a side
ENOUGH = 4  # the least number of results in common that tell whether two files have the same play


class Refused(Exception):
    """The files are not of one event. `issue` says why."""

    def __init__(self, code: str, **values: Any) -> None:
        super().__init__(code)
        self.issue = issue(code, **values)


@dataclass(frozen=True, slots=True)
class Line:
    """A result of a board, with indexes of contestants; None for one who is not in the ranking."""

    board: int
    ns: Indexes
    ew: Indexes
    result: BoardResult

    @property
    def seated(self) -> set[int]:
        """The indexes of the contestants who are in the ranking."""
        return {index for index in (*self.ns, *self.ew) if index is not None}

    @property
    def unknown(self) -> set[str]:
        """The numbers that are not in the ranking."""
        sides = ((self.ns, self.result.ns), (self.ew, self.result.ew))
        return {
            number
            for indexes, numbers in sides
            for index, number in zip(indexes, numbers, strict=True)
            if index is None and number
        }


@dataclass(eq=False)
class Part:
    """A file of a result, read. Its line numbers name the file (`LINES_PER_FILE`)."""

    index: int
    parsed: ParsedResult

    @property
    def name(self) -> str:
        return self.parsed.file_name

    @property
    def entries(self) -> tuple[Entry, ...]:
        return self.parsed.entries

    @cached_property
    def has_figures(self) -> bool:
        return any(entry.place or entry.percentage or entry.score for entry in self.entries)

    @cached_property
    def licences(self) -> int:
        """How many people have a number."""
        return sum(bool(person.number) for entry in self.entries for person in entry.people)


@dataclass(eq=False)
class Session:
    """A file with contestants, and the files that have more about the same boards.

    part: the file whose contestants count
    more: other files with the same results, or with the deals
    indexes: {index of a contestant in `part`: index in the joined ranking}
    """

    part: Part
    more: list[Part] = field(default_factory=list)
    indexes: dict[int, int] = field(default_factory=dict)

    @property
    def source(self) -> Part:
        """The file whose results of boards count."""
        return next((part for part in (self.part, *self.more) if part.parsed.boards), self.part)

    @property
    def lines(self) -> list[Line]:
        return self.locate(self.source.parsed.boards)

    def locate(self, results: Sequence[BoardResult]) -> list[Line]:
        """Return results of boards of `source` with indexes of the joined ranking."""
        source = self.source
        if source is self.part or not source.entries:
            return located(results, self.part.entries, self.indexes)
        match = match_contestants(self.part.entries, source.entries).indexes
        joined = {index: self.indexes[here] for index, here in match.items()}
        return located(results, source.entries, joined)

    @property
    def dealt_by(self) -> Part | None:
        """The file whose deals count, if any has deals."""
        return next((part for part in (self.part, *self.more) if part.parsed.deals), None)

    @property
    def deals(self) -> tuple[Deal, ...]:
        return self.dealt_by.parsed.deals if self.dealt_by else ()


def numbered(parsed: ParsedResult, index: int) -> ParsedResult:
    """Return what was read from a file with line numbers that name it as the file with this index."""

    def line(number: int | None) -> int:
        return index * LINES_PER_FILE + (number or 0)

    entries = tuple(
        replace(
            entry,
            line=line(entry.line),
            people=tuple(
                Person(person.number, person.name, line(person.line or entry.line)) for person in entry.people
            ),
        )
        for entry in parsed.entries
    )
    return replace(parsed, entries=entries, issues=numbered_issues(parsed.issues, index))


def numbered_issues(issues: Iterable[Issue], index: int) -> tuple[Issue, ...]:
    """Return the issues of a file with line numbers that name it as the file with this index."""
    return tuple(replace(item, line=index * LINES_PER_FILE + (item.line or 0)) for item in issues)


def located(
    results: Sequence[BoardResult], entries: Sequence[Entry], indexes: Mapping[int, int] | None = None
) -> list[Line]:
    """Return the results of boards with indexes of contestants.

    indexes: {index in `entries`: index to use instead}
    """
    finder = PositionFinder(entries)

    def index(section: str | None, number: str, side: str) -> int | None:
        position = finder(section or "", number, side)
        if position is None:
            return None
        return position - 1 if indexes is None else indexes.get(position - 1)

    return [
        Line(
            result.board,
            tuple(index(result.section, number, "NS") for number in result.ns),
            tuple(index(result.section, number, "EW") for number in result.ew),
            result,
        )
        for result in results
    ]


Plays = dict[tuple[int, Hashable, Hashable], str]


def plays_of(lines: Iterable[Line]) -> Plays:
    """Return {(board, North-South, East-West): score} of the results with a score."""
    return {(line.board, line.ns, line.ew): line.result.score for line in lines if line.result.score}


def plays_by_number(results: Iterable[BoardResult]) -> Plays:
    """Return {(board, North-South, East-West): score}, with the numbers as in the file."""
    return {(result.board, result.ns, result.ew): result.score for result in results if result.score}


def is_same_play(first: Plays, second: Plays) -> bool:
    """Return whether two files have results of the same play.

    They do if at least half of the scores that both have are equal. Of different deals about a tenth is.
    """
    shared = first.keys() & second.keys()
    equal = sum(first[key] == second[key] for key in shared)
    return len(shared) >= min(ENOUGH, len(second)) and 2 * equal >= len(shared) > 0


def first_difference(first: Plays, second: Plays) -> tuple[int, Hashable, Hashable] | None:
    """Return the first board and contestants with different scores in two files of the same play, if any."""
    shared = first.keys() & second.keys()
    return min((key for key in shared if first[key] != second[key]), key=repr, default=None)


def compared(first: Part, second: Part, indexes: Mapping[int, int]) -> tuple[list[tuple[Entry, Entry]], bool]:
    """Return the entries of the same contestants in two rankings, and whether their scores are comparable.

    They are in the order of the first ranking.

    indexes: {index of a contestant in `second`: its index in `first`}
    """
    places = sorted((there, here) for here, there in indexes.items())
    pairs = [(first.entries[there], second.entries[here]) for there, here in places]
    return pairs, are_comparable(first.parsed.event, second.parsed.event)


def is_part_of(part: Part, whole: Part) -> bool:
    """Return whether a file has only a part of the results of another one of the same day.

    Files without results of boards are compared by percentages and scores.
    """
    days = {part.parsed.event.date, whole.parsed.event.date} - {None}
    is_ranked_alone = part.has_figures and not whole.has_figures
    if len(days) > 1 or is_ranked_alone or bool(part.parsed.boards) != bool(whole.parsed.boards):
        return False
    match = match_contestants(whole.entries, part.entries)
    if len(match.indexes) < len(part.entries) or match.substituted:
        return False
    if not part.parsed.boards:
        pairs, comparable = compared(whole, part, match.indexes)
        has_results = any(entry.percentage or entry.score for pair in pairs for entry in pair)
        is_same = not has_results or (is_same_ranking(pairs, comparable) and contradiction(pairs) is None)
        return is_same and len(part.entries) < len(whole.entries)
    own = plays_of(located(part.parsed.boards, part.entries, match.indexes))
    others = plays_of(located(whole.parsed.boards, whole.entries))
    return 0 < len(own) < len(others) and own.items() <= others.items()


def offsets_of(sessions: Sequence[tuple[Sequence[Line], Sequence[Deal]]]) -> list[int]:
    """Return for each session what to add to the numbers of its boards, so that each deal has its own number.

    Boards of one number are one deal unless their cards differ, or a contestant would have played it twice.
    The offsets are multiples of 16, because dealer and vulnerability repeat after 16 boards.

    sessions: the results and the deals of each session
    """
    highest = max((line.board for lines, _deals in sessions for line in lines), default=0)
    step = -(-highest // 16) * 16
    played: dict[int, set[int]] = defaultdict(set)
    hands: dict[int, Hands] = {}
    offsets = []
    for lines, deals in sessions:
        seats: dict[int, set[int]] = defaultdict(set)
        for line in lines:
            seats[line.board] |= line.seated
        own = {deal.board: deal.hands for deal in deals if deal.board in seats}
        tried = (number * step for number in range(len(sessions)))
        offset = next(step for step in tried if _fits(step, seats, own, played, hands))
        offsets.append(offset)
        for board, contestants in seats.items():
            played[board + offset] |= contestants
        hands |= {board + offset: cards for board, cards in own.items()}
    return offsets


def _fits(
    offset: int,
    seats: Mapping[int, set[int]],
    own: Mapping[int, Hands],
    played: Mapping[int, set[int]],
    hands: Mapping[int, Hands],
) -> bool:
    """Return whether a session's boards may have this offset, given what earlier sessions played."""
    return all(
        hands.get(board + offset, own.get(board)) == own.get(board, hands.get(board + offset))
        and not contestants & played.get(board + offset, set())
        for board, contestants in seats.items()
    )


def boards_of(lines: Iterable[Line]) -> Counter[int]:
    """Return {index of a contestant: number of results}."""
    return Counter(index for line in lines for index in line.seated)
