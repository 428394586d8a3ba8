"""The graph of contestants who met: the matrix of boards, its components, and which of them are bipartite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy import ndarray


@dataclass(frozen=True, slots=True)
class Meetings:
    """The boards that contestants played against each other, a symmetric matrix in compressed sparse rows.

    The opponents of i are ``opponent[start[i]:start[i + 1]]``, their boards the same slice of ``boards``.
    ``played`` has the row sums, the boards of each contestant. Every contestant has met somebody.
    """

    start: ndarray
    opponent: ndarray
    boards: ndarray
    played: ndarray

    @classmethod
    def of(cls, size: int, ns: Sequence[int], ew: Sequence[int]) -> Meetings:
        """Build the matrix from both sides of every result; contestants are indexes below ``size``."""
        import numpy as np

        north_south, east_west = np.asarray(ns, dtype=np.int64), np.asarray(ew, dtype=np.int64)
        pairs = np.concatenate((north_south * size + east_west, east_west * size + north_south))
        cells, boards = np.unique(pairs, return_counts=True)
        row, opponent = np.divmod(cells, size)
        start = np.searchsorted(row, np.arange(size + 1))
        return cls(start, opponent, boards.astype(float), np.bincount(row, boards, size))

    @property
    def size(self) -> int:
        return len(self.played)

    @property
    def row(self) -> ndarray:
        """The row index of every cell of the matrix that is not 0."""
        import numpy as np

        return np.repeat(np.arange(self.size), np.diff(self.start))

    def times(self, vector: ndarray) -> ndarray:
        """Return the matrix times a vector."""
        import numpy as np

        return np.add.reduceat(self.boards * vector[self.opponent], self.start[:-1])


def components(meetings: Meetings) -> ndarray:
    """Return each contestant's component, numbered from 0 in the order of their first contestants."""
    import numpy as np

    smallest = _connected(meetings.size, meetings.row, meetings.opponent)
    _, number = np.unique(smallest, return_inverse=True)
    return number


def bipartite(meetings: Meetings, component: ndarray) -> ndarray:
    """Return for each component whether it is bipartite: two sides that never met among themselves.

    Every contestant gets two nodes; a meeting joins each node of one to the opposite node of the opponent.
    The two nodes of a contestant are then connected if and only if its component has a cycle of odd length.
    """
    import numpy as np

    n, row, opponent = meetings.size, meetings.row, meetings.opponent
    joined = _connected(2 * n, np.concatenate((row, row + n)), np.concatenate((opponent + n, opponent)))
    in_bipartite = joined[:n] != joined[n:]
    two_sided = np.zeros(component.max(initial=-1) + 1, dtype=bool)
    two_sided[component] = in_bipartite
    return two_sided


def _connected(size: int, row: ndarray, column: ndarray) -> ndarray:
    """Return for each node the smallest node of its component."""
    import numpy as np

    smallest = np.arange(size)
    while True:
        before = smallest.copy()
        # Give the smaller label to the root of the larger, which joins whole trees in one step.
        np.minimum.at(smallest, before[row], before[column])
        while True:
            jumped = smallest[smallest]
            if np.array_equal(jumped, smallest):
                break
            smallest = jumped
        if np.array_equal(before, smallest):
            return smallest
