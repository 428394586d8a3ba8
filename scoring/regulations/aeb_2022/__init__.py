"""The AEB's point regulation of 2 January 2022."""

from scoring.regulations.aeb.declaration import declared

from .page import ERRATA, RULINGS, examples
from .printed import printed_tables
from .rules import REGULATION

DECLARATIONS = (declared(REGULATION, RULINGS, ERRATA, examples, printed_tables),)
