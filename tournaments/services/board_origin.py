"""Find the ranking from which the results of corrected boards are computed.

A correction of boards carries over what the scoring program printed as well as it can. Some of that is lost
in its own ranking: what a director assigned on a line, how ties were broken, how results were rounded. So the
next correction starts from the ranking before the first one. Then the order of corrections makes no
difference, and boards that get their earlier results again give exactly the earlier ranking.
"""

from collections import defaultdict, deque
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Count

from tournaments.boards import artificial_score, entries_like, has_same_contestants, with_lines_of
from tournaments.formats.contestants import line_reference
from tournaments.formats.types import BoardResult, ParsedResult
from tournaments.models import BoardResult as StoredResult
from tournaments.models import ResultUpload, Revision

from .stored import stored_result


@dataclass(frozen=True)
class Rankings:
    """A ranking, and the one from which corrections of its boards are computed.

    Both have the same order. First come the board results of `stored_result`, then the erased ones, which
    earlier corrections of boards took out. In `started`, these have no result.

    erased: the number of erased board results
    """

    started: ParsedResult
    origin: ParsedResult
    erased: int


def rankings_of(revision: Revision) -> Rankings:
    """Return a stored ranking, and the one from which corrections of its boards are computed.

    Go back over corrections of boards, and over those that changed no result, such as that of a name. Six
    queries for each ranking.
    """
    started = origin = stored_result(revision)
    earlier = {other.number: other for other in revision.tournament.revisions.all()}
    started_from = _started_from(revision)
    while base := earlier.get(started_from.get(revision.number, revision.number - 1)):
        older = _in_order_of(origin, stored_result(base))
        is_of_boards = revision.number in started_from
        if older is None or not (is_of_boards or _has_same_results(older, origin)):
            break
        revision, origin = base, older
    erased = origin.boards[len(started.boards) :]
    return Rankings(
        replace(started, boards=(*started.boards, *map(without_result, erased))), origin, len(erased)
    )


def _started_from(revision: Revision) -> dict[int, int]:
    """Return {number of a ranking: number of the one it was computed from} of corrections of boards."""
    numbers = dict(revision.tournament.revisions.values_list("pk", "number"))
    uploads = ResultUpload.objects.filter(revision__in=numbers, parsed__has_key="revision")
    rows = uploads.values_list("revision", "parsed__revision", "parsed__edited")
    return {
        numbers[pk]: numbers[started]
        for pk, started, edited in rows
        if edited != "rows" and started in numbers
    }


def _in_order_of(newer: ParsedResult, older: ParsedResult) -> ParsedResult | None:
    """Return an older ranking with the lines of a newer one, in its order.

    Board results that the older one lacks have no result; those that it has alone come last. Return None if
    the contestants or the way of scoring differ.
    """
    is_same_event = (older.event.kind, older.event.scoring) == (newer.event.kind, newer.event.scoring)
    if not is_same_event or not has_same_contestants(older.entries, newer.entries):
        return None
    boards = with_lines_of(older.boards, older.entries, newer.entries)
    places = counterparts(newer.boards, boards)
    ordered = [
        without_result(own) if index is None else boards[index]
        for own, index in zip(newer.boards, places, strict=True)
    ]
    taken = set(places)
    alone = (line for index, line in enumerate(boards) if index not in taken)
    entries = entries_like(older.entries, newer.entries)
    return replace(older, entries=entries, boards=(*ordered, *alone))


def without_result(line: BoardResult) -> BoardResult:
    """Return a board result of the same pairs as if the board had not been played."""
    return replace(
        line,
        score=None,
        contract=None,
        declarer=None,
        lead=None,
        tricks=None,
        ns_points=None,
        ew_points=None,
    )


def _has_same_results(older: ParsedResult, newer: ParsedResult) -> bool:
    figures = [
        [(entry.place, entry.percentage, entry.score) for entry in parsed.entries]
        for parsed in (older, newer)
    ]
    outcomes = [list(map(outcome_of, parsed.boards)) for parsed in (older, newer)]
    return figures[0] == figures[1] and outcomes[0] == outcomes[1]


def counterparts(wanted: Sequence[BoardResult], boards: Sequence[BoardResult]) -> list[int | None]:
    """Return, for each wanted result, the index of that of the same board at the same table, or None.

    First find those where the pairs sit the same way, because in a match of teams both rooms have the same
    pairs. Then find those whose pairs were exchanged. Of several that are alike, take the first.
    """
    indexes: list[int | None] = [None] * len(wanted)
    for key in (_seats, _pairs):
        taken = set(indexes)
        free: dict[Hashable, deque[int]] = defaultdict(deque)
        for index, result in enumerate(boards):
            if index not in taken:
                free[key(result)].append(index)
        for k, result in enumerate(wanted):
            if indexes[k] is None and (same := free.get(key(result))):
                indexes[k] = same.popleft()
    return indexes


def _seats(result: BoardResult) -> Hashable:
    return result.board, result.section, result.ns, result.ew


def _pairs(result: BoardResult) -> Hashable:
    return result.board, result.section, frozenset({result.ns, result.ew})


def outcome_of(result: BoardResult) -> tuple[Any, ...]:
    """Return what a correction changes of a board result, to compare two."""
    play = (result.contract, result.declarer, result.tricks) if result.contract else ()
    return (*scored_of(result), play)


def scored_of(result: BoardResult) -> tuple[Any, ...]:
    """Return what the points of a board result depend on, to compare two: the pairs and the score."""
    return result.ns, result.ew, result.score and (artificial_score(result.score) or int(result.score))


@dataclass(frozen=True)
class Erased:
    """A board result that a correction erased, and another can bring back.

    index: among the board results of `Rankings.started`
    ns, ew: the numbers of the contestants
    """

    index: int
    board: int
    ns: str
    ew: str


def erased_of(revision: Revision) -> list[Erased]:
    """Return the erased board results of a ranking, by board."""
    results = StoredResult.objects.filter(revision__tournament=revision.tournament_id)
    counts = dict(results.order_by().values_list("revision").annotate(count=Count("pk")))
    if counts.get(revision.pk) == max(counts.values(), default=None):
        return []  # as usual; reading the rankings takes much longer
    rankings = rankings_of(revision)
    started = rankings.started
    numbers = {line_reference(entry.line): entry.number or "" for entry in started.entries}

    def side(references: Sequence[str]) -> str:
        return ", ".join(numbers.get(reference, "–") for reference in references)

    erased = [
        Erased(index, line.board, side(line.ns), side(line.ew))
        for index, line in enumerate(started.boards)
        if index >= len(started.boards) - rankings.erased
    ]
    return sorted(erased, key=lambda line: (line.board, line.index))
