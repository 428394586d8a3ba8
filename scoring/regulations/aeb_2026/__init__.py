"""The AEB's point regulation of 1 January 2026."""

from .rules import REGULATION

REGULATIONS = (REGULATION,)
