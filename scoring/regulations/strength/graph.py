"""The graph of a session, in which two contestants are connected if they played boards against each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy import ndarray


@dataclass(frozen=True, slots=True)
class Meetings:
    """The number of boards that any two contestants played against each other, as a symmetric sparse matrix.

    The format is compressed sparse rows. The opponents of contestant i are ``opponent[start[i]:start[i +
    1]]``. The same slice of ``boards`` has the number of boards against each of these opponents. ``played``
    has the total number of boards of each contestant. Every contestant has at least one opponent.
    """

    start: ndarray
    opponent: ndarray
    boards: ndarray
    played: ndarray

    @classmethod
    def of(cls, size: int, ns: Sequence[int], ew: Sequence[int]) -> Meetings:
        """Build the matrix from the North-South and East-West contestants of every board result.

        Contestants are indexes from 0 to ``size`` - 1. ``ns`` and ``ew`` have one element per result.
        """
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
        """The row index of every non-zero cell of the matrix, one for each element of ``opponent``."""
        import numpy as np

        return np.repeat(np.arange(self.size), np.diff(self.start))

    def times(self, vector: ndarray) -> ndarray:
        """Return the matrix times a vector."""
        import numpy as np

        return np.add.reduceat(self.boards * vector[self.opponent], self.start[:-1])


def components(meetings: Meetings) -> ndarray:
    """Return the number of each contestant's connected component.

    Components are numbered from 0, in the order of their first contestants.
    """
    import numpy as np

    smallest = _connected(meetings.size, meetings.row, meetings.opponent)
    _, number = np.unique(smallest, return_inverse=True)
    return number


def bipartite(meetings: Meetings, component: ndarray) -> ndarray:
    """Return for each component whether it is bipartite.

    A component is bipartite if it consists of two groups, and contestants only met members of the other
    group.

    component: each contestant's component, as returned by `components`

    The algorithm gives every contestant two nodes. A meeting joins each node of one contestant to the other
    node of the opponent. The two nodes of a contestant are then connected if and only if its component has a
    cycle of odd length, that is, if it is not bipartite.
    """
    import numpy as np

    n, row, opponent = meetings.size, meetings.row, meetings.opponent
    joined = _connected(2 * n, np.concatenate((row, row + n)), np.concatenate((opponent + n, opponent)))
    in_bipartite = joined[:n] != joined[n:]
    two_sided = np.zeros(component.max(initial=-1) + 1, dtype=bool)
    two_sided[component] = in_bipartite
    return two_sided


def _connected(size: int, row: ndarray, column: ndarray) -> ndarray:
    """Return for each node of a graph the lowest-numbered node of its connected component.

    size: the number of nodes, which are numbered from 0
    row, column: the nodes at the two ends of every edge
    """
    import numpy as np

    smallest = np.arange(size)
    while True:
        before = smallest.copy()
        # Give the smaller of two labels to the root of the tree that has the larger. This joins whole trees
        # at once.
        np.minimum.at(smallest, before[row], before[column])
        while True:
            jumped = smallest[smallest]
            if np.array_equal(jumped, smallest):
                break
            smallest = jumped
        if np.array_equal(before, smallest):
            return smallest
