"""Computation of the contestants' strength in floats: by plain iteration, and as the iteration's fixed point.

A plain iteration sets each contestant's strength to its own mean result plus the mean strength of
its opponents. Let rho be the strengths and sigma the mean results, both relative to the mean of a
board; D the diagonal matrix of the boards that each contestant played; and B the matrix of the
boards that two contestants played against each other. The fixed point satisfies
rho = sigma + D⁻¹·B·rho, that is, (D − B)·rho = D·sigma.

D − B is the Laplacian of a graph, so rho is unique up to a constant per component; the constant is
chosen so that the board-weighted mean of rho is 0. A solution exists only if the board-weighted
mean of sigma is 0 in every component.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .graph import Meetings

if TYPE_CHECKING:
    from numpy import ndarray

# Each pass reduces the residual of the pass before by this factor. A single pass cannot reach the precision
# of a float.
TOLERANCE = 1e-6
PASSES = 3


def centred(values: ndarray, meetings: Meetings, component: ndarray) -> ndarray:
    """Return each contestant's value minus the mean of its component.

    The mean is weighted by the number of boards that each contestant played.

    component: the number of each contestant's component, as returned by `components`
    """
    import numpy as np

    weights = np.bincount(component, meetings.played)
    means = np.bincount(component, meetings.played * values) / weights
    return values - means[component]


def step(sigma: ndarray, rho: ndarray, meetings: Meetings) -> ndarray:
    """Return the strengths after one iteration: mean results plus the opponents' mean strength.

    sigma: each contestant's mean result, relative to the mean of a board
    rho: each contestant's strength before the iteration
    """
    return sigma + meetings.times(rho) / meetings.played


def iterate(sigma: ndarray, meetings: Meetings, count: int) -> list[ndarray]:
    """Return a list of the contestants' strengths after 1, 2, … ``count`` iterations (see `step`).

    sigma: each contestant's mean result relative to the mean of a board, from which the iteration starts
    """
    steps, rho = [], sigma
    for _ in range(count):
        rho = step(sigma, rho, meetings)
        steps.append(rho)
    return steps


def fixed_point(sigma: ndarray, meetings: Meetings, component: ndarray) -> ndarray:
    """Return the contestants' strengths that another iteration (`step`) would not change.

    sigma: each contestant's mean result, as returned by `centred`
    component: the number of each contestant's component, as returned by `components`
    """
    import numpy as np

    rho = np.zeros_like(sigma)
    for _ in range(PASSES):
        residual = step(sigma, rho, meetings) - rho
        # Rounding errors add a small constant, for which no solution exists. Without `centred` it would grow.
        right = meetings.played * centred(residual, meetings, component)
        rho = rho + _gradients(right, meetings)
    return centred(rho, meetings, component)


def _gradients(right: ndarray, meetings: Meetings) -> ndarray:
    """Solve the equations (D − B)·x = ``right`` of the module docstring to TOLERANCE. Return x.

    The method is conjugate gradients with D as preconditioner.
    """
    import numpy as np

    x, residual = np.zeros_like(right), right.copy()
    inverse = 1 / meetings.played
    scaled = inverse * residual
    direction, size = scaled, float(residual @ scaled)
    target = size * TOLERANCE**2
    # With exact arithmetic, as many steps as there are contestants would suffice.
    for _ in range(2 * meetings.size):
        if size <= target:
            break
        image = meetings.played * direction - meetings.times(direction)
        curvature = float(direction @ image)
        if curvature <= 0:
            break  # only rounding errors remain
        length = size / curvature
        x += length * direction
        residual -= length * image
        scaled = inverse * residual
        size, previous = float(residual @ scaled), size
        direction = scaled + (size / previous) * direction
    return x
