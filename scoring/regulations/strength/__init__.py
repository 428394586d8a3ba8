"""Results of a session adjusted for the strength of the opponents met, in matchpoints and in IMPs."""

from scoring.regulations.declaration import Declaration

from .json_schema import SCHEMA
from .scheme import IMP, MATCHPOINTS

DECLARATIONS = tuple(Declaration(scheme, schema=SCHEMA) for scheme in (MATCHPOINTS, IMP))
