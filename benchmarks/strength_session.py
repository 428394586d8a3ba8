"""A whole session adjusted for the strength of opponents, from its board results to everybody's figures.

    python -m benchmarks.strength_session [rounds]

1,000 contestants with 26 boards each against random opponents: matchpoints, matrix, two steps, fixed point. A
process does this once for a published ranking and remembers it.
"""

import os
import sys
from random import Random

import django

from .timing import alternate, line

CONTESTANTS, BOARDS = 1000, 26


def session(rng: Random) -> list[tuple]:
    """Rows as the database has them: board, both sides, score."""
    rows = []
    for board in range(1, BOARDS + 1):
        order = rng.sample(range(1, CONTESTANTS + 1), CONTESTANTS)
        rows += [(board, *order[k : k + 2], 10 * rng.randrange(-60, 60)) for k in range(0, CONTESTANTS, 2)]
    return rows


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "federation.settings")
    django.setup()
    from scoring.engine.boards import Line, percentages
    from scoring.services.strength import Stored, adjusted
    from tournaments.boards import MATCHPOINTS

    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    played = session(Random(11))
    rows = [Stored("", *row, None, None, None, None) for row in played]
    lines = [Line(board, score) for board, _ns, _ew, score in played]
    print(f"A session of {CONTESTANTS:,} contestants, {len(rows):,} results, {rounds} rounds")
    taken = alternate(
        rounds,
        boards=lambda: percentages(lines),
        whole=lambda: adjusted(MATCHPOINTS, rows, {}),
    )
    line("matchpoints of the boards", f"{taken['boards'] * 1e3:.0f} ms")
    line("boards to figures", f"{taken['whole'] * 1e3:.0f} ms")


if __name__ == "__main__":
    main()
