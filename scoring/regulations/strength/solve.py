"""The plain iteration and its fixed point, in floats.

With rho the strength and sigma the mean result, both as distances from the mean of a board, D the boards of
each contestant and B those between two: rho = sigma + D⁻¹·B·rho, or (D − B)·rho = D·sigma. D − B is the
Laplacian of a graph: one constant per component is free, and is chosen so that the board-weighted mean of
rho is 0 there. A solution exists only where the board-weighted mean of sigma is 0 as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import ndarray

    from .graph import Meetings

# One pass reduces the error by this much; as many passes, each on what the last one left over, take it to
# the limit of a float without chasing digits that a single pass cannot reach.
TOLERANCE = 1e-6
PASSES = 3


def centred(values: ndarray, meetings: Meetings, component: ndarray) -> ndarray:
    """The values with the board-weighted mean of each component taken off."""
    import numpy as np

    weights = np.bincount(component, meetings.played)
    means = np.bincount(component, meetings.played * values) / weights
    return values - means[component]


def step(sigma: ndarray, rho: ndarray, meetings: Meetings) -> ndarray:
    """One plain iteration: the own result plus the mean strength of the opponents met."""
    return sigma + meetings.times(rho) / meetings.played


def iterate(sigma: ndarray, meetings: Meetings, count: int) -> list[ndarray]:
    """rho after 1, 2, … count plain iterations from rho = sigma."""
    steps, rho = [], sigma
    for _ in range(count):
        rho = step(sigma, rho, meetings)
        steps.append(rho)
    return steps


def fixed_point(sigma: ndarray, meetings: Meetings, component: ndarray) -> ndarray:
    """The solution by conjugate gradients; sigma must be centred."""
    import numpy as np

    rho = np.zeros_like(sigma)
    for _ in range(PASSES):
        left = step(sigma, rho, meetings) - rho
        # Rounding leaves a little of a constant, for which there is no solution: it would be blown up.
        right = meetings.played * centred(left, meetings, component)
        rho = rho + _gradients(right, meetings)
    return centred(rho, meetings, component)


def _gradients(right: ndarray, meetings: Meetings) -> ndarray:
    """x with (D − B)·x = right to TOLERANCE, the diagonal D as preconditioner."""
    import numpy as np

    x, rest = np.zeros_like(right), right.copy()
    inverse = 1 / meetings.played
    scaled = inverse * rest
    direction, size = scaled, float(rest @ scaled)
    enough = size * TOLERANCE**2
    # In exact arithmetic as many steps as contestants are always enough.
    for _ in range(2 * meetings.size):
        if size <= enough:
            break
        image = meetings.played * direction - meetings.times(direction)
        bend = float(direction @ image)
        if bend <= 0:
            break  # rounding is all that remains: nothing more can be gained
        step = size / bend
        x += step * direction
        rest -= step * image
        scaled = inverse * rest
        size, before = float(rest @ scaled), size
        direction = scaled + (size / before) * direction
    return x
