"""The AEB's point regulation of 1 January 2026."""

from scoring.regulations.aeb.declaration import declared

from .page import ERRATA, RULINGS, examples
from .rules import REGULATION

DECLARATIONS = (declared(REGULATION, RULINGS, ERRATA, examples),)
