"""Compare the results of a Bridgemate database with its movement, the table RoundData.

The movement has the pairs and the boards of each table and round. The players, or the director, can enter
other numbers: by mistake, or because others sat there.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import sub

from tournaments.formats.issues import IssueList
from tournaments.formats.mdb import Table

from .results import NOT_PLAYED, WRONG_DIRECTION, Entered, Place, Seating, whole_number

Pairs = tuple[int, int]  # the numbers of the pairs North-South and East-West
PairNumber = tuple[str, int, int]  # section, number and side (see `pair_numbers`)
_MOST_BOARDS = 100  # of a table in a round


@dataclass(frozen=True, slots=True)
class Planned:
    """What the movement has for a table in a round.

    pairs: None if no two pairs meet there
    boards: the numbers of the boards; empty if the movement does not state them
    """

    pairs: Pairs | None
    boards: frozenset[int]


Movement = Mapping[Seating, Planned]


def movement_of(rows: Table) -> Movement:
    """Return the movement by the rows of the table RoundData."""
    movement = {}
    for row in rows:
        table, turn = whole_number(row.get("Table", "")), whole_number(row.get("Round", ""))
        ns, ew = whole_number(row.get("NSPair", "")), whole_number(row.get("EWPair", ""))
        movement[row.get("Section", ""), table, turn] = Planned((ns, ew) if ns and ew else None, _boards(row))
    return movement


def _boards(row: Mapping[str, str]) -> frozenset[int]:
    """Return the boards of a row: those that it lists, or else those from the lowest to the highest."""
    if custom := row.get("CustomBoards", "").strip():
        numbers = [whole_number(text.strip()) for text in custom.replace(";", ",").split(",")]
        return frozenset(numbers) if all(numbers) else frozenset()
    low, high = whole_number(row.get("LowBoard", "")), whole_number(row.get("HighBoard", ""))
    return frozenset(range(low, high + 1)) if 0 < low <= high < low + _MOST_BOARDS else frozenset()


def compared(places: Sequence[Place], movement: Movement, issues: IssueList) -> list[Place]:
    """Return the places with the boards and pairs that count. Add issues for those that are in doubt.

    movement: what `reliable` returns
    """
    by_seating: dict[Seating, list[Place]] = defaultdict(list)
    for place in places:
        by_seating[place.row.seating].append(place)
    seats, played = _seats(by_seating, movement), _played(places)
    result: list[Place] = []
    for seating, at_table in by_seating.items():
        planned = movement.get(seating)
        if planned and planned.boards:
            at_table = _with_boards(at_table, planned.boards, played, issues)
        at_table = [_with_pairs(place, seats.get(seating), issues) for place in at_table]
        if planned and planned.pairs:
            at_table = _with_planned(at_table, planned.pairs, issues)
        elif any(section == seating[0] for section, _table, _round in movement):
            _add_unplanned(at_table, issues)
        result += at_table
    return result


def reliable(entered: Iterable[Entered], movement: Movement, issues: IssueList) -> Movement:
    """Return the movement without what more than a quarter of the results contradict: pairs, or boards.

    In that case another movement was played, for which an issue is added.
    """
    sections = {section for section, _table, _round in movement}
    nothing = Planned(None, frozenset())
    valid = (row for row in entered if row.section in sections and not row.erased)
    rows = list({(row.seating, row.board): row for row in valid}.values())
    planned = [movement.get(row.seating, nothing) for row in rows]
    other_pairs = [set(plan.pairs or ()) != {row.ns, row.ew} for row, plan in zip(rows, planned, strict=True)]
    other_board = [
        bool(plan.boards) and row.board not in plan.boards for row, plan in zip(rows, planned, strict=True)
    ]
    has_pairs, has_boards = (4 * sum(others) <= len(rows) for others in (other_pairs, other_board))
    if has_pairs and has_boards:
        return movement
    count = sum(other_pairs[index] or other_board[index] for index in range(len(rows)))
    issues.add("bws_other_movement", count=count, total=len(rows))
    if not has_pairs:
        # A movement whose pairs are wrong does not tell either where nobody plays.
        return {}
    return {seating: replace(plan, boards=frozenset()) for seating, plan in movement.items()}


# --- Boards ---------------------------------------------------------------------------------------------
def _with_boards(
    places: Sequence[Place], planned: frozenset[int], played: Counter[Hashable], issues: IssueList
) -> list[Place]:
    """Return the places of a table in a round. Boards that the movement does not have there are in doubt.

    They are taken for the boards that are missing there if these are as many, and all numbers are as far off.
    A single board then counts as the missing one. Several do if each was also played elsewhere by one of the
    pairs.

    played: how often each pair has a result of a board (see `_played`)
    """
    missing = sorted(planned - {place.row.board for place in places})
    others = [place for place in places if place.row.board not in planned and not place.row.erased]
    numbers = sorted(place.row.board for place in others)
    is_shifted = len(numbers) == len(missing) and len(set(map(sub, missing, numbers))) == 1
    meant = dict(zip(numbers, missing, strict=True)) if is_shifted else {}
    is_mended = bool(meant) and (len(meant) == 1 or all(_is_twice(place.row, played) for place in others))
    is_whole = len(meant) > 1
    code = "bws_other_boards" if is_whole else "bws_other_board"
    if is_whole:
        _add_other_boards(others[0].row, numbers, missing, is_mended, issues)
    result = []
    for place in places:
        if place in others:
            row = place.row
            alternatives = tuple(
                replace(row, board=board) for board in ([meant[row.board]] if meant else missing)
            )
            counted = alternatives[0] if is_mended else row
            if not is_whole:
                boards = ", ".join(map(str, sorted(planned)))
                issues.add(code, value=row.board, boards=boards, **counted.where)
            codes = (*place.codes, code)
            if is_mended:
                place = replace(place, row=counted, rows=(*place.rows, counted), codes=codes)
            else:
                alternatives = (*place.alternatives, *alternatives)
                place = replace(place, alternatives=alternatives, codes=codes)
        result.append(place)
    return result


def _add_other_boards(
    row: Entered, numbers: Sequence[int], missing: Sequence[int], is_mended: bool, issues: IssueList
) -> None:
    """Add the issue about a table at which several boards of a round have other numbers.

    row: one of the results
    numbers, missing: the boards that were entered, and those of the movement
    is_mended: whether they count as the boards of the movement
    """
    entered, planned = (", ".join(map(str, boards)) for boards in (numbers, missing))
    where = {**row.where, "board": 0, "round": row.round, "table": row.table}
    counted = planned if is_mended else entered
    issues.add("bws_other_boards", value=entered, boards=planned, counted=counted, **where)


def _played(places: Iterable[Place]) -> Counter[Hashable]:
    """Count the results of each (section, board, side, pair)."""
    rows = [place.row for place in places if not place.row.erased]
    return Counter(key for row in rows for key in _keys(row))


def _keys(row: Entered) -> tuple[Hashable, Hashable]:
    return (row.section, row.board, "NS", row.ns), (row.section, row.board, "EW", row.ew)


def _is_twice(row: Entered, played: Counter[Hashable]) -> bool:
    """Return whether one of the pairs has another result of the board too."""
    return any(played[key] > 1 for key in _keys(row))


# --- Pairs ----------------------------------------------------------------------------------------------
def _seats(by_seating: Mapping[Seating, Sequence[Place]], movement: Movement) -> dict[Seating, Pairs]:
    """Return the pairs of the tables and rounds in which they can be concluded.

    The movement decides if some result agrees with it, or if there is only one; otherwise most of the results
    do, if these pairs can have sat there (see `_impossible`).
    """
    entered = {
        seating: [(place.row.ns, place.row.ew) for place in places] for seating, places in by_seating.items()
    }
    seats: dict[Seating, Pairs] = {}
    moved: list[Seating] = []
    for seating, pairs in entered.items():
        plan = movement[seating].pairs if seating in movement else None
        if plan and (len(pairs) == 1 or any(set(plan) == set(pair) for pair in pairs)):
            seats[seating] = plan
        elif most := _majority(pairs):
            seats[seating] = most
            moved += [seating] if plan else []
        elif plan:
            seats[seating] = plan
    for seating in list(_impossible(moved, seats, movement)):
        seats[seating] = movement[seating].pairs or seats[seating]
    return seats


def _majority(pairs: Sequence[Pairs]) -> Pairs | None:
    """Return the pairs of most of at least two results; None if there are none."""
    most, count = Counter(map(frozenset, pairs)).most_common(1)[0]
    return next(pair for pair in pairs if set(pair) == most) if 2 * count > len(pairs) > 1 else None


def _impossible(
    moved: Iterable[Seating], seats: Mapping[Seating, Pairs], movement: Movement
) -> Iterator[Seating]:
    """Yield the tables whose pairs cannot have sat there instead of those of the movement.

    A pair cannot if it sat at another table in the same round, or if it is nowhere else in the section.

    moved: the tables with other pairs than those of the movement
    """
    plans = {seating: plan.pairs for seating, plan in movement.items() if plan.pairs}
    with_sides = sections_with_sides(plans)
    planned = {pair for seating, pairs in plans.items() for pair in pair_numbers(seating, pairs, with_sides)}
    by_round, by_section = Counter[Hashable](), Counter[Hashable]()
    for seating, pairs in seats.items():
        for number in pair_numbers(seating, pairs, with_sides):
            by_section[number] += 1
            by_round[seating[2], number] += 1
    for seating in moved:
        strangers = pair_numbers(seating, seats[seating], with_sides)
        strangers -= pair_numbers(seating, plans[seating], with_sides)
        if any(
            by_round[seating[2], number] > 1 or (by_section[number] < 2 and number not in planned)
            for number in strangers
        ):
            yield seating


def sections_with_sides(plans: Mapping[Seating, Pairs]) -> set[str]:
    """Return the sections in which North-South and East-West pairs have the same numbers."""
    sides: dict[tuple[str, int], tuple[set[int], set[int]]] = defaultdict(lambda: (set(), set()))
    for (section, _table, turn), pairs in plans.items():
        for numbers, number in zip(sides[section, turn], pairs, strict=True):
            numbers.add(number)
    return {section for (section, _round), (ns, ew) in sides.items() if ns & ew}


def pair_numbers(seating: Seating, pairs: Pairs, with_sides: Collection[str]) -> set[PairNumber]:
    """Return the section and the numbers of pairs, with their sides if these tell pairs of a number apart."""
    section = seating[0]
    return {(section, number, side * (section in with_sides)) for side, number in enumerate(pairs)}


def _with_pairs(place: Place, pairs: Pairs | None, issues: IssueList) -> Place:
    """Return a place with the pairs that sat there, and with an issue if the entry has other ones."""
    row = place.row
    if pairs is None or set(pairs) == {row.ns, row.ew} or row.erased:
        return place
    mended = replace(row, ns=pairs[0], ew=pairs[1])
    issues.add("bws_other_pairs", value=f"{row.ns} – {row.ew}", **mended.where)
    return replace(place, row=mended, rows=(*place.rows, mended), codes=(*place.codes, "bws_other_pairs"))


def _with_planned(places: Sequence[Place], planned: Pairs, issues: IssueList) -> list[Place]:
    """Return the places of a table in a round. Those that contradict the movement count as entered.

    The pairs of the movement can be chosen for them. The issue is about the whole round if all results
    contradict the movement, else about single boards.
    """
    checked = [place for place in places if not place.row.erased]
    others = [place for place in checked if _contradicts(place.row, planned)]
    is_whole = others == checked
    code = "bws_other_round" if is_whole else "bws_exchanged"
    if is_whole and others:
        row = others[0].row
        where = {**row.where, "board": 0, "round": row.round, "table": row.table}
        issues.add(code, value=f"{planned[0]} – {planned[1]}", **where)
    result = []
    for place in places:
        if place in others:
            row = place.row
            if not is_whole:
                issues.add(code, **row.where)
            planned_row = replace(row, ns=planned[0], ew=planned[1])
            alternatives = (*place.alternatives, planned_row)
            place = replace(place, alternatives=alternatives, codes=(*place.codes, code))
        result.append(place)
    return result


def _contradicts(row: Entered, planned: Pairs) -> bool:
    """Return whether a result has other pairs than the movement, or the same the other way round."""
    if row.remark == WRONG_DIRECTION:  # there is an issue about it already
        return {row.ns, row.ew} != set(planned)
    return (row.ns, row.ew) != planned


def _add_unplanned(places: Sequence[Place], issues: IssueList) -> None:
    """Add an issue about the results of a table that has no play in this round of the movement."""
    rows = [place.row for place in places if not place.row.erased]
    rows = [row for row in rows if row.remark != NOT_PLAYED]
    if rows:
        issues.add("bws_unplanned_round", round=rows[0].round, table=rows[0].table, **rows[0].where)
