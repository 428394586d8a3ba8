"""Small example sessions for the pages that explain how results are adjusted for the opponents' strength.

Each board result is (North-South pair, East-West pair, North-South's matchpoints in per cent, and IMPs).
"""

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
TWO_LINES: Boards = (
    ("A", "C", "70", "6"),
    ("B", "D", "55", "1"),
    ("A", "D", "60", "4"),
    ("B", "C", "50", "0"),
)
SEPARATE_GROUPS: Boards = (("A", "B", "60", "3"), ("C", "D", "55", "1"))


def session_of(scheme: Adjustment, boards: Boards, iterations: int) -> BoardSession:
    """Return a session with these board results, in matchpoints or IMPs as the scheme requires."""
    score = 2 if scheme.mean else 3
    results = tuple(
        BoardResult(str(number), row[0], row[1], Decimal(row[score]))
        for number, row in enumerate(boards, start=1)
    )
    return BoardSession(results=results, iterations=iterations)


def strengths_after_a_step() -> tuple[float, float]:
    """Return the strengths of the two pairs of the article's example after one iteration of the adjustment.

    The pairs meet on one board, on which both score 50 %. Their results of the session are 52 % and 58 %.
    """
    import numpy as np

    from scoring.regulations.strength.solve import step

    first, second = step(np.array([0.0, 0.0]), np.array([52.0, 58.0]) - 50, Meetings.of(2, [0], [1]))
    return float(first), float(second)
