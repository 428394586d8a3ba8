"""Compute a printed ranking again after a change of some of its boards.

`scoring.engine.board_changes` says how. Board results refer to contestants by the lines of their entries.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from scoring.engine import board_changes as engine
from scoring.engine.assigned import Points, assigned_results, with_assigned
from scoring.engine.board_changes import (
    IMP_WAYS,
    MATCHPOINT_SUM_WAYS,
    MATCHPOINT_WAYS,
    TEAM_WAYS,
    Results,
    Sides,
    Way,
)
from scoring.engine.boards import TOLERANCE, SideResults, TravellerLine, apart
from scoring.engine.printed import HUNDREDTH
from tournaments.boards import (
    IMPS,
    MATCHPOINTS_APART,
    artificial_score,
    line_reference,
    scoring_of,
    whole_score,
)
from tournaments.formats.types import BoardResult, Entry, ParsedResult
from tournaments.formats.values import thousandths
from tournaments.services.issues import issue
from tournaments.services.scorings import NotRecountable, Printed
from tournaments.services.stored import decimal_text


def recount(
    parsed: ParsedResult, before: Mapping[int, BoardResult], printed: Sequence[Printed]
) -> ParsedResult:
    """Return the ranking with new figures and places, and issues that say what was carried over.

    Raises NotRecountable if a contestant has no figure, or the figures do not follow from the boards.

    parsed: the ranking and the boards as changed
    before: {index of a changed board result: the result before}
    printed: place, percentage and score of each entry before the change
    """
    originals = tuple(
        replace(entry, place=place, percentage=percentage, score=score)
        for entry, (place, percentage, score) in zip(parsed.entries, printed, strict=True)
    )
    parsed = replace(parsed, entries=originals, issues=())
    if not before:
        return parsed
    is_imps = parsed.event.kind == "teams" or scoring_of(parsed.event) == IMPS
    figures = {index: _figure(entry, is_imps) for index, entry in enumerate(originals)}
    played = _played(parsed, before, is_imps)
    assigned = {} if is_imps else assigned_results(played.old_lines, played.points)
    ways = TEAM_WAYS if parsed.event.kind == "teams" else IMP_WAYS if is_imps else MATCHPOINT_WAYS
    ways = _ways(parsed, ways, played, assigned)
    recounted = _recounted(ways, played, figures, HUNDREDTH if is_imps else TOLERANCE)
    if recounted is None:
        raise NotRecountable
    new, unlike, results = recounted
    entries, is_reordered = _placed(originals, figures, new, is_imps)
    if not is_imps:
        sums = _ways(parsed, MATCHPOINT_SUM_WAYS, played, assigned)
        entries = _with_sums(entries, sums, played, is_same=new == figures)
    issues = [issue("board_difference_kept", count=len(unlike))] if unlike else []
    issues += [issue("board_places_computed")] if is_reordered else []
    changed = {result.board for result in before.values()}
    return replace(
        parsed,
        entries=_with_counts(entries, played),
        boards=_with_points(parsed.boards, results, changed, is_imps, assigned),
        issues=tuple(issues),
    )


@dataclass(frozen=True, slots=True)
class _Played:
    """The board results before and after a change. Sides are indexes of entries.

    points: the points that the results state before the change
    """

    old_lines: Sequence[TravellerLine]
    old_sides: Sequence[Sides]
    lines: Sequence[TravellerLine]
    sides: Sequence[Sides]
    points: Sequence[Points]


def _played(parsed: ParsedResult, before: Mapping[int, BoardResult], is_imps: bool) -> _Played:
    old_boards = [before.get(index, result) for index, result in enumerate(parsed.boards)]
    entries = {line_reference(entry.line): index for index, entry in enumerate(parsed.entries)}
    return _Played(
        [_line(result, is_bare=not is_imps) for result in old_boards],
        [_sides(result, entries) for result in old_boards],
        [_line(result, is_bare=True) for result in parsed.boards],
        [_sides(result, entries) for result in parsed.boards],
        [(_fraction(result.ns_points), _fraction(result.ew_points)) for result in old_boards],
    )


def _recounted(
    ways: Sequence[Way], played: _Played, printed: Mapping[int, Decimal], tolerance: Fraction
) -> tuple[dict[int, Decimal], set[int], list[SideResults | None]] | None:
    """Return the new figures, the indexes of those that keep a difference, and the results of the lines.

    Return None if the printed figures follow from the boards in no way.
    """
    way = engine.best_way(ways, played.old_lines, played.old_sides, printed, tolerance)
    if way is None:
        return None
    results = way.changed_results(played.old_lines, played.lines, played.sides)
    before = way.figures(played.old_lines, played.old_sides)
    new, unlike = engine.carried_over(printed, before, way.gather(results, played.sides))
    return new, unlike, results


def _with_sums(
    entries: Sequence[Entry], ways: Sequence[Way], played: _Played, is_same: bool
) -> tuple[Entry, ...]:
    """Return entries with the new sums of matchpoints beside their percentages, if these can be computed.

    is_same: whether no percentage has changed
    """
    printed = {index: Decimal(entry.score) for index, entry in enumerate(entries) if entry.score}
    recounted = _recounted(ways, played, printed, HUNDREDTH) if len(printed) == len(entries) else None
    if recounted is not None:
        new = recounted[0]
        return tuple(replace(entry, score=decimal_text(new[index])) for index, entry in enumerate(entries))
    return tuple(entries if is_same else (replace(entry, score=None) for entry in entries))


def _ways(
    parsed: ParsedResult, ways: Sequence[Way], played: _Played, assigned: Mapping[int, SideResults]
) -> tuple[Way, ...]:
    """Return the ways in which the tournament may have been scored, the most likely first.

    Files seldom say whether sections were scored apart, so both are tried.
    """
    keeping = [_keeping(way, played.old_lines, assigned) for way in ways] if assigned else []
    sections = [result.section for result in parsed.boards]
    if parsed.event.kind == "teams" or len(set(sections)) < 2:
        return (*ways, *keeping)
    all_apart = _all_apart(ways, sections)
    is_apart = scoring_of(parsed.event) == MATCHPOINTS_APART
    return (*all_apart, *ways, *keeping) if is_apart else (*ways, *all_apart, *keeping)


def _all_apart(ways: Sequence[Way], sections: Sequence[str | None]) -> tuple[Way, ...]:
    """Return ways that compare only the results of one section with each other.

    sections: the section of every line
    """
    apart_by: dict[Results, Results] = {way.compute: _apart(way.compute, sections) for way in ways}
    return tuple(replace(way, compute=apart_by[way.compute]) for way in ways)


def _apart(compute: Results, sections: Sequence[str | None]) -> Results:
    return lambda lines, sides: apart(lambda own: compute(own, ()), lines, sections)


def _keeping(way: Way, lines: Sequence[TravellerLine], assigned: Mapping[int, SideResults]) -> Way:
    """Return a way in which assigned results stay, unless their line changes.

    lines: before the change
    """

    def compute(changed: Sequence[TravellerLine], sides: Sequence[Sides]) -> list[SideResults | None]:
        return with_assigned(way.compute(changed, sides), lines, changed, assigned)

    return replace(way, compute=compute)


def _figure(entry: Entry, is_imps: bool) -> Decimal:
    text = entry.score if is_imps else entry.percentage
    if text is None:
        raise NotRecountable
    return Decimal(text)


def _sides(result: BoardResult, lines: Mapping[str, int]) -> Sides:
    """Return the indexes of the entries that sat North-South and East-West."""
    ns, ew = (
        tuple(lines[number] for number in numbers if number in lines) for numbers in (result.ns, result.ew)
    )
    return ns, ew


def _line(result: BoardResult, is_bare: bool = False) -> TravellerLine:
    """Convert a board result.

    is_bare: whether to leave out what the line states, because it no longer holds or is not in IMPs
    """
    adjusted = artificial_score(result.score or "")
    stated = (None, None) if is_bare else (_fraction(result.ns_points), _fraction(result.ew_points))
    return TravellerLine(
        result.board,
        whole_score(result.score or ""),
        adjusted and (Fraction(adjusted[0]), Fraction(adjusted[1])),
        stated,
    )


def _fraction(text: str | None) -> Fraction | None:
    return None if text is None else Fraction(text)


def _placed(
    entries: Sequence[Entry], old: Mapping[int, Decimal], new: Mapping[int, Decimal], is_imps: bool
) -> tuple[tuple[Entry, ...], bool]:
    """Return the entries with their new figures and places, and whether the old places had another order.

    Entries with a direction are ranked separately by direction.
    """
    placed = list(entries)
    is_reordered = False
    for direction in {entry.direction for entry in entries}:
        group = [index for index, entry in enumerate(entries) if entry.direction == direction]
        if all(new[index] == old[index] for index in group):
            continue
        before = {index: (int(entries[index].place or 0), old[index]) for index in group}
        is_reordered |= not engine.follows_figures(before.values())
        for index, place in engine.new_places(before, {index: new[index] for index in group}).items():
            text = decimal_text(new[index])
            figures = {"score": text} if is_imps else {"percentage": text}
            placed[index] = replace(entries[index], place=str(place), **figures)
    return tuple(placed), is_reordered


def _with_counts(entries: Sequence[Entry], played: _Played) -> tuple[Entry, ...]:
    """Add to the printed numbers of boards those that the change makes count, or take away the others."""
    more = dict.fromkeys(range(len(entries)), 0)
    changes = ((-1, played.old_lines, played.old_sides), (1, played.lines, played.sides))
    for sign, lines, sides in changes:
        for line, (ns, ew) in zip(lines, sides, strict=True):
            if line.score is not None or line.adjusted is not None:
                for index in (*ns, *ew):
                    more[index] += sign
    return tuple(
        entry if entry.boards is None else replace(entry, boards=max(0, entry.boards + more[index]))
        for index, entry in enumerate(entries)
    )


def _with_points(
    boards: Sequence[BoardResult],
    results: Sequence[SideResults | None],
    changed: set[int],
    is_imps: bool,
    assigned: Collection[int],
) -> tuple[BoardResult, ...]:
    """Return the board results with new points on the lines of changed boards.

    IMPs are stored if all other lines state theirs. Matchpoints are computed for each page; only those of
    assigned results stay.

    changed: the numbers of the changed boards
    assigned: the indexes of the lines with assigned results
    """
    others = (item for item in boards if item.board not in changed)
    if not is_imps or any(item.ns_points is None and item.ew_points is None for item in others):
        return tuple(
            replace(item, ns_points=None, ew_points=None)
            if item.board in changed and index not in assigned
            else item
            for index, item in enumerate(boards)
        )
    return tuple(
        replace(item, ns_points=_imps(result.ns), ew_points=_imps(result.ew))
        if result and item.board in changed
        else item
        for item, result in zip(boards, results, strict=True)
    )


def _imps(value: Fraction) -> str:
    return decimal_text(thousandths(value)) or "0"
