"""The AEB's point regulation of 2 January 2022."""

from .rules import REGULATION

REGULATIONS = (REGULATION,)
