"""The value of handicap stones in rating points."""

from __future__ import annotations

# Rating points per handicap stone. The first stone counts half: it only cancels the komi.
A_STONE = 100


def advantage(handicap: int) -> float:
    """Return the rating points by which handicap stones raise the receiver's rating in the expected score."""
    return A_STONE * (handicap - 0.5) if handicap else 0.0
