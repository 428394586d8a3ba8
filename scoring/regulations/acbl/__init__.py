"""The ACBL's masterpoints, as far as sources for their rules were found."""

from .club import CLUB_AWARDS
from .overall import OVERALL

__all__ = ["CLUB_AWARDS", "OVERALL"]
