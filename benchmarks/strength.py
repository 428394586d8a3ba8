"""Measure the adjustment of a session's results for the strength of opponents.

    python -m benchmarks.strength [rounds]

Each of 2,000 contestants plays 26 boards against random opponents. Computing all strengths means solving a
system of linear equations, which our code does in three iterations (conjugate gradients). The time excludes
building the matrix. The time and the result are compared with solving the same system as a dense matrix.
"""

import sys

import numpy as np

from scoring.regulations.strength.graph import Meetings, bipartite, components
from scoring.regulations.strength.solve import centred, fixed_point

from .timing import alternate, line

CONTESTANTS, BOARDS = 2000, 26
BAR = 0.020


def session(rng: np.random.Generator) -> tuple[list[int], list[int], np.ndarray]:
    """Return a random session as (first contestants, second contestants, mean scores).

    The two lists have an item for each board result: the index of its first and of its second contestant. The
    array has each contestant's mean score, minus 50, in percent.
    """
    seats = np.concatenate([rng.permutation(CONTESTANTS) for _ in range(BOARDS)]).reshape(-1, 2)
    scores = rng.integers(0, 101, len(seats)) - 50
    total = np.bincount(seats[:, 0], scores, CONTESTANTS) - np.bincount(seats[:, 1], scores, CONTESTANTS)
    return seats[:, 0].tolist(), seats[:, 1].tolist(), total / BOARDS


def dense(meetings: Meetings, sigma: np.ndarray) -> np.ndarray:
    """Return the contestants' strengths, which another iteration of the adjustment would not change.

    LAPACK solves the linear equations with a dense matrix. The matrix itself has no inverse. Therefore 1 is
    added to every element; the solution is then the one whose strengths add up to 0.

    sigma: the contestants' mean results, shifted so that their mean is 0
    """
    matrix = np.diag(meetings.played)
    matrix[meetings.row, meetings.opponent] -= meetings.boards
    return np.linalg.solve(matrix + 1.0, meetings.played * sigma)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 11
    ns, ew, mean = session(np.random.default_rng(11))
    meetings = Meetings.of(CONTESTANTS, ns, ew)
    component = components(meetings)
    sigma = centred(mean, meetings, component)
    print(f"Strength of opponents, {CONTESTANTS:,} contestants with {BOARDS} boards, {rounds} rounds")
    times = alternate(
        rounds,
        matrix=lambda: Meetings.of(CONTESTANTS, ns, ew),
        groups=lambda: bipartite(meetings, components(meetings)),
        solve=lambda: fixed_point(centred(mean, meetings, component), meetings, component),
        dense=lambda: dense(meetings, sigma),
    )
    line("matrix of meetings", f"{times['matrix'] * 1e3:.1f} ms")
    line("components and sides", f"{times['groups'] * 1e3:.1f} ms")
    solved = times["solve"]
    line("solving", f"{solved * 1e3:.1f} ms", f"under {BAR * 1e3:.0f} ms", solved < BAR)
    beyond = solved + times["groups"]
    line("all beyond the matrix", f"{beyond * 1e3:.1f} ms", f"under {BAR * 1e3:.0f} ms", beyond < BAR)
    line("dense / solving", f"{times['dense'] / solved:.1f}")
    difference = np.abs(fixed_point(sigma, meetings, component) - dense(meetings, sigma)).max()
    line("largest difference from the dense solution", f"{difference:.1e}")


if __name__ == "__main__":
    main()
