"""The AEB's point regulation of 2 January 2022."""

from scoring.regulations.aeb.declaration import declared

from .rules import REGULATION

DECLARATIONS = (declared(REGULATION),)
