"""The value of handicap stones in rating points."""

from __future__ import annotations

# Rating points per handicap stone. The first stone counts half, because it only cancels the komi (White's
# compensation for moving second).
A_STONE = 100


def advantage(handicap: int) -> float:
    """Return the rating points that handicap stones add to their receiver in the expected score."""
    return A_STONE * (handicap - 0.5) if handicap else 0.0
