"""Read the travellers and hands of a USEBIO file, and count the boards that each contestant played."""

from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from decimal import Decimal

from . import cards, values
from .issues import IssueList
from .types import BoardResult, Deal, Entry, EventInfo, Seat
from .xml_tree import Node

_POINTS = ("MATCH_POINTS", "BUTLER_POINTS", "CROSS_IMP_POINTS", "IMPS")


def read_boards(event: Node, issues: IssueList) -> tuple[BoardResult, ...]:
    """Return the results in all travellers of the event."""
    results = []
    unreadable = 0
    for section, match, board in _boards(event):
        number = values.integer_text(board.value("BOARD_NUMBER"))
        for line in board.all("TRAVELLER_LINE"):
            if number:
                results.append(_result(int(number), section, match, line))
            else:
                unreadable += 1
    if unreadable:
        issues.add("boards_unreadable", count=unreadable)
    return tuple(results)


def _boards(event: Node) -> Iterator[tuple[str | None, Node | None, Node]]:
    """Yield (section, match, board) for every BOARD element.

    Section and match are None if the board is not inside such an element.
    """
    for parent in (event, *event.all("SESSION")):
        for holder in (parent, *parent.all("SECTION")):
            section = holder.attributes.get("SECTION_ID") or None if holder.tag == "SECTION" else None
            yield from ((section, None, board) for board in holder.all("BOARD"))
            for match in holder.all("MATCH"):
                yield from ((section, match, board) for board in match.all("BOARD"))


def _result(number: int, section: str | None, match: Node | None, line: Node) -> BoardResult:
    ns, ew = _sides(line, match)
    return BoardResult(
        board=number,
        section=section,
        ns=ns,
        ew=ew,
        score=line.value("SCORE") or None,
        ns_points=line.value(*(f"NS_{name}" for name in _POINTS)) or None,
        ew_points=line.value(*(f"EW_{name}" for name in _POINTS)) or None,
        contract=line.value("CONTRACT") or None,
        declarer=line.value("PLAYED_BY") or None,
        tricks=line.value("TRICKS") or None,
        lead=line.value("LEAD") or None,
        round_number=match.value("ROUND_NUMBER") or None if match else None,
    )


def read_deals(root: Node, event: Node, issues: IssueList) -> tuple[Deal, ...]:
    """Return the deals of the file. HANDSET may be beside the event, in it, or in one of its parts."""
    deals = []
    unreadable = 0
    for section, board in _hand_boards(root, event):
        number = values.count(board.value("BOARD_NUMBER"))
        deal = _deal(number, section, board) if number else None
        if deal is None:
            unreadable += 1
        else:
            deals.append(deal)
    if unreadable:
        issues.add("deals_unreadable", count=unreadable)
    return cards.unambiguous(deals)


def _hand_boards(root: Node, event: Node) -> Iterator[tuple[str | None, Node]]:
    """Yield (section, BOARD element) for every board with hands."""
    for parent in (root, event, *event.all("SESSION")):
        for holder in (parent, *parent.all("SECTION")):
            section = holder.attributes.get("SECTION_ID") or None if holder.tag == "SECTION" else None
            for handset in holder.all("HANDSET"):
                yield from ((section, board) for board in handset.all("BOARD") if board.first("HAND"))


def _deal(number: int, section: str | None, board: Node) -> Deal | None:
    hands: dict[Seat, str] = {}
    for hand in board.all("HAND"):
        if seat := cards.seat_text(hand.value("DIRECTION")):
            suits = (hand.value(suit) for suit in ("SPADES", "HEARTS", "DIAMONDS", "CLUBS"))
            hands[seat] = cards.hand_text(suits)
    return cards.make_deal(
        number,
        hands,
        cards.seat_text(board.value("DEALER")),
        cards.vulnerable_text(board.value("VULNERABLE", "VULNERABILITY")),
        section,
    )


