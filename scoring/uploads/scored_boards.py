"""Compute a ranking from the results of the boards, for files without a ranking such as those of Bridgemates.

Pairs are scored in matchpoints, with Neuberg's formula for boards with fewer results, or in IMPs per board:
cross-IMPs or Butler. In a tournament of teams, the two pairs of a team have the same number, and its result
is the sum of the IMPs of its boards, or of the victory points of its matches. Results of all sections are
compared with each other, unless the sections are scored apart.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from scoring.engine.board_changes import mean_of, total_of, victory_points_of
from scoring.engine.boards import (
    SideResults,
    TravellerLine,
    apart,
    butler_results,
    imp_results,
    match_results,
    percentages,
)
from tournaments.boards import APART, artificial_score, whole_score
from tournaments.formats.types import BoardResult, Direction, Entry, ParsedResult, Person
from tournaments.formats.values import thousandths
from tournaments.services.scorings import (
    BUTLER,
    CROSS_IMPS,
    MATCHPOINTS,
    OF_TEAMS,
    SECTIONS_APART,
    TEAMS,
    TEAMS_VP,
)

PAIR = 2
GATHER = {TEAMS: total_of, TEAMS_VP: victory_points_of}
PAIRS_BY_METHOD = {MATCHPOINTS: percentages, CROSS_IMPS: imp_results, BUTLER: butler_results}
# A contestant: section, number, and side if both lines of play have the same numbers.
Key = tuple[str, str, str]


def score_boards(parsed: ParsedResult, method: str) -> ParsedResult:
    """Return a file's data with the percentage or score of each contestant, scored by `method`.

    method: a value of `tournaments.services.scorings`
    """
    is_teams = method in OF_TEAMS
    parsed = _as_teams(parsed) if is_teams else _as_pairs(parsed)
    keys = {key: row for row, entry in enumerate(parsed.entries) for key in _keys(entry)}
    rows = [(keys.get(_key(item, "NS")), keys.get(_key(item, "EW"))) for item in parsed.boards]
    lines = [_line(item) for item in parsed.boards]
    rounds = [item.round_number for item in parsed.boards]
    if is_teams:
        results = match_results(lines, rows, rounds)
    else:
        sections = [item.section if method in SECTIONS_APART else None for item in parsed.boards]
        results = apart(PAIRS_BY_METHOD[method.removesuffix(APART)], lines, sections)
    sides = [tuple((row,) if row is not None else () for row in seated) for seated in rows]
    figures = GATHER.get(method, mean_of)(results, sides)
    counts = Counter() if is_teams else _counts(results, rows)
    entries = tuple(
        replace(_scored(entry, figures.get(row), method), boards=counts[row] or entry.boards)
        for row, entry in enumerate(parsed.entries)
    )
    boards = parsed.boards
    if method.removesuffix(APART) != MATCHPOINTS:
        boards = tuple(_with_imps(item, result) for item, result in zip(boards, results, strict=True))
    else:
        boards = tuple(replace(item, ns_points=None, ew_points=None) for item in boards)
    unit: Literal["vp"] | None = "vp" if method == TEAMS_VP else None
    event = replace(parsed.event, scoring=method, boards=max(entries, key=_figure).boards, unit=unit)
    return replace(parsed, entries=entries, boards=boards, event=event)


def _counts(
    results: Sequence[SideResults | None], rows: Sequence[tuple[int | None, int | None]]
) -> Counter[int | None]:
    """Return {row of a contestant: number of its results}."""
    return Counter(
        row for seated, result in zip(rows, results, strict=True) if result is not None for row in seated
    )


def _keys(entry: Entry) -> list[Key]:
    sides = (entry.direction,) if entry.direction else ("NS", "EW")
    return [(entry.section or "", entry.number or "", side) for side in sides]


def _key(result: BoardResult, side: str) -> Key:
    return result.section or "", (result.ns if side == "NS" else result.ew)[0], side


def _line(result: BoardResult) -> TravellerLine:
    adjusted = artificial_score(result.score or "")
    fractions = adjusted and (Fraction(adjusted[0]), Fraction(adjusted[1]))
    return TravellerLine(result.board, whole_score(result.score or ""), fractions)


def _scored(entry: Entry, figure: Fraction | None, method: str) -> Entry:
    text = None if figure is None else _text(figure)
    if method.removesuffix(APART) == MATCHPOINTS:
        return replace(entry, percentage=text, score=None)
    return replace(entry, percentage=None, score=text)


def _figure(entry: Entry) -> Decimal:
    return Decimal(entry.percentage or entry.score or "-Infinity")


def _text(figure: Fraction) -> str:
    return f"{thousandths(figure):f}".rstrip("0").rstrip(".")


def _with_imps(item: BoardResult, result: SideResults | None) -> BoardResult:
    if result is None:
        return replace(item, ns_points=None, ew_points=None)
    return replace(item, ns_points=_text(result.ns), ew_points=_text(result.ew))


def _as_teams(parsed: ParsedResult) -> ParsedResult:
    """Join two pairs with the same number to a team. Its people are those of North-South, then East-West."""
    if parsed.event.kind == "teams":
        return parsed
    teams: dict[tuple[str, str], list[Entry]] = defaultdict(list)
    for entry in parsed.entries:
        teams[entry.section or "", entry.number or ""].append(entry)
    entries = tuple(
        replace(
            pairs[0],
            direction=pairs[0].direction if len(pairs) == 1 else None,
            people=tuple(person for pair in pairs for person in pair.people),
            boards=max(pair.boards or 0 for pair in pairs),
        )
        for pairs in teams.values()
    )
    return replace(parsed, entries=entries, event=replace(parsed.event, kind="teams", winner_type=None))


def _as_pairs(parsed: ParsedResult) -> ParsedResult:
    """Part each team into the pairs that `_as_teams` joined."""
    if parsed.event.kind != "teams":
        return parsed
    pairs = [pair for team in parsed.entries for pair in _pairs_of(team)]
    winners: Literal[1, 2] = 2 if all(pair.direction for pair in pairs) else 1
    event = replace(parsed.event, kind="pairs", winner_type=winners)
    return replace(parsed, entries=tuple(sorted(pairs, key=lambda pair: pair.line)), event=event)


def _pairs_of(team: Entry) -> Iterator[Entry]:
    if len(team.people) <= PAIR:
        yield team
        return
    sides: tuple[tuple[Direction, tuple[Person, ...]], ...] = (
        ("NS", team.people[:PAIR]),
        ("EW", team.people[PAIR:]),
    )
    for side, people in sides:
        yield replace(team, direction=side, people=people, line=people[0].line or team.line)
