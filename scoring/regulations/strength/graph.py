"""Who met whom: the matrix of boards between contestants, its components, and which are bipartite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy import ndarray


@dataclass(frozen=True, slots=True)
class Meetings:
    """A symmetric matrix in compressed rows: i has met ``other[start[i]:start[i + 1]]`` on ``boards`` boards.

    ``played`` are the row sums, the boards of each contestant. Every contestant has met somebody.
    """

    start: ndarray
    other: ndarray
    boards: ndarray
    played: ndarray

    @classmethod
    def of(cls, size: int, ns: Sequence[int], ew: Sequence[int]) -> Meetings:
        """From the two sides of every result, contestants counted from 0 to size − 1."""
        import numpy as np

        ns, ew = np.asarray(ns, dtype=np.int64), np.asarray(ew, dtype=np.int64)
        cells, boards = np.unique(np.concatenate((ns * size + ew, ew * size + ns)), return_counts=True)
        row, other = np.divmod(cells, size)
        start = np.searchsorted(row, np.arange(size + 1))
        return cls(start, other, boards.astype(float), np.bincount(row, boards, size))

    @property
    def size(self) -> int:
        return len(self.played)

    @property
    def row(self) -> ndarray:
        """The row of every cell."""
        import numpy as np

        return np.repeat(np.arange(self.size), np.diff(self.start))

    def times(self, vector: ndarray) -> ndarray:
        """The matrix times a vector."""
        import numpy as np

        return np.add.reduceat(self.boards * vector[self.other], self.start[:-1])


def components(meetings: Meetings) -> ndarray:
    """For each contestant the number of its component, counted from 0 in the order of the contestants."""
    import numpy as np

    smallest = _connected(meetings.size, meetings.row, meetings.other)
    _, number = np.unique(smallest, return_inverse=True)
    return number


def bipartite(meetings: Meetings, component: ndarray) -> ndarray:
    """For each component whether it falls into two sides that only met each other.

    Every contestant is doubled and every meeting joins one copy to the other's other copy. Two copies of the
    same contestant end up together exactly where some round trip has an odd number of meetings.
    """
    import numpy as np

    n, row, other = meetings.size, meetings.row, meetings.other
    joined = _connected(2 * n, np.concatenate((row, row + n)), np.concatenate((other + n, other)))
    apart = joined[:n] != joined[n:]
    found = np.zeros(component.max(initial=-1) + 1, dtype=bool)
    found[component] = apart
    return found


def _connected(size: int, row: ndarray, other: ndarray) -> ndarray:
    """For each node the smallest node it is connected with."""
    import numpy as np

    smallest = np.arange(size)
    while True:
        before = smallest.copy()
        # The smaller label goes to the root of the larger, so that whole trees join at once.
        np.minimum.at(smallest, before[row], before[other])
        while True:
            jumped = smallest[smallest]
            if np.array_equal(jumped, smallest):
                break
            smallest = jumped
        if np.array_equal(before, smallest):
            return smallest
