"""Results of a session adjusted for the strength of the opponents met, in matchpoints and in IMPs."""

from functools import partial

from scoring.regulations.declaration import Declaration

from . import page
from .json_schema import SCHEMA
from .notes import IMP_ERRATA, IMP_RULINGS, MATCHPOINT_ERRATA, MATCHPOINT_RULINGS
from .scheme import IMP, MATCHPOINTS

DECLARATIONS = (
    Declaration(MATCHPOINTS, SCHEMA, partial(page.page, MATCHPOINTS), MATCHPOINT_RULINGS, MATCHPOINT_ERRATA),
    Declaration(IMP, SCHEMA, partial(page.page, IMP), IMP_RULINGS, IMP_ERRATA),
)
