"""The American league's masterpoints, as far as their rules could be sourced."""

from .club import CLUB_AWARDS
from .overall import OVERALL

__all__ = ["CLUB_AWARDS", "OVERALL"]
