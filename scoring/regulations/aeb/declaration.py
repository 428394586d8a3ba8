"""What every year of the AEB declares."""

from scoring.regulations.declaration import Declaration

from .json_schema import SCHEMA
from .scheme import Scheme


def declared(scheme: Scheme) -> Declaration:
    """Return the declaration of one year."""
    return Declaration(scheme, schema=SCHEMA)