def _sides(line: Node, match: Node | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the numbers of the contestants who sat North-South and East-West.

    In a match of teams, the element DIRECTION is the side on which the first team sat.
    """
    if match is not None:
        teams = ((match.value("TEAM"),), (match.value("OPPOSING_TEAM"),))
        return teams if line.value("DIRECTION").upper() != "EW" else (teams[1], teams[0])
    ns = line.value("NS_PAIR_NUMBER")
    ew = line.value("EW_PAIR_NUMBER")
    if ns or ew:
        return (ns,), (ew,)
    north_south = (line.value("N_PLAYER_NUMBER"), line.value("S_PLAYER_NUMBER"))
    east_west = (line.value("E_PLAYER_NUMBER"), line.value("W_PLAYER_NUMBER"))
    return north_south, east_west


def with_partners(results: Sequence[BoardResult], entries: Sequence[Entry]) -> tuple[BoardResult, ...]:
    """Return the board results of an individual event with one result for each table.

    Some programs write two lines for a table, one below the other, each with one player of each side. In
    place of the partner's number stands the player's own, with a 1 behind it for North-South and a 2 for
    East-West. As another player may have that number, it is taken out of lines that are not joined.
    """
    listed = {entry.number for entry in entries}
    partners = {result.ns[1:] + result.ew[1:] for result in results}
    if not all(_has_own_numbers(result, listed) for result in results) or all(
        listed.issuperset(numbers) for numbers in partners
    ):
        return tuple(results)
    boards: dict[tuple[str | None, int], list[BoardResult]] = defaultdict(list)
    for result in results:
        boards[result.section, result.board].append(result)
    return tuple(result for lines in boards.values() for result in _tables(lines))


def _has_own_numbers(result: BoardResult, listed: Set[str | None]) -> bool:
    if not len(result.ns) == len(result.ew) == 2:
        return False
    (north, south), (east, west) = result.ns, result.ew
    return {north, east} <= listed and (south, west) == (f"{north}1", f"{east}2")


def _tables(lines: Sequence[BoardResult]) -> list[BoardResult]:
    """Join the lines of one board in twos; if they do not fit, return them all without partners."""
    tables = list(zip(lines[::2], lines[1::2], strict=False))
    if len(lines) % 2 or not all(_is_same_table(*table) for table in tables):
        return [replace(line, ns=(line.ns[0], ""), ew=(line.ew[0], "")) for line in lines]
    return [
        replace(first, ns=(first.ns[0], second.ns[0]), ew=(first.ew[0], second.ew[0]))
        for first, second in tables
    ]


def _is_same_table(first: BoardResult, second: BoardResult) -> bool:
    players = {first.ns[0], first.ew[0], second.ns[0], second.ew[0]}
    return len(players) == 4 and replace(second, ns=first.ns, ew=first.ew) == first


def board_counts(
    info: EventInfo,
    entries: Sequence[Entry],
    results: Sequence[BoardResult],
    stated: int | None,
    issues: IssueList,
) -> EventInfo:
    """Return the event with two numbers: the boards that the winner played, and the boards scheduled.

    The winner's number is counted in the travellers. If the winner is not in them, the function uses the
    first that exists of these: the winner's number in the ranking, the number in the heading, the highest
    number counted.

    The boards scheduled are what a contestant plays who sits out no round. This is the highest of all these
    numbers: those counted, those in the ranking and the one in the heading.

    stated: the number of boards in the heading; None if it states none
    """
    played = _boards_by_contestant(entries, results, info)
    most = max(map(len, played.values()), default=None)
    own = [entry.boards for entry in entries if entry.boards]
    winner = _winner(entries)
    boards = len(played.get(_key(winner, info), ())) if winner else 0
    if not boards and winner:
        boards = winner.boards or stated or most or 0
    if stated and most and stated != most:
        issues.add("boards_differ", field="BOARDS_PLAYED", stated=stated, counted=most)
    scheduled = max([number for number in (stated, most, *own) if number], default=None)
    return replace(info, boards=boards or None, boards_scheduled=scheduled)


def _winner(entries: Sequence[Entry]) -> Entry | None:
    """Return the entry with the best place; None if no entry has a place.

    If several entries share the best place, return the one with the best percentage or score.
    """
    ranked = [(number, entry) for entry in entries if (number := values.place_number(entry.place or ""))]
    if not ranked:
        return None
    best = min(number for number, _ in ranked)
    winners = [entry for number, entry in ranked if number == best]
    return max(winners, key=lambda entry: Decimal(entry.percentage or entry.score or 0))


def _key(entry: Entry, info: EventInfo) -> tuple[str, str, str]:
    side = entry.direction or "" if info.winner_type == 2 else ""
    return entry.section or "", values.bare_number(entry.number or ""), side


def _boards_by_contestant(
    entries: Sequence[Entry], results: Sequence[BoardResult], info: EventInfo
) -> dict[tuple[str, str, str], set[tuple[str, int]]]:
    """Return {(section, number, side): {(round, board)}}: the boards that each ranked contestant played.

    If North-South and East-West are ranked separately, both may have the same numbers, and the side is NS or
    EW. Otherwise the side is "". The section is "" if the ranking has no sections, even if the travellers
    have.
    """
    known = {_key(entry, info) for entry in entries}
    has_sections = any(section for section, _, _ in known)
    played: dict[tuple[str, str, str], set[tuple[str, int]]] = defaultdict(set)
    for result in results:
        section = (result.section or "") if has_sections else ""
        for side, numbers in (("NS", result.ns), ("EW", result.ew)):
            for number in numbers:
                key = (section, values.bare_number(number), side if info.winner_type == 2 else "")
                if key in known:
                    played[key].add((result.round_number or "", result.board))
    return played
