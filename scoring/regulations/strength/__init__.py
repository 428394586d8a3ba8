"""The adjustment of a session's results for the strength of the opponents met, in matchpoints and in IMPs."""

from functools import partial

from scoring.regulations.declaration import Declaration

from . import page
from .json_schema import SCHEMA
from .notes import IMP_ERRATA, IMP_RULINGS, MATCHPOINT_ERRATA, MATCHPOINT_RULINGS
from .scheme import IMP, MATCHPOINTS

DECLARATIONS = (
    Declaration(
        MATCHPOINTS,
        schema=SCHEMA,
        page=partial(page.page, MATCHPOINTS),
        calculation=None,
        rulings=MATCHPOINT_RULINGS,
        errata=MATCHPOINT_ERRATA,
    ),
    Declaration(
        IMP,
        schema=SCHEMA,
        page=partial(page.page, IMP),
        calculation=None,
        rulings=IMP_RULINGS,
        errata=IMP_ERRATA,
    ),
)
