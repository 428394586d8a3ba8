"""The ACBL's masterpoints, as far as sources for their rules were found."""

from scoring.regulations.declaration import Declaration

from .club import CLUB_AWARDS
from .json_schema import CLUB_SCHEMA, OVERALL_SCHEMA
from .overall import OVERALL

DECLARATIONS = (
    Declaration(OVERALL, schema=OVERALL_SCHEMA),
    Declaration(CLUB_AWARDS, schema=CLUB_SCHEMA),
)
