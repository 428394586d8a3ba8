"""Find the boards that were put off and entered in another round than the movement has them in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from .movement import Movement, PairNumber, Planned, pair_numbers, sections_with_sides
from .results import NOT_PLAYED, Entered, Seating


def in_planned_rounds(entered: Sequence[Entered], movement: Movement) -> list[Entered]:
    """Return the entries, those of late boards with the table and round in which the movement has them.

    A late board was entered with the pairs who played it, or with those of the later round. It is recognised
    if the movement does not have the board at the table and in the round of the entry, and either

    * it has the entered pairs play the board elsewhere, and other pairs sit at that table; or
    * all boards of that table and round were entered too, and exactly one of the entered pairs has no result
      of the board where the movement has the pair play it.

    movement: what `reliable` returns
    """
    plans = {seating: plan.pairs for seating, plan in movement.items() if plan.pairs}
    with_sides = sections_with_sides(plans)
    homes = {
        (pair, board): seating
        for seating, pairs in plans.items()
        for pair in pair_numbers(seating, pairs, with_sides)
        for board in movement[seating].boards
    }
    valid = [row for row in entered if not row.erased]
    late = _Late(
        movement,
        homes,
        frozenset((row.seating, row.board) for row in valid),
        frozenset((row.seating, row.board) for row in valid if row.remark != NOT_PLAYED),
    )
    result = []
    for row in entered:
        home = late.home(row, pair_numbers(row.seating, (row.ns, row.ew), with_sides))
        result.append(replace(row, table=home[1], round=home[2]) if home else row)
    return result


@dataclass(frozen=True, slots=True)
class _Late:
    """What is known to recognise late boards.

    homes: {(pair, board): table and round in which the movement has the pair play the board}
    entered: the boards that were entered, by table and round
    played: those of them that were played
    """

    movement: Movement
    homes: Mapping[tuple[PairNumber, int], Seating]
    entered: frozenset[tuple[Seating, int]]
    played: frozenset[tuple[Seating, int]]

    def home(self, row: Entered, pairs: set[PairNumber]) -> Seating | None:
        """Return the table and round in which the movement has a late board; None for all other entries.

        pairs: the pairs of the entry
        """
        plan = self.movement.get(row.seating, Planned(None, frozenset()))
        if plan.pairs and (not plan.boards or row.board in plan.boards):
            return None
        homes = [self.homes.get((pair, row.board)) for pair in pairs]
        if len(homes) == 2 and homes[0] == homes[1] and set(plan.pairs or ()) != {row.ns, row.ew}:
            return homes[0]
        lacking = {home for home in homes if home and (home, row.board) not in self.played}
        is_beside_all = plan.pairs and all((row.seating, board) in self.entered for board in plan.boards)
        return lacking.pop() if is_beside_all and len(lacking) == 1 else None
