"""The kinds of notices about points, tournaments and categories, and their texts.

Kinds about other things are declared by the rooms of these.
"""

from .acts import RETURNED, WAITING
from .clubs import CLUB_MISSING, MISSING, STALE
from .players import CATEGORY, LEAVING
from .points import AWARDS, CORRECTED, OWN_POINTS, POINTS

__all__ = [
    "AWARDS",
    "CATEGORY",
    "CLUB_MISSING",
    "CORRECTED",
    "LEAVING",
    "MISSING",
    "OWN_POINTS",
    "POINTS",
    "RETURNED",
    "STALE",
    "WAITING",
]
