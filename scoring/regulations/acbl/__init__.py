"""The rules of the ACBL's masterpoints, as far as we found sources for them."""

from scoring.regulations.declaration import Declaration

from . import page_club, page_overall
from .calculation import CLUB_CALCULATION, OVERALL_CALCULATION
from .club import CLUB_AWARDS
from .json_schema import CLUB_SCHEMA, OVERALL_SCHEMA
from .notes import CLUB_RULINGS, OVERALL_ERRATA, OVERALL_RULINGS
from .overall import OVERALL

DECLARATIONS = (
    Declaration(
        OVERALL,
        schema=OVERALL_SCHEMA,
        page=page_overall.page,
        calculation=OVERALL_CALCULATION,
        rulings=OVERALL_RULINGS,
        errata=OVERALL_ERRATA,
    ),
    Declaration(
        CLUB_AWARDS,
        schema=CLUB_SCHEMA,
        page=page_club.page,
        calculation=CLUB_CALCULATION,
        rulings=CLUB_RULINGS,
    ),
)
