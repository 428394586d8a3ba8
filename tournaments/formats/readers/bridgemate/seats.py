"""Find which pair begins at which table of a Bridgemate database."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from tournaments.formats.mdb import Table
from tournaments.formats.types import Direction, TableSeats

from .results import Entered, whole_number

# {(ID of a section, side, table): (the table's first round, number of the pair there)}
Seated = Mapping[tuple[str, Direction, int], tuple[int, int]]
_COLUMNS: dict[Direction, str] = {"NS": "NSPair", "EW": "EWPair"}


def seated_first(movement: Table, rows: Iterable[Entered]) -> Seated:
    """Return the pairs that begin at each table: by the movement or, without one, by most of the results.

    movement: the rows of the table RoundData; empty if another movement was played
    rows: the results that count
    """
    seated: dict[tuple[str, Direction, int], tuple[int, int]] = {}
    for row in sorted(movement, key=lambda row: whole_number(row.get("Round", ""))):
        section, table = row.get("Section", ""), whole_number(row.get("Table", ""))
        for side, column in _COLUMNS.items():
            pair = whole_number(row.get("Round", "")), whole_number(row.get(column, ""))
            seated.setdefault((section, side, table), pair)
    return seated if movement else _seated_by_results(rows)


def _seated_by_results(rows: Iterable[Entered]) -> Seated:
    """Return for each table the pairs of more than half of the results of its first round."""
    entered: dict[tuple[str, int], dict[int, list[Entered]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        entered[row.section, row.table][row.round].append(row)
    seated: dict[tuple[str, Direction, int], tuple[int, int]] = {}
    for (section, table), by_round in entered.items():
        turn = min(by_round)
        sides: dict[Direction, Counter[int]] = {
            "NS": Counter(row.ns for row in by_round[turn]),
            "EW": Counter(row.ew for row in by_round[turn]),
        }
        for side, numbers in sides.items():
            (pair, count), *_others = numbers.most_common(1)
            if 2 * count > numbers.total():
                seated[section, side, table] = turn, pair
    return seated


def table_seats(
    seated: Seated, sections: Table, letters: Mapping[str, str | None], is_planned: bool
) -> Iterator[TableSeats]:
    """Yield the pairs that sit down at the tables that play in the first round of their section.

    letters: {ID of a section with results: its letter}
    is_planned: whether `seated` follows from the movement
    """
    moves = moves_of(sections)
    for section, letter in letters.items():
        turns = {table: turn for (own, _side, table), (turn, _pair) in seated.items() if own == section}
        steps, count = moves.get(section, (0, 0))
        for table in sorted(table for table, turn in turns.items() if turn == min(turns.values())):
            places = {"NS": table, "EW": table_of_first_round(table, steps, count)}
            ns, ew = (
                seated.get((section, cast("Direction", side), place), (0, 0))[1]
                for side, place in places.items()
            )
            yield TableSeats(letter, table, str(ns or ""), str(ew or ""), is_planned and not steps)


def moves_of(rows: Table) -> dict[str, tuple[int, int]]:
    """Return {ID of a section: (shift, number of tables)}.

    shift: how many tables up East-West move between entering their numbers and the first round; negative if
        they move down
    """
    moves = {}
    for row in rows:
        text = row.get("EWMoveBeforePlay", "0").strip()
        steps = whole_number(text.removeprefix("-"))
        moves[row.get("ID", "")] = (
            -steps if text.startswith("-") else steps,
            whole_number(row.get("Tables", "")),
        )
    return moves


def table_of_first_round(table: int, steps: int, tables: int) -> int:
    """Return the table at which an East-West pair plays the first round.

    table: the table at which the pair's people entered their numbers, before the pair moved
    steps: how many tables the pair moves before the first round
    tables: the number of tables
    """
    return (table - 1 + steps) % tables + 1 if steps and tables and table <= tables else table
