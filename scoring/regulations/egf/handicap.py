"""The value of handicap stones in rating points."""

from __future__ import annotations

# Rating points per handicap stone. The first stone counts half, because it only cancels the komi (White's
# compensation for moving second).
A_STONE = 100


def advantage(handicap: int) -> float:
    """Return the rating points that handicap stones are worth.

    They are added to the rating of the player who receives the stones, only to compute the expected score.
    """
    return A_STONE * (handicap - 0.5) if handicap else 0.0
