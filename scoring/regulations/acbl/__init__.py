"""The ACBL's masterpoints, as far as sources for their rules were found."""

from .club import CLUB_AWARDS
from .overall import OVERALL

REGULATIONS = (OVERALL, CLUB_AWARDS)
