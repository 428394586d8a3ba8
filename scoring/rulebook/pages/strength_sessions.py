"""Small sessions that show how the adjustment works: boards as (pair, pair, matchpoints, IMPs)."""

from decimal import Decimal

from scoring.regulations.strength.graph import Meetings
from scoring.regulations.strength.scheme import Adjustment
from scoring.regulations.strength.types import BoardResult, BoardSession

Boards = tuple[tuple[str, str, str, str], ...]

SESSION: Boards = (
    ("A", "B", "60", "3"),
    ("A", "C", "50", "0"),
    ("B", "C", "40", "-2"),
    ("C", "D", "70", "6"),
    ("A", "D", "65", "5"),
)
# A and B sit North-South and never meet each other, nor do C and D.
LINES: Boards = (
    ("A", "C", "70", "6"),
    ("B", "D", "55", "1"),
    ("A", "D", "60", "4"),
    ("B", "C", "50", "0"),
)
PARTED: Boards = (("A", "B", "60", "3"), ("C", "D", "55", "1"))


def session_of(scheme: Adjustment, boards: Boards, iterations: int) -> BoardSession:
    """The session in the scheme's scoring."""
    which = 2 if scheme.mean else 3
    results = tuple(
        BoardResult(str(number), row[0], row[1], Decimal(row[which]))
        for number, row in enumerate(boards, start=1)
    )
    return BoardSession(results=results, iterations=iterations)


def strengths_after_a_step() -> tuple[float, float]:
    """The article's board: both score 50, one stands at 52 and the other at 58; what a step makes of it."""
    import numpy as np

    from scoring.regulations.strength.solve import step

    found = step(np.array([0.0, 0.0]), np.array([52.0, 58.0]) - 50, Meetings.of(2, [0], [1]))
    return float(found[0]), float(found[1])
