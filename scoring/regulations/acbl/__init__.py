"""The ACBL's masterpoints, as far as sources for their rules were found."""

from scoring.regulations.declaration import Declaration

from . import page_club, page_overall
from .club import CLUB_AWARDS
from .json_schema import CLUB_SCHEMA, OVERALL_SCHEMA
from .notes import CLUB_RULINGS, OVERALL_ERRATA, OVERALL_RULINGS
from .overall import OVERALL

DECLARATIONS = (
    Declaration(OVERALL, OVERALL_SCHEMA, page_overall.page, OVERALL_RULINGS, OVERALL_ERRATA),
    Declaration(CLUB_AWARDS, CLUB_SCHEMA, page_club.page, CLUB_RULINGS),
)
