"""Results of a session adjusted for the strength of the opponents met, in matchpoints and in IMPs."""

from .scheme import IMP, MATCHPOINTS

REGULATIONS = (MATCHPOINTS, IMP)
